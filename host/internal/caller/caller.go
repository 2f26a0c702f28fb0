// Package caller tells who runs a command, so that the daemon can give each agent
// a context of its own without the agent naming one.
//
// The client collects (Collect); it costs a few reads of the process table. The
// daemon makes a key of it (Caller.Key). An agent's harness starts a new shell for
// each command, so neither the process nor its parent says who asks: the anchor does,
// the nearest ancestor that lives on when the command is over.
package caller

import (
	"os"
	"path/filepath"
	"runtime"
)

// EnvContext names the context of a process and its children.
const EnvContext = "DBRIDGE_CONTEXT_ID"

// Caller is what a client says of itself. The daemon checks pid against the socket's
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
	AnchorName string `json:"anchorName,omitempty"`
	TTY        string `json:"tty,omitempty"`       // the anchor's terminal
	Workspace  string `json:"workspace,omitempty"` // the project that cwd is in, where one anchor may serve several agents
	Cwd        string `json:"cwd,omitempty"`
}

// Flags are what the command line says of the caller.
type Flags struct{ ShareGroup, ContextID, Profile, Session string }

// Collect tells of this process.
func Collect(flags Flags) Caller {
	c := named(flags)
	c.setAnchor(anchorOf(os.Getppid(), Lookup))
	return c
}

// Brief is Collect for a command line, which lives for a few milliseconds: on Linux
// the daemon knows which process is at the other end of its socket, and looks for the
// anchor itself.
func Brief(flags Flags) Caller {
	if runtime.GOOS == "linux" {
		return named(flags)
	}
	return Collect(flags)
}

// With is c with what flags say.
func (c Caller) With(flags Flags) Caller {
	c.ShareGroup, c.ContextID, c.Profile, c.Session = flags.ShareGroup, flags.ContextID, flags.Profile, flags.Session
	return c
}

func named(flags Flags) Caller {
	cwd, _ := os.Getwd() // unknown in a folder that was removed
	return Caller{
		ContextEnv: os.Getenv(EnvContext), ShareGroup: flags.ShareGroup, ContextID: flags.ContextID,
		Profile: flags.Profile, Session: flags.Session, Pid: os.Getpid(), Cwd: cwd,
	}
}

// Of is c with the anchor of another process: that which the system says is at the
// other end of the socket.
func (c Caller) Of(pid int) Caller {
	c.Pid, c.Anchor, c.AnchorAt, c.AnchorName, c.TTY, c.Workspace = pid, 0, "", "", "", ""
	if p, ok := Lookup(pid); ok {
		c.setAnchor(anchorOf(p.Parent, Lookup))
	}
	return c
}

func (c *Caller) setAnchor(p Process, ok bool) {
	if !ok {
		return
	}
	c.Anchor, c.AnchorAt, c.AnchorName, c.TTY = p.Pid, p.Start, p.title(), p.TTY
	// A person's shell goes from folder to folder and stays who it is; one harness
	// may run an agent in each of several projects.
	if !shells[p.Name] {
		c.Workspace = workspace(c.Cwd)
	}
}

// maxLevels bounds the walk up from a folder.
const maxLevels = 40

// workspace is the folder of the project that dir is in, or nothing. A worktree is one of its own.
func workspace(dir string) string {
	for range maxLevels {
		if dir == "" {
			return ""
		}
		for _, mark := range []string{".git", ".hg", ".jj"} {
			if _, err := os.Lstat(filepath.Join(dir, mark)); err == nil {
				return dir
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
	return ""
}
