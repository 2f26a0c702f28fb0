package protocol

import (
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// encodeOptions: `omitempty` drops zero numbers and false as the message types
// mean it; maps come out sorted, so that equal messages are equal bytes; text of
// pages that is not valid UTF-8 becomes U+FFFD instead of a lost message.
var encodeOptions = json.JoinOptions(
	jsonv1.OmitEmptyWithLegacySemantics(true),
	json.Deterministic(true),
	jsontext.AllowInvalidUTF8(true),
)

// Encode gives the JSON of a message.
func Encode(message any) ([]byte, error) { return json.Marshal(message, encodeOptions) }

// EncodeTo writes the JSON of a message, without a newline.
func EncodeTo(w io.Writer, message any) error { return json.MarshalWrite(w, message, encodeOptions) }
