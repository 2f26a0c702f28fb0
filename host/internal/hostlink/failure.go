package hostlink

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// byeError is a peer's last word.
type byeError struct{ word nativemsg.Error }

func (e *byeError) Error() string {
	return "the extension said goodbye: " + clip(e.word.Code) + ": " + clip(e.word.Message)
}

// toWire renders any error for the link.
func toWire(err error) *nativemsg.Error {
	f := fault.From(err)
	return &nativemsg.Error{Code: string(f.Code), Message: f.Message, Details: f.Details, Suggestions: f.Suggestions, Retryable: f.Retryable()}
}

// fromWire turns an error of the extension into a fault. A code that is not in
// our table becomes the nearest that is, and is kept in details.remoteCode.
func fromWire(e *nativemsg.Error) *fault.Error {
	code := fault.Code(e.Code)
	_, known := fault.Lookup(code)
	if !known {
		switch {
		case e.Code == "DOCUMENT_GONE":
			code = fault.NavigationInterrupted
		case strings.Contains(e.Code, "CDP") || e.Details["cdp"] != nil:
			code = fault.CDPError
		default:
			code = fault.InternalError
		}
	}
	f := fault.New(code, "%s", clip(e.Message))
	for key, value := range e.Details {
		f = f.With(key, value)
	}
	if !known {
		f = f.With("remoteCode", clip(e.Code))
	}
	if len(e.Suggestions) > 0 {
		f = f.Suggest(e.Suggestions...)
	}
	return f
}

func clip(text string) string {
	if len(text) <= maxPeerText {
		return text
	}
	cut := maxPeerText
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// encodePayload gives a payload's JSON. A string that is not UTF-8 is mended, never a lost message.
func encodePayload(payload any) (jsontext.Value, error) {
	if payload == nil {
		return nil, nil
	}
	data, err := json.Marshal(payload, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fault.New(fault.InternalError, "a payload of the link cannot be encoded: %v", err).Because(err)
	}
	return data, nil
}

func tooLarge(op string, size int) *fault.Error {
	return fault.New(fault.ResultTooLarge, "%s: a message of %d bytes is larger than the link's limit of %d", op, size, nativemsg.MaxMessage).
		With("bytes", size).With("limit", nativemsg.MaxMessage)
}

func notConnected(op, why string) *fault.Error {
	return fault.New(fault.ExtensionNotConnected, "%s was not sent: %s", op, why).With("dispatched", false)
}

func indeterminate(op, why string) *fault.Error {
	return fault.New(fault.Indeterminate, "%s was sent, and its answer was lost: %s", op, why).With("dispatched", true)
}

// versionMismatch names both versions and what is to be updated.
func versionMismatch(hello *HelloInfo, hostVersion string) *fault.Error {
	f := fault.New(fault.VersionMismatch, "The extension %s speaks link version %d, the daemon %s version %d.",
		hello.ExtensionVersion, hello.LinkVersion, hostVersion, LinkVersion).
		With("extensionVersion", hello.ExtensionVersion).With("hostVersion", hostVersion).
		With("extensionLinkVersion", hello.LinkVersion).With("hostLinkVersion", LinkVersion)
	if hello.LinkVersion > LinkVersion {
		return f.Suggest("Update the dbridge program, then run `dbridge daemon stop`: the next use starts the new one.")
	}
	return f.Suggest("Run `dbridge install`, then reload the extension at chrome://extensions.")
}

func protocolFault(err error) *fault.Error {
	return fault.New(fault.ProtocolError, "%s", err).Because(err).
		Suggest("Reload the extension at chrome://extensions; if it happens again run `dbridge doctor`.")
}

func unknownOp(op string) *fault.Error {
	return fault.New(fault.UnknownType, "The daemon does not know the operation %q.", op)
}

// UnknownOp is the error with which a Handler answers an operation it does not know.
func UnknownOp(op string) error { return unknownOp(op) }

var errWindow = fmt.Errorf("the peer ignores the window: more than %d bytes wait to be handled", maxInbox)
