// Package record tests recordings: what is in the file, and that no secret is.
package record

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// dbr is an opened recording.
type dbr struct {
	t        testing.TB
	parts    map[string][]byte
	manifest manifest
	entries  []entry
}

func open(t testing.TB, path string) *dbr {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	f := &dbr{t: t, parts: map[string][]byte{}}
	for _, part := range archive.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		if f.parts[part.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		_ = r.Close()
	}
	if err := json.Unmarshal(f.parts["manifest.json"], &f.manifest); err != nil {
		t.Fatal(err)
	}
	for _, line := range bytes.Split(bytes.TrimSpace(f.parts["timeline.jsonl"]), []byte("\n")) {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		f.entries = append(f.entries, e)
	}
	if !slices.IsSortedFunc(f.entries, func(a, b entry) int { return int(a.At - b.At) }) {
		t.Error("the timeline is not in order")
	}
	for name, size := range f.manifest.Parts {
		if int64(len(f.parts[name])) != size {
			t.Errorf("%s has %d bytes, the manifest says %d", name, len(f.parts[name]), size)
		}
	}
	return f
}

// find gives the first entry that fits.
func (f *dbr) find(what string, fits func(entry) bool) entry {
	f.t.Helper()
	for _, e := range f.entries {
		if fits(e) {
			return e
		}
	}
	f.t.Fatalf("no %s in:\n%s", what, f.parts["timeline.jsonl"])
	return entry{}
}

func (f *dbr) count(fits func(entry) bool) (n int) {
	for _, e := range f.entries {
		if fits(e) {
			n++
		}
	}
	return n
}

func (f *dbr) action(by, command, target string) entry {
	f.t.Helper()
	return f.find(by+"'s "+command+" "+target, func(e entry) bool {
		return e.Kind == "action" && e.By == by && e.Command == command && (target == "" || e.Params["target"] == target)
	})
}

// pageKinds counts the rrweb events by type, and checks that each can be read.
func (f *dbr) pageKinds() map[int]int {
	f.t.Helper()
	kinds := map[int]int{}
	for i, line := range bytes.Split(bytes.TrimSpace(f.parts["page.jsonl"]), []byte("\n")) {
		var event struct{ Type int }
		if err := json.Unmarshal(line, &event); err != nil {
			f.t.Fatalf("%v in %s", err, line)
		}
		if i == 0 && event.Type != 4 {
			f.t.Errorf("the page begins with an event of type %d, not Meta", event.Type)
		}
		kinds[event.Type]++
	}
	return kinds
}

// clean looks for secrets in every part, escaped or not.
func (f *dbr) clean(more ...string) {
	f.t.Helper()
	for name, data := range f.parts {
		for _, secret := range append(slices.Clone(secrets), more...) {
			if at := bytes.Index(data, []byte(secret)); at >= 0 {
				f.t.Errorf("%s holds the secret %q: …%s…", name, secret, data[max(0, at-120):min(len(data), at+80)])
			}
		}
	}
}

func text(data map[string]any, name string) string { s, _ := data[name].(string); return s }

// The whole of it: a person and an agent on one page, requests, console, state, marks,
// a navigation; and nothing of what is secret.
func TestRecordManaged(t *testing.T) {
	server := site(t)
	e := commandtest.Managed(t)
	e.OK("page", "navigate", server.URL+"/")
	p := sitDown(t, e, server.URL+"/")

	e.Fails("TRACE_NOT_FOUND", 3, "record", "stop")
	e.OK("record", "start", "--note", "Orders are saved")
	e.Fails("TRACE_ALREADY_RUNNING", 5, "record", "start")

	// The person.
	p.click("#customer")
	p.types("Ada Lovelace")
	p.click("#pw")
	p.types(typedPassword)
	p.click("#card")
	p.types(cardTyped)
	p.click("#save")
	p.await("out.textContent === 'Saved for Ada Lovelace'")
	e.OK("record", "mark", "it is saved")
	p.click("#break")

	// The agent.
	e.OK("element", "fill", `textbox "Customer"`, "Grace Hopper")
	e.OK("element", "fill", "#pw", agentPassword)
	e.OK("element", "select", "#size", "Large")
	e.OK("element", "click", `button "Save order"`)
	p.await("out.textContent === 'Saved for Ada Lovelace'")
	if got := text(e.OK("record", "status"), "by"); got != "agent" {
		t.Errorf("recording by %q", got)
	}

	// On another document.
	p.click("#next")
	p.await("document.querySelector('#more') !== null")
	awaitGathering(t, e)
	p.click("#more")
	p.await("n.textContent === '1'")

	result := e.OK("record", "stop", "--file", "orders.dbr")
	f := open(t, text(result, "path"))
	m := f.manifest
	if m.Format != "debug-bridge-recording" || m.Version != 1 || m.Note != "Orders are saved" || m.URL != server.URL+"/" ||
		m.Title != "Orders" || m.Viewport.Width == 0 || m.Ended.Before(m.Started) || m.Redacted == 0 || m.FromRing || m.Navigated == 0 {
		t.Errorf("manifest %+v", m)
	}
	if kinds := f.pageKinds(); kinds[2] < 2 || kinds[3] == 0 {
		t.Errorf("page events by type %v, want two full snapshots and changes", kinds)
	}

	fill := f.action("person", "element.fill", `textbox "Customer"`)
	if fill.Params["value"] != "Ada Lovelace" {
		t.Errorf("the person's typing is %v", fill.Params)
	}
	if secret := f.action("person", "element.fill", `textbox "Password"`); secret.Params["value"] != "{{secret}}" {
		t.Errorf("the person's password is %v", secret.Params)
	}
	click := f.action("person", "element.click", `button "Save order"`)
	if click.At < fill.At {
		t.Error("the click comes before the typing")
	}
	f.action("person", "element.click", `button "Break"`)
	f.action("person", "element.click", `link "Second page"`)
	f.action("person", "element.click", `button "More"`)
	f.action("agent", "element.fill", `textbox "Customer"`)
	if secret := f.action("agent", "element.fill", "#pw"); secret.Params["value"] != "{{secret}}" {
		t.Errorf("the agent's password is %v", secret.Params)
	}
	f.action("agent", "element.select", "#size")
	f.action("agent", "element.click", `button "Save order"`)
	// What the agent's own input set off is not taken for the person's.
	if n := f.count(func(e entry) bool { return e.By == "person" && e.Params["target"] == `button "Save order"` }); n != 1 {
		t.Errorf("the person clicked Save %d times", n)
	}
	if n := f.count(func(e entry) bool {
		return e.By == "person" && (e.Params["value"] == "Grace Hopper" || e.Command == "element.select")
	}); n != 0 {
		t.Errorf("%d of the agent's actions are the person's", n)
	}

	request := f.find("request", func(e entry) bool { return e.Kind == "network" && strings.Contains(e.URL, "/api/order") })
	if request.Method != "POST" || request.Status != 200 || request.Type != "fetch" || request.RequestBody == "" || request.ResponseBody == "" || request.ID == "" {
		t.Errorf("request %+v", request)
	}
	if body := string(f.parts[request.RequestBody]); !strings.Contains(body, "Ada Lovelace") || !strings.Contains(body, "[redacted]") {
		t.Errorf("request body %s", body)
	}
	if body := string(f.parts[request.ResponseBody]); !strings.Contains(body, "Ada Lovelace") || !strings.Contains(body, "[redacted]") {
		t.Errorf("response body %s", body)
	}
	f.find("console line", func(e entry) bool {
		return e.Kind == "console" && strings.HasPrefix(e.Text, "saved Ada Lovelace")
	})
	f.find("console error", func(e entry) bool {
		return e.Kind == "console" && e.Level == "error" && e.Text == "it is broken"
	})
	f.find("uncaught error", func(e entry) bool {
		return e.Kind == "error" && strings.Contains(e.Text, "thrown by Break") && e.Source != ""
	})
	f.find("navigation", func(e entry) bool {
		return e.Kind == "navigation" && strings.Contains(e.URL, "/second")
	})
	mark := f.find("mark", func(e entry) bool { return e.Kind == "mark" && e.Text == "it is saved" })
	if _, err := jpeg.Decode(bytes.NewReader(f.parts[mark.Picture])); err != nil {
		t.Errorf("the mark's picture %q: %v", mark.Picture, err)
	}
	// A style's names are no secrets: the page still looks as it did.
	if !bytes.Contains(f.parts["page.jsonl"], []byte("--token-colour: #123456")) && !bytes.Contains(f.parts["page.jsonl"], []byte("--token-colour:#123456")) {
		t.Error("the styles were taken for secrets")
	}
	f.clean()

	on := *e
	t.Run("Ring", func(t *testing.T) { on.T, p.t = t, t; ring(t, &on, p) })
	t.Run("Disk", func(t *testing.T) { on.T = t; fullDisk(t, &on) })
	t.Run("Closed", func(t *testing.T) { on.T = t; closed(t, &on, server.URL) })
	t.Run("Ends", func(t *testing.T) { on.T = t; ends(t, &on) })
}

// awaitGathering waits until the page's present document is recorded.
func awaitGathering(t testing.TB, e *commandtest.Env) {
	t.Helper()
	before, _ := e.OK("record", "status")["bytes"].(float64)
	commandtestUntil(t, "the new document's snapshot", func() bool {
		now, _ := e.OK("record", "status")["bytes"].(float64)
		return now > before
	})
}

// What just happened is saved after the fact.
func ring(t *testing.T, e *commandtest.Env, p *person) {
	e.Fails("TRACE_NOT_FOUND", 3, "record", "save")
	e.OK("record", "ring", "on")
	p.click("#more")
	p.await("n.textContent === '2'")
	f := open(t, text(e.OK("record", "save", "--last", "30", "--note", "after the fact"), "path"))
	if !f.manifest.FromRing || f.manifest.Note != "after the fact" {
		t.Errorf("manifest %+v", f.manifest)
	}
	f.action("person", "element.click", `button "More"`)
	if kinds := f.pageKinds(); kinds[2] == 0 {
		t.Errorf("page events by type %v", kinds)
	}
	// It goes on, beside a recording that is asked for.
	e.OK("record", "start")
	p.click("#more")
	p.await("n.textContent === '3'")
	asked := open(t, text(e.OK("record", "stop"), "path"))
	if n := asked.count(func(e entry) bool { return e.Command == "element.click" }); n != 1 {
		t.Errorf("%d clicks in the recording, want the one since its start", n)
	}
	again := open(t, text(e.OK("record", "save"), "path"))
	if n := again.count(func(e entry) bool { return e.Command == "element.click" }); n != 2 {
		t.Errorf("%d clicks in the ring, want 2", n)
	}
	e.OK("record", "ring", "off")
	e.Fails("TRACE_NOT_FOUND", 3, "record", "save")
}

// A page that is closed while it is recorded leaves a whole file, and status knows it.
func closed(t *testing.T, e *commandtest.Env, url string) {
	opened := e.OK("page", "open", url+"/")
	e.OK("record", "start", "--note", "closed in between")
	e.OK("element", "click", `button "Break"`)
	e.OK("page", "close", fmt.Sprint(opened["pageId"]))
	var last string
	browsertest.Until(t, browsertest.Patience, "the recording of the closed page", func() bool {
		last = text(e.OK("record", "status"), "last")
		return last != "" && open(t, last).manifest.Note == "closed in between"
	})
	open(t, last).action("agent", "element.click", `button "Break"`)
}

// A context that ends while it records leaves a whole file.
func ends(t *testing.T, e *commandtest.Env) {
	e.OK("record", "start", "--note", "cut short")
	e.OK("record", "mark", "before the end")
	e.OK("session", "stop")
	files, err := filepath.Glob(filepath.Join(e.Home, "*", "contexts", "*", "artifacts", "*", "recording-*.dbr"))
	if more, _ := filepath.Glob(filepath.Join(e.Home, "contexts", "*", "artifacts", "*", "recording-*.dbr")); err == nil {
		files = append(files, more...)
	}
	for _, path := range files {
		if f := open(t, path); f.manifest.Note == "cut short" {
			f.find("mark", func(e entry) bool { return e.Kind == "mark" })
			return
		}
	}
	t.Errorf("no file of the recording that was cut short among %v", files)
}

// A disk without room: the fault says so, nothing half is left, and the recording goes on.
func fullDisk(t *testing.T, e *commandtest.Env) {
	folder := filepath.Join(e.Home, "small")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	smallDisk(t, folder)
	e.OK("record", "start")
	for range 3 {
		e.OK("record", "mark", "a picture to fill the disk")
	}
	a := e.Fails("FILE_ACCESS_FAILED", 6, "record", "stop", "--file", filepath.Join(folder, "a.dbr"))
	if a.Error.Details["reason"] != "disk_full" {
		t.Errorf("%s", a.Stdout)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("left: %v %v", left, err)
	}
	if e.OK("record", "status")["recording"] != true {
		t.Error("the recording is gone with the failed write")
	}
	f := open(t, text(e.OK("record", "stop"), "path"))
	if f.manifest.Counts["mark"] != 3 {
		t.Errorf("marks after the failed write: %v", f.manifest.Counts)
	}
}
