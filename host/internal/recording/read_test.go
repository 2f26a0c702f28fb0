package recording

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

var began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// part is a part of a recording made by hand; parts may have one name twice.
type part struct{ name, content string }

// packed is a zip file of parts.
func packed(t testing.TB, parts ...part) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, p := range parts {
		into, err := w.Create(p.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := into.Write([]byte(p.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// manifest is one with what a case changes.
func manifest(t testing.TB, change func(*Manifest)) part {
	t.Helper()
	m := Manifest{
		Format: Format, Version: Version, Made: "dbridge test", URL: "http://shop.test/app/", Title: "Shop", Started: began, Ended: began.Add(8 * time.Second),
		Viewport: Viewport{1200, 800, 1}, Counts: map[string]int{},
	}
	if change != nil {
		change(&m)
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return part{ManifestName, string(data)}
}

// timeline is one of entries.
func timeline(t testing.TB, entries ...Entry) part {
	t.Helper()
	var b strings.Builder
	for _, e := range entries {
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
		b.WriteString("\n")
	}
	return part{TimelineName, b.String()}
}

// opened is a recording of parts, as a file of its own.
func opened(t testing.TB, parts ...part) (*File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.dbr")
	if err := os.WriteFile(path, packed(t, parts...), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err == nil {
		t.Cleanup(func() { _ = f.Close() })
	}
	return f, err
}

func must(t testing.TB, parts ...part) *File {
	t.Helper()
	f, err := opened(t, parts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestOpen(t *testing.T) {
	t.Parallel()
	lines := timeline(t, Entry{At: 500, Kind: KindConsole, Text: "later"}, Entry{At: 100, Kind: KindNetwork, Method: "GET", ResponseBody: "bodies/1"})
	lines.content += "{\"at\":\n\nnull\n{\"at\":-4,\"kind\":\"console\"}\n{\"at\":600,\"kind\":\"console\",\"text\":\"half \\ud800\"}\n"
	f := must(t, manifest(t, func(m *Manifest) { m.Note = "it breaks" }), lines, part{"bodies/1", `{"a":1}`},
		part{PageName, "{\"type\":4}\n{broken\n\n{\"type\":2,\"data\":\"\\udfff\"}\n"}, part{"later-addition.json", "{}"})
	if f.Note != "it breaks" || f.Length() != 8*time.Second || f.Damaged != 3 || len(f.Entries) != 3 || f.Entries[0].At != 100 || f.Entries[2].At != 600 {
		t.Errorf("%+v", f)
	}
	if data, err := f.Part("bodies/1"); err != nil || string(data) != `{"a":1}` {
		t.Errorf("%q %v", data, err)
	}
	if _, err := f.Part("bodies/2"); !errors.Is(err, fault.New(fault.ValidationError, "")) {
		t.Errorf("a part that is not there: %v", err)
	}
	var events []string
	damaged, err := f.Events(func(event jsontext.Value) bool { events = append(events, string(event)); return true })
	if err != nil || damaged != 1 || len(events) != 2 {
		t.Errorf("%q, %d damaged, %v", events, damaged, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	good := manifest(t, nil)
	zeros := strings.Repeat("\x00", maxManifest+1)
	// What the directory says of a part's size need not be true.
	lying := packed(t, good, part{"bodies/1", strings.Repeat("A", 100_000)})
	at := bytes.LastIndex(lying, []byte("PK\x01\x02")) // the last header of the directory
	binary.LittleEndian.PutUint32(lying[at+24:], 10)
	write := func(t *testing.T, data []byte) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "made.dbr")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name string
		data []byte
		code fault.Code
		says string
	}{
		{"empty", nil, fault.ValidationError, "no zip file"},
		{"other", []byte("GIF89a"), fault.ValidationError, "no zip file"},
		{"cut off", packed(t, good)[:60], fault.ValidationError, "no zip file"},
		{"no manifest", packed(t, part{"a.txt", ""}), fault.ValidationError, "it has no manifest.json"},
		{"other manifest", packed(t, part{ManifestName, `{"name":"x"}`}), fault.ValidationError, "not of a recording"},
		{"later version", packed(t, part{ManifestName, fmt.Sprintf(`{"format":%q,"version":%d,"url":{"new":"shape"}}`, Format, Version+1)}), fault.VersionMismatch, "version 2; this dbridge reads up to 1"},
		{"damaged manifest", packed(t, part{ManifestName, fmt.Sprintf(`{"format":%q,"version":1,"url":7}`, Format)}), fault.ValidationError, "damaged"},
		{"parent folder", packed(t, good, part{"../../x", "x"}), fault.ValidationError, "a name that no recording has"},
		{"dots inside", packed(t, good, part{"bodies/..", "x"}), fault.ValidationError, "a name that no recording has"},
		{"absolute", packed(t, good, part{"/etc/passwd", "x"}), fault.ValidationError, "a name that no recording has"},
		{"of Windows", packed(t, good, part{`C:\x`, "x"}), fault.ValidationError, "a name that no recording has"},
		{"line break", packed(t, good, part{"bodies/a\nb", "x"}), fault.ValidationError, "a name that no recording has"},
		{"folder", packed(t, good, part{"bodies/", ""}), fault.ValidationError, "a name that no recording has"},
		{"one name twice", packed(t, good, good), fault.ValidationError, "two parts have one name"},
		{"bomb", packed(t, good, part{"extra", zeros}), fault.ResultTooLarge, "extra is over"},
		{"large manifest", packed(t, part{ManifestName, zeros}), fault.ResultTooLarge, "manifest.json is over"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, err := Open(write(t, c.data))
			var failure *fault.Error
			if !errors.As(err, &failure) || failure.Code != c.code || !strings.Contains(failure.Message, c.says) || len(failure.Suggestions) == 0 {
				t.Errorf("%+v, %v", f, err)
			}
		})
	}
	t.Run("lying size", func(t *testing.T) {
		t.Parallel()
		f, err := Open(write(t, lying))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if data, err := f.Part("bodies/1"); err == nil || len(data) > 0 {
			t.Errorf("%d bytes, %v", len(data), err)
		}
	})
	t.Run("no file", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none.dbr")} {
			if _, err := Open(path); !errors.Is(err, fault.New(fault.FileAccessFailed, "")) {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
}

// FuzzOpen: whatever a file holds, it is refused or read, and all that is made of it can be made.
func FuzzOpen(f *testing.F) {
	f.Add(packed(f, manifest(f, nil)))
	f.Add(packed(f, manifest(f, nil), timeline(f, sample()...), part{"bodies/1", "{}"}, part{PageName, "{\"type\":4}\n"}, part{"shots/1.png", "\x89PNG\r\n\x1a\n"}))
	f.Add(packed(f, manifest(f, func(m *Manifest) { m.URL = "http://[::1" }), part{TimelineName, `{"at":1,"kind":"action","command":"element.fill","params":{"target":[1],"value":{}}}`}))
	f.Add(packed(f, manifest(f, nil), part{TimelineName, `{"at":1,"kind":"state","patch":[1,{"path":{}}]}` + "\n" + `{"at":99999999999999,"kind":"x"}`}))
	f.Add(packed(f, manifest(f, nil), part{"../x", ""}))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := read(bytes.NewReader(data), int64(len(data)), "fuzz.dbr")
		if err != nil {
			var failure *fault.Error
			if !errors.As(err, &failure) || len(failure.Suggestions) == 0 {
				t.Fatalf("%v", err)
			}
			return
		}
		rows, _, _ := r.Rows(Query{})
		for _, row := range rows {
			if strings.ContainsAny(row.Text, "\n\r\x1b") {
				t.Errorf("%q is no line", row.Text)
			}
		}
		for _, write := range []func() (Script, error){r.Commands, r.Playwright} {
			if script, err := write(); err == nil && script.Steps < 1 {
				t.Errorf("no step in\n%s", script.Text)
			}
		}
		var page bytes.Buffer
		if _, err := r.Page(&page, "0"); err == nil && strings.Count(strings.ToLower(page.String()), "<script") != 3 {
			t.Errorf("the data broke out of the page:\n%.2000s", page.String())
		}
	})
}
