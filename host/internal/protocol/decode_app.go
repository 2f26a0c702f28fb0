package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// lenient reads what pages write: unknown fields are ignored, the last of two
// equal keys stands as in JSON.parse, and a lone surrogate becomes U+FFFD.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// DecodeTelemetry reads one telemetry message of a page. What the page wrote of
// the common fields is kept for the caller to overwrite. The error is a *DecodeError.
func DecodeTelemetry(messageType string, raw []byte) (Message, error) {
	for _, row := range Telemetry {
		if row.Type == messageType {
			message := row.New()
			if hasFreeForm(message) {
				if _, err := scanLenient(raw); err != nil {
					return nil, err
				}
			}
			return decodeInto(messageType, raw, message)
		}
	}
	return nil, unknownType(messageType)
}

// hasFreeForm tells the messages whose depth their Go type does not bound.
func hasFreeForm(message Message) bool {
	switch message.(type) {
	case *StateUpdate, *UITreeDiff, *UITree, *Picked:
		return true
	}
	return false
}

// DecodeApp reads one message of a role=app connection: hello, capabilities,
// command_result or telemetry. Types that only the host writes are UNKNOWN_TYPE.
// The error is a *DecodeError.
func DecodeApp(raw []byte) (Message, error) {
	messageType, err := scanLenient(raw)
	if err != nil {
		return nil, err
	}
	switch messageType {
	case TypeHello:
		return decodeInto(messageType, raw, new(Hello))
	case TypeCapabilities:
		return decodeInto(messageType, raw, new(Capabilities))
	case TypeCommandResult:
		return decodeInto(messageType, raw, new(CommandResult))
	}
	for _, row := range Telemetry {
		if row.Type == messageType && messageType != TypePicked && messageType != TypeHumanActivity { // only the person does those
			return decodeInto(messageType, raw, row.New())
		}
	}
	return nil, unknownType(messageType)
}

func unknownType(messageType string) *DecodeError {
	return &DecodeError{Code: codeUnknownType, Message: fmt.Sprintf("%q is not a message that an app sends", clip(messageType, 64))}
}

func decodeInto(messageType string, raw []byte, message Message) (Message, error) {
	if err := json.Unmarshal(raw, message, lenient); err != nil {
		var syntactic *jsontext.SyntacticError
		if errors.As(err, &syntactic) {
			return nil, &DecodeError{Code: codeProtocol, Message: syntaxProblem(err).Error()}
		}
		return nil, &DecodeError{Code: codeValidation, Message: messageType + ": " + shapeProblem(err)}
	}
	header := message.Header()
	header.ProtocolVersion, header.Type = Version, messageType
	if problem := checkTelemetry(message); problem != "" {
		return nil, &DecodeError{Code: codeValidation, Message: messageType + ": " + problem}
	}
	return message, nil
}

// checkTelemetry holds the few values that readers of the log rely on.
func checkTelemetry(message Message) string {
	switch m := message.(type) {
	case *UITree:
		m.Full = true
	case *Console:
		return when(!slices.Contains([]string{"log", "info", "warn", "error", "debug"}, m.Level), "level must be log, info, warn, error or debug")
	case *HumanActivity:
		other := func(kind string) bool { return !slices.Contains([]string{"keys", "pointer", "wheel"}, kind) }
		return when(len(m.Kinds) == 0 || slices.ContainsFunc(m.Kinds, other) || m.Count < 1, "kinds must be keys, pointer and wheel, and count one or more")
	case *Dialog:
		return when(!slices.Contains([]string{"alert", "confirm", "prompt", "beforeunload"}, m.Kind), "kind must be alert, confirm, prompt or beforeunload")
	case *UITreeDiff:
		for _, change := range m.Changed {
			if ref, ok := change["ref"].(string); !ok || ref == "" {
				return "every change needs the ref of its item"
			}
		}
	}
	return ""
}

// scanLenient refuses what is not one JSON object of bounded depth, and gives its type.
func scanLenient(raw []byte) (messageType string, _ error) {
	refuse := func(message string) (string, error) {
		return "", &DecodeError{Code: codeProtocol, Message: message}
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(raw), lenient)
	isType := false
	for first := true; ; first = false {
		token, err := decoder.ReadToken()
		switch {
		case err != nil:
			return refuse(syntaxProblem(err).Error())
		case first && token.Kind() != '{':
			return refuse("the message is not a JSON object")
		case decoder.StackDepth() > maxDepth:
			return refuse(fmt.Sprintf("the message is nested deeper than %d", maxDepth))
		case decoder.StackDepth() == 0:
			if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
				return refuse("the message holds more than one JSON value")
			}
			return messageType, nil
		case decoder.StackDepth() == 1 && token.Kind() == '"':
			if _, length := decoder.StackIndex(1); length%2 == 1 {
				isType = token.String() == "type"
			} else if isType {
				messageType = token.String()
			}
		}
	}
}
