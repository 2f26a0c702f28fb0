package page

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// While the debugger is attached, console lines, errors and dialogs come from
// CDP and nothing in the page is patched. The extension switches between the
// two sources so that each line comes once.

// contextKey names a JavaScript context: numbers are unique per CDP session.
type contextKey struct {
	session string
	id      int64
}

type jsContext struct {
	page   bool // the page's own world, not an extension's
	frame  string
	origin string
}

// cdpEvents turns browser events into telemetry.
var cdpEvents = map[string]func(*Tab, string, jsontext.Value) (protocol.Message, error){
	"Runtime.executionContextCreated":   (*Tab).onContextCreated,
	"Runtime.executionContextsCleared":  (*Tab).onContextsCleared,
	"Runtime.executionContextDestroyed": (*Tab).onContextDestroyed,
	"Runtime.consoleAPICalled":          (*Tab).onConsole,
	"Runtime.exceptionThrown":           (*Tab).onException,
	"Target.attachedToTarget":           (*Tab).onChild,
	"Target.detachedFromTarget":         (*Tab).onChildGone,
	"Page.javascriptDialogOpening":      (*Tab).onDialogOpening,
	"Page.javascriptDialogClosed":       (*Tab).onDialogClosed,
}

func (t *Tab) onCDPEvent(event cdpEvent) error {
	told := t.tells(&event)
	if told {
		t.page.CDPEvent(event.Method, event.Params, event.SessionID)
		t.observe(event.SessionID, event.Method, event.Params)
	}
	handle, ok := cdpEvents[event.Method]
	if !ok {
		return nil
	}
	message, err := handle(t, event.SessionID, event.Params)
	if err != nil {
		return err
	}
	if message != nil && told {
		t.nameFrame(message, event.FrameID)
		t.hear(Said{message, event.SessionID, event.Method, event.Params})
		t.page.Publish(masked(message))
	}
	return nil
}

// onCDPDetached tells subscribers in CDP's own words (Inspector.detached):
// what they enabled is off, and is to be enabled again.
func (t *Tab) onCDPDetached(event cdpEvent) error {
	t.mu.Lock()
	clear(t.contexts)
	clear(t.children)
	t.dialog = nil
	t.armed = nil
	t.mu.Unlock()
	params, err := json.Marshal(map[string]string{"reason": event.Reason})
	if err != nil {
		return err
	}
	t.domains.clear()
	t.page.CDPEvent("Inspector.detached", params, "")
	t.observe("", "Inspector.detached", params)
	return nil
}

func (t *Tab) onContextCreated(session string, params jsontext.Value) (protocol.Message, error) {
	var event struct {
		Context struct {
			ID      int64     `json:"id"`
			Origin  string    `json:"origin"`
			AuxData *struct { // a worker's context has none
				IsDefault bool   `json:"isDefault"`
				FrameID   string `json:"frameId"`
			} `json:"auxData"`
		} `json:"context"`
	}
	if err := decode(params, &event); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	made := jsContext{page: true, origin: event.Context.Origin}
	if aux := event.Context.AuxData; aux != nil {
		made = jsContext{aux.IsDefault, aux.FrameID, event.Context.Origin}
	}
	t.contexts[contextKey{session, event.Context.ID}] = made
	return nil, nil
}

func (t *Tab) onContextsCleared(session string, _ jsontext.Value) (protocol.Message, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key := range t.contexts {
		if key.session == session {
			delete(t.contexts, key)
		}
	}
	return nil, nil
}

func (t *Tab) onContextDestroyed(session string, params jsontext.Value) (protocol.Message, error) {
	var event struct {
		ExecutionContextID int64 `json:"executionContextId"`
	}
	if err := decode(params, &event); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.contexts, contextKey{session, event.ExecutionContextID})
	return nil, nil
}

// fromPage reports whether a context is the page's own world; unknown ones are.
func (t *Tab) fromPage(session string, id int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, known := t.contexts[contextKey{session, id}]
	return !known || c.page
}

// consoleLevels maps CDP's console types to protocol levels; the rest are log.
var consoleLevels = map[string]string{
	"warning": "warn", "error": "error", "assert": "error", "info": "info", "debug": "debug",
}

type callFrame struct {
	FunctionName string `json:"functionName"`
	URL          string `json:"url"`
	LineNumber   int    `json:"lineNumber"`
	ColumnNumber int    `json:"columnNumber"`
}

type stackTrace struct {
	CallFrames []callFrame `json:"callFrames"`
}

func (s *stackTrace) text() string {
	if s == nil {
		return ""
	}
	lines := make([]string, 0, len(s.CallFrames))
	for _, f := range s.CallFrames {
		name := f.FunctionName
		if name == "" {
			name = "<anonymous>"
		}
		lines = append(lines, "    at "+name+" ("+f.URL+":"+strconv.Itoa(f.LineNumber+1)+":"+strconv.Itoa(f.ColumnNumber+1)+")")
	}
	return strings.Join(lines, "\n")
}

func (t *Tab) onConsole(session string, params jsontext.Value) (protocol.Message, error) {
	var event struct {
		Type               string         `json:"type"`
		Args               []remoteObject `json:"args"`
		ExecutionContextID int64          `json:"executionContextId"`
		Timestamp          float64        `json:"timestamp"`
		StackTrace         *stackTrace    `json:"stackTrace"`
	}
	if err := decode(params, &event); err != nil {
		return nil, err
	}
	if !t.fromPage(session, event.ExecutionContextID) {
		return nil, nil
	}
	level, ok := consoleLevels[event.Type]
	if !ok {
		level = "log"
	}
	message := &protocol.Console{
		Base:  protocol.Base{Type: protocol.TypeConsole, Timestamp: int64(event.Timestamp), FrameID: frameOfSession(session)},
		Level: level, Args: make([]string, 0, len(event.Args)),
	}
	for _, arg := range event.Args {
		message.Args = append(message.Args, arg.text())
	}
	if len(event.Args) > 0 && event.Args[0].Type == "string" {
		message.Args = Formatted(message.Args)
	}
	if s := event.StackTrace; s != nil && len(s.CallFrames) > 0 {
		top := s.CallFrames[0]
		message.URL, message.Line, message.Column = top.URL, top.LineNumber+1, top.ColumnNumber+1
		if level == "warn" || level == "error" {
			message.Stack = s.text()
		}
	}
	return message, nil
}

// frameOfSession names the main frame for the page's own CDP session; which
// child frame another session is, CDP does not say in Chrome's frame numbers.
func frameOfSession(session string) string {
	if session == "" {
		return "main"
	}
	return ""
}

type exceptionDetails struct {
	Text         string        `json:"text"`
	URL          string        `json:"url"`
	LineNumber   int           `json:"lineNumber"`
	ColumnNumber int           `json:"columnNumber"`
	StackTrace   *stackTrace   `json:"stackTrace"`
	Exception    *remoteObject `json:"exception"`
	ContextID    int64         `json:"executionContextId"`
}

// words gives the message and the stack of an exception.
func (e *exceptionDetails) words() (message, stack string) {
	if e.Exception == nil {
		return e.Text, e.StackTrace.text()
	}
	text := e.Exception.text()
	if head, rest, found := strings.Cut(text, "\n    at "); found {
		return head, head + "\n    at " + rest
	}
	return text, e.StackTrace.text()
}

// terminated reports a script that the browser's time limit ended: it has neither exception nor text of its own.
func (e *exceptionDetails) terminated() bool {
	return e.Exception == nil && (e.Text == "" || e.Text == "Uncaught")
}

func (t *Tab) onException(session string, params jsontext.Value) (protocol.Message, error) {
	var event struct {
		Timestamp        float64          `json:"timestamp"`
		ExceptionDetails exceptionDetails `json:"exceptionDetails"`
	}
	if err := decode(params, &event); err != nil {
		return nil, err
	}
	details := &event.ExceptionDetails
	if details.ContextID != 0 && !t.fromPage(session, details.ContextID) {
		return nil, nil
	}
	message, stack := details.words()
	out := &protocol.PageError{
		Base:     protocol.Base{Type: protocol.TypeError, Timestamp: int64(event.Timestamp), FrameID: frameOfSession(session)},
		Filename: details.URL, Lineno: details.LineNumber + 1, Colno: details.ColumnNumber + 1, Stack: stack,
	}
	if strings.HasPrefix(details.Text, "Uncaught (in promise)") {
		out.Type, out.Reason = protocol.TypeUnhandledRejection, message
		return out, nil
	}
	out.Message = "Uncaught " + strings.TrimPrefix(message, "Uncaught ") // of another site's script there is the text alone
	return out, nil
}

func (t *Tab) onDialogOpening(_ string, params jsontext.Value) (protocol.Message, error) {
	var event struct {
		Type          string `json:"type"`
		Message       string `json:"message"`
		DefaultPrompt string `json:"defaultPrompt"`
	}
	if err := decode(params, &event); err != nil {
		return nil, err
	}
	if t.unseen() != nil {
		event.Message, event.DefaultPrompt = "", ""
	}
	dialog := &protocol.Dialog{
		Base: protocol.Base{Type: protocol.TypeDialog, Timestamp: time.Now().UnixMilli()},
		Kind: event.Type, Message: event.Message, DefaultPrompt: event.DefaultPrompt,
	}
	kept := *dialog
	t.mu.Lock()
	t.dialog = &kept
	close(t.dialogs)
	t.dialogs = make(chan struct{})
	t.mu.Unlock()
	return dialog, nil
}

func (t *Tab) onDialogClosed(string, jsontext.Value) (protocol.Message, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dialog = nil
	return nil, nil
}
