package enroll

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/install"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// Options of Clients' configuration.
type Options struct {
	Clients   []string // by their ids; none: those that are found
	All       bool     // do it for all that are found
	Project   bool     // the files of the folder we are in
	Uninstall bool
	DryRun    bool
	Name      string // of the entry
	Tools     string // core, all or slim
	Only      bool   // look, and say what would be done
}

// Status of a client in a report.
const (
	Planned   = "planned"
	Done      = "done"
	Unchanged = "unchanged"
	Absent    = "absent" // no entry to take out
	Printed   = "printed"
	Failed    = "failed"
)

// ClientReport is what became of one client.
type ClientReport struct {
	Client  string `json:"client"`
	Title   string `json:"title"`
	File    string `json:"file,omitempty"`
	Target  string `json:"target,omitempty"` // what the file leads to, where it is a link
	Status  string `json:"status"`
	Diff    string `json:"diff,omitempty"`
	Snippet string `json:"snippet,omitempty"` // what to add by hand
	Next    string `json:"next,omitempty"`
	Note    string `json:"note,omitempty"`
	Error   string `json:"error,omitempty"`

	client Client
	change Change
	err    error
	forget bool
	note   note
}

// Report is what MCP did, or would do.
type Report struct {
	Action  string         `json:"action"` // install or uninstall
	DryRun  bool           `json:"dryRun"`
	Planned bool           `json:"planned"` // nothing was done
	Scope   string         `json:"scope"`   // user or project
	Name    string         `json:"name"`
	Command string         `json:"command"`
	Args    []string       `json:"args"`
	Clients []ClientReport `json:"clients"`
	Changes int            `json:"changes"`
	Notes   []string       `json:"notes,omitempty"`
	Next    []string       `json:"next,omitempty"` // commands, or what the person does
}

// DefaultName of the entry.
const DefaultName = "debug-bridge"

// Tools are the sets of tools that an entry can ask for. The first is what none asks for.
var Tools = []string{"core", "all", "slim"}

// A name is a word in every client, without quotes in TOML.
var validName = lazy.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// MCP adds the entry of the MCP server to the files of clients, or takes it out. Its error
// is that of the first client that failed; the others are done, and the report tells.
func MCP(ctx context.Context, m Machine, o Options) (Report, error) {
	entry, err := o.entry(m)
	if err != nil {
		return Report{}, err
	}
	clients, err := m.choose(o)
	if err != nil {
		return Report{}, err
	}
	report := o.report(entry)
	remembered := m.record()
	for _, c := range clients {
		if r := m.plan(c, o, entry, remembered); r.Status != Absent || len(o.Clients) > 0 {
			report.Clients = append(report.Clients, r)
		}
	}
	report.Notes = m.notes(o, report)
	if !report.Planned {
		m.carryOut(ctx, &report, remembered)
	}
	report.count()
	report.next(o)
	return report, report.err(o)
}

func (o Options) entry(m Machine) (Entry, error) {
	if !validName.MatchString(o.Name) {
		return Entry{}, fault.New(fault.ValidationError, "--name %q: letters, digits, - and _ only, 64 at most.", o.Name).Suggest("Use --name " + DefaultName + ".")
	}
	if !slices.Contains(Tools, o.Tools) {
		return Entry{}, fault.New(fault.ValidationError, "--tools %q is none of %s.", o.Tools, strings.Join(Tools, ", ")).Suggest("Use --tools core.")
	}
	args := []string{"mcp"}
	if o.Tools != Tools[0] {
		args = append(args, "--tools", o.Tools)
	}
	if !o.Uninstall {
		if err := m.CheckExecutable(); err != nil {
			return Entry{}, err
		}
	}
	return Entry{Command: m.Executable, Args: args}, nil
}

// choose gives the clients that are named, or found.
func (m Machine) choose(o Options) ([]Client, error) {
	var out []Client
	for _, id := range o.Clients {
		c, err := byID(id)
		if err != nil {
			return nil, err
		}
		if o.Project && c.project == "" && c.ID != Generic {
			return nil, fault.New(fault.ValidationError, "%s has no file in a project's folder that names servers.", c.Title).
				Suggest("Use its own file: dbridge mcp install " + c.ID)
		}
		if !slices.ContainsFunc(out, func(other Client) bool { return other.ID == c.ID }) {
			out = append(out, c)
		}
	}
	if len(o.Clients) > 0 {
		return out, nil
	}
	for _, c := range Clients() {
		switch {
		case o.Project && c.project == "":
		case o.Uninstall || m.installed(c) || o.Project && m.inProject(c):
			out = append(out, c)
		}
	}
	if len(out) == 0 && o.All {
		return nil, fault.New(fault.ValidationError, "No client was found on this computer.").
			Suggest("Name it: dbridge mcp install cursor", "Print what most clients take: dbridge mcp install json")
	}
	return out, nil
}

// IDs are the names of the clients.
func IDs() []string {
	var out []string
	for _, c := range Clients() {
		out = append(out, c.ID)
	}
	return append(out, Generic)
}

func byID(id string) (Client, error) {
	for _, c := range append(slices.Clone(Clients()), generic) {
		if c.ID == id {
			return c, nil
		}
	}
	return Client{}, fault.New(fault.ValidationError, "There is no client %q.", id).
		Suggest("Use one of: "+strings.Join(IDs(), ", "), "Print what most clients take: dbridge mcp install json").With("clients", IDs())
}

// plan says what becomes of a client's file.
func (m Machine) plan(c Client, o Options, entry Entry, remembered record) ClientReport {
	r := ClientReport{Client: c.ID, Title: c.Title, Status: Planned, client: c}
	if c.ID == Generic {
		r.Status, r.Snippet = Printed, Snippet(c, o.Name, entry)
		return r
	}
	if o.Project {
		r.Note = c.note
	}
	r.File = m.file(c, o.Project)
	f, err := m.read(r.File)
	if err != nil {
		return r.failed(err, o, entry)
	}
	if f.target != f.path {
		r.Target = f.target
	}
	r.change = Change{file: f}
	r.change.permissions(o.Project)
	want := &entry
	if o.Uninstall {
		want = nil
	}
	if o.Uninstall && !bytes.Contains(f.data, []byte(o.Name)) {
		r.Status = Absent // also of a file that cannot be parsed
		return r
	}
	r.change.after, err = change(f.data, c, o.Name, want, m.Executable)
	if err != nil {
		return r.failed(err, o, entry)
	}
	switch same := f.exists && bytes.Equal(f.data, r.change.after); {
	case same && o.Uninstall:
		r.Status = Absent
		return r
	case same:
		r.Status = Unchanged
		return r
	case o.Uninstall:
		m.restore(&r, o, remembered)
	default:
		m.remember(&r, o, remembered)
		r.change.folders = m.missingFolders(f.target)
		r.note.Folders = append(r.note.Folders, r.change.folders...)
		r.Next = c.reload
	}
	if o.DryRun { // the lines around are the person's, and not asked for otherwise
		r.Diff = diff(r.File, f.data, r.change.after, f.exists, !r.change.remove)
	}
	return r
}

// restore gives the very bytes back, where the file is as we left it.
func (m Machine) restore(r *ClientReport, o Options, remembered record) {
	r.forget = true
	n, ok := remembered.find(r.change.target, o.Name, r.change.data)
	if !ok {
		return
	}
	r.change.after = n.before(r.change.data)
	if n.Created {
		r.change.after, r.change.remove, r.change.folders = nil, true, n.Folders
	}
}

// remember notes how the file was before the first of our changes.
func (m Machine) remember(r *ClientReport, o Options, remembered record) {
	f := r.change.file
	first, created, folders := f.data, !f.exists, []string(nil)
	if n, ok := remembered.find(f.target, o.Name, f.data); ok && f.exists {
		first, created, folders = n.before(f.data), n.Created, n.Folders
	}
	r.note = noteOf(f.target, o.Name, first, r.change.after)
	r.note.Created, r.note.Folders = created, folders
}

func (r ClientReport) failed(err error, o Options, entry Entry) ClientReport {
	known := *fault.From(err) // a copy: the suggestions are this file's
	r.Status, r.Error = Failed, known.Message
	f := fault.New(known.Code, "%s: %s Nothing was changed there.", r.File, known.Message).With("path", r.File).With("client", r.Client).Because(err)
	switch {
	case known.Details["foreign"] == true:
		f.Suggest("Give it another name: dbridge mcp install "+r.Client+" --name dbridge", "Or take the other one out of "+r.File+" by hand.")
	case o.Uninstall:
		f.Suggest("Take " + o.Name + " out of " + r.File + " by hand.")
	default:
		r.Snippet = Snippet(r.client, o.Name, entry)
		f.With("snippet", r.Snippet).Suggest("Correct the file and run `dbridge mcp install "+r.Client+"` again.", "Or add it by hand: "+oneLine(r.client, o.Name, entry))
	}
	r.err = f
	return r
}

// carryOut writes the files. The record goes first: without it a file could not be given back to the byte.
func (m Machine) carryOut(ctx context.Context, report *Report, remembered record) {
	changed := false
	for _, r := range report.Clients {
		if r.Status != Planned {
			continue
		}
		changed = true
		remembered = remembered.forget(r.change.target, report.Name)
		if !r.forget {
			remembered.Files = append(remembered.Files, r.note)
		}
	}
	var keeping error
	if changed && report.Action == "install" {
		keeping = install.Replace(m.recordPath(), remembered.encode(), ownFile)
	}
	for i := range report.Clients {
		r := &report.Clients[i]
		if r.Status != Planned {
			continue
		}
		err := keeping
		if err == nil {
			err = apply(ctx, r.change)
		}
		if err != nil {
			r.Status, r.err = Failed, fault.From(explainKnown(m.recordPath(), err))
			r.Error = fault.From(r.err).Message
			continue
		}
		r.Status = Done
	}
	if changed && report.Action == "uninstall" {
		// A note too many does no harm: it is of a text that is not there any more.
		_ = install.Replace(m.recordPath(), remembered.encode(), ownFile)
	}
}

func explainKnown(path string, err error) error {
	if f, ok := err.(*fault.Error); ok {
		return f
	}
	return explain(path, err)
}
