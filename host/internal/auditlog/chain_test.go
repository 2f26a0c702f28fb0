package auditlog

import (
	"os"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Whatever is noted, with restarts, crashes in the middle of a line and full disks
// between: the chain is whole, and all that was noted is in it, in order, or counted.
func TestChainProperty(t *testing.T) {
	t.Parallel()
	root := folder(t)
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(root, "log")
		if err != nil {
			t.Fatal(err)
		}
		d := &disk{room: 1 << 30}
		options := Options{MaxFile: int64(rapid.IntRange(300, 5000).Draw(t, "file")), Keep: 1 << 20, Same: -1, write: d.write}
		w, err := Open(dir, options)
		if err != nil {
			t.Fatal(err)
		}
		var noted []string
		var lost uint64
		text := rapid.StringN(0, 60, -1)
		wait := func() {
			if err := w.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"note", "note", "note", "note", "restart", "crash", "full"}).Draw(t, "step") {
			case "note":
				name := rapid.StringMatching(`[a-z]{1,10}`).Draw(t, "command")
				w.Note(Entry{Kind: rapid.SampledFrom([]string{Act, Read, Gate}).Draw(t, "kind"), Command: name, Agent: text.Draw(t, "agent"), Target: []string{text.Draw(t, "target")}, Page: &Page{URL: text.Draw(t, "url")}, At: time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "at"), 0)})
				noted = append(noted, name)
			case "restart":
				w.Close()
				if w, err = Open(dir, options); err != nil {
					t.Fatal(err)
				}
			case "crash":
				w.Close()
				half(t, w.Stats().File)
				if w, err = Open(dir, options); err != nil {
					t.Fatal(err)
				}
			case "full":
				wait()
				before := w.Stats().Lost
				d.give(rapid.IntRange(0, 50).Draw(t, "room"))
				w.Note(Entry{Kind: Act, Command: "lost"})
				wait()
				d.give(1 << 30)
				lost += w.Stats().Lost - before
				noted = append(noted, "told")
				w.Note(Entry{Kind: Act, Command: "told"}) // the line that says so
				wait()
			}
		}
		w.Close()
		report, err := Verify(dir, w.Stats().Head)
		if err != nil || !report.OK || report.Lost != lost {
			t.Fatalf("%+v, %d lost, %v", report, lost, err)
		}
		entries, bad, err := Show(dir, Filter{Kinds: []string{Act, Read, Gate}}, 10_000)
		if err != nil || bad != 0 {
			t.Fatalf("%d bad: %v", bad, err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Command)
		}
		if !slices.Equal(got, noted) {
			t.Fatalf("%v, want %v", got, noted)
		}
	})
}

// half leaves a part of a line at the end of a file, as a crash does.
func half(t *rapid.T, path string) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	part := `{"seq":1,"at":"2026-`[:rapid.IntRange(1, 20).Draw(t, "part")]
	if _, err := file.WriteString(part); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
