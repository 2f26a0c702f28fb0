package cdp

import (
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/devtools"
)

// What is answered to messages that are none (JSON-RPC 2.0 section 5.1).
const (
	codeParse   = -32700
	codeInvalid = -32600
)

// decode reads a client's message. What is none is answered as the browser does, and the
// connection stays. Doubled names are refused: the policy and the browser see the same.
func decode(data []byte) (message devtools.Message, complaint []byte) {
	var wire struct {
		ID        jsontext.Value            `json:"id"`
		Method    jsontext.Value            `json:"method"`
		Params    jsontext.Value            `json:"params"`
		SessionID jsontext.Value            `json:"sessionId"`
		Other     map[string]jsontext.Value `json:",embed"`
	}
	// A script of the client may hold lone surrogates, which are its own affair.
	if err := json.Unmarshal(data, &wire, jsontext.AllowInvalidUTF8(true)); err != nil {
		if value := jsontext.Value(data); value.IsValid(jsontext.AllowInvalidUTF8(true)) && value.Kind() != '{' {
			return message, complain(nil, codeInvalid, "Message must be an object")
		}
		return message, complain(nil, codeParse, "Message must be a valid JSON")
	}
	id, err := strconv.ParseInt(string(wire.ID), 10, 64)
	if err != nil {
		return message, complain(nil, codeInvalid, "Message must have integer 'id' property")
	}
	message.ID = id
	if !text(wire.Method, &message.Method) {
		return message, complain(wire.ID, codeInvalid, "Message must have string 'method' property")
	}
	if wire.SessionID != nil && !text(wire.SessionID, &message.SessionID) {
		return message, complain(wire.ID, codeInvalid, "Message may have string 'sessionId' property")
	}
	switch wire.Params.Kind() {
	case '{':
		message.Params = wire.Params
	case 'n', jsontext.KindInvalid:
	default:
		return message, complain(wire.ID, codeInvalid, "Message may have object 'params' property")
	}
	if len(wire.Other) > 0 {
		return message, complain(wire.ID, codeInvalid, "Message has property other than 'id', 'method', 'sessionId', 'params'")
	}
	return message, nil
}

func text(value jsontext.Value, into *string) bool {
	return value.Kind() == '"' && json.Unmarshal(value, into, jsontext.AllowInvalidUTF8(true)) == nil
}

// complain makes the answer to what is no message.
func complain(id jsontext.Value, code int, words string) []byte {
	b := []byte{'{'}
	if id != nil {
		b = append(append(append(b, `"id":`...), id...), ',')
	}
	return append(append(append(b, `"error":`...), failure(code, words)...), '}')
}
