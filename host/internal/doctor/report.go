package doctor

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Status of a hop.
type Status string

// The statuses. Skip says that a hop before it makes the check impossible.
const (
	OK   Status = "ok"
	Warn Status = "warn"
	Fail Status = "fail"
	Skip Status = "skip"
)

// Hop is one thing checked.
type Hop struct {
	Hop     string     `json:"hop"` // binary, manifest, extension, daemon, port, secrets, browser, echo or page
	Subject string     `json:"subject,omitempty"`
	Status  Status     `json:"status"`
	Ms      float64    `json:"ms"`
	Line    string     `json:"line"`
	Fix     string     `json:"fix,omitempty"`
	Code    fault.Code `json:"code,omitempty"`

	absent bool // a manifest that is not there at all
}

// Report is the outcome of Run.
type Report struct {
	Version string     `json:"version"`
	OK      bool       `json:"ok"`             // no hop fails; warnings are fine
	Code    fault.Code `json:"code,omitempty"` // of the first hop that fails
	Hops    []Hop      `json:"hops"`
}

func (r *Report) finish() {
	r.OK = true
	for _, hop := range r.Hops {
		if hop.Status == Fail && r.OK {
			r.OK, r.Code = false, hop.Code
		}
	}
}

// Err is nil when all is well, else the fault of the first hop that fails, with the whole report in details.
func (r Report) Err() error {
	for _, hop := range r.Hops {
		if hop.Status == Fail {
			return fault.New(hop.Code, "%s: %s", hop.title(), hop.Line).With("hop", hop.Hop).With("report", r).Suggest(hop.Fix)
		}
	}
	return nil
}

// Exit is the process exit status: 0, or that of the first hop that fails.
func (r Report) Exit() int {
	if r.OK {
		return 0
	}
	return fault.New(r.Code, "").Exit()
}

func (h Hop) title() string {
	if h.Subject == "" {
		return h.Hop
	}
	return h.Hop + ", " + h.Subject
}

var marks = map[Status]struct{ text, colour string }{
	OK:   {"ok", "\x1b[32m"},
	Warn: {"! warn", "\x1b[33m"},
	Fail: {"x fail", "\x1b[31m"},
	Skip: {"- skip", "\x1b[2m"},
}

const (
	markWidth = 6
	hopWidth  = 9 // manifest, extension
	msWidth   = 9
	noColour  = "\x1b[0m"
)

// Text is the report for people: aligned, without colours.
func (r Report) Text() string { return r.text(false) }

// ANSI is Text with coloured marks, for a terminal.
func (r Report) ANSI() string { return r.text(true) }

func (r Report) text(colour bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Debug Bridge %s: doctor\n\n", r.Version)
	for _, hop := range r.Hops {
		mark := marks[hop.Status]
		text := pad(mark.text, markWidth)
		if colour {
			text = mark.colour + text + noColour
		}
		line := hop.Line
		if hop.Subject != "" {
			line = hop.Subject + ": " + line
		}
		out.WriteString(strings.TrimRight(fmt.Sprintf("%s  %s  %*s  %s", text, pad(hop.Hop, hopWidth), msWidth, hop.time(), printable(line)), " ") + "\n")
		if hop.Fix != "" {
			out.WriteString(strings.Repeat(" ", markWidth+2+hopWidth+2+msWidth+2) + "fix: " + printable(hop.Fix) + "\n")
		}
	}
	out.WriteString("\n" + r.summary() + "\n")
	return out.String()
}

func (h Hop) time() string {
	if h.Ms == 0 || h.Status == Skip {
		return ""
	}
	return strconv.FormatFloat(h.Ms, 'f', 1, 64) + " ms"
}

func (r Report) summary() string {
	count := map[Status]int{}
	for _, hop := range r.Hops {
		count[hop.Status]++
	}
	switch {
	case count[Fail] > 0:
		for _, hop := range r.Hops {
			if hop.Status == Fail {
				return fmt.Sprintf("%s. Start with the first: %s.", problems(count[Fail]), printable(hop.title()))
			}
		}
	case count[Warn] > 0:
		return "Working, with " + remarks(count[Warn]) + "."
	}
	return "All is well."
}

func problems(n int) string {
	if n == 1 {
		return "1 problem"
	}
	return strconv.Itoa(n) + " problems"
}

func remarks(n int) string {
	if n == 1 {
		return "1 remark"
	}
	return strconv.Itoa(n) + " remarks"
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// printable keeps page titles, addresses and paths from moving the cursor or faking lines.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}
