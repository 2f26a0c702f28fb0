package auditlog

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/debug-bridge/debug-bridge/host/internal/policy"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// The kinds of entries.
const (
	Act    = "act"    // a command that may change something
	Read   = "read"   // a command that looks
	Gate   = "gate"   // a request that did not get in
	Agent  = "agent"  // came or went
	Grant  = "grant"  // of a page, by the person
	Token  = "token"  // made or revoked
	Policy = "policy" // the file changed
	Log    = "log"    // of the log itself: begun, ended, mended
)

// Entry is one line. Its members are omitted where they say nothing. Seq, At, Prev, Lost
// and Hash are set by the log.
type Entry struct {
	Seq  uint64    `json:"seq" doc:"Counts from 1, without gaps."`
	At   time.Time `json:"at" doc:"When it was over, UTC."`
	Prev string    `json:"prev" doc:"Hash of the line before; zeros in the first."`
	Kind string    `json:"kind" doc:"act, read, gate, agent, grant, token, policy or log."`

	Agent   string `json:"agent,omitempty" doc:"Name of the token, where it came with one."`
	Context string `json:"context,omitempty" doc:"Key of the context."`
	Pid     int    `json:"pid,omitzero" doc:"Process that asked, over the local socket."`
	Program string `json:"program,omitempty" doc:"What started that process."`
	Face    string `json:"face,omitempty" doc:"cli, mcp, http, websocket or devtools."`

	Command  string   `json:"command,omitempty" doc:"Of a deed; what happened, of other kinds."`
	Page     *Page    `json:"page,omitempty"`
	Source   string   `json:"source,omitempty" doc:"extension is the person's own browser."`
	Target   []string `json:"target,omitempty" doc:"Words by which the agent named it, cut and masked."`
	To       []string `json:"to,omitempty" doc:"Addresses it was to go to, without query."`
	Typed    int      `json:"typed,omitzero" doc:"Length of what was typed, filled or run, in bytes."`
	Effect   string   `json:"effect,omitempty"`
	Code     string   `json:"code,omitempty" doc:"Why it was refused or failed."`
	Reason   string   `json:"reason,omitempty"`
	Ms       int64    `json:"ms,omitzero"`
	Secrets  []string `json:"secrets,omitempty" doc:"Names of secrets that were asked for."`
	Notes    []string `json:"notes,omitempty"`
	Warnings []string `json:"warnings,omitempty"`

	Count int        `json:"count,omitzero" doc:"So many of the same, in one line."`
	Since *time.Time `json:"since,omitempty" doc:"When the first of them was over."`
	Lost  uint64     `json:"lost,omitzero" doc:"Entries before this one that could not be written."`
	Hash  string     `json:"hash,omitempty" doc:"SHA-256 of prev and this line without its hash."`
}

// Page is where it happened.
type Page struct {
	ID   int    `json:"id,omitzero"`
	Site string `json:"site,omitempty"`
	URL  string `json:"url,omitempty" doc:"Without query, fragment and user."`
}

// Limits of what a line holds, in runes and in items.
const (
	maxWord  = 80
	maxURL   = 300
	maxItems = 8
)

// tidy makes the words of an entry short, and safe to keep and to show.
func (e *Entry) tidy() {
	e.Target, e.Notes, e.Warnings, e.Secrets = words(e.Target), words(e.Notes), words(e.Warnings), words(e.Secrets)
	for _, word := range []*string{&e.Agent, &e.Program, &e.Reason} {
		*word = short(*word)
	}
	for _, word := range []*string{&e.Context, &e.Command, &e.Effect, &e.Code, &e.Source} { // ours
		*word = cut(line(*word, 16*maxWord), maxWord)
	}
	if len(e.To) > maxItems {
		e.To = e.To[:maxItems]
	}
	for i, address := range e.To {
		e.To[i] = bare(address)
	}
	if e.Page != nil {
		page := *e.Page
		page.Site = cut(line(siteOf(page.URL), 16*maxWord), maxWord)
		page.URL = bare(page.URL)
		e.Page = &page
	}
}

// siteOf is the host of an address, with the port where it is not the scheme's own.
func siteOf(address string) string {
	if address == "" {
		return ""
	}
	return policy.SiteOf(address).String()
}

func words(list []string) []string {
	var out []string
	for _, word := range list {
		if len(out) == maxItems {
			return append(out, "+"+strconv.Itoa(len(list)-maxItems))
		}
		out = append(out, short(word))
	}
	return out
}

func short(text string) string {
	if text == "" {
		return ""
	}
	return cut(redact.Text(line(text, 16*maxWord)), maxWord)
}

// line is at most limit bytes of text, without what a terminal would obey or not show.
func line(text string, limit int) string {
	if len(text) > limit { // what is cut off anyhow is not looked through
		text = text[:limit]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// cut keeps so many runes.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	n := 0
	for at := range text {
		if n == limit {
			return text[:at] + "…"
		}
		n++
	}
	return text
}

// bare is an address without what people and pages put into it: query and fragment. Of
// data: and other addresses that are no place the scheme alone is kept.
func bare(address string) string {
	scheme, _, _ := strings.Cut(address, ":")
	switch scheme {
	case "data", "javascript", "blob":
		return scheme + ":…"
	}
	path, _, _ := strings.Cut(line(address, 8*maxURL), "#")
	path, _, asks := strings.Cut(path, "?")
	if asks {
		path += "?…"
	}
	return cut(redact.URL(path), maxURL)
}
