package protocol_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func TestDecodeCommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		check    func(*protocol.Command) bool
	}{
		{"click", `{"type":"click","requestId":"r1","pageId":3,"target":{"ref":"e1"},"count":2,"modifiers":["Shift"]}`, func(c *protocol.Command) bool {
			p := c.Params.(*protocol.ClickParams)
			return c.RequestID == "r1" && c.PageID == 3 && p.Target.Ref == "e1" && p.Count == 2 && c.Spec.Acts && c.TimeoutMs == 30000
		}},
		{"every common field", `{"protocolVersion":1,"type":"request_ui_tree","sessionId":"s.1","origin":"host","timestamp":5,"seq":9,"frameId":"main","timeoutMs":600000,"epoch":"ab"}`, func(c *protocol.Command) bool {
			return c.Origin == protocol.OriginAgent && c.Seq == 0 && c.SessionID == "s.1" && c.FrameID == "main" && c.TimeoutMs == 600000 && c.Epoch == "ab"
		}},
		{"cancel", `{"type":"cancel","requestId":"x"}`, func(c *protocol.Command) bool { return c.Spec.Type == "cancel" && c.RequestID == "x" }},
		{"empty value of a select", `{"type":"select","target":{"id":"a"},"value":""}`, func(c *protocol.Command) bool { return c.Params.(*protocol.SelectParams).Target.ID == "a" }},
		{"white space around", " \n{\"type\":\"navigate\",\"back\":true}\r\n", func(c *protocol.Command) bool { return c.Params.(*protocol.NavigateParams).Back }},
		{"expression", `{"type":"evaluate","expression":"1"}`, func(c *protocol.Command) bool { return c.Params.(*protocol.EvaluateParams).Expression == "1" }},
		{"128 characters, not bytes", `{"type":"cancel","requestId":"` + strings.Repeat("é", 128) + `"}`, func(c *protocol.Command) bool { return true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			command, err := protocol.DecodeCommand([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if !c.check(command) {
				t.Fatalf("decoded as %+v with %+v", command, command.Params)
			}
		})
	}
}

// TestN20 holds the JSON tricks by which two parsers disagree.
func TestN20DecodeCommandRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, code, id string }{
		{"empty", ``, "PROTOCOL_ERROR", ""},
		{"number", `42`, "PROTOCOL_ERROR", ""},
		{"null", `null`, "PROTOCOL_ERROR", ""},
		{"array", `[]`, "PROTOCOL_ERROR", ""},
		{"truncated", `{"type":"click"`, "PROTOCOL_ERROR", ""},
		{"two values", `{"type":"cancel","requestId":"a"}{}`, "PROTOCOL_ERROR", "a"},
		{"byte order mark", "\xef\xbb\xbf{}", "PROTOCOL_ERROR", ""},
		{"invalid UTF-8", "{\"type\":\"\xff\"}", "PROTOCOL_ERROR", ""},
		{"lone surrogate", `{"type":"type","target":{"ref":"e1"},"text":"\ud800"}`, "PROTOCOL_ERROR", ""},
		{"1e400", `{"requestId":"a","type":"scroll","x":1e400}`, "PROTOCOL_ERROR", "a"},
		{"deep nesting", `{"a":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + `}`, "PROTOCOL_ERROR", ""},
		{"no type", `{"requestId":"a"}`, "VALIDATION_ERROR", "a"},
		{"type of another case", `{"Type":"click"}`, "VALIDATION_ERROR", ""},
		{"both cases", `{"type":"click","Type":"evaluate","target":{"ref":"e1"}}`, "VALIDATION_ERROR", ""},
		{"duplicate key", `{"type":"click","type":"evaluate","code":"1"}`, "VALIDATION_ERROR", ""},
		{"duplicate key inside", `{"type":"click","target":{"ref":"e1","ref":"e2"}}`, "VALIDATION_ERROR", ""},
		{"folded key", `{"type":"scroll","paramſ":1,"params":2}`, "VALIDATION_ERROR", ""},
		{"__proto__", `{"type":"request_ui_tree","__proto__":{"a":1}}`, "VALIDATION_ERROR", ""},
		{"unknown field", `{"type":"click","target":{"ref":"e1"},"force":true,"requestId":"b"}`, "VALIDATION_ERROR", "b"},
		{"unknown field of a target", `{"type":"click","target":{"css":"a"}}`, "VALIDATION_ERROR", ""},
		{"number as string", `{"type":"click","target":{"ref":"e1"},"pageId":"3"}`, "VALIDATION_ERROR", ""},
		{"fraction", `{"type":"click","target":{"ref":"e1"},"pageId":1.5}`, "VALIDATION_ERROR", ""},
		{"null field", `{"type":"click","target":null}`, "VALIDATION_ERROR", ""},
		{"NUL", `{"type":"evaluate","code":"a\u0000b"}`, "VALIDATION_ERROR", ""},
		{"no target", `{"type":"click"}`, "VALIDATION_ERROR", ""},
		{"empty target", `{"type":"click","target":{}}`, "VALIDATION_ERROR", ""},
		{"role alone", `{"type":"click","target":{"role":"button"}}`, "VALIDATION_ERROR", ""},
		{"no text", `{"type":"type","target":{"ref":"e1"}}`, "VALIDATION_ERROR", ""},
		{"count 0", `{"type":"click","target":{"ref":"e1"},"count":0}`, "VALIDATION_ERROR", ""},
		{"button", `{"type":"click","target":{"ref":"e1"},"button":"fourth"}`, "VALIDATION_ERROR", ""},
		{"modifier", `{"type":"click","target":{"ref":"e1"},"modifiers":["shift"]}`, "VALIDATION_ERROR", ""},
		{"code and expression", `{"type":"evaluate","code":"1","expression":"2"}`, "VALIDATION_ERROR", ""},
		{"neither", `{"type":"evaluate"}`, "VALIDATION_ERROR", ""},
		{"two directions", `{"type":"navigate","url":"/a","back":true}`, "VALIDATION_ERROR", ""},
		{"accept and dismiss", `{"type":"dialog.handle","accept":true,"dismiss":true}`, "VALIDATION_ERROR", ""},
		{"text of a dismissed dialog", `{"type":"dialog.handle","dismiss":true,"text":"a"}`, "VALIDATION_ERROR", ""},
		{"value and values", `{"type":"select","target":{"ref":"e1"},"value":"a","values":["a"]}`, "VALIDATION_ERROR", ""},
		{"scroll nothing", `{"type":"scroll"}`, "VALIDATION_ERROR", ""},
		{"timeout 0", `{"type":"request_state","timeoutMs":0}`, "VALIDATION_ERROR", ""},
		{"timeout beyond", `{"type":"request_state","timeoutMs":600001}`, "VALIDATION_ERROR", ""},
		{"version 2", `{"type":"request_state","protocolVersion":2}`, "VALIDATION_ERROR", ""},
		{"session", `{"type":"request_state","sessionId":"a/b"}`, "VALIDATION_ERROR", ""},
		{"requestId too long", `{"type":"request_state","requestId":"` + strings.Repeat("a", 129) + `"}`, "VALIDATION_ERROR", ""},
		{"requestId empty", `{"type":"request_state","requestId":""}`, "VALIDATION_ERROR", ""},
		{"requestId number", `{"type":"request_state","requestId":7}`, "VALIDATION_ERROR", ""},
		{"cancel what", `{"type":"cancel"}`, "VALIDATION_ERROR", ""},
		{"unknown type", `{"type":"explode","requestId":"c"}`, "UNKNOWN_TYPE", "c"},
		{"type of the host", `{"type":"welcome"}`, "UNKNOWN_TYPE", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := protocol.DecodeCommand([]byte(c.in))
			var refused *protocol.DecodeError
			if !errors.As(err, &refused) {
				t.Fatalf("error %v, want a DecodeError", err)
			}
			if refused.Code != c.code || refused.RequestID != c.id || refused.Message == "" {
				t.Fatalf("got %q for request %q (%s), want %q for %q", refused.Code, refused.RequestID, refused.Message, c.code, c.id)
			}
			if _, ok := fault.Lookup(fault.Code(refused.Code)); !ok {
				t.Fatalf("%s is not in the fault table", refused.Code)
			}
		})
	}
}

func TestSameBody(t *testing.T) {
	t.Parallel()
	body := func(in string) string {
		command, err := protocol.DecodeCommand([]byte(in))
		if err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		return string(command.Body)
	}
	first := body(`{"type":"click","requestId":"a","target":{"ref":"e1"},"count":1,"timestamp":1}`)
	for _, same := range []string{
		`{"count":1,"target":{"ref":"e1"},"requestId":"a","type":"click","timestamp":2}`,
		`{"type":"click","requestId":"a","epoch":"e","sessionId":"default","target":{"ref":"\u0065\u0031"},"count":1}`,
	} {
		if body(same) != first {
			t.Errorf("%s is another body: %s", same, body(same))
		}
	}
	for _, other := range []string{
		`{"type":"click","requestId":"a","target":{"ref":"e2"},"count":1}`,
		`{"type":"click","requestId":"a","target":{"ref":"e1"},"count":1,"pageId":1}`,
		`{"type":"hover","requestId":"a","target":{"ref":"e1"}}`,
	} {
		if body(other) == first {
			t.Errorf("%s is taken for the same body", other)
		}
	}
}

func TestDecodeTelemetry(t *testing.T) {
	t.Parallel()
	message, err := protocol.DecodeTelemetry("console", []byte(`{"type":"console","level":"log","args":["\ud800x","\ud83d\ude00"],"later":{"a":[1]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if args := message.(*protocol.Console).Args; args[0] != "\uFFFDx" || args[1] != "😀" {
		t.Errorf("args %q: a lone surrogate must become U+FFFD and a pair must stay", args)
	}
	message, err = protocol.DecodeTelemetry("state_update", []byte(`{"scope":"__proto__","state":{"__proto__":{"a":1},"a":1,"a":2}}`))
	if err != nil {
		t.Fatal(err)
	}
	if state := message.(*protocol.StateUpdate).State.(map[string]any); state["a"] != 2.0 {
		t.Errorf("state %v: the last of two equal keys stands, as in JSON.parse", state)
	}
	for _, c := range []struct{ name, messageType, in, code string }{
		{"not an object", "console", `[]`, "VALIDATION_ERROR"},
		{"not JSON", "console", `{`, "PROTOCOL_ERROR"},
		{"args of another shape", "console", `{"level":"log","args":"x"}`, "VALIDATION_ERROR"},
		{"level", "console", `{"level":"loud","args":[]}`, "VALIDATION_ERROR"},
		{"items of another shape", "ui_tree", `{"items":[1],"version":1}`, "VALIDATION_ERROR"},
		{"change without ref", "ui_tree_diff", `{"baseVersion":1,"version":2,"changed":[{"name":"x"}]}`, "VALIDATION_ERROR"},
		{"too deep", "state_update", `{"state":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, "PROTOCOL_ERROR"},
		{"type of the host", "welcome", `{}`, "UNKNOWN_TYPE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := protocol.DecodeTelemetry(c.messageType, []byte(c.in))
			var refused *protocol.DecodeError
			if !errors.As(err, &refused) || refused.Code != c.code {
				t.Fatalf("error %v, want %s", err, c.code)
			}
		})
	}
}

func TestDecodeApp(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"url":"http://a/","type":"hello","appId":"x"}`:                       "hello",
		`{"type":"capabilities","capabilities":["eval"]}`:                      "capabilities",
		`{"type":"command_result","requestId":"1","success":true,"result":{}}`: "command_result",
		`{"type":"error","message":"m"}`:                                       "error",
	} {
		message, err := protocol.DecodeApp([]byte(in))
		if err != nil || message.Header().Type != want {
			t.Errorf("%s: %v, %v", in, message, err)
		}
	}
	for in, code := range map[string]string{
		`{"type":"app_connected"}`: "UNKNOWN_TYPE",
		`{"type":"gap"}`:           "UNKNOWN_TYPE",
		`{"type":"click"}`:         "UNKNOWN_TYPE",
		`{}`:                       "UNKNOWN_TYPE",
		`{"a":{"type":"console"}}`: "UNKNOWN_TYPE",
		`nonsense`:                 "PROTOCOL_ERROR",
		`{}{}`:                     "PROTOCOL_ERROR",
	} {
		var refused *protocol.DecodeError
		if _, err := protocol.DecodeApp([]byte(in)); !errors.As(err, &refused) || refused.Code != code {
			t.Errorf("%s: %v, want %s", in, err, code)
		}
	}
}

func TestEncodeOmitsWhatIsAbsent(t *testing.T) {
	t.Parallel()
	data, err := protocol.Encode(&protocol.Console{Base: protocol.Base{ProtocolVersion: 1, Type: "console", Timestamp: 7}, Level: "log", Args: []string{"<\xff>"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"protocolVersion":1,"type":"console","timestamp":7,"level":"log","args":["<` + "\uFFFD" + `>"]}`; string(data) != want {
		t.Fatalf("got  %s\nwant %s", data, want)
	}
}

func FuzzDecodeCommand(f *testing.F) {
	for _, seed := range []string{
		`{"type":"click","requestId":"r","target":{"role":"button","name":"Sign in"}}`,
		`{"type":"evaluate","code":"1","timeoutMs":5}`, `{"type":"cancel","requestId":"é"}`,
		`{"type":"click","Type":"evaluate"}`, `{"a":[[[{}]]]}`, `{"x":1e400}`, "\xef\xbb\xbf{}", `{"type":"scroll","x":-1.5}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		command, err := protocol.DecodeCommand(data)
		if err != nil {
			var refused *protocol.DecodeError
			if !errors.As(err, &refused) || refused.Message == "" {
				t.Fatalf("error %v is not a DecodeError with a message", err)
			}
			return
		}
		again, err := protocol.DecodeCommand(data)
		if err != nil || string(again.Body) != string(command.Body) || command.Params == nil {
			t.Fatalf("decoded differently the second time: %v", err)
		}
	})
}

func FuzzDecodeApp(f *testing.F) {
	for _, seed := range []string{
		`{"type":"console","level":"log","args":["\ud800"]}`, `{"type":"ui_tree","items":[{"ref":"e1"}],"version":1}`,
		`{"type":"command_result","error":{"code":"X"}}`, `{"type":"state_update","state":{"__proto__":[]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		message, err := protocol.DecodeApp(data)
		if err != nil {
			return
		}
		encoded, err := protocol.Encode(message)
		if err != nil {
			t.Fatalf("a decoded message cannot be encoded: %v", err)
		}
		if _, err := protocol.DecodeApp(encoded); err != nil {
			t.Fatalf("an encoded message cannot be decoded: %v\n%s", err, encoded)
		}
	})
}
