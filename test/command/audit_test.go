package command

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

type auditNode struct {
	Ref, Selector, Frame, Summary, Text, At string
}

type a11yReport struct {
	Counts     map[string]int
	Violations []struct {
		ID, Impact, Help, HelpURL string
		Count                     int
		Nodes                     []auditNode
	}
	Incomplete []struct {
		ID    string
		Count int
	}
	IncompleteCount, Passes, Frames, FramesNotSeen int
}

func (r *a11yReport) nodes(t *testing.T, id string) []auditNode {
	t.Helper()
	for _, v := range r.Violations {
		if v.ID == id {
			return v.Nodes
		}
	}
	t.Fatalf("%s is not among %+v", id, r.Violations)
	return nil
}

type auditReport struct {
	Counts   map[string]int
	Findings []struct {
		ID, Severity, Message, Evidence, Fix string
		Count                                int
		Where                                []auditNode
	}
	Vitals []struct {
		Name, Rating string
		Value        float64
		Where        []auditNode
	}
	Passed        int
	NotChecked    []string
	Accessibility *struct {
		Counts map[string]int
		Worst  []string
	}
	Device string
	Loaded bool
	Notes  []string
}

func (r *auditReport) ids() (ids []string) {
	for _, f := range r.Findings {
		ids = append(ids, f.ID)
	}
	return ids
}

// into decodes an answer.
func into[T any](t *testing.T, data map[string]any) (out T) {
	t.Helper()
	raw, err := json.Marshal(data)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAuditBadPage(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/audit/bad")
	e.OK("page", "wait-function", "window.settled")
	raw := e.Run("audit", "page")
	report := into[auditReport](t, raw.Data)
	for _, id := range []string{
		"console-errors", "server-errors", "network-errors", "client-errors", "slow-cls", "render-blocking", "large-files", "http-links", "title-duplicate", "meta-description",
		"meta-viewport", "canonical-duplicate", "lang", "doctype", "image-alt", "link-text", "heading-order", "image-size", "csp", "nosniff", "referrer-policy", "framing", "cookies",
	} {
		if !slices.Contains(report.ids(), id) {
			t.Errorf("%s is not found", id)
		}
	}
	for _, f := range report.Findings {
		switch f.ID {
		case "image-alt":
			if len(f.Where) != 1 || f.Where[0].Ref == "" || f.Where[0].Selector != "#picture" {
				t.Errorf("%+v", f)
			}
		case "cookies":
			if len(f.Where) != 2 || f.Where[0].Text != "session without HttpOnly, SameSite" || f.Where[1].Text != "third without Secure" {
				t.Errorf("%+v", f)
			}
		case "console-errors":
			if f.Severity != "high" || f.Count != 2 || !strings.Contains(f.Where[0].At, "/audit/bad:") {
				t.Errorf("%+v", f)
			}
		}
	}
	if report.Accessibility == nil || len(report.Accessibility.Worst) != 3 || report.Accessibility.Counts["critical"] != 3 {
		t.Errorf("%+v", report.Accessibility)
	}
	for _, secret := range []string{"sk_live_4eC39", "abcdef0123456789", "secretsecretsecret", "hunter2"} {
		if strings.Contains(string(raw.Stdout), secret) {
			t.Errorf("the answer tells %s", secret)
		}
	}

	a11y := into[a11yReport](t, e.OK("audit", "a11y"))
	for id, selector := range map[string]string{"button-name": "#unnamed", "image-alt": "#picture", "label": "#field", "link-name": "#empty", "color-contrast": "#faint", "html-has-lang": "html"} {
		if nodes := a11y.nodes(t, id); len(nodes) != 1 || nodes[0].Selector != selector || nodes[0].Ref == "" || nodes[0].Summary == "" {
			t.Errorf("%s: %+v", id, nodes)
		}
	}
	// A ref of the report is a target.
	ref := a11y.nodes(t, "button-name")[0].Ref
	untouched(t, e)
	e.OK("element", "click", ref)
	if e.Eval("document.title") != "clicked" {
		t.Error("the ref is another element's")
	}
}

// untouched checks that the audits left the page as it was.
func untouched(t *testing.T, e *commandtest.Env) {
	t.Helper()
	got := e.Eval(`JSON.stringify([touched, Object.getOwnPropertyNames(window).filter((name) => /^axe|debugbridge|audit/i.test(name)), scrollX + scrollY])`)
	if got != "[[],[],0]" {
		t.Errorf("the page was touched: %v", got)
	}
}

// No false alarm, from neither.
func TestAuditGoodPage(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/audit/good")
	for _, args := range [][]string{{}, {"--reload"}, {"--device", "mobile"}, {"--device", "desktop"}} {
		report := into[auditReport](t, e.OK(append([]string{"audit", "page"}, args...)...))
		if len(report.Findings)+len(report.NotChecked)+len(report.Notes) > 0 || report.Accessibility == nil || len(report.Accessibility.Worst) > 0 {
			t.Errorf("%v: %+v", args, report)
		}
		if len(report.Vitals) < 4 || report.Passed < 25 || report.Loaded != (len(args) > 0) {
			t.Errorf("%v: %+v", args, report)
		}
	}
	report := into[a11yReport](t, e.OK("audit", "a11y", "--standard", "wcag22aa", "--standard", "best-practice"))
	if len(report.Violations) > 0 || report.Passes < 20 {
		t.Errorf("%+v", report)
	}
	if text := e.Text("audit", "page", "--no-a11y"); !strings.HasPrefix(text, "nothing found; ") || strings.Contains(text, "accessibility") {
		t.Errorf("%s", text)
	}
}

// A device is taken back, and what was emulated before is there again.
func TestAuditDevice(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/audit/good")
	const look = "JSON.stringify([innerWidth, devicePixelRatio, navigator.userAgent, navigator.maxTouchPoints])"
	before := e.Eval(look)
	if got := e.OK("audit", "page", "--device", "mobile", "--no-a11y"); got["device"] != "mobile" {
		t.Errorf("%v", got)
	}
	if after := e.Eval(look); after != before {
		t.Errorf("%v was %v", after, before)
	}
	e.OK("emulation", "set", "--viewport", "700x500@2", "--user-agent", "Mine/1")
	before = e.Eval(look)
	e.OK("audit", "page", "--device", "mobile", "--no-a11y")
	if after := e.Eval(look); after != before {
		t.Errorf("%v was %v", after, before)
	}
}

func TestAuditPlaces(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/audit/places")
	places(t, func(args ...string) map[string]any { return e.OK(args...) })
	// One frame with those in it, and one element.
	report := into[a11yReport](t, e.OK("audit", "a11y", "#own", "--rules", "button-name"))
	if nodes := report.nodes(t, "button-name"); len(nodes) != 1 || nodes[0].Selector != "#own" || len(report.Violations) != 1 {
		t.Errorf("%+v", report)
	}
	whole := into[a11yReport](t, e.OK("audit", "a11y", "--limit", "50"))
	for _, node := range whole.nodes(t, "button-name") {
		if node.Frame == "" {
			continue
		}
		alone := into[a11yReport](t, e.OK("audit", "a11y", "--frame", node.Frame, "--limit", "50"))
		if !slices.ContainsFunc(alone.nodes(t, "button-name"), func(n auditNode) bool { return n.Frame == node.Frame && n.Selector == node.Selector }) {
			t.Errorf("frame %s: %+v", node.Frame, alone)
		}
	}
	// Rules of whole pages are not asked of frames.
	for _, v := range into[a11yReport](t, e.OK("audit", "a11y", "--standard", "best-practice", "--limit", "50")).Violations {
		for _, n := range v.Nodes {
			if n.Frame != "" && (v.ID == "page-has-heading-one" || v.ID == "landmark-one-main") {
				t.Errorf("%s of %+v", v.ID, n)
			}
		}
	}
}

// places checks that every frame and shadow root was looked into, and that each ref is the element's.
func places(t *testing.T, ok func(args ...string) map[string]any) {
	t.Helper()
	report := into[a11yReport](t, ok("audit", "a11y", "--limit", "50"))
	for end := time.Now().Add(30 * time.Second); (report.Frames != 4 || report.FramesNotSeen != 0) && time.Now().Before(end); { // they are still loading
		report = into[a11yReport](t, ok("audit", "a11y", "--limit", "50"))
	}
	if report.Frames != 4 || report.FramesNotSeen != 0 {
		t.Errorf("%d frames, %d not seen", report.Frames, report.FramesNotSeen)
	}
	found := map[string]auditNode{}
	inner := 0
	for _, node := range report.nodes(t, "button-name") {
		found[node.Selector] = node
		if node.Selector == "#inner" && node.Frame != "" {
			inner++
			ok("element", "click", node.Ref)
			if title := ok("runtime", "eval", "document.title", "--frame", node.Frame)["value"]; title != "pressed" {
				t.Errorf("%+v is another element: %v", node, title)
			}
		}
	}
	if inner != 3 || found["#written"].Frame == "" {
		t.Errorf("%d of 3 inner buttons: %+v", inner, found)
	}
	for _, mode := range []string{"open", "closed"} {
		node := found["#"+mode+" >>> #in-"+mode]
		if node.Ref == "" {
			t.Errorf("the %s shadow root is not looked into: %+v", mode, found)
			continue
		}
		ok("element", "click", node.Ref)
		if title := ok("runtime", "eval", "document.title")["value"]; title != "pressed in-"+mode {
			t.Errorf("%+v is another element: %v", node, title)
		}
	}
}

func TestAuditStrictPolicy(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/audit/strict")
	report := into[a11yReport](t, e.OK("audit", "a11y"))
	if nodes := report.nodes(t, "button-name"); len(nodes) != 1 || nodes[0].Selector != "#unnamed" {
		t.Errorf("%+v", report)
	}
	page := into[auditReport](t, e.OK("audit", "page"))
	if slices.Contains(page.ids(), "csp") || slices.Contains(page.ids(), "console-errors") || page.Accessibility == nil {
		t.Errorf("%+v", page)
	}
}

func TestAuditParameters(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/audit/many")
	report := into[a11yReport](t, e.OK("audit", "a11y"))
	for _, v := range report.Violations {
		if v.Count != 30 || len(v.Nodes) != 3 || v.HelpURL == "" || v.Help == "" {
			t.Errorf("%+v", v)
		}
	}
	if text := e.Text("audit", "a11y"); len(text) > 4500 || !strings.Contains(text, "… 27 more") || strings.Count(text, "https://") != 1 {
		t.Errorf("%d characters:\n%s", len(text), text)
	}
	e.Goto("/audit/bad")
	critical := into[a11yReport](t, e.OK("audit", "a11y", "--impact", "critical"))
	for _, v := range critical.Violations {
		if v.Impact != "critical" {
			t.Errorf("%+v", v)
		}
	}
	if len(critical.Violations) != 3 {
		t.Errorf("%+v", critical)
	}
	if only := into[a11yReport](t, e.OK("audit", "a11y", "--standard", "wcag2a")); slices.ContainsFunc(only.Violations, func(v struct {
		ID, Impact, Help, HelpURL string
		Count                     int
		Nodes                     []auditNode
	}) bool {
		return v.ID == "color-contrast" // is AA
	}) {
		t.Errorf("%+v", only)
	}
	e.HTML(`<div style="position:relative"><p style="background:url(/audit/image.svg);color:#777">over a picture</p></div>`)
	undecided := into[a11yReport](t, e.OK("audit", "a11y"))
	if undecided.IncompleteCount == 0 || len(undecided.Incomplete) > 0 {
		t.Errorf("%+v", undecided)
	}
	if listed := into[a11yReport](t, e.OK("audit", "a11y", "--incomplete")); len(listed.Incomplete) == 0 || listed.Incomplete[0].ID != "color-contrast" {
		t.Errorf("%+v", listed)
	}
	wrong := e.Fails("VALIDATION_ERROR", 2, "audit", "a11y", "--rules", "contrast")
	if near, _ := wrong.Error.Details["near"].([]any); !slices.Contains(near, any("color-contrast")) {
		t.Errorf("%+v", wrong.Error)
	}
	e.Fails("VALIDATION_ERROR", 2, "audit", "a11y", "--file", "report.pdf")
	e.Fails("ELEMENT_NOT_FOUND", 3, "audit", "a11y", "--frame", "f99")
	e.Fails("ELEMENT_NOT_FOUND", 3, "audit", "a11y", "#nowhere", "--timeout", "2000")
}

func TestAuditFiles(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/audit/many")
	for _, command := range []string{"a11y", "page"} {
		for _, ext := range []string{"json", "html", "txt"} {
			name := e.File(command + "." + ext)
			if got := e.OK("audit", command, "--file", name); got["file"] != name {
				t.Errorf("%v", got["file"])
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			switch ext {
			case "json":
				var whole a11yReport
				if err := json.Unmarshal(data, &whole); err != nil {
					t.Errorf("%s: %v", name, err)
				} else if command == "a11y" && len(whole.nodes(t, "button-name")) != 30 {
					t.Error("the file does not hold all elements")
				}
			case "html":
				if !strings.HasPrefix(string(data), "<!doctype html>") || !strings.Contains(string(data), "/audit/many") {
					t.Errorf("%s:\n%.500s", name, data)
				}
			}
		}
		e.Fails("FILE_ACCESS_FAILED", 6, "audit", command, "--file", e.File(command+".json"))
		e.OK("audit", command, "--file", e.File(command+".json"), "--overwrite")
	}
	// The report for people is a page in order itself.
	html, err := os.ReadFile(e.File("page.html"))
	if err != nil {
		t.Fatal(err)
	}
	e.Goto("/page/report")
	e.Eval("document.open(); document.write(" + quoteJSON(string(html)) + "); document.close()")
	if report := into[a11yReport](t, e.OK("audit", "a11y", "--standard", "wcag22aa")); len(report.Violations) > 0 {
		t.Errorf("%+v", report.Violations)
	}
}

func quoteJSON(text string) string {
	data, _ := json.Marshal(text) // a string always can be
	return string(data)
}

// The same over a tab of the person's own Chrome.
func TestAuditUsersChrome(t *testing.T) {
	t.Parallel()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/audit/places"))
	env.Connect(tab, "control")
	ok := func(args ...string) map[string]any {
		t.Helper()
		var data map[string]any
		env.Data(&data, append(args, "--context-id", "a")...)
		return data
	}
	places(t, ok)
	ok("page", "navigate", env.Pages.URL("/audit/good"))
	report := into[auditReport](t, ok("audit", "page", "--reload"))
	if len(report.Findings)+len(report.NotChecked) > 0 || report.Accessibility == nil || len(report.Accessibility.Worst) > 0 {
		t.Errorf("%+v", report)
	}
}
