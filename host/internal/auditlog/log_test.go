package auditlog

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func openLog(t testing.TB, dir string, options Options) *Writer {
	t.Helper()
	w, err := Open(dir, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

func flush(t testing.TB, w *Writer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := w.Flush(ctx); err != nil {
		t.Fatal(err)
	}
}

func verified(t testing.TB, dir string) Report {
	t.Helper()
	report, err := Verify(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK {
		t.Fatalf("broken: %+v", *report.Broken)
	}
	return report
}

func act(n int) Entry {
	return Entry{Kind: Act, Agent: "bot", Command: "element.click", Target: []string{fmt.Sprint("button ", n)}, Page: &Page{ID: 1, URL: "https://shop.example/cart?id=7#top"}}
}

func shown(t testing.TB, dir string, f Filter) []Entry {
	t.Helper()
	entries, bad, err := Show(dir, f, 10_000)
	if err != nil || bad != 0 {
		t.Fatalf("%d lines cannot be read: %v", bad, err)
	}
	return entries
}

func TestLinesAreChained(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	if report := verified(t, dir); report.Head != Genesis || report.Lines != 0 {
		t.Errorf("an empty log: %+v", report)
	}
	w := openLog(t, dir, Options{})
	for n := range 10 {
		w.Note(act(n))
	}
	flush(t, w)
	report := verified(t, dir)
	if report.Lines != 10 || report.First != 1 || report.Last != 10 || report.Head != w.Stats().Head {
		t.Errorf("%+v, head %s", report, w.Stats().Head)
	}
	info, err := os.Stat(w.Stats().File)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	w.Close()
	w.Note(act(10))
	if w.Stats().Lost != 1 {
		t.Errorf("an entry after the end: %+v", w.Stats())
	}
	again := openLog(t, dir, Options{})
	again.Note(act(11))
	flush(t, again)
	if after := verified(t, dir); after.Lines != 11 || after.Files != 1 {
		t.Errorf("after a restart: %+v", after)
	}
	if held, err := Verify(dir, report.Head); err != nil || !held.OK || !*held.Held {
		t.Errorf("the head of before is not held: %+v, %v", held, err)
	}
	if held, err := Verify(dir, strings.Repeat("a", 64)); err != nil || held.OK || *held.Held {
		t.Errorf("a head that never was is held: %+v, %v", held, err)
	}
}

// Every single byte that is changed, removed or doubled is found; so are lines taken out
// or put in, and whole files.
func TestTamperingIsFound(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	w := openLog(t, dir, Options{})
	for _, name := range []string{"a", "b", "c"} {
		w.Note(Entry{Kind: Act, Command: name})
	}
	w.Close()
	path := w.Stats().File
	clean, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found := func(what string, changed []byte) {
		t.Helper()
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if report, err := Verify(dir, ""); err != nil || report.OK || report.Broken == nil || report.Broken.Line == 0 {
			t.Errorf("%s: %+v, %v", what, report, err)
		}
	}
	for i := range clean {
		b := []byte{clean[i] ^ 1, clean[i] ^ 0x20, '\n', 0}[i%4]
		if b != clean[i] {
			found(fmt.Sprintf("byte %d is %q instead of %q", i, b, clean[i]), slices.Concat(clean[:i], []byte{b}, clean[i+1:]))
		}
		if i%3 == 0 {
			found(fmt.Sprintf("byte %d is gone", i), slices.Concat(clean[:i], clean[i+1:]))
			found(fmt.Sprintf("byte %d is there twice", i), slices.Concat(clean[:i+1], clean[i:]))
		}
	}
	line := bytes.SplitAfter(clean, []byte("\n"))
	found("the first line is gone", slices.Concat(line[1], line[2]))
	found("the second line is gone", slices.Concat(line[0], line[2]))
	found("two lines are exchanged", slices.Concat(line[1], line[0], line[2]))
	found("a line is there twice", slices.Concat(line[0], line[0], line[1], line[2]))
	// A line of another log, whole in itself.
	other := folder(t)
	o := openLog(t, other, Options{})
	for n := range 3 {
		o.Note(act(n + 7))
	}
	o.Close()
	foreign, err := os.ReadFile(o.Stats().File)
	if err != nil {
		t.Fatal(err)
	}
	found("a line of another log", slices.Concat(line[0], bytes.SplitAfter(foreign, []byte("\n"))[1], line[2]))
	// What the chain alone cannot show, the head does.
	if err := os.WriteFile(path, slices.Concat(line[0], line[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	if report := verified(t, dir); report.Lines != 2 {
		t.Errorf("%+v", report)
	}
	if report, err := Verify(dir, w.Stats().Head); err != nil || report.OK {
		t.Errorf("a cut tail passes by its head: %+v, %v", report, err)
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	w := openLog(t, dir, Options{MaxFile: 2000, Keep: 3})
	for n := range 40 {
		w.Note(act(n))
		flush(t, w)
	}
	report := verified(t, dir)
	if report.Files != 3 || report.Last != 40 || report.First < 10 || report.Lines != 41-report.First {
		t.Errorf("%+v", report)
	}
	entries := shown(t, dir, Filter{})
	if len(entries) != int(report.Lines) || entries[0].Seq != report.First || entries[len(entries)-1].Seq != 40 {
		t.Errorf("%d entries", len(entries))
	}
	if last, _, err := Show(dir, Filter{}, 7); err != nil || len(last) != 7 || last[0].Seq != 34 {
		t.Errorf("the last 7 of %d begin at %d: %v", len(last), last[0].Seq, err)
	}
	names, err := list(dir)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if err := os.Remove(filepath.Join(dir, names[1])); err != nil {
		t.Fatal(err)
	}
	if report, err := Verify(dir, ""); err != nil || report.OK || report.Broken.Line != 1 {
		t.Errorf("a file is missing: %+v, %v", report, err)
	}
	again := openLog(t, dir, Options{MaxFile: 2000, Keep: 3})
	again.Note(act(41))
	flush(t, again)
	if again.Stats().Lines != 41 {
		t.Errorf("%+v", again.Stats())
	}
}

// A crash leaves half a line: it is put aside, and the chain goes on.
func TestTornLineIsMended(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	w := openLog(t, dir, Options{})
	for n := range 3 {
		w.Note(act(n))
	}
	w.Close()
	path := w.Stats().File
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for _, keep := range []int{last + 1, last + 40, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:keep], 0o600); err != nil {
			t.Fatal(err)
		}
		if report, err := Verify(dir, ""); err != nil || report.OK || report.Broken.Line != 3 {
			t.Errorf("half a line is not told: %+v, %v", report, err)
		}
		again, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		again.Note(act(9))
		again.Close()
		report := verified(t, dir)
		entries := shown(t, dir, Filter{})
		if report.Lines != 4 || entries[2].Command != "mended" || entries[3].Seq != 4 {
			t.Errorf("%+v: %v", report, entries)
		}
		torn, err := os.ReadFile(strings.TrimSuffix(path, nameSuffix) + tornSuffix)
		if err != nil || !bytes.Contains(torn, whole[last:keep]) {
			t.Errorf("what was torn is not kept: %q, %v", torn, err)
		}
	}
	// A last line that is whole and wrong stays as it is: Verify tells of it ever after.
	if err := os.WriteFile(path, bytes.Replace(whole, []byte("button 2"), []byte("button 3"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	after := openLog(t, dir, Options{})
	after.Note(act(9))
	flush(t, after)
	if report, err := Verify(dir, ""); err != nil || report.OK || report.Broken.Line != 3 || report.Broken.File != path {
		t.Errorf("%+v, %v", report, err)
	}
	if entries, bad, err := Show(dir, Filter{Kinds: []string{Log}}, 10); err != nil || bad != 1 || len(entries) != 1 || !strings.Contains(entries[0].Notes[0], "damaged") {
		t.Errorf("%v, %d bad, %v", entries, bad, err)
	}
	// A file without a line is begun when the disk fills up in that moment.
	empty := folder(t)
	if err := os.WriteFile(filepath.Join(empty, nameOf(1)), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	begun := openLog(t, empty, Options{})
	begun.Note(act(1))
	flush(t, begun)
	if report := verified(t, empty); report.Lines != 1 {
		t.Errorf("%+v", report)
	}
}

// disk takes so many bytes more, as a full one does: part of a write, then nothing.
type disk struct {
	mu   sync.Mutex
	room int
}

func (d *disk) write(f *os.File, data []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	part := min(len(data), d.room)
	n, err := f.Write(data[:part])
	d.room -= n
	if err == nil && part < len(data) {
		err = &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	return n, err
}

func (d *disk) give(room int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.room = room
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	d := &disk{room: 1000}
	w := openLog(t, dir, Options{write: d.write})
	for n := range 10 {
		w.Note(act(n))
		flush(t, w)
	}
	full := w.Stats()
	if full.Lost == 0 || full.Lines == 0 || full.Lost+full.Lines != 10 || !strings.Contains(full.Failing, "no space") {
		t.Fatalf("%+v", full)
	}
	if report := verified(t, dir); report.Lines != full.Lines {
		t.Errorf("half a line is left: %+v", report)
	}
	d.give(1 << 20)
	w.Note(act(10))
	flush(t, w)
	entries := shown(t, dir, Filter{})
	if last := entries[len(entries)-1]; last.Lost != full.Lost || last.Target[0] != "button 10" {
		t.Errorf("the next line does not say what is lost: %+v", last)
	}
	if report := verified(t, dir); report.Lost != full.Lost || w.Stats().Failing != "" {
		t.Errorf("%+v, %+v", report, w.Stats())
	}
}

// A queue that nobody empties costs no one any time, and what it does not take is told.
func TestFullQueue(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	stuck, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	w := openLog(t, dir, Options{write: func(f *os.File, data []byte) (int, error) {
		once.Do(func() { close(stuck); <-goOn })
		return f.Write(data)
	}})
	w.Note(act(0))
	<-stuck
	for n := range maxQueue + 50 {
		w.Note(act(n))
	}
	if lost := w.Stats().Lost; lost != 50 {
		t.Errorf("%d lost", lost)
	}
	close(goOn)
	flush(t, w)
	if report := verified(t, dir); report.Lines != maxQueue+1 || report.Lost != 50 {
		t.Errorf("%+v", report)
	}
}

func TestManyWriters(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	w := openLog(t, dir, Options{MaxFile: 20_000, Keep: 1000})
	entries, stop := w.Follow()
	var writers sync.WaitGroup
	for agent := range 8 {
		writers.Go(func() {
			for n := range 100 {
				e := act(n)
				e.Agent = fmt.Sprint("bot", agent)
				w.Note(e)
			}
		})
	}
	writers.Wait()
	flush(t, w)
	stop()
	report := verified(t, dir)
	if report.Lines != 800 || report.Files < 3 {
		t.Errorf("%+v", report)
	}
	for seq := range uint64(800) {
		if e := <-entries; e.Seq != seq+1 {
			t.Fatalf("line %d follows as %d", seq+1, e.Seq)
		}
	}
	for agent := range 8 {
		if own := shown(t, dir, Filter{Agent: fmt.Sprint("bot", agent)}); len(own) != 100 {
			t.Errorf("bot%d has %d", agent, len(own))
		}
	}
}

// An agent that polls costs two lines in ten seconds; what acts or is remarked on is never counted.
func TestSameReadsAreCounted(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	var mu sync.Mutex
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	later := func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(d)
	}
	w := openLog(t, dir, Options{Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}})
	look := Entry{Kind: Read, Agent: "bot", Command: "observe.state", Page: &Page{ID: 1, URL: "http://a.example/"}}
	for n := range 100 {
		look.Pid = n // each command line is a process of its own
		w.Note(look)
		later(90 * time.Millisecond)
	}
	other := look
	other.Page = &Page{ID: 1, URL: "http://b.example/"}
	w.Note(other)
	warned := look
	warned.Warnings = []string{"text of a.example"}
	w.Note(warned)
	w.Note(act(1))
	w.Note(act(1))
	flush(t, w)
	if n := len(shown(t, dir, Filter{})); n != 5 {
		t.Errorf("%d lines, want 5", n)
	}
	later(10 * time.Second)
	w.Close()
	entries := shown(t, dir, Filter{Kinds: []string{Read}})
	last := entries[len(entries)-1]
	if last.Count != 99 || last.Since == nil || !last.Since.Before(last.At) || last.Page.Site != "a.example" {
		t.Errorf("%+v", last)
	}
	total := 0
	for _, e := range entries {
		total += max(1, e.Count)
	}
	if total != 102 || verified(t, dir).Lines != 6 {
		t.Errorf("%d reads told", total)
	}
}

func TestLinesHoldNoText(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	w := openLog(t, dir, Options{})
	g := Guard{w}
	d := &guard.Deed{
		Command: "type", Acts: true, Face: "websocket", Agent: "bot", Caller: caller.Caller{Agent: "bot"}, PageID: 3,
		URL: "https://bank.example/pay/?account=DE12345#iban", Source: protocol.SourceExtension,
		Params: &protocol.TypeParams{Target: protocol.Target{Text: "Pay\u202enow\x1b[31m"}, Text: "hunter22 and {{secret:bank}}"},
	}
	done, err := g.Before(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	d.Note("confirmed")
	done(guard.Outcome{Effect: "changed", Result: "page content"})
	d = &guard.Deed{Command: "navigate", Acts: true, Params: &protocol.NavigateParams{URL: "https://evil.example/?q=hunter22"}}
	g.Refused(d, fault.New(fault.PolicyDenied, "hunter22").With("reason", "site"))
	g.Refused(d, fault.New(fault.PageNotFound, "no page"))
	w.Close()
	data, err := os.ReadFile(w.Stats().File)
	if err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{"hunter22", "DE12345", "page content", "\u202e", "\\u001b", "iban"} {
		if bytes.Contains(data, []byte(never)) {
			t.Errorf("%q is in the log:\n%s", never, data)
		}
	}
	entries := shown(t, dir, Filter{})
	if len(entries) != 2 {
		t.Fatalf("%d entries", len(entries))
	}
	e := entries[0]
	if e.Typed != 28 || e.Page.Site != "bank.example" || e.Page.URL != "https://bank.example/pay/?…" || !slices.Equal(e.Secrets, []string{"bank"}) || !slices.Equal(e.Notes, []string{"confirmed"}) || e.Source != "extension" || e.Effect != "changed" {
		t.Errorf("%+v", e)
	}
	if e := entries[1]; e.Code != "POLICY_DENIED" || e.Reason != "site" || !slices.Equal(e.To, []string{"https://evil.example/?…"}) {
		t.Errorf("%+v", e)
	}
	for _, f := range []struct {
		filter Filter
		want   int
	}{
		{Filter{Agent: "bot"}, 1}, {Filter{Site: "bank.example"}, 1}, {Filter{Site: "example"}, 2}, {Filter{Site: "k.example"}, 0},
		{Filter{Refused: true}, 1}, {Filter{Since: time.Now().Add(time.Hour)}, 0}, {Filter{Since: time.Now().Add(-time.Hour)}, 2},
	} {
		if got := shown(t, dir, f.filter); len(got) != f.want {
			t.Errorf("%+v wants %d, got %d", f.filter, f.want, len(got))
		}
	}
}

func TestForeignFilesAreRefused(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	path := filepath.Join(dir, nameOf(1))
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); fault.From(err).Code != fault.FileAccessFailed {
		t.Errorf("a file that others can read is taken: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), path); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); err == nil {
		t.Error("a link is followed")
	}
}

func BenchmarkGuard(b *testing.B) {
	dir := folder(b)
	w := openLog(b, dir, Options{})
	g := Guard{w}
	params := &protocol.TypeParams{Target: protocol.Target{Role: "textbox", Name: "Email"}, Text: "ada@example.com"}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		d := &guard.Deed{Command: "type", Acts: true, Agent: "bot", PageID: 1, URL: "https://shop.example/cart?id=7", Params: params}
		done, err := g.Before(b.Context(), d)
		if err != nil {
			b.Fatal(err)
		}
		done(guard.Outcome{Effect: "changed"})
		if n++; n%2000 == 0 {
			b.StopTimer() // what the writer does meanwhile is not the agent's time
			flush(b, w)
			b.StartTimer()
		}
	}
}
