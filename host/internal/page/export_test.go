package page

import "github.com/go-json-experiment/json/jsontext"

// Decode is decode, for tests outside of the package.
func Decode(data jsontext.Value, into any) error { return decode(data, into) }
