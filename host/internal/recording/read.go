package recording

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// Limits of what is read. A file comes from anywhere: from a colleague, out of a bug report.
const (
	maxFile     = 256 << 20 // on disk
	maxTotal    = 512 << 20 // all parts, unpacked
	maxParts    = 20_000
	maxManifest = 1 << 20
	maxTimeline = 64 << 20
	maxPage     = 384 << 20
	maxBody     = 4 << 20
	maxShot     = 32 << 20
	maxOther    = 1 << 20 // what a later writer of this version may add
	maxLine     = 64 << 20
	maxEntries  = 200_000
)

// partName is what a part may be called: no folder but the two, and nothing that leaves them.
var partName = lazy.MustCompile(`^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}/)?[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$`)

// File is a recording that was opened. Its texts are page data.
type File struct {
	Manifest
	Path    string
	Bytes   int64   // on disk
	Entries []Entry // in order of At; entry n of people and agents is Entries[n-1]
	Damaged int     // lines of the timeline that could not be read

	parts map[string]*zip.File
	zip   *os.File
}

// Open reads a recording's manifest and timeline; parts are read when they are asked
// for, so Close it. A file that is no recording, is made to do harm, or is of a later version
// is VALIDATION_ERROR or VERSION_MISMATCH; damaged lines of the timeline are counted, not fatal.
func Open(name string) (*File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fault.New(fault.FileAccessFailed, "%s is no file", name).With("path", name).Suggest("Name the .dbr file itself.")
	}
	if info.Size() > maxFile {
		return nil, tooLarge(name, "the file", maxFile)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	f, err := read(file, info.Size(), name)
	if err != nil {
		_ = file.Close() // it was only read
		return nil, err
	}
	f.zip = file
	return f, nil
}

// read is Open of what is at hand.
func read(data io.ReaderAt, size int64, name string) (*File, error) {
	archive, err := zip.NewReader(data, size)
	if err != nil {
		return nil, notOurs(name, "it is no zip file, or was cut off").Because(err)
	}
	if len(archive.File) > maxParts {
		return nil, tooLarge(name, "the number of its parts", maxParts)
	}
	f := &File{Path: name, Bytes: size, parts: make(map[string]*zip.File, len(archive.File))}
	total := uint64(0)
	for _, part := range archive.File {
		switch limit := limitOf(part.Name); {
		case !partName.MatchString(part.Name) || strings.Contains(part.Name, ".."):
			return nil, notOurs(name, "a part has a name that no recording has").With("part", cut(part.Name, 100))
		case f.parts[part.Name] != nil:
			return nil, notOurs(name, "two parts have one name").With("part", part.Name)
		case part.Mode()&fs.ModeType != 0:
			return nil, notOurs(name, "a part is no plain file").With("part", part.Name)
		case part.UncompressedSize64 > uint64(limit):
			return nil, tooLarge(name, part.Name, limit)
		}
		if total += part.UncompressedSize64; total > maxTotal {
			return nil, tooLarge(name, "what is packed in it", maxTotal)
		}
		f.parts[part.Name] = part
	}
	if err := f.readManifest(); err != nil {
		return nil, err
	}
	return f, f.readTimeline()
}

// limitOf is how large a part may be.
func limitOf(name string) int64 {
	switch name {
	case ManifestName:
		return maxManifest
	case TimelineName:
		return maxTimeline
	case PageName:
		return maxPage
	}
	switch dir, _ := path.Split(name); dir {
	case BodiesDir:
		return maxBody
	case ShotsDir:
		return maxShot
	}
	return maxOther
}

func (f *File) readManifest() error {
	data, err := f.Part(ManifestName)
	if err != nil {
		return notOurs(f.Path, "it has no "+ManifestName).Because(err)
	}
	// What it is comes first: a later version may have another shape.
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil || head.Format != Format {
		return notOurs(f.Path, "its manifest is not of a recording")
	}
	if head.Version > Version {
		return fault.New(fault.VersionMismatch, "the recording has version %d; this dbridge reads up to %d", head.Version, Version).
			With("path", f.Path).With("version", head.Version).Suggest("Update dbridge: the recording was made by a later one.")
	}
	if err := json.Unmarshal(data, &f.Manifest); err != nil {
		return notOurs(f.Path, "its manifest is damaged").Because(err)
	}
	return nil
}

func (f *File) readTimeline() error {
	if !f.Has(TimelineName) {
		return nil // of a recording that was cut short
	}
	err := f.lines(TimelineName, func(line []byte) bool {
		var e Entry
		if json.Unmarshal(line, &e, lenient) != nil || e.Kind == "" || e.At < 0 || e.At > maxAt {
			f.Damaged++
			return true
		}
		f.Entries = append(f.Entries, e)
		return len(f.Entries) < maxEntries
	})
	slices.SortStableFunc(f.Entries, func(a, b Entry) int { return cmp.Compare(a.At, b.At) })
	return err
}

// lenient takes what pages say: halves of characters, too.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// maxAt is a day, in ms: no recording is longer.
const maxAt = 24 * 60 * 60 * 1000

// Length is how long was recorded.
func (f *File) Length() time.Duration {
	length := max(f.Ended.Sub(f.Started), 0)
	if n := len(f.Entries); n > 0 {
		length = max(length, time.Duration(f.Entries[n-1].At)*time.Millisecond)
	}
	return min(length, maxAt*time.Millisecond)
}

// Has says whether there is a part of that name.
func (f *File) Has(name string) bool { return f.parts[name] != nil }

// Part gives a part whole.
func (f *File) Part(name string) ([]byte, error) {
	r, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, notOurs(f.Path, name+" is damaged").Because(err)
	}
	return data, nil
}

// Events gives each rrweb event of the page, as it is in the file, until give says
// false; damaged lines are counted.
func (f *File) Events(give func(event jsontext.Value) bool) (damaged int, err error) {
	if !f.Has(PageName) {
		return 0, nil
	}
	err = f.lines(PageName, func(line []byte) bool {
		event := jsontext.Value(line)
		if event.Kind() != '{' || !event.IsValid(lenient) {
			damaged++
			return true
		}
		return give(event)
	})
	return damaged, err
}

// Close ends the reading of parts.
func (f *File) Close() error {
	if f.zip == nil {
		return nil
	}
	return f.zip.Close()
}

// bounded is a part that ends with an error where it is longer than it said: sizes in a
// zip file are the word of who made it.
type bounded struct {
	io.ReadCloser
	left int64
}

var errLonger = errors.New("longer than the file's directory says")

func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if b.left -= int64(n); b.left < 0 {
		return 0, errLonger
	}
	return n, err
}

func (f *File) open(name string) (io.ReadCloser, error) {
	part := f.parts[name]
	if part == nil {
		return nil, fault.New(fault.ValidationError, "the recording has no part %q", cut(name, 100)).Suggest("dbridge record show " + f.Path)
	}
	r, err := part.Open()
	if err != nil {
		return nil, notOurs(f.Path, name+" is damaged").Because(err)
	}
	return &bounded{ReadCloser: r, left: int64(part.UncompressedSize64)}, nil
}

// lines gives each line that is not empty. A part that breaks off ends there, as if it
// were over: what came before it is worth having, and the broken line is told as the last one.
func (f *File) lines(name string, give func(line []byte) bool) error {
	r, err := f.open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 0, 64<<10), maxLine)
	for scan.Scan() {
		if line := bytes.TrimSpace(scan.Bytes()); len(line) > 0 && !give(line) {
			return nil
		}
	}
	if err := scan.Err(); err != nil {
		f.Damaged++
	}
	return nil
}

func unreadable(name string, err error) *fault.Error {
	why := "cannot be read"
	if errors.Is(err, fs.ErrNotExist) {
		why = "does not exist"
	}
	return fault.New(fault.FileAccessFailed, "%s %s", name, why).With("path", name).Because(err).
		Suggest("Check the path; recordings that were not told where to go are in the context's artifacts: dbridge session status.")
}

func notOurs(name, why string) *fault.Error {
	return fault.New(fault.ValidationError, "%s is no recording that can be read: %s", filepath.Base(name), why).With("path", name).
		Suggest("Take the .dbr file again from where it was made, or record anew: dbridge record start")
}

func tooLarge(name, what string, limit int64) *fault.Error {
	return fault.New(fault.ResultTooLarge, "%s is not read: %s is over %d", filepath.Base(name), what, limit).With("path", name).With("limit", limit).
		Suggest("A recording of dbridge is never that large: do not trust the file.")
}

// cut shortens a text to n bytes at most, between characters.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n] + "…"
}
