package record

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// patience is how long something may take on a busy machine; only a failing test waits for it.
const readPatience = 60 * time.Second

// reading is a recording of the sample app, and the browser that it was made in.
type reading struct {
	*commandtest.Env
	file  string
	final string // what the page came to
}

// finalState is what a person sees of the sample app: texts, and what its fields hold.
const finalState = `JSON.stringify({path: location.pathname + location.hash, text: document.body.innerText.replace(/\s+/g, ' '), fields: [...document.querySelectorAll('input,select')].map((e) => e.id + '=' + (e.type === 'checkbox' ? e.checked : e.value))})`

// TestReading records what an agent does on the sample app, and then reads that file in
// every way that there is.
func TestReading(t *testing.T) {
	r := &reading{Env: commandtest.Managed(t), file: "shop.dbr"}
	r.record()
	for _, part := range []struct {
		name string
		run  func(*reading)
	}{
		{"show", (*reading).show}, {"refused", (*reading).refused}, {"commands", (*reading).commands}, {"playwright", (*reading).playwright},
		{"replay", (*reading).replay}, {"person's browser", (*reading).opens}, {"inert", (*reading).inert},
	} {
		t.Run(part.name, func(t *testing.T) {
			one := *r
			env := *r.Env
			env.T, one.Env = t, &env
			part.run(&one)
		})
	}
}

// record makes the recording.
func (r *reading) record() {
	r.T.Helper()
	r.Goto("/app/")
	r.OK("record", "start", "--note", "signs in and orders")
	for _, line := range [][]string{
		{"element", "fill", `textbox "Email"`, pages.Email},
		{"element", "fill", `textbox "Password"`, pages.Password},
		{"element", "click", `button "Sign in"`},
		{"page", "wait-text", "Ada"},
		{"element", "select", `combobox "Category"`, "Rope"},
		{"element", "fill", `checkbox "In stock only"`, "true"},
		{"element", "click", `button "Add Anchor line, blue to the cart"`},
		{"element", "click", "#confirm"},
		{"dialog", "handle", "--accept"},
		{"element", "click", `button "Cause an error"`},
		{"record", "mark", "it broke"},
		{"element", "click", `link "Help"`},
	} {
		r.OK(line...)
	}
	browsertest.Until(r.T, readPatience, "the page's answer", func() bool { return strings.Contains(r.Eval("location.hash").(string), "help") })
	r.final = r.Eval(finalState).(string)
	if !strings.Contains(r.final, "Signed in as") && !strings.Contains(r.final, "Ada") || !strings.Contains(r.final, "Sails") || !strings.Contains(r.final, "Anchor line") {
		r.T.Fatalf("the sample app is at %s", r.final)
	}
	r.OK("record", "stop", "--file", r.file)
	if data, err := os.ReadFile(r.File(r.file)); err != nil || strings.Contains(string(data), pages.Password) {
		r.T.Fatalf("%d bytes, %v", len(data), err)
	}
}

// show: an agent reads it in few words, and gets at the rest by asking.
func (r *reading) show() {
	text := r.Text("record", "show", r.file)
	for _, want := range []string{
		r.Site.URL("/app/") + `  "Harbour Supplies"`, "Note: signs in and orders",
		`fill textbox "Email" = "` + pages.Email + `"`, `fill textbox "Password" = "{{secret}}"`,
		`click button "Sign in"  → `, "POST /api/session 200 (", "GET /api/fail?service=recommendations 500",
		`console.error "no recommendations`, `select combobox "Category" = "Rope"`, "dialog confirm", "error: ", `mark "it broke" (picture)`,
		"navigated to /app/#help", "--entry ",
	} {
		if !strings.Contains(text, want) {
			r.T.Errorf("no %s in\n%s", want, text)
		}
	}
	if len(text) > 6000 {
		r.T.Errorf("%d bytes:\n%s", len(text), text)
	}
	r.T.Log("\n" + text)
	rows := func(args ...string) []map[string]any {
		r.T.Helper()
		data, _ := json.Marshal(r.OK(append([]string{"record", "show", r.file}, args...)...)["rows"])
		var list []map[string]any
		if err := json.Unmarshal(data, &list); err != nil {
			r.T.Fatal(err)
		}
		return list
	}
	all := rows()
	number := func(kind, words string) int {
		r.T.Helper()
		for _, row := range all {
			if row["kind"] == kind && strings.Contains(row["text"].(string), words) {
				return int(row["n"].(float64))
			}
		}
		r.T.Fatalf("no %s %q in %v", kind, words, all)
		return 0
	}
	requests := rows("--kind", "network")
	if len(requests) < 2 || slices.ContainsFunc(requests, func(row map[string]any) bool { return row["kind"] != "network" }) {
		r.T.Errorf("%v", requests)
	}
	middle := all[len(all)/2]["at"].(float64)
	for _, row := range rows("--from", (time.Duration(middle) * time.Millisecond).String()) {
		if row["at"].(float64) < middle {
			r.T.Errorf("%v is before %v ms", row, middle)
		}
	}
	if first := r.Text("record", "show", r.file, "--limit", "2"); !strings.Contains(first, "more lines") || !strings.Contains(first, "--from ") {
		r.T.Errorf("%s", first)
	}
	request := r.OK("record", "show", r.file, "--entry", itoa(number("network", "POST /api/session")))["entry"].(map[string]any)
	if body, _ := request["response"].(map[string]any); body == nil || !strings.Contains(body["text"].(string), "Ada") {
		r.T.Errorf("%v", request)
	}
	mark := r.OK("record", "show", r.file, "--entry", itoa(number("mark", "it broke")))["entry"].(map[string]any)
	picture, _ := mark["picture"].(string)
	if info, err := os.Stat(picture); err != nil || info.Size() < 1000 {
		r.T.Errorf("%v %v", mark, err)
	}
}

func itoa(n int) string { data, _ := json.Marshal(n); return string(data) }

// refused: what cannot be read is told with a next step.
func (r *reading) refused() {
	if err := os.WriteFile(r.File("text.dbr"), []byte("text"), 0o600); err != nil {
		r.T.Fatal(err)
	}
	r.Fails("VALIDATION_ERROR", 2, "record", "show", "text.dbr")
	r.Fails("FILE_ACCESS_FAILED", 6, "record", "show", "none.dbr")
	r.Fails("VALIDATION_ERROR", 2, "record", "show", r.file, "--entry", "100000")
	r.Fails("VALIDATION_ERROR", 2, "record", "show", r.file, "--from", "noon")
	r.Fails("VALIDATION_ERROR", 2, "record", "export", r.file)
	r.OK("record", "export", r.file, "--commands", "--out", "once.sh")
	r.Fails("FILE_ACCESS_FAILED", 6, "record", "export", r.file, "--commands", "--out", "once.sh")
}

// opens: the person's browser is asked to show the page, where there is a desktop.
func (r *reading) opens() {
	if opened := r.OK("record", "open", r.file, "--no-browser"); opened["opened"] != false || filepath.Ext(opened["page"].(string)) != ".html" {
		r.T.Errorf("%v", opened)
	}
	// A daemon of its own: it has the desktop of who started it.
	seen, bin := r.T.TempDir(), r.T.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\nprintf '%s' \"$1\" >'"+seen+"/opened'\n"), 0o700); err != nil {
		r.T.Fatal(err)
	}
	home, err := os.MkdirTemp("", "dbo") // short: sockets have short names
	if err != nil {
		r.T.Fatal(err)
	}
	defer os.RemoveAll(home)
	desktop := func(args ...string) ([]byte, error) {
		command := exec.Command(r.Program(), args...)
		command.Env = append(os.Environ(), "DBRIDGE_HOME="+home, "DBRIDGE_PORT=0", "DISPLAY=:77", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		return command.Output()
	}
	defer desktop("daemon", "stop") //nolint:errcheck // the home is removed
	out, err := desktop("record", "open", r.File(r.file), "--output", "text")
	page := strings.TrimSpace(string(out))
	shown, _ := os.ReadFile(filepath.Join(seen, "opened")) // compared below
	if err != nil || string(shown) != page || page == "" {
		r.T.Errorf("%s shown of %s: %v", shown, page, err)
	}
}
