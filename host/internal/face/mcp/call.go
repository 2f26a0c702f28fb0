package mcp

//lint:file-ignore SA1019 roots and logging are deprecated, and clients of today have nothing else

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// emptySchema stands for the schema in the SDK's own list, which nobody gets to see.
var emptySchema = json.RawMessage(`{"type":"object"}`)

// answer is what the daemon said.
type answer struct {
	Data  jsontext.Value `json:"data"`
	Text  *string        `json:"text"`
	Error *struct {
		Code        fault.Code     `json:"code"`
		Message     string         `json:"message"`
		Details     map[string]any `json:"details"`
		Suggestions []string       `json:"suggestions"`
	} `json:"error"`
	Meta struct {
		Warnings []string `json:"warnings"`
		Stripped int      `json:"stripped"`
	} `json:"meta"`
	lines []string // of a stream, before the answer
}

// call runs a tool.
func (n *session) call(ctx context.Context, c *catalog.Command, name string, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	n.work.Add(1)
	defer n.work.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(n.ctx, cancel)() // a client that is gone cancels its commands
	if err := n.may(c); err != nil {
		return failure(err, nil), nil
	}
	a, err := readArgs(c, name, request.Params.Arguments)
	if err != nil {
		return failure(err, nil), nil
	}
	who, ask, err := n.places(ctx, request, a)
	if err != nil {
		return failure(err, nil), nil
	}
	if ask != nil {
		return ask, nil
	}
	n.remember(c, a)
	run := &client.RunRequest{
		Command: c.Name, Params: a.params(), Caller: who, Page: a.page, TimeoutMs: a.timeoutMs, Text: true, Face: "mcp",
		Data: n.server.options.Structured || hasFile(c), Limit: c.TimeLimit(),
	}
	said, err := n.run(ctx, c, run, n.teller(ctx, request))
	if err != nil {
		return failure(err, nil), nil
	}
	if said.Error != nil {
		f := said.fault()
		f.Message = strings.ReplaceAll(f.Message, c.Name, name)
		for i, next := range f.Suggestions {
			f.Suggestions[i] = strings.ReplaceAll(next, c.Name, name)
		}
		return failure(f, said.Meta.Warnings), nil
	}
	n.note(c, a)
	result := n.result(c, a, said, request.Session)
	if a.snapshot {
		n.addSnapshot(ctx, result, run)
	}
	if c.Effect != catalog.Read {
		n.pagesMayHaveChanged()
		n.pageToolsMayHaveChanged()
	}
	return result, nil
}

// may refuses what the client's token does not allow.
func (n *session) may(c *catalog.Command) error {
	if c.Name == "tools.allow" {
		return fault.New(fault.PolicyDenied, "whether a page's tools may be called is for the person to say, not for the assistant").
			Suggest("Ask the person to type: dbridge tools allow SITE")
	}
	level := protocol.Level(n.level)
	if n.level == "" || level.Allows(c.Level) {
		return nil
	}
	return fault.New(fault.CapabilityMissing, "%s needs level %s; the token of this connection allows %s", c.Name, c.Level, level).With("level", c.Level).
		Suggest("Ask the person for a token of that level: dbridge token new NAME --level " + string(c.Level))
}

// run asks the daemon. Where the context's browser is gone with a daemon or by itself, the
// one that was started here is started again; where there never was one and the command
// would open a page, one is started.
func (n *session) run(ctx context.Context, c *catalog.Command, run *client.RunRequest, tell func(kind string, value []byte) error) (*answer, error) {
	said, err := n.once(ctx, c, run, tell)
	if err != nil || said.Error == nil || !browserless(said.Error.Code) || c.Needs == catalog.Nothing {
		return said, err
	}
	n.mu.Lock()
	params := n.started
	n.mu.Unlock()
	if params == nil {
		if _, none := said.Error.Details["contextKey"]; !none || c.Name != "page.open" && c.Name != "page.navigate" {
			return said, nil
		}
		params = []byte("{}")
	}
	start, _ := command.All.Find("session.start")
	begun, err := n.once(ctx, start, &client.RunRequest{Command: start.Name, Params: params, Caller: run.Caller, Text: true, Limit: start.TimeLimit()}, tell)
	if err != nil || begun.Error != nil && begun.Error.Code != fault.SessionAlreadyRunning {
		return said, nil // what the command itself said is nearer to what was asked
	}
	n.mu.Lock()
	n.started = params
	n.mu.Unlock()
	again, err := n.once(ctx, c, run, tell)
	if err == nil && begun.Text != nil {
		again.Meta.Warnings = append(again.Meta.Warnings, "A browser was started for this: "+*begun.Text)
	}
	return again, err
}

// browserless are the faults of a context without a browser.
func browserless(code fault.Code) bool {
	return code == fault.SessionNotFound || code == fault.ContextLeaseExpired
}

func (n *session) once(ctx context.Context, c *catalog.Command, run *client.RunRequest, tell func(kind string, value []byte) error) (*answer, error) {
	var said answer
	var mu sync.Mutex
	n.mu.Lock()
	n.asked = true
	n.mu.Unlock()
	data, other, err := n.server.pool.run(ctx, c, run, func(kind string, value []byte) error {
		if kind == "line" {
			mu.Lock()
			defer mu.Unlock()
			said.lines = append(said.lines, wordOf(value))
			return nil
		}
		return tell(kind, value)
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fault.New(fault.Cancelled, "%s was cancelled", c.Name)
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(data, &said); err != nil {
		return nil, fault.New(fault.ProtocolError, "the daemon's answer cannot be read").Because(err)
	}
	if other != "" {
		n.skewed(&said, other)
	}
	return &said, nil
}

// skewed tells of a daemon of another version: once, or instead of a refusal, which then means nothing.
func (n *session) skewed(said *answer, other string) {
	words := "the daemon that runs is of version " + other + ", this server of " + version.Version + "; `dbridge daemon stop` lets the next call start this one"
	if said.Error != nil && (said.Error.Code == fault.ValidationError || said.Error.Code == fault.UnknownType) {
		said.Error.Code, said.Error.Message, said.Error.Suggestions = fault.VersionMismatch, words, []string{"dbridge daemon stop"}
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.told != other {
		n.told = other
		said.Meta.Warnings = append(said.Meta.Warnings, words)
	}
}

func (s *answer) fault() *fault.Error {
	f := fault.New(s.Error.Code, "%s", s.Error.Message).Suggest(s.Error.Suggestions...)
	f.Details = s.Error.Details
	return f
}

// teller passes on what a command says on its way: as progress where the client asked
// for that, and as a line of the log at the level that the client wants.
func (n *session) teller(ctx context.Context, request *sdk.CallToolRequest) func(kind string, value []byte) error {
	token := request.Params.GetProgressToken()
	count := 0.0
	return func(_ string, value []byte) error {
		words := wordOf(value)
		if token != nil {
			count++
			// A client that is gone is noticed by the answer.
			_ = request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Message: words, Progress: count})
		}
		_ = request.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Logger: "debug-bridge", Data: words})
		return nil
	}
}

// remember puts in what an earlier call said for this one.
func (n *session) remember(c *catalog.Command, a *args) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch c.Name {
	case "capture.screencast-start": // the leading server is told here where it shall go
		if file, ok := a.take("filePath"); ok {
			n.files["capture.screencast-stop"] = file
		}
	case "capture.screencast-stop":
		if file, ok := n.files[c.Name]; ok {
			a.set("file", jsontext.Value(file))
			delete(n.files, c.Name)
		}
	}
}

// note remembers what was started and ended.
func (n *session) note(c *catalog.Command, a *args) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch c.Name {
	case "session.start", "session.restart":
		delete(a.given, "url") // pages are the agent's business
		n.started = a.params()
	case "session.stop":
		n.started = nil
	}
}
