package http

import (
	"fmt"
	nethttp "net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

// Alias is a route that older clients know, for a command of the catalogue. Parameters
// are those of the command, and targetId for its page; the answer has the members of the
// result at its top, beside ok.
type Alias struct {
	Method  string
	Path    string // ends in / where the target follows
	Command string // of /act: what it is most
	Summary string
	Target  bool // is about a page
	// Must is a target that has to be named; else the page used last is meant.
	Must bool
	// fixed are parameters that the alias gives.
	fixed map[string]any
	// takes are the command's parameters that it has; nil: all.
	takes []string
	// steps, in place of Command, makes commands of the body.
	steps func(kind string, body params) ([]step, error)
	// tell completes the answer. Without it the answer is the result and its page.
	tell func(a *API, c *call, result params) error
}

// params are members of a JSON object.
type params map[string]jsontext.Value

// step is one command to run.
type step struct {
	command string
	params  params
}

// Aliases are the routes beside those of the catalogue.
var Aliases = []Alias{
	{Method: "GET", Path: "/status", Command: "session.status", Summary: "The browser of your context and its tabs.", tell: tellStatus},
	{Method: "POST", Path: "/start", Command: "session.start", Summary: "Start the browser of your context.", tell: tellTabs},
	{Method: "POST", Path: "/stop", Command: "session.stop", Summary: "End it."},
	{Method: "GET", Path: "/tabs", Command: "page.list", Summary: "The tabs, and which was used last.", tell: tellTabs},
	{Method: "POST", Path: "/tabs/open", Command: "page.open", Summary: "Open a tab.", tell: tellTab},
	{Method: "POST", Path: "/tabs/focus", Command: "page.use", Summary: "Make a tab the one that is meant, and show it.", Target: true, Must: true, fixed: map[string]any{"front": true}, takes: []string{}, tell: tellTab},
	{Method: "DELETE", Path: "/tabs/", Command: "page.close", Summary: "Close a tab.", Target: true, Must: true, takes: []string{}, tell: tellClosed},
	{Method: "GET", Path: "/snapshot", Command: "capture.snapshot", Summary: "What the tab shows: as a tree, JSON or HTML.", Target: true, tell: tellSnapshot},
	{Method: "POST", Path: "/screenshot", Command: "capture.screenshot", Summary: "An image of the tab.", Target: true},
	{Method: "POST", Path: "/act", Command: "element.click", Summary: "Do something in the tab: the kind says what.", Target: true, steps: actSteps},
	{Method: "GET", Path: "/console", Command: "console.list", Summary: "What the tab's console said.", Target: true},
	{Method: "POST", Path: "/navigate", Command: "page.navigate", Summary: "Load an address in the tab.", Target: true, tell: tellTab},
}

func (p params) set(name string, value any) {
	data, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true), json.Deterministic(true), smaller)
	if err == nil { // what is set here can be written
		p[name] = data
	}
}

// text gives a string member.
func (p params) text(name string) string {
	var text string
	_ = json.Unmarshal(p[name], &text) // what is no string is none
	return text
}

func (a *API) addAliases() {
	for i := range Aliases {
		alias := &Aliases[i]
		commandOf(alias.Command)
		a.add(alias.Method, alias.Path, func(c *call) { a.serveAlias(c, alias) })
	}
}

func (a *API) serveAlias(c *call, alias *Alias) {
	c.flat, c.accept = true, typeJSON
	given, err := a.given(c, alias)
	if err != nil {
		c.fail(err)
		return
	}
	data, err := json.Marshal(given, json.Deterministic(true))
	if err != nil {
		c.fail(fault.New(fault.ValidationError, "the parameters cannot be read").Because(err))
		return
	}
	// The path may hold the target.
	c.send(a.once(c, alias.Method+" "+c.r.URL.Path, data, func() *outcome { return a.perform(c, alias, given) }))
}

// given are the parameters of an alias, of its query or body.
func (a *API) given(c *call, alias *Alias) (params, error) {
	if c.r.Method == nethttp.MethodPost {
		if err := c.only(); err != nil {
			return nil, err
		}
		return c.object()
	}
	var names []string
	out := params{}
	for _, f := range commandOf(alias.Command).Fields() {
		if f.Name == "page" || alias.takes != nil && !slices.Contains(alias.takes, f.Name) {
			continue
		}
		names = append(names, f.Name)
		if values, ok := c.form[f.Name]; ok {
			value, err := valueOf(f, values)
			if err != nil {
				return nil, err
			}
			out.set(f.Name, value)
		}
	}
	if alias.Target {
		names = append(names, "targetId")
		if c.form.Has("targetId") {
			out.set("targetId", c.form.Get("targetId"))
		}
	}
	if err := c.only(names...); err != nil {
		return nil, err
	}
	if c.rest != "" {
		out.set("targetId", c.rest)
	}
	return out, nil
}

// perform runs what an alias stands for.
func (a *API) perform(c *call, alias *Alias, given params) *outcome {
	var tab *page.Tab
	if alias.Target {
		var err error
		if tab, err = a.target(c, given, alias.Must); err != nil {
			return c.failure(err, nil)
		}
		c.request.Page = tab.PageID()
		delete(given, "targetId")
	}
	steps := []step{{alias.Command, given}}
	if alias.steps != nil {
		kind := given.text("kind")
		delete(given, "kind")
		var err error
		if steps, err = alias.steps(kind, given); err != nil {
			return c.failure(err, nil)
		}
	}
	for name, value := range alias.fixed {
		given.set(name, value)
	}
	var result params
	for _, s := range steps {
		data, err := json.Marshal(s.params, json.Deterministic(true))
		if err != nil {
			return c.failure(fault.New(fault.ValidationError, "the parameters cannot be read").Because(err), nil)
		}
		out := a.run(c, s.command, data)
		if out.envelope.Error != nil {
			return out
		}
		result = params{}
		if json.Unmarshal(out.envelope.Data, &result) != nil {
			result = params{"result": out.envelope.Data}
		}
	}
	if tab != nil {
		result.set("targetId", a.targets.of(tab))
	}
	if alias.tell != nil {
		if err := alias.tell(a, c, result); err != nil {
			return c.failure(err, nil)
		}
	}
	return c.success(result, nil)
}

// BrowserTab is a tab as older clients know it.
type BrowserTab struct {
	TargetID string `json:"targetId"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Type     string `json:"type"`
}

func (a *API) browserTab(t *page.Tab) BrowserTab {
	info := t.Info()
	return BrowserTab{a.targets.of(t), info.Title, info.URL, "page"}
}

// context is the caller's.
func (a *API) context(c *call) (*slot.Context, error) {
	context, _, err := a.config.Runner.Slots.Resolve(c.r.Context(), c.request.Caller)
	return context, err
}

// target finds the tab that is named, by its whole name or as much of it as no other
// tab's begins with; none named is the one used last.
func (a *API) target(c *call, given params, must bool) (*page.Tab, error) {
	context, err := a.context(c)
	if err != nil {
		return nil, err
	}
	if err := context.Ready(); err != nil {
		return nil, err
	}
	raw, named := given["targetId"]
	if !named {
		if must {
			return nil, fault.New(fault.ValidationError, "targetId says which tab").With("parameter", "targetId").Suggest("List them: GET /tabs")
		}
		return context.Tab(c.request.Page)
	}
	var id string
	if json.Unmarshal(raw, &id) != nil || id == "" {
		return nil, fault.New(fault.ValidationError, "targetId must be a string").With("parameter", "targetId").Suggest("List them: GET /tabs")
	}
	return a.match(context, id)
}

func (a *API) match(context *slot.Context, id string) (*page.Tab, error) {
	var matches []*page.Tab
	for _, t := range context.Tabs() {
		whole := a.targets.of(t)
		if whole == id {
			return t, nil
		}
		if strings.HasPrefix(whole, id) {
			matches = append(matches, t)
		}
	}
	switch len(matches) {
	case 0:
		return nil, fault.New(fault.PageNotFound, "no tab is called %s", id).With("targetId", id).Suggest("List them: GET /tabs")
	case 1:
		return matches[0], nil
	}
	rows := make([]BrowserTab, len(matches))
	for i, t := range matches {
		rows[i] = a.browserTab(t)
	}
	return nil, statusError{nethttp.StatusConflict, fault.New(fault.TargetAmbiguous, "%d tabs are called %s…", len(matches), id).With("matches", rows).
		Suggest("Use the whole targetId of one of details.matches.")}
}

// tellTabs adds the tabs, and the one used last.
func tellTabs(a *API, c *call, result params) error {
	context, err := a.context(c)
	if err != nil {
		return err
	}
	tabs := context.Tabs()
	rows := make([]BrowserTab, len(tabs))
	for i, t := range tabs {
		rows[i] = a.browserTab(t)
	}
	delete(result, "pages")
	result.set("tabs", rows)
	a.tellLast(context, tabs, result)
	return nil
}

func (a *API) tellLast(context *slot.Context, tabs []*page.Tab, result params) {
	if len(tabs) == 0 {
		return
	}
	if t, err := context.Tab(0); err == nil {
		result.set("lastTargetId", a.targets.of(t))
	}
}

// tellStatus adds whether there is a browser.
func tellStatus(a *API, c *call, result params) error {
	result.set("running", result.text("state") == "running" || result.text("state") == "user")
	return tellTabs(a, c, result)
}

// tellTab makes the answer a tab, beside what the command said.
func tellTab(a *API, c *call, result params) error {
	context, err := a.context(c)
	if err != nil {
		return err
	}
	var id int
	_ = json.Unmarshal(result["pageId"], &id) // of page.navigate there is none
	if id == 0 {
		id = c.request.Page
	}
	t := tabOf(context.Tabs(), id)
	if t == nil {
		return nil // it went meanwhile; what the command said stands
	}
	row := a.browserTab(t)
	for name, value := range map[string]string{"targetId": row.TargetID, "title": row.Title, "url": row.URL, "type": row.Type} {
		result.set(name, value)
	}
	return nil
}

// tellClosed says which tab is meant now.
func tellClosed(a *API, c *call, result params) error {
	delete(result, "current")
	delete(result, "closed")
	result.set("closed", true)
	context, err := a.context(c)
	if err != nil {
		return err
	}
	a.tellLast(context, context.Tabs(), result)
	return nil
}

// tellSnapshot says in which form the snapshot is.
func tellSnapshot(_ *API, _ *call, result params) error {
	for format, member := range map[string]string{"tree": "tree", "json": "nodes", "html": "html"} {
		if _, there := result[member]; there {
			result.set("format", format)
		}
	}
	return nil
}

// commandOf finds a command that an alias names; it is an error of ours if there is none.
func commandOf(name string) *catalog.Command {
	cmd, ok := command.All.Find(name)
	if !ok {
		panic(fmt.Sprintf("http: an alias names %s, which is no command", name))
	}
	return cmd
}
