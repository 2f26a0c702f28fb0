package recording

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// Write writes what the tape holds as a file, of what happened since a time (zero: all)
// up to an end. A full snapshot before that time is the page's beginning, and what
// happened after it is in the file, too. The tape goes on.
func (t *Tape) Write(to io.Writer, since, end time.Time) (Manifest, error) {
	f := t.file(since, end)
	archive := zip.NewWriter(to)
	put := func(name string, data []byte, method uint16) error {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: end.UTC().Truncate(time.Second)})
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	manifest, err := json.Marshal(&f.manifest, json.Deterministic(true), jsontext.Multiline(true))
	if err != nil {
		return f.manifest, err
	}
	if err := put(ManifestName, manifest, zip.Deflate); err != nil {
		return f.manifest, err
	}
	if err := put(TimelineName, f.timeline, zip.Deflate); err != nil {
		return f.manifest, err
	}
	w, err := archive.CreateHeader(&zip.FileHeader{Name: PageName, Method: zip.Deflate, Modified: end.UTC().Truncate(time.Second)})
	if err != nil {
		return f.manifest, err
	}
	for _, event := range f.page {
		if _, err := w.Write(event); err != nil {
			return f.manifest, err
		}
		if _, err := w.Write([]byte{'\n'}); err != nil {
			return f.manifest, err
		}
	}
	for _, name := range f.names {
		method := zip.Deflate
		if strings.HasPrefix(name, ShotsDir) {
			method = zip.Store // compressed already
		}
		if err := put(name, f.parts[name], method); err != nil {
			return f.manifest, err
		}
	}
	return f.manifest, archive.Close()
}

// contents are what goes into a file.
type contents struct {
	manifest Manifest
	timeline []byte
	page     [][]byte
	names    []string
	parts    map[string][]byte
}

func (t *Tape) file(since, end time.Time) *contents {
	t.mu.Lock()
	defer t.mu.Unlock()
	begin := t.start(since)
	first := 0
	for i, s := range t.segments {
		if s.whole && !s.at.After(begin) {
			first = i
		}
	}
	if !since.IsZero() && len(t.segments) > first && t.segments[first].whole && t.segments[first].at.Before(begin) {
		begin = t.segments[first].at
	}
	f := &contents{parts: map[string][]byte{}}
	pageBytes := int64(0)
	for _, s := range t.segments[min(first, len(t.segments)):] {
		f.page = append(f.page, s.events...)
		pageBytes += int64(s.bytes + len(s.events))
	}
	counts := map[string]int{}
	moments := slices.Clone(t.moments)
	slices.SortStableFunc(moments, func(a, b moment) int { return a.at.Compare(b.at) })
	var lines bytes.Buffer
	for _, m := range moments {
		if !since.IsZero() && m.at.Before(begin) || m.at.After(end) {
			continue
		}
		e := m.entry
		e.At = max(m.at.Sub(begin).Milliseconds(), 0)
		data, err := json.Marshal(&e, json.Deterministic(true))
		if err != nil {
			continue // Add has written it once
		}
		counts[e.Kind]++
		lines.Write(data)
		lines.WriteByte('\n')
		for _, name := range []string{e.RequestBody, e.ResponseBody, e.Picture} {
			if data, ok := t.parts[name]; ok && f.parts[name] == nil {
				f.parts[name] = data
				f.names = append(f.names, name)
			}
		}
	}
	f.timeline = lines.Bytes()
	sizes := map[string]int64{TimelineName: int64(len(f.timeline)), PageName: pageBytes}
	for name, data := range f.parts {
		sizes[name] = int64(len(data))
	}
	f.manifest = Manifest{
		Format: Format, Version: Version, Made: t.o.Made, Browser: t.o.Browser, URL: redact.URL(t.o.URL), Title: redact.Text(t.o.Title),
		Note: redact.Text(t.o.Note), Viewport: t.o.Viewport, Started: begin.UTC(), Ended: end.UTC(), Counts: counts, Parts: sizes,
		Redacted: t.redacted, FromRing: t.o.Ring, Navigated: t.moved,
	}
	if len(t.left) > 0 {
		f.manifest.LeftOut = map[string]int{}
		for what, n := range t.left {
			if !strings.HasSuffix(what, " before") || !t.o.Ring { // a ring is meant to forget
				f.manifest.LeftOut[what] = n
			}
		}
	}
	return f
}
