// Package caller tells who runs a command, so that the daemon can give each agent
// a context of its own without the agent naming one.
package caller

// Caller is what a client says of itself. The daemon takes pid from the socket's
// peer credentials where the system gives them, and believes the rest: all callers
// over the local socket are the same person.
type Caller struct {
	ContextEnv string `json:"contextEnv,omitempty"` // DBRIDGE_CONTEXT_ID
	ShareGroup string `json:"shareGroup,omitempty"` // --share-group
	ContextID  string `json:"contextId,omitempty"`  // --context-id, for operators
	Profile    string `json:"profile,omitempty"`    // --profile
	Session    string `json:"session,omitempty"`    // --session, of the user's pages
	Agent      string `json:"agent,omitempty"`      // the name of a token, where one was used
	Pid        int    `json:"pid,omitempty"`
	Anchor     int    `json:"anchor,omitempty"`      // the nearest long-lived ancestor
	AnchorAt   string `json:"anchorStart,omitempty"` // its start time, so that a recycled pid is told apart
	TTY        string `json:"tty,omitempty"`
	Cwd        string `json:"cwd,omitempty"`
}
