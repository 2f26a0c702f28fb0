package enroll

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func (o Options) report(entry Entry) Report {
	r := Report{
		Action: "install", DryRun: o.DryRun, Planned: o.DryRun || o.Only, Scope: "user",
		Name: o.Name, Command: entry.Command, Args: entry.Args, Clients: []ClientReport{},
	}
	if o.Uninstall {
		r.Action = "uninstall"
	}
	if o.Project {
		r.Scope = "project"
	}
	return r
}

func (m Machine) notes(o Options, report Report) []string {
	var notes []string
	if m.Vars["DBRIDGE_HOME"] != "" && !o.Uninstall {
		notes = append(notes, "DBRIDGE_HOME is set here. A client that is started without it uses the daemon of the usual folders.")
	}
	if m.Vars["SUDO_USER"] != "" {
		notes = append(notes, "This runs under sudo and is about the administrator's files, not those of "+m.Vars["SUDO_USER"]+".")
	}
	if o.Project && !o.Uninstall {
		notes = append(notes, "The file of a project is shared: the entry names "+m.Executable+", which others may have elsewhere.")
	}
	return notes
}

func (r *Report) count() {
	r.Changes = 0
	for _, c := range r.Clients {
		if c.Status == Done || c.Status == Planned {
			r.Changes++
		}
	}
}

// next says what the person does now.
func (r *Report) next(o Options) {
	flags := ""
	if o.Project {
		flags += " --project"
	}
	if o.Name != DefaultName {
		flags += " --name " + o.Name
	}
	if o.Tools != Tools[0] {
		flags += " --tools " + o.Tools
	}
	if o.Uninstall {
		flags += " --uninstall"
	}
	switch {
	case o.Only && r.Changes > 0:
		for _, c := range r.Clients {
			if c.Status == Planned {
				r.Next = []string{"dbridge mcp install --all" + flags, "dbridge mcp install " + c.Client + flags}
				return
			}
		}
	case o.Only && len(r.Clients) == 0:
		r.Next = []string{"dbridge mcp install cursor" + flags, "dbridge mcp install json" + flags}
	case !r.Planned && r.Action == "install":
		for _, c := range r.Clients {
			if c.Status == Done && c.Next != "" {
				r.Next = append(r.Next, c.Next)
			}
		}
	}
}

// err is the first client's that failed, with the whole report. A look fails at nothing.
func (r *Report) err(o Options) error {
	if o.Only {
		return nil
	}
	for _, c := range r.Clients {
		if c.err != nil {
			return fault.From(c.err).With("report", *r)
		}
	}
	return nil
}

// words for people, by status; a plan's is by the action.
var words = map[string]string{
	Done: "done", Unchanged: "up to date", Absent: "not there", Failed: "failed", Printed: "printed",
}

func (r Report) word(c ClientReport) string {
	switch {
	case c.Status != Planned:
		return words[c.Status]
	case r.Action == "uninstall":
		return "would remove"
	case c.change.exists && len(c.change.data) > 0:
		return "would change"
	}
	return "would make"
}

// Text is the report for people.
func (r Report) Text() string {
	if len(r.Clients) == 1 && r.Clients[0].Status == Printed {
		return r.Clients[0].Snippet // to be piped
	}
	var b strings.Builder
	if len(r.Clients) == 0 {
		b.WriteString("No client was found on this computer.\n")
	}
	for _, c := range r.Clients {
		fmt.Fprintf(&b, "%-12s  %-14s  %s\n", r.word(c), c.Client, printable(c.File))
		if c.Target != "" {
			fmt.Fprintf(&b, "%-12s  %-14s  in fact %s\n", "", "", printable(c.Target))
		}
		if c.Error != "" {
			fmt.Fprintf(&b, "%-12s  %-14s  %s\n", "", "", printable(c.Error))
		}
		if c.Note != "" && (c.Status == Done || c.Status == Planned) {
			fmt.Fprintf(&b, "%-12s  %-14s  %s\n", "", "", c.Note)
		}
	}
	for _, c := range r.Clients {
		if r.DryRun && c.Diff != "" {
			b.WriteString("\n" + c.Diff)
		}
		if c.Snippet != "" && c.Status != Failed {
			b.WriteString("\n" + c.Snippet)
		}
	}
	for _, note := range r.Notes {
		b.WriteString("\nNote: " + printable(note) + "\n")
	}
	b.WriteString("\n" + r.outcome() + "\n")
	for _, next := range r.Next {
		b.WriteString("  " + next + "\n")
	}
	return b.String()
}

func (r Report) outcome() string {
	switch {
	case r.Planned && r.Changes == 0 && len(r.Clients) == 0:
		return "To do it all the same, name the client, or print the entry:"
	case r.Changes == 0 && r.Action == "install":
		return "Nothing was changed."
	case r.Changes == 0:
		return "Nothing to take out."
	case r.DryRun:
		return plural(r.Changes, "file") + " to change. Nothing was done (--dry-run)."
	case r.Planned:
		return "Nothing was done yet. To do it for all, or for one:"
	}
	return "Changed " + plural(r.Changes, "file") + "."
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// printable keeps a path with control characters from moving the cursor.
func printable(s string) string {
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}
