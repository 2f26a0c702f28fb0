package cdp

import (
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, complaint string }{
		{`{"id":1,"method":"A.b"}`, ""},
		{`{"id":1,"method":"A.b","params":{"x":[1]},"sessionId":"S"}`, ""},
		{`{"id":1,"method":"A.b","params":null}`, ""},
		{`{"id":1,"method":"A.b","params":{"x":"\ud800"}}`, ""},
		{`{"id":1,"method":"A.b","params":{"x":1,"x":2}}`, `{"error":{"code":-32700,"message":"Message must be a valid JSON"}}`},
		{`{"id":1`, `{"error":{"code":-32700,"message":"Message must be a valid JSON"}}`},
		{`7`, `{"error":{"code":-32600,"message":"Message must be an object"}}`},
		{`{"method":"A.b"}`, `{"error":{"code":-32600,"message":"Message must have integer 'id' property"}}`},
		{`{"id":1.5,"method":"A.b"}`, `{"error":{"code":-32600,"message":"Message must have integer 'id' property"}}`},
		{`{"id":1}`, `{"id":1,"error":{"code":-32600,"message":"Message must have string 'method' property"}}`},
		{`{"id":1,"method":"A.b","params":"x"}`, `{"id":1,"error":{"code":-32600,"message":"Message may have object 'params' property"}}`},
		{`{"id":1,"method":"A.b","METHOD":"x"}`, `{"id":1,"error":{"code":-32600,"message":"Message has property other than 'id', 'method', 'sessionId', 'params'"}}`},
	} {
		m, complaint := decode([]byte(c.text))
		if string(complaint) != c.complaint {
			t.Errorf("%s: %s, want %s", c.text, complaint, c.complaint)
		}
		if complaint == nil && (m.ID != 1 || m.Method != "A.b") {
			t.Errorf("%s: %+v", c.text, m)
		}
	}
	deep := `{"id":1,"method":"A.b","params":` + strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000) + "}"
	if _, complaint := decode([]byte(deep)); complaint == nil {
		t.Error("what is nested without end was taken")
	}
}
