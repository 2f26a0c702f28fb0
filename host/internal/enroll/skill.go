package enroll

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/skill"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// shelf is a folder in which a client looks for skills.
type shelf struct {
	id, title string
	user      place
	project   string
	byDefault bool // without --client; else only where its client is installed
	client    string
}

// shelves, read in November 2026:
//
//	claude  https://code.claude.com/docs/en/skills
//	codex   https://developers.openai.com/codex/skills ($CODEX_HOME/skills is the old place)
//	gemini  https://geminicli.com/docs/cli/skills
//	cursor  https://cursor.com/docs/context/skills
//	agents  the folder that Codex, Cursor, Gemini CLI, VS Code and others share
var shelves = []shelf{
	{id: "claude", title: "Claude Code", user: place{variable: "CLAUDE_CONFIG_DIR", within: "skills", path: ".claude/skills"}, project: ".claude/skills", client: "claude-code"},
	{id: "agents", title: "Codex, Cursor, Gemini CLI, VS Code and others", user: place{path: ".agents/skills"}, project: ".agents/skills", byDefault: true},
	{id: "codex", title: "Codex", user: place{path: ".agents/skills"}, project: ".agents/skills"},
	{id: "gemini", title: "Gemini CLI", user: place{variable: "GEMINI_CLI_HOME", within: ".gemini/skills", path: ".gemini/skills"}, project: ".gemini/skills"},
	{id: "cursor", title: "Cursor", user: place{path: ".cursor/skills"}, project: ".cursor/skills"},
}

// SkillClients are the names of the folders that a skill can be put in.
func SkillClients() []string {
	var out []string
	for _, s := range shelves {
		out = append(out, s.id)
	}
	return out
}

// SkillOptions of Skill.
type SkillOptions struct {
	Clients   []string // none: the shared folder, and Claude Code's where that is installed
	Project   bool
	Uninstall bool
	Overwrite bool // also one that was changed by hand, or is newer
	DryRun    bool
}

// Kept is the status of a skill that is newer than ours.
const Kept = "kept"

// SkillFile is what became of the skill in one folder.
type SkillFile struct {
	Client    string `json:"client"`
	Title     string `json:"title"`
	File      string `json:"file"`
	Target    string `json:"target,omitempty"`
	Status    string `json:"status"`
	Installed string `json:"installed,omitempty"` // the version that was there
	Error     string `json:"error,omitempty"`

	change Change
	err    error
}

// SkillReport is what Skill did, or would do.
type SkillReport struct {
	Action  string      `json:"action"`
	DryRun  bool        `json:"dryRun"`
	Scope   string      `json:"scope"`
	Version string      `json:"version"`
	Files   []SkillFile `json:"files"`
	Changes int         `json:"changes"`
}

// Skill puts the skill where clients look for it, or takes it away.
func Skill(ctx context.Context, m Machine, o SkillOptions) (SkillReport, error) {
	chosen, err := m.shelves(o)
	if err != nil {
		return SkillReport{}, err
	}
	report := SkillReport{Action: "install", DryRun: o.DryRun, Scope: "user", Version: version.Version, Files: []SkillFile{}}
	if o.Uninstall {
		report.Action = "uninstall"
	}
	if o.Project {
		report.Scope = "project"
	}
	var failed error
	for _, s := range chosen {
		f := m.skillFile(s, o)
		if f.Status == Planned && !o.DryRun {
			f.Status = Done
			if err := apply(ctx, f.change); err != nil {
				f.Status, f.err, f.Error = Failed, err, fault.From(err).Message
			}
		}
		if f.err != nil && failed == nil {
			failed = f.err
		}
		if f.Status == Done || f.Status == Planned {
			report.Changes++
		}
		report.Files = append(report.Files, f)
	}
	if failed != nil {
		return report, fault.From(failed).With("report", report)
	}
	return report, nil
}

// shelves are those that are named, or the usual ones; no folder twice.
func (m Machine) shelves(o SkillOptions) ([]shelf, error) {
	var out []shelf
	for _, id := range o.Clients {
		at := slices.IndexFunc(shelves, func(s shelf) bool { return s.id == id })
		if at < 0 {
			return nil, fault.New(fault.ValidationError, "--client %q is none of %s.", id, strings.Join(SkillClients(), ", ")).
				Suggest("Use --client agents: the folder that most clients share.")
		}
		out = append(out, shelves[at])
	}
	if len(o.Clients) == 0 {
		for _, s := range shelves {
			used := s.byDefault
			if s.client != "" {
				c, err := byID(s.client)
				used = err == nil && (m.installed(c) || o.Project && m.there(m.Join(m.Folder, ".claude")))
			}
			if used || o.Uninstall {
				out = append(out, s)
			}
		}
	}
	var once []shelf
	for _, s := range out {
		if !slices.ContainsFunc(once, func(other shelf) bool { return m.shelfFile(other, o) == m.shelfFile(s, o) }) {
			once = append(once, s)
		}
	}
	return once, nil
}

func (m Machine) shelfFile(s shelf, o SkillOptions) string {
	dir := m.at(s.user)
	if o.Project {
		dir = m.Join(m.Folder, s.project)
	}
	return m.Join(dir, skill.Name+"/"+skill.File)
}

// skillFile plans what becomes of one file.
func (m Machine) skillFile(s shelf, o SkillOptions) SkillFile {
	out := SkillFile{Client: s.id, Title: s.title, File: m.shelfFile(s, o), Status: Planned}
	f, err := m.read(out.File)
	if err != nil {
		out.Status, out.err, out.Error = Failed, err, fault.From(err).Message
		return out
	}
	if f.target != f.path {
		out.Target = f.target
	}
	out.change = Change{file: f, after: []byte(skill.Text()), remove: o.Uninstall}
	out.change.permissions(o.Project)
	state := skill.Look(string(f.data))
	if f.exists {
		out.Installed = state.Version
	}
	switch {
	case o.Uninstall && !f.exists:
		out.Status = Absent
	case f.exists && state.Changed && !o.Overwrite:
		out.err = fault.New(fault.ValidationError, "%s was changed by hand; it is left as it is.", out.File).With("path", out.File).
			Suggest("Do it all the same: dbridge skill install --overwrite"+when(o.Uninstall, " --uninstall")+when(o.Project, " --project"), "Look at the difference: dbridge skill | diff - '"+out.File+"'")
		out.Status, out.Error = Failed, fault.From(out.err).Message
	case o.Uninstall:
		own := m.Parent(f.target) // and the two above, where they are empty then
		out.change.folders = []string{m.Parent(m.Parent(own)), m.Parent(own), own}
	case f.exists && string(f.data) == skill.Text():
		out.Status = Unchanged
	case f.exists && !state.Changed && skill.Newer(state.Version, version.Version) > 0 && !o.Overwrite:
		out.Status = Kept
	default:
		out.change.folders = m.missingFolders(f.target)
	}
	return out
}

func when(on bool, text string) string {
	if on {
		return text
	}
	return ""
}

// Text is the report for people.
func (r SkillReport) Text() string {
	var b strings.Builder
	for _, f := range r.Files {
		word := words[f.Status]
		switch {
		case f.Status == Kept:
			word = "kept " + f.Installed
		case f.Status == Planned && r.Action == "uninstall":
			word = "would remove"
		case f.Status == Planned && f.change.exists:
			word = "would change"
		case f.Status == Planned:
			word = "would make"
		}
		fmt.Fprintf(&b, "%-12s  %s\n%-12s  for %s\n", word, printable(f.File), "", f.Title)
		if f.Error != "" {
			fmt.Fprintf(&b, "%-12s  %s\n", "", printable(f.Error))
		}
	}
	b.WriteString("\n")
	switch {
	case r.DryRun && r.Changes > 0:
		b.WriteString(plural(r.Changes, "file") + " to change. Nothing was done (--dry-run).\n")
	case r.Changes == 0:
		b.WriteString("Nothing was changed.\n")
	case r.Action == "install":
		b.WriteString("Start a new session of your client: the skill " + skill.Name + " " + r.Version + " is there.\n")
	default:
		b.WriteString("Removed " + plural(r.Changes, "file") + ".\n")
	}
	return b.String()
}
