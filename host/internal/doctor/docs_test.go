package doctor

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/manifests"
)

func document(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", name))
	must(t, err)
	return string(data)
}

// TestTroubleshootingKnowsEveryHop: the table of docs/install.md is keyed by what doctor prints.
func TestTroubleshootingKnowsEveryHop(t *testing.T) {
	t.Parallel()
	text := document(t, "install.md")
	for _, hop := range []string{"binary", "manifest", "extension", "daemon", "port", "secrets", "browser", "echo", "page"} {
		if !regexp.MustCompile("(?m)^\\| `[^`]*\\b" + hop + "`").MatchString(text) {
			t.Errorf("no row about %q", hop)
		}
	}
	for _, row := range manifests.Locations {
		if !strings.Contains(text, "`"+row.Browser+"`") {
			t.Errorf("--browser %s is not documented", row.Browser)
		}
	}
	for _, want := range []string{manifests.ExtensionID, manifests.FileName, "only the plans are tested"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// TestAgentGuide keeps what is pasted into agents' prompts short and true.
func TestAgentGuide(t *testing.T) {
	t.Parallel()
	text := document(t, "agent-guide.md")
	if lines := strings.Count(text, "\n"); lines >= 150 {
		t.Errorf("%d lines; it is to be pasted into a prompt", lines)
	}
	examples := map[string]bool{}
	for _, match := range regexp.MustCompile("(?m)^(\\{.*\\})$|`(\\{[^`]*\\})`").FindAllStringSubmatch(text, -1) {
		example := match[1] + match[2]
		var kind struct {
			Type string `json:"type"`
		}
		must(t, json.Unmarshal([]byte(example), &kind))
		switch kind.Type {
		case protocol.TypeWelcome:
			strictly(t, example, new(protocol.Welcome))
		case protocol.TypeCommandResult:
			result := new(protocol.CommandResult)
			strictly(t, example, result)
			if result.Error != nil && !known(result.Error.Code) {
				t.Errorf("no such code: %s", result.Error.Code)
			}
		case "":
			strictly(t, example, new(protocol.UITreeItem))
		default:
			if _, err := protocol.DecodeCommand([]byte(example)); err != nil {
				t.Errorf("%s: %v", example, err)
			}
			examples[kind.Type] = true
		}
	}
	for _, command := range protocol.Commands {
		if !examples[command.Type] {
			t.Errorf("no example of %s", command.Type)
		}
	}
	if !examples[protocol.TypeCancel] {
		t.Error("no example of cancel")
	}
	for _, message := range protocol.Telemetry {
		if message.Type != protocol.TypeNetwork && !strings.Contains(text, "`"+message.Type+"`") { // network comes with its capability
			t.Errorf("%s is not mentioned", message.Type)
		}
	}
	for _, code := range regexp.MustCompile("`([A-Z]+(?:_[A-Z]+)+)`").FindAllStringSubmatch(text, -1) {
		if !known(code[1]) {
			t.Errorf("no such code: %s", code[1])
		}
	}
}

func strictly(t *testing.T, text string, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

func known(code string) bool {
	_, ok := fault.Lookup(fault.Code(code))
	return ok
}
