package auditlog

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The log says who did what to which page, by whichever way it came; what was typed is
// in it as a length alone.
func TestWhoDidWhat(t *testing.T) {
	t.Parallel()
	a := hire(t, "bot")
	const typed = "correct-horse-7781"
	a.done("element", "fill", "#note", typed)
	a.done("page", "navigate", a.Site.URL("/form?note="+typed+"#"+typed))
	a.done("runtime", "eval", "'"+typed+"'.length")
	a.mcp(`{"name":"fill","arguments":{"target":"#note","value":"`+typed+`"}}`, `{"name":"take_snapshot","arguments":{}}`)
	if status, body := a.http("POST", "/v1/element/fill", `{"target":"#note","value":"`+typed+`"}`, a.token); status != 200 {
		t.Fatalf("%d %v", status, body)
	}
	results := a.socket(
		`{"type":"type","requestId":"m0","target":{"selector":"#note"},"text":"`+typed+`","clear":true}`,
		`{"type":"element.fill","requestId":"m1","target":"#note","value":"`+typed+`"}`)
	for _, r := range results {
		if r["success"] != true {
			t.Errorf("%v", r)
		}
	}

	type deed struct {
		face, command, agent string
		typed                int
	}
	n := len(typed)
	entries := a.log("--site", "127.0.0.1")
	for _, want := range []deed{
		{"cli", "element.fill", "", n}, {"cli", "page.navigate", "", 0}, {"cli", "runtime.eval", "", n + 9},
		{"mcp", "element.fill", "", n}, {"mcp", "capture.snapshot", "", 0},
		{"http", "element.fill", "bot", n}, {"websocket", "type", "bot", n}, {"websocket", "element.fill", "bot", n},
	} {
		at := slices.IndexFunc(entries, func(e entry) bool { return e.Face == want.face && e.Command == want.command })
		if at < 0 {
			t.Errorf("%+v is not in the log", want)
			continue
		}
		e := entries[at]
		if e.Agent != want.agent || e.Typed != want.typed || e.Code != "" || !strings.HasPrefix(e.Page.Site, "127.0.0.1:") {
			t.Errorf("%+v: %+v", want, e)
		}
		if local := want.agent == ""; local != (e.Pid != 0) || e.Context != a.key {
			t.Errorf("who %+v: %+v", want, e)
		}
	}
	if bytes.Contains(a.raw(), []byte(typed)) {
		t.Errorf("what was typed is in the log:\n%s", a.raw())
	}

	// Refusals, wherever they are made.
	limited, _ := a.OK("token", "new", "looker", "--level", "observe")["token"].(string)
	if status, _ := a.http("POST", "/v1/runtime/eval", `{"expression":"1"}`, limited); status != 403 {
		t.Errorf("a look's token evaluates: %d", status)
	}
	if status, _ := a.http("GET", "/v1/page/list", "", "dbt_wrong"); status != 401 {
		t.Errorf("a wrong token: %d", status)
	}
	a.OK("token", "revoke", "looker")
	a.awaitEntry("the token's refusal", func(e entry) bool {
		return e.Command == "runtime.eval" && e.Agent == "looker" && e.Code == "CAPABILITY_MISSING" && e.Face == "http"
	})
	a.awaitEntry("the gate's refusal", func(e entry) bool { return e.Kind == "gate" && e.Code == "401" })
	a.awaitEntry("the token made", func(e entry) bool { return e.Kind == "token" && e.Command == "made" && e.Agent == "looker" })
	a.awaitEntry("the token revoked", func(e entry) bool { return e.Kind == "token" && e.Command == "revoked" && e.Agent == "looker" })
	a.awaitEntry("the agent that came", func(e entry) bool { return e.Kind == "agent" && e.Command == "came" && e.Agent == "bot" })
	a.awaitEntry("the agent that went", func(e entry) bool { return e.Kind == "agent" && e.Command == "went" && e.Agent == "bot" })
	a.awaitEntry("the page", func(e entry) bool { return e.Kind == "grant" && e.Command == "given" })
	for _, e := range a.log("--refused") {
		if e.Code == "" {
			t.Errorf("told as refused: %+v", e)
		}
	}
	if mine := a.log("--agent", "looker", "--refused"); len(mine) != 1 {
		t.Errorf("refused to the looker: %+v", mine)
	}
	if text := a.Text("audit", "show", "--agent", "looker"); !strings.Contains(text, "runtime.eval") || !strings.Contains(text, "looker/http") {
		t.Errorf("for people: %s", text)
	}
	if none := a.Text("audit", "show", "--site", "nowhere.example"); !strings.Contains(none, "no such entries") {
		t.Errorf("%s", none)
	}
	a.Fails("VALIDATION_ERROR", 2, "audit", "show", "--since", "yesterday")

	// The log is for this computer's own command line.
	if status, _ := a.http("GET", "/v1/audit/show", "", a.token); status == 200 {
		t.Error("a token reads the log")
	}

	// It outlives the daemon, and shows what was done to it meanwhile.
	head, _ := a.OK("audit", "verify")["head"].(string)
	a.OK("daemon", "stop")
	a.OK("daemon", "start")
	after := a.OK("audit", "verify", "--head", head)
	if after["held"] != true || after["ok"] != true {
		t.Errorf("%v", after)
	}
	if began := a.log(); began[0].Seq != 1 || began[0].Command != "began" || !slices.ContainsFunc(began, func(e entry) bool { return e.Command == "ended" }) {
		t.Errorf("%+v", began[0])
	}
	files, err := filepath.Glob(filepath.Join(a.Home, "state", "audit", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], bytes.Replace(data, []byte(`"agent":"bot"`), []byte(`"agent":"bob"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := a.Fails("FILE_ACCESS_FAILED", 6, "audit", "verify")
	if broken.Error.Details["reason"] != "broken_chain" || broken.Error.Details["line"] == nil {
		t.Errorf("%s", broken.Stdout)
	}
	if err := os.WriteFile(files[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	a.OK("audit", "verify")
	if a.Fails("FILE_ACCESS_FAILED", 6, "audit", "verify", "--head", strings.Repeat("ab", 32)).Error.Details["reason"] != "head_missing" {
		t.Error("a head that never was")
	}
}
