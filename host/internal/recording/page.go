package recording

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Limits of what the replay page has inside: of one body, and of all bodies and pictures.
const (
	maxPageBody   = 256 << 10
	maxPageBodies = 24 << 20
	maxPageShots  = 64 << 20
)

type pageEntry struct {
	N     int    `json:"n"`
	At    int64  `json:"at"`
	Kind  string `json:"kind"`
	Words string `json:"words"`
	Under int    `json:"under,omitzero"`
	Bad   bool   `json:"bad,omitzero"`
	Whole *Entry `json:"whole"`
}

// Body is the content of a request or response, as text where it is one.
type Body struct {
	Text  string `json:"text,omitempty"`
	Bytes int    `json:"bytes"`
	Cut   bool   `json:"cut,omitzero"`
}

// Body gives a part of bodies/, its text up to limit bytes.
func (f *File) Body(name string, limit int) (*Body, error) {
	data, err := f.Part(name)
	if err != nil {
		return nil, err
	}
	body := &Body{Bytes: len(data)}
	if utf8.Valid(data) && !strings.ContainsRune(string(data[:min(len(data), 1024)]), 0) {
		body.Text = string(data)
		if body.Cut = len(data) > limit; body.Cut {
			body.Text = strings.TrimSuffix(cut(body.Text, limit), "…")
		}
	}
	return body, nil
}

// Picture gives a part of shots/ and its type; nothing where it is no picture.
func (f *File) Picture(name string) (data []byte, kind string) {
	if !strings.HasPrefix(name, ShotsDir) || !f.Has(name) {
		return nil, ""
	}
	data, err := f.Part(name)
	if err != nil {
		return nil, ""
	}
	switch kind = http.DetectContentType(data); kind {
	case "image/png", "image/jpeg", "image/webp", "image/gif":
		return data, kind
	}
	return nil, ""
}

// Page writes the recording as one HTML page that shows it with script (the built
// replay.js). It loads nothing, and only that script runs in it: the policy names its
// hash, and all that was recorded stands in blocks of data.
func (f *File) Page(to io.Writer, script string) (damaged int, err error) {
	out := bufio.NewWriterSize(to, 64<<10)
	script = strings.ReplaceAll(script, "</script", `<\/script`) // in strings alone: it is an esbuild bundle
	sum := sha256.Sum256([]byte(script))
	title := f.Title
	if title == "" {
		title = f.URL
	}
	fmt.Fprintf(out, pageTop, base64.StdEncoding.EncodeToString(sum[:]), html.EscapeString(fold(title, maxWords)))
	if err := f.writeData(out); err != nil {
		return 0, err
	}
	_, _ = out.WriteString("</script>\n<script type=\"application/json\" id=\"events\">[") // errors come with Flush
	first := true
	damaged, err = f.Events(func(event jsontext.Value) bool {
		if !first {
			_ = out.WriteByte(',')
		}
		first = false
		_, err := inHTML.WriteString(out, string(event))
		return err == nil
	})
	if err != nil {
		return damaged, err
	}
	_, _ = out.WriteString("]</script>\n<script>" + script + "</script>\n</body>\n</html>\n")
	return damaged, out.Flush()
}

// inHTML writes JSON so that HTML takes none of it for a tag. In JSON these stand in strings only.
var inHTML = strings.NewReplacer("<", `\u003c`, "\u2028", `\u2028`, "\u2029", `\u2029`)

const pageTop = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>%s</title>
</head>
<body>
<script type="application/json" id="recording">`

// writeData writes all but the events.
func (f *File) writeData(out io.Writer) error {
	rows, _, _ := f.Rows(Query{All: true})
	entries := make([]pageEntry, len(rows))
	bodies, pictures := map[string]*Body{}, map[string]string{}
	bodyBytes, shotBytes, mixed := 0, 0, f.mixed()
	for i, row := range rows {
		e := &f.Entries[row.N-1]
		entries[i] = pageEntry{row.N, row.At, row.Kind, f.words(e, mixed), row.Under, row.Bad, e} // what an action led to stands below it
		for _, name := range []string{e.RequestBody, e.ResponseBody} {
			if name == "" || bodies[name] != nil || bodyBytes > maxPageBodies {
				continue
			}
			if body, err := f.Body(name, maxPageBody); err == nil {
				bodies[name] = body
				bodyBytes += len(body.Text)
			}
		}
		if e.Picture != "" && pictures[e.Picture] == "" && shotBytes < maxPageShots {
			if data, kind := f.Picture(e.Picture); data != nil {
				pictures[e.Picture] = "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
				shotBytes += len(data)
			}
		}
	}
	return json.MarshalWrite(out, map[string]any{
		"name": f.Path, "url": f.URL, "title": f.Title, "note": f.Note, "made": f.Made, "browser": f.Browser,
		"started": f.Started.UnixMilli(), "length": f.Length().Milliseconds(), "leftOut": f.LeftOut,
		"redacted": f.Redacted, "damaged": f.Damaged, "entries": entries, "bodies": bodies, "pictures": pictures,
	}, json.Deterministic(true), jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true), jsontext.AllowInvalidUTF8(true))
}
