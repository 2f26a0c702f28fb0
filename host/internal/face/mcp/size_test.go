package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// What the lists may cost a model, and a client's context window.
func TestSizes(t *testing.T) {
	t.Parallel()
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tools         string
		bytes, tokens int
	}{{"core", 12 << 10, 3000}, {"slim", 1 << 10, 300}, {"all", 45 << 10, 12_000}} {
		list, err := List(Options{Tools: c.tools})
		if err != nil {
			t.Fatal(err)
		}
		var tools []struct{ Name string }
		if err := json.Unmarshal(list, &tools); err != nil {
			t.Fatalf("%s: %v\n%s", c.tools, err, list)
		}
		tokens, err := codec.Count(`{"tools":` + string(list) + `}`)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d tools, %d bytes, %d tokens", c.tools, len(tools), len(list), tokens)
		if len(list) > c.bytes || tokens >= c.tokens {
			t.Errorf("%s takes %d bytes and %d tokens, more than %d and %d", c.tools, len(list), tokens, c.bytes, c.tokens)
		}
		if strings.Contains(string(list), "--") {
			t.Errorf("%s speaks of flags", c.tools)
		}
	}
}

// Each name of the core list is a tool.
func TestCoreNames(t *testing.T) {
	t.Parallel()
	for _, name := range Core {
		if _, ok := byTool(name); !ok {
			t.Errorf("no command is the tool %s", name)
		}
	}
	for _, s := range slim {
		if _, ok := lookup(s.name); !ok {
			t.Errorf("no command for %s", s.name)
		}
	}
}
