package redact_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

func parse[T any](t *testing.T, text string) (value T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestValue(t *testing.T) {
	given := parse[any](t, `{"user":{"name":"Ann","password":"hunter2","pin":1234},"auth":{"token":"abc","ready":true},
		"tokens":["x",{"kind":"y"}],"at":{"$map":{"apiKey":"k"}},"url":"https://a.test/?access_token=zzz","count":3}`)
	want := parse[any](t, `{"user":{"name":"Ann","password":"[redacted]","pin":"[redacted]"},"auth":{"token":"[redacted]","ready":true},
		"tokens":["x",{"kind":"y"}],"at":{"$map":{"apiKey":"[redacted]"}},"url":"https://a.test/?access_token=[redacted]","count":3}`)
	before, _ := json.Marshal(given)
	if got := redact.Value(given); !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	if after, _ := json.Marshal(given); string(after) != string(before) {
		t.Error("the value given was changed")
	}
}

// A patch of a state, masked, makes of the masked state what masking makes of the new one.
func TestPatchMakesTheMaskedState(t *testing.T) {
	for _, c := range []struct{ from, patch string }{
		{`{"auth":{"token":"a"}}`, `[{"op":"replace","path":"/auth/token","value":"b"}]`},
		{`{}`, `[{"op":"add","path":"/auth","value":{"token":"b","n":1}}]`},
		{`{"secret":["a","b"]}`, `[{"op":"replace","path":"/secret/1","value":"c"},{"op":"add","path":"/secret/2","value":{"name":"d"}}]`},
		{`{"password":{"$date":"x"}}`, `[{"op":"replace","path":"/password/$date","value":"y"}]`},
		{`{"m":{"$map":{"pin":1}}}`, `[{"op":"replace","path":"/m/$map/pin","value":2}]`},
		{`{"a/password":"x"}`, `[{"op":"replace","path":"/a~1password","value":"y"}]`},
		{`"Bearer abcdefgh12345678"`, `[{"op":"replace","path":"","value":"token=qwertyuiop"}]`},
	} {
		from, patch := parse[any](t, c.from), parse[[]map[string]any](t, c.patch)
		to, err := protocol.ApplyPatch(from, patch)
		if err != nil {
			t.Fatal(err)
		}
		got, err := protocol.ApplyPatch(redact.Value(from), redact.Patch(patch))
		if want := redact.Value(to); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v (%v), want %v", c.patch, got, err, want)
		}
	}
}
