package install

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Report is the outcome of Run or Undo.
type Report struct {
	Action      string       `json:"action"`
	Version     string       `json:"version"`
	DryRun      bool         `json:"dryRun"`
	Planned     bool         `json:"planned"` // nothing was done yet
	Executable  string       `json:"executable"`
	Extension   string       `json:"extension,omitempty"` // folder to load
	ExtensionID string       `json:"extensionId"`
	Browsers    []Found      `json:"browsers"`
	Steps       []StepReport `json:"steps"`
	Changes     int          `json:"changes"` // steps that changed something, or would
	UpToDate    bool         `json:"upToDate"`
	Notes       []string     `json:"notes,omitempty"`
	Next        []string     `json:"next,omitempty"` // what the person does now
	Error       string       `json:"error,omitempty"`
}

// StepReport is a step and what became of it.
type StepReport struct {
	Step
	Status string `json:"status"` // planned, done, unchanged, failed or skipped
}

func (r *Report) finish(status []string, err error) {
	r.Planned = false
	r.Changes = 0
	for i := range r.Steps {
		r.Steps[i].Status = status[i]
		if status[i] == Done {
			r.Changes++
		}
	}
	r.UpToDate = err == nil && r.Changes == 0
	if err != nil {
		r.Error = fault.From(err).Message
		r.Next = nil
	}
}

// next says in short lines what is left for the person.
func next(report Report, options Options) []string {
	switch {
	case report.Action == "uninstall" && options.Browser == "" && options.Dir == "":
		return []string{"Open chrome://extensions and remove Debug Bridge there.", "The program itself stays: " + report.Executable}
	case report.Action == "uninstall" || report.Extension == "":
		return nil
	}
	return []string{
		"Open chrome://extensions",
		"Switch on \"Developer mode\" (top right)",
		"Click \"Load unpacked\" (or the reload arrow, if Debug Bridge is there already)",
		"Choose " + report.Extension,
	}
}

var verbs = map[Kind]string{
	Mkdir: "make folder", Write: "write", Unpack: "unpack", SetKey: "set key", Remove: "remove",
	RemoveDir: "remove folder", RemoveTree: "remove folder", DeleteKey: "remove key", StopDaemon: "stop daemon",
}

// Text is the report for people: plain, without colours.
func (r Report) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "Debug Bridge %s: %s\n", r.Version, r.heading())
	if r.Action == "install" {
		out.WriteString("\nBrowsers\n")
		for _, browser := range r.Browsers {
			fmt.Fprintf(&out, "  %s (%s)\n", browser.Name, printable(browser.How))
		}
	}
	if len(r.Steps) > 0 {
		out.WriteString("\nSteps\n")
	}
	for _, step := range r.Steps {
		fmt.Fprintf(&out, "  %-9s  %s\n", step.Status, step.line())
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&out, "\nNote: %s\n", printable(note))
	}
	fmt.Fprintf(&out, "\n%s\n", r.outcome())
	if len(r.Next) > 0 && !r.Planned {
		out.WriteString("\n" + r.nextHeading() + "\n")
		for i, line := range r.Next {
			fmt.Fprintf(&out, "  %d. %s\n", i+1, printable(line))
		}
	}
	return out.String()
}

func (r Report) heading() string {
	if r.DryRun {
		return r.Action + ", dry run"
	}
	if r.Planned {
		return r.Action + ", plan"
	}
	return r.Action
}

func (r Report) nextHeading() string {
	if r.Action == "install" {
		return "Load the extension, once per browser profile"
	}
	return "Left for you"
}

func (r Report) outcome() string {
	switch {
	case r.Error != "":
		return "Stopped: " + printable(r.Error)
	case r.Planned && r.Changes == 0:
		return r.nothing()
	case r.Planned && r.DryRun:
		return plural(r.Changes, "change") + " to make. Nothing was done (--dry-run)."
	case r.Planned:
		return plural(r.Changes, "change") + " to make."
	case r.Changes == 0:
		return r.nothing()
	}
	return "Done: " + plural(r.Changes, "change") + "."
}

func (r Report) nothing() string {
	if r.Action == "install" {
		return "Up to date: nothing to do."
	}
	return "Nothing to remove."
}

func (s Step) line() string {
	parts := []string{verbs[s.Kind]}
	if s.Path != "" {
		parts = append(parts, printable(s.Path))
	}
	if s.Value != "" {
		parts = append(parts, "= "+printable(s.Value))
	}
	if s.Files > 0 {
		parts = append(parts, "("+plural(s.Files, "file")+")")
	} else if s.Mode != "" {
		parts = append(parts, "("+s.Mode+")")
	}
	return strings.Join(parts, " ") + ": " + printable(s.Why)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// printable keeps a path that holds control characters from moving the cursor or faking lines.
func printable(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	return strconv.Quote(s)
}
