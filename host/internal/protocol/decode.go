package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Codes of DecodeError; rows of the fault table, named here because this
// package imports nothing of ours.
const (
	codeProtocol    = "PROTOCOL_ERROR"
	codeValidation  = "VALIDATION_ERROR"
	codeUnknownType = "UNKNOWN_TYPE"
)

// MaxSafeInteger is the largest integer that every JSON reader keeps exact.
const MaxSafeInteger = 1<<53 - 1

// Limits of what a message may hold.
const (
	maxFrameIDLen = 64
	maxDepth      = 256 // of telemetry; pages nest state, but no reader wants more
)

// SessionIDPattern is what a session may be called: [A-Za-z0-9._-]{1,64}. Not a
// regular expression, which every start of the program would pay for.
var SessionIDPattern sessionIDPattern

type sessionIDPattern struct{}

// MatchString reports whether id may be a session's name.
func (sessionIDPattern) MatchString(id string) bool {
	for i := range len(id) {
		c := id[i]
		if !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return len(id) >= 1 && len(id) <= 64
}

// DecodeError says why a message was refused.
type DecodeError struct {
	Code      string
	Message   string
	RequestID string // of the refused command, when it could be read
}

func (e *DecodeError) Error() string { return e.Code + ": " + e.Message }

// Command is a command as an agent sent it, checked against its declaration.
type Command struct {
	Base
	TimeoutMs int
	Epoch     string
	Spec      *CommandSpec
	Params    any    // what Spec.Params made, filled
	Body      []byte // canonical bytes of what is to be done, for the same-body check
	Received  time.Time
	AgentID   string
	AgentName string
}

// Timeout is how long the command may take.
func (c *Command) Timeout() time.Duration { return time.Duration(c.TimeoutMs) * time.Millisecond }

// Spec finds the declaration of a command.
func Spec(commandType string) (*CommandSpec, bool) {
	for _, list := range [][]CommandSpec{Commands, HostCommands} {
		for i := range list {
			if list[i].Type == commandType {
				return &list[i], true
			}
		}
	}
	return nil, false
}

// commandHead is what every command may carry beside its parameters. The host
// sets origin and seq; what a peer writes there is read and ignored.
type commandHead struct {
	ProtocolVersion *int           `json:"protocolVersion"`
	Type            string         `json:"type"`
	SessionID       *string        `json:"sessionId"`
	Origin          string         `json:"origin"`
	Timestamp       int64          `json:"timestamp"`
	Seq             uint64         `json:"seq"`
	PageID          *int           `json:"pageId"`
	FrameID         *string        `json:"frameId"`
	RequestID       *string        `json:"requestId"`
	TimeoutMs       *int           `json:"timeoutMs"`
	Epoch           *string        `json:"epoch"`
	Rest            jsontext.Value `json:",embed"`
}

// Extended is parameters that read themselves: those of commands that are declared
// elsewhere (the catalogue). What Spec.Params makes may be one.
type Extended interface {
	// Decode reads the members beside the common ones. The error's text is for the agent.
	Decode(rest jsontext.Value) error
	// TimeLimit is the time limit where the command names none.
	TimeLimit() time.Duration
}

// DecodeCommand reads one command of the protocol's own table, strictly: what
// JSON.parse in the page and the checks here could understand differently is
// refused (protocol.md section 8). The error is always a *DecodeError.
func DecodeCommand(data []byte) (*Command, error) { return Decode(data, nil) }

// Decode is DecodeCommand that knows more commands: more finds those that are not
// in the protocol's table. It may be nil.
func Decode(data []byte, more func(commandType string) (*CommandSpec, bool)) (*Command, error) {
	scan, err := scanObject(data)
	if err != nil {
		return nil, &DecodeError{Code: codeProtocol, Message: err.Error(), RequestID: scan.requestID}
	}
	refuse := func(code, format string, args ...any) (*Command, error) {
		return nil, &DecodeError{Code: code, Message: fmt.Sprintf(format, args...), RequestID: scan.requestID}
	}
	if scan.problem != "" {
		return refuse(codeValidation, "%s", scan.problem)
	}
	if scan.commandType == "" {
		return refuse(codeValidation, "type is missing or not a non-empty string")
	}
	spec, ok := Spec(scan.commandType)
	if !ok && more != nil {
		spec, ok = more(scan.commandType)
	}
	if !ok {
		return refuse(codeUnknownType, "%q is not a command of protocol v%d", clip(scan.commandType, 64), Version)
	}
	var head commandHead
	if err := json.Unmarshal(data, &head); err != nil {
		return refuse(codeValidation, "%s", shapeProblem(err))
	}
	command := &Command{Spec: spec, TimeoutMs: int(DefaultTimeout / time.Millisecond)}
	command.Base = Base{ProtocolVersion: Version, Type: head.Type, Timestamp: head.Timestamp, Origin: OriginAgent}
	if problem := head.check(command); problem != "" {
		return refuse(codeValidation, "%s", problem)
	}
	rest := head.Rest
	if len(rest) == 0 {
		rest = jsontext.Value("{}")
	}
	command.Params = spec.Params()
	if own, ok := command.Params.(Extended); ok {
		if head.TimeoutMs == nil {
			command.TimeoutMs = int(own.TimeLimit() / time.Millisecond)
		}
		if err := own.Decode(rest); err != nil {
			return refuse(codeValidation, "%s", err.Error())
		}
		if command.Body, err = canonicalBody(&head, rest); err != nil {
			return refuse(codeValidation, "the command cannot be put in canonical form: %v", err)
		}
		return command, nil
	}
	if scan.innerNull != "" {
		return refuse(codeValidation, "%s", scan.innerNull)
	}
	if err := json.Unmarshal(rest, command.Params, json.RejectUnknownMembers(true)); err != nil {
		return refuse(codeValidation, "%s", shapeProblem(err))
	}
	if problem := checkParams(command.Params, scan.names); problem != "" {
		return refuse(codeValidation, "%s", problem)
	}
	command.Body, err = canonicalBody(&head, rest)
	if err != nil {
		return refuse(codeValidation, "the command cannot be put in canonical form: %v", err)
	}
	return command, nil
}

// check moves the head into the command, or says what is wrong with it.
func (h *commandHead) check(command *Command) string {
	if h.ProtocolVersion != nil && *h.ProtocolVersion != Version {
		return fmt.Sprintf("protocolVersion must be %d", Version)
	}
	if h.SessionID != nil {
		if !SessionIDPattern.MatchString(*h.SessionID) {
			return "sessionId must be 1 to 64 characters out of A-Z a-z 0-9 . _ -"
		}
		command.SessionID = *h.SessionID
	}
	if h.PageID != nil {
		if *h.PageID < 1 {
			return "pageId must be a positive integer"
		}
		command.PageID = *h.PageID
	}
	if h.FrameID != nil {
		if *h.FrameID == "" || len(*h.FrameID) > maxFrameIDLen {
			return fmt.Sprintf("frameId must be 1 to %d characters", maxFrameIDLen)
		}
		command.FrameID = *h.FrameID
	}
	if h.RequestID != nil {
		if !validRequestID(*h.RequestID) {
			return fmt.Sprintf("requestId must be 1 to %d characters without control characters", MaxRequestIDLen)
		}
		command.RequestID = *h.RequestID
	} else if h.Type == TypeCancel {
		return "requestId is missing: the command to cancel"
	}
	if h.TimeoutMs != nil {
		if *h.TimeoutMs < 1 || *h.TimeoutMs > int(MaxTimeout/time.Millisecond) {
			return fmt.Sprintf("timeoutMs must be 1 to %d", MaxTimeout/time.Millisecond)
		}
		command.TimeoutMs = *h.TimeoutMs
	}
	if h.Epoch != nil {
		if !SessionIDPattern.MatchString(*h.Epoch) {
			return "epoch is not one that a welcome gave"
		}
		command.Epoch = *h.Epoch
	}
	return ""
}

func validRequestID(id string) bool {
	return id != "" && utf8.RuneCountInString(id) <= MaxRequestIDLen && !strings.ContainsFunc(id, unicode.IsControl)
}

// canonicalBody is what "same body" compares (RFC 8785): what is to be done,
// where, and for how long. Not the time of writing, nor the epoch that a repeat adds.
func canonicalBody(head *commandHead, rest jsontext.Value) ([]byte, error) {
	value, err := json.Marshal(struct {
		Type      string         `json:"type"`
		PageID    *int           `json:"pageId"`
		FrameID   *string        `json:"frameId"`
		TimeoutMs *int           `json:"timeoutMs"`
		Params    jsontext.Value `json:"params"`
	}{head.Type, head.PageID, head.FrameID, head.TimeoutMs, rest})
	if err != nil {
		return nil, err
	}
	body := jsontext.Value(value)
	if err := body.Canonicalize(); err != nil {
		return nil, err
	}
	return body, nil
}

// objectScan is what one pass over the tokens of a command finds out.
type objectScan struct {
	commandType string
	requestID   string
	names       map[string]bool // top level
	problem     string          // first reason to refuse well-formed JSON
	innerNull   string          // the same for a null below the top level, which may be a value
}

func (s *objectScan) refuse(format string, args ...any) {
	if s.problem == "" {
		s.problem = fmt.Sprintf(format, args...)
	}
}

// scanObject reads every token once. An error means that data is not one JSON
// object; a problem means that it is one which two readers could take differently.
func scanObject(data []byte) (scan objectScan, err error) {
	scan.names = make(map[string]bool)
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return scan, errors.New("the message begins with a byte order mark")
	}
	if !utf8.Valid(data) {
		return scan, errors.New("the message is not valid UTF-8")
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	if decoder.PeekKind() != '{' {
		if _, err := decoder.ReadToken(); err != nil {
			return scan, syntaxProblem(err)
		}
		return scan, errors.New("the message is not a JSON object")
	}
	var seen []map[string]string // per open object: folded name to name; nil for an array
	name := ""
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return scan, syntaxProblem(err)
		}
		switch token.Kind() {
		case '{':
			seen = append(seen, make(map[string]string))
			continue
		case '[':
			seen = append(seen, nil)
			continue
		case '}', ']':
			seen = seen[:len(seen)-1]
			if len(seen) == 0 {
				if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
					return scan, errors.New("the message holds more than one JSON value")
				}
				return scan, nil
			}
			continue
		}
		object := seen[len(seen)-1]
		// The length counts names and values: odd right after a name was read.
		_, length := decoder.StackIndex(decoder.StackDepth())
		isName := object != nil && length%2 == 1
		switch token.Kind() {
		case '"':
			text := token.String()
			if strings.ContainsRune(text, 0) {
				scan.refuse("a string holds a NUL character")
			}
			if isName {
				name = text
				folded := foldName(text)
				if other, ok := object[folded]; ok {
					if other == text {
						scan.refuse("the key %q is there twice", clip(text, 64))
					} else {
						scan.refuse("the keys %q and %q differ only in case", clip(other, 64), clip(text, 64))
					}
				}
				object[folded] = text
				if len(seen) == 1 {
					scan.names[text] = true
				}
			} else if len(seen) == 1 {
				switch {
				case name == "type":
					scan.commandType = text
				case name == "requestId" && validRequestID(text):
					scan.requestID = text
				}
			}
		case '0':
			if number, err := strconv.ParseFloat(token.String(), 64); err != nil || math.IsInf(number, 0) {
				return scan, fmt.Errorf("the number %s is out of range", clip(token.String(), 32))
			}
		case 'n':
			if len(seen) > 1 {
				scan.innerNull = fmt.Sprintf("null is not a value of %q; leave the field out", clip(name, 64))
				continue
			}
			scan.refuse("null is not a value of %q; leave the field out", clip(name, 64))
		}
	}
}

// foldName maps names that some JSON reader takes for equal to the same string.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, name)
}

func syntaxProblem(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the message ends before its JSON does")
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && syntactic.Err != nil {
		return fmt.Errorf("not JSON at byte %d: %s", syntactic.ByteOffset, clip(syntactic.Err.Error(), 120))
	}
	return fmt.Errorf("not JSON: %s", clip(err.Error(), 120))
}

func shapeProblem(err error) string {
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return clip(err.Error(), 200)
	}
	where := clip(string(semantic.JSONPointer), 100)
	if errors.Is(semantic, json.ErrUnknownName) {
		return fmt.Sprintf("%s is not a field of this message", where)
	}
	kind := "value"
	if semantic.GoType != nil {
		kind = jsonKind(semantic.GoType)
	}
	return fmt.Sprintf("%s must be %s", where, kind)
}

func jsonKind(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}

func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
