package command

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/console"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var consoleCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "console.list", Tool: "list_console_messages", Summary: "List what the page's console said: lines, uncaught errors, failed loads.",
		Long:   "Gives the newest lines of the present document, oldest first. Every line has an id; --since ID gives what came after it. Secrets are masked.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe,
		Examples: []catalog.Example{
			{Line: "console list --level error", Note: "errors alone, with file and line"},
			{Line: "console list --pattern '/total|price/i' --limit 20"},
			{Line: "console list --preserved --stack", Note: "earlier documents too, with call stacks"},
		},
	}, consoleList),
	define(catalog.Spec{
		Name: "console.get", Tool: "get_console_message", Summary: "Get one console line in full: arguments, and the stack mapped to the sources.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Positional: []string{"id"},
		Faults: []fault.Code{fault.ConsoleMessageNotFound, fault.PolicyDenied},
		Examples: []catalog.Example{
			{Line: "console get 1"},
			{Line: "console get 1 --no-map", Note: "the stack as the browser has it"},
		},
	}, consoleGet),
	define(catalog.Spec{
		Name: "console.wait", Tool: "wait_for_console", Summary: "Wait for a console line.",
		Long:   "Sees what came since your last action began on this page, too; --since ID sets another start.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe, Positional: []string{"pattern"},
		Faults: []fault.Code{fault.Timeout},
		Examples: []catalog.Example{
			{Line: "console wait ready", Note: "a line that holds the text"},
			{Line: "console wait --level error --timeout 2000"},
		},
	}, consoleWait),
	define(catalog.Spec{
		Name: "console.clear", Tool: "clear_console", Summary: "Forget the console lines so far.",
		Effect: catalog.Session, Needs: catalog.Dialog, Level: protocol.Observe,
		Examples: []catalog.Example{
			{Line: "console clear"},
			{Line: "console clear --page 1"},
		},
	}, consoleClear),
}

type consoleListParams struct {
	Level     string   `json:"level,omitempty" enum:"debug,log,info,warn,error" doc:"Lines of this level and above."`
	Pattern   string   `json:"pattern,omitempty" doc:"Lines that hold this text, or match /regex/flags."`
	Types     []string `json:"types,omitempty" enum:"log,debug,info,warn,error,dir,dirxml,table,trace,clear,startGroup,startGroupCollapsed,endGroup,assert,profile,profileEnd,count,timeEnd,exception,rejection,browser,network,violation,intervention,security,deprecation,worker,issue,logpoint" doc:"Only these kinds."`
	Since     int      `json:"since,omitempty" min:"0" doc:"Lines after this id, oldest first."`
	Before    int      `json:"before,omitempty" min:"0" doc:"Lines before this id."`
	Limit     int      `json:"limit,omitempty" default:"30" min:"1" max:"1000" doc:"At most so many."`
	Preserved bool     `json:"preserved,omitempty" doc:"Of earlier documents, too."`
	Stack     bool     `json:"stack,omitempty" doc:"With call stacks."`
}

type consoleRow struct {
	ID     int      `json:"id"`
	Level  string   `json:"level"`
	Text   string   `json:"text" doc:"Page text, secrets masked."`
	At     string   `json:"at,omitempty" doc:"file:line:column."`
	Type   string   `json:"type,omitempty" doc:"Where it is more than the level: exception, table, network, …."`
	Frame  string   `json:"frame,omitempty" doc:"Child frame or worker."`
	Count  int      `json:"count,omitempty" doc:"Equal lines in a row, ids up to lastId."`
	LastID int      `json:"lastId,omitempty"`
	Stack  []string `json:"stack,omitempty"`
	Early  bool     `json:"earlier,omitempty" doc:"Of a document before the present one."`
}

// line is the row as one line of text.
func (r consoleRow) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d ", r.ID)
	if r.Type == "navigation" {
		return b.String() + "— navigated to " + r.Text
	}
	b.WriteString(r.Level)
	if r.Type != "" {
		b.WriteString("/" + r.Type)
	}
	b.WriteString(" " + strings.ReplaceAll(r.Text, "\n", "\n   "))
	if r.Count > 1 {
		fmt.Fprintf(&b, " ×%d", r.Count)
	}
	if r.At != "" {
		b.WriteString("  " + r.At)
	}
	if r.Frame != "" {
		b.WriteString(" [" + r.Frame + "]")
	}
	for _, f := range r.Stack {
		b.WriteString("\n   " + f)
	}
	return b.String()
}

type consoleListResult struct {
	Messages   []consoleRow   `json:"messages"`
	NextCursor int            `json:"nextCursor" doc:"Give it to --since for what comes next."`
	More       int            `json:"more,omitempty" doc:"Lines that fit and come after the last one here."`
	Older      int            `json:"older,omitempty" doc:"Lines that fit and come before the first one here."`
	Counts     map[string]int `json:"counts,omitempty" doc:"All that fit, by level."`
	Dropped    map[string]int `json:"dropped,omitempty" doc:"Lines that are gone because there were too many, by level."`
}

func (r consoleListResult) Text() string {
	var b strings.Builder
	if r.Older > 0 {
		fmt.Fprintf(&b, "(%d older: --before %d)\n", r.Older, r.Messages[0].ID)
	}
	for _, m := range r.Messages {
		b.WriteString(m.line() + "\n")
	}
	if len(r.Messages) == 0 {
		b.WriteString("no lines\n")
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "(%d more: --since %d)\n", r.More, r.NextCursor)
	}
	if len(r.Dropped) > 0 {
		fmt.Fprintf(&b, "(dropped: %s)\n", countsText(r.Dropped))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func countsText(counts map[string]int) string {
	var parts []string
	for _, level := range slices.Backward(console.Levels) {
		if counts[level] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[level], level))
		}
	}
	return strings.Join(parts, ", ")
}

// rowText bounds a line of a list; `console get` has the whole.
const rowText = 400

func consoleRowOf(m *console.Message, pageURL string) consoleRow {
	row := consoleRow{ID: m.ID, Level: m.Level, Text: brief(m.Text, rowText), Early: m.Earlier}
	if m.Bytes > 0 && m.Bytes > len(m.Text) {
		row.Text += fmt.Sprintf(" (%d bytes in all)", m.Bytes)
	}
	if m.Kind != m.Level {
		row.Type = m.Kind
	}
	if m.Source != "" {
		row.Type = m.Source
	}
	if m.Kind == "navigation" {
		row.Text, row.Level = here(pageURL, m.Text), ""
		return row
	}
	if m.URL != "" {
		row.At = here(pageURL, m.URL)
		if m.Line > 0 {
			row.At += fmt.Sprintf(":%d", m.Line)
		}
		if m.Column > 0 {
			row.At += fmt.Sprintf(":%d", m.Column)
		}
	}
	switch {
	case m.Frame != "" && m.Frame != "main":
		row.Frame = m.Frame
	case m.Frame == "" && m.Session != "":
		row.Frame = "child"
	}
	for _, f := range m.Stack {
		f.URL = here(pageURL, f.URL)
		row.Stack = append(row.Stack, f.String())
	}
	return row
}

// fold makes one row of equal lines that follow each other.
func fold(rows []consoleRow) []consoleRow {
	var out []consoleRow
	for _, r := range rows {
		if n := len(out); n > 0 && out[n-1].Text == r.Text && out[n-1].At == r.At && out[n-1].Level == r.Level && out[n-1].Type == r.Type && out[n-1].Early == r.Early {
			before := &out[n-1]
			before.Count, before.LastID = max(before.Count, 1)+1, r.ID
			continue
		}
		out = append(out, r)
	}
	return out
}

func consoleList(ctx context.Context, env *Env, p *consoleListParams) (consoleListResult, error) {
	pattern, err := linePattern(p.Pattern)
	if err != nil {
		return consoleListResult{}, err
	}
	r, err := env.records()
	if err != nil {
		return consoleListResult{}, err
	}
	if slices.Contains(p.Types, "issue") { // the browser tells the issues so far when it is asked to
		if err := r.issues(ctx, env); err != nil {
			return consoleListResult{}, err
		}
	}
	list := r.console.List(console.Query{
		Since: p.Since, Before: p.Before, Level: p.Level, Kinds: p.Types, Pattern: pattern, Preserved: p.Preserved, Limit: p.Limit, Stack: p.Stack,
	})
	out := consoleListResult{NextCursor: list.Cursor, More: list.More, Older: list.Older, Counts: list.Counts, Dropped: list.Dropped}
	pageURL := env.Tab.Info().URL
	rows := make([]consoleRow, 0, len(list.Messages))
	for i := range list.Messages {
		rows = append(rows, consoleRowOf(&list.Messages[i], pageURL))
	}
	if out.Messages = fold(rows); out.Messages == nil {
		out.Messages = []consoleRow{}
	}
	return out, nil
}

// issues asks the browser for the issues that it found; once a session.
func (r *record) issues(ctx context.Context, env *Env) error {
	info := env.Tab.Info()
	if !info.Level.Allows(protocol.Control) {
		return needsControl("The browser's issues come from its debugger")
	}
	return env.Tab.Session("").Call(ctx, "Audits.enable", nil, nil)
}

// linePattern reads a text or /regex/flags; nil for none.
func linePattern(text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	source := "(?i)" + regexp.QuoteMeta(text)
	if strings.HasPrefix(text, "/") {
		if end := strings.LastIndexByte(text, '/'); end > 0 {
			flags := text[end+1:]
			if strings.Trim(flags, "ims") == "" {
				source = text[1:end]
				if flags != "" {
					source = "(?" + flags + ")" + source
				}
			}
		}
	}
	expr, err := regexp.Compile(source)
	if err != nil {
		return nil, problem("the pattern %q is no regular expression: %v", text, err).Suggest("Give plain text, or /regex/ in RE2 syntax.")
	}
	return expr, nil
}

type consoleGetParams struct {
	ID          int  `json:"id" min:"1" doc:"Id of the line, from console list."`
	NoMap       bool `json:"noMap,omitempty" doc:"Leave source maps alone."`
	ShowSecrets bool `json:"showSecrets,omitempty" doc:"Do not mask secrets; not of a person's own browser."`
}

type consoleGetResult struct {
	consoleRow
	Time    string   `json:"time"`
	Args    []string `json:"args,omitempty" doc:"The arguments; objects two levels deep."`
	Mapped  string   `json:"mapped,omitempty" doc:"Place in the original source."`
	Unmaped string   `json:"unmapped,omitempty" doc:"Why the stack is not mapped."`
}

func (r consoleGetResult) Text() string {
	row := r.consoleRow
	if len(r.Args) > 0 {
		row.Text = strings.Join(page.Formatted(r.Args), " ")
	}
	if r.Mapped != "" {
		row.At = r.Mapped
	}
	text := row.line()
	if r.Unmaped != "" {
		text += "\n(" + r.Unmaped + ")"
	}
	return text
}

func consoleGet(ctx context.Context, env *Env, p *consoleGetParams) (consoleGetResult, error) {
	if err := maySeeSecrets(env, p.ShowSecrets); err != nil {
		return consoleGetResult{}, err
	}
	r, err := env.records()
	if err != nil {
		return consoleGetResult{}, err
	}
	m, ok := r.console.Get(p.ID, p.ShowSecrets)
	if !ok {
		oldest, newest := r.console.Range()
		return consoleGetResult{}, fault.New(fault.ConsoleMessageNotFound, "there is no console line %d: the ids are %d to %d", p.ID, oldest, newest).
			Suggest("dbridge console list --preserved")
	}
	out := consoleGetResult{Time: time.UnixMilli(m.At).UTC().Format("2006-01-02T15:04:05.000Z")}
	pageURL := env.Tab.Info().URL
	for _, a := range m.Args {
		text := a.Text
		if a.ObjectID != "" && !m.Earlier {
			if whole, err := env.inspect(ctx, a.Session, a.ObjectID, p.ShowSecrets); err == nil && whole != "" {
				text = whole
			}
		}
		out.Args = append(out.Args, text)
	}
	if !p.NoMap && len(m.Stack)+m.Line > 0 {
		out.Unmaped = env.mapStack(ctx, r, &m, pageURL, &out.Mapped)
	}
	out.consoleRow = consoleRowOf(&m, pageURL)
	out.consoleRow.Text = m.Text
	if len(out.Args) > 0 {
		out.consoleRow.Text = brief(m.Text, 120)
	}
	return out, nil
}

type consoleWaitParams struct {
	Pattern string `json:"pattern,omitempty" doc:"Text that the line holds, or /regex/flags."`
	Level   string `json:"level,omitempty" enum:"debug,log,info,warn,error" doc:"This level and above."`
	Since   *int   `json:"since,omitempty" min:"0" doc:"Lines after this id; without it those since your last action began."`
}

type consoleWaitResult struct {
	consoleRow
	NextCursor int `json:"nextCursor" doc:"Give it to --since of the next wait or list."`
}

func (r consoleWaitResult) Text() string { return r.line() }

func consoleWait(ctx context.Context, env *Env, p *consoleWaitParams) (consoleWaitResult, error) {
	pattern, err := linePattern(p.Pattern)
	if err != nil {
		return consoleWaitResult{}, err
	}
	r, err := env.records()
	if err != nil {
		return consoleWaitResult{}, err
	}
	q := console.Query{Level: p.Level, Pattern: pattern}
	from, acted := r.markOf(env.Agent)
	switch {
	case p.Since != nil:
		q.Since, q.Preserved = *p.Since, true
	case acted:
		q.Since, q.Preserved = from.console, true
	}
	for {
		changed := r.console.Changed()
		if m, ok := r.console.Find(q); ok {
			return consoleWaitResult{consoleRowOf(&m, env.Tab.Info().URL), m.ID}, nil
		}
		select {
		case <-changed:
		case <-r.ctx.Done():
			return consoleWaitResult{}, fault.New(fault.PageNotFound, "the page was closed while waiting").Suggest("dbridge page list")
		case <-ctx.Done():
			return consoleWaitResult{}, r.noLine(env, p, q.Since)
		}
	}
}

// noLine says what came instead of the line that was waited for.
func (r *record) noLine(env *Env, p *consoleWaitParams, since int) error {
	what := "a console line"
	if p.Level != "" {
		what += " of level " + p.Level
	}
	if p.Pattern != "" {
		what += fmt.Sprintf(" with %q", p.Pattern)
	}
	seen := r.console.List(console.Query{Since: since, Preserved: since > 0})
	last := seen.Messages[max(0, len(seen.Messages)-3):]
	lines := make([]string, 0, len(last))
	for i := range last {
		lines = append(lines, consoleRowOf(&last[i], env.Tab.Info().URL).line())
	}
	return fault.New(fault.Timeout, "%s did not come; %d other lines did", what, len(seen.Messages)).With("lastLines", lines).
		Suggest("dbridge console list", "Give it more time: --timeout MS")
}

type consoleClearParams struct{}

type consoleClearResult struct {
	Cleared int `json:"cleared" doc:"Lines forgotten."`
}

func (r consoleClearResult) Text() string { return fmt.Sprintf("%d lines forgotten", r.Cleared) }

func consoleClear(_ context.Context, env *Env, _ *consoleClearParams) (consoleClearResult, error) {
	r, err := env.records()
	if err != nil {
		return consoleClearResult{}, err
	}
	return consoleClearResult{r.console.Clear()}, nil
}
