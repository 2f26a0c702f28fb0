package ws

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// What differs from run to run.
var changing = []struct{ pattern, becomes string }{
	{`"timestamp":\d{13}`, `"timestamp":0`},
	{`"durationMs":\d+`, `"durationMs":0`},
	{`"timeoutMs":\d+`, `"timeoutMs":0`},
}

// TestTranscripts plays the conversations in testdata: a script and all that
// the peers got. Script lines:
//
//	connect NAME TOKEN QUERY      a WebSocket client
//	NAME > MESSAGE                the client sends it
//	NAME < TYPE                   the client reads up to the next message of the type
//	publish TYPE MESSAGE          telemetry of the page
//	navigated|disconnected|reconnected|info ARGUMENT      of the page
//	cut NAME                      the client is gone, without a word
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	seen := make(map[string]bool)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		// The txtar format, of two files: "script" and "got".
		comment, rest, found := strings.Cut(string(data), "-- script --\n")
		if !found {
			t.Fatalf("%s has no script", name)
		}
		script, recorded, _ := strings.Cut(rest, "-- got --\n")
		t.Run(filepath.Base(name), func(t *testing.T) {
			got := play(t, script)
			for _, line := range strings.Split(got, "\n") {
				if _, after, ok := strings.Cut(line, `"type":"`); ok {
					messageType, _, _ := strings.Cut(after, `"`)
					seen[messageType] = true
				}
			}
			if *update {
				if err := os.WriteFile(name, []byte(comment+"-- script --\n"+script+"-- got --\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want := strings.Split(recorded, "\n")
			for i, line := range strings.Split(got, "\n") {
				if i >= len(want) || want[i] != line {
					t.Fatalf("line %d differs (go test -update rewrites the file; read the diff):\ngot  %s\nwant %s", i+1, line, append(want, "")[min(i, len(want))])
				}
			}
			if n := strings.Count(got, "\n") + 1; n != len(want) {
				t.Fatalf("%d lines, want %d", n, len(want))
			}
		})
	}
	every := []string{
		protocol.TypeWelcome, protocol.TypeHello, protocol.TypeCapabilities, protocol.TypeAppConnected, protocol.TypeAppDisconnected,
		protocol.TypePageNavigated, protocol.TypeGap, protocol.TypeHostError, protocol.TypeCommandResult, protocol.TypeCancel,
	}
	for _, row := range protocol.Telemetry {
		every = append(every, row.Type)
	}
	for _, spec := range protocol.Commands {
		every = append(every, spec.Type)
	}
	for _, messageType := range every {
		if !seen[messageType] {
			t.Errorf("no transcript shows %s", messageType)
		}
	}
}

func play(t *testing.T, script string) string {
	t.Helper()
	d := start(t, session.Limits{LogEvents: 24}, Config{})
	page := d.hub.Open("default").AddPage(protocol.PageInfo{
		URL: "http://a.test/", Title: "A", UserAgent: "UA", Source: protocol.SourceExtension, Level: protocol.Act,
		Capabilities: []string{protocol.CapUITree, protocol.CapConsole, protocol.CapInput},
	}, fakePage{})
	clients := make(map[string]*client)
	var got strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(script), "\n") {
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		first, rest, _ := strings.Cut(line, " ")
		switch first {
		case "connect":
			part := strings.Fields(rest)
			clients[part[0]] = d.dial(part[1], part[2])
		case "cut":
			_ = clients[rest].conn.CloseNow()
			name := rest
			waitFor(t, "the end of "+name, func() bool {
				return !slices.ContainsFunc(d.hub.Agents(), func(s session.SessionAgents) bool {
					return slices.ContainsFunc(s.Agents, func(a session.AgentName) bool { return a.Name == name })
				})
			})
		case "publish":
			messageType, body, _ := strings.Cut(rest, " ")
			message, err := protocol.DecodeTelemetry(messageType, []byte(body))
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			page.Publish(message)
		case "navigated":
			page.Navigated(rest, false)
		case "disconnected":
			page.Disconnected(rest)
		case "reconnected":
			page.Reconnected(fakePage{})
		case "info":
			page.SetInfo(func(info *protocol.PageInfo) { info.Level = protocol.Level(rest) })
		default:
			c := clients[first]
			sign, what, _ := strings.Cut(rest, " ")
			if c == nil || sign != ">" && sign != "<" {
				t.Fatalf("cannot read the line %q", line)
			}
			if sign == ">" {
				c.send("%s", what)
				fmt.Fprintf(&got, "%s > %s\n", first, what)
				continue
			}
			for {
				m := c.next()
				fmt.Fprintf(&got, "%s < %s\n", first, m.Raw)
				if m.Type == what {
					break
				}
			}
		}
	}
	text := got.String()
	for _, c := range changing {
		text = regexp.MustCompile(c.pattern).ReplaceAllString(text, c.becomes)
	}
	return text
}
