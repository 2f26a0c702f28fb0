package layout

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// expectation is what a page says of one of its elements:
//
//	data-fault="TYPE" data-severity data-cause="self|CSS" data-property data-value
//	data-fix-property data-fix-value data-unfixable
//	data-info="TYPE"    told as info, with a purpose
//	data-silent         nothing is told of it, or nothing of the types listed
//
// data-sweep on the root: the sweep of the page finds each fault, and names nothing silent;
// data-sweep="only": nor anything else.
type expectation struct {
	Ref         string  `json:"ref"`
	Label       string  `json:"label"`
	Fault       *string `json:"fault"`
	Severity    *string `json:"severity"`
	Cause       *string `json:"cause"`
	CauseIs     string  `json:"causeIs"` // marker of the element that data-cause finds
	Property    *string `json:"property"`
	Value       *string `json:"value"`
	FixProperty *string `json:"fixProperty"`
	FixValue    *string `json:"fixValue"`
	Unfixable   bool    `json:"unfixable"`
	Info        *string `json:"info"`
	Silent      *string `json:"silent"`
}

// collect gives every annotated element a name that a target can take, through shadow roots.
const collect = `(() => {
  const found = []; let n = 0;
  const mark = (e) => { if (!e.dataset.t) e.dataset.t = 't' + (n += 1) + 'x' + Math.random().toString(36).slice(2, 7); return e.dataset.t; };
  const visit = (root) => {
    for (const e of root.querySelectorAll('*')) {
      const d = e.dataset;
      if (d !== undefined && (d.fault !== undefined || d.silent !== undefined || d.info !== undefined)) {
        let causeIs = '';
        if (d.cause === 'self') causeIs = mark(e);
        else if (d.cause) { const c = root.querySelector(d.cause) ?? document.querySelector(d.cause); if (!c) throw new Error('no ' + d.cause); causeIs = mark(c); }
        found.push({ref: mark(e), label: e.outerHTML.slice(0, 120), fault: d.fault ?? null, severity: d.severity ?? null, cause: d.cause ?? null, causeIs,
          property: d.property ?? null, value: d.value ?? null, fixProperty: d.fixProperty ?? null, fixValue: d.fixValue ?? null,
          unfixable: d.unfixable !== undefined, info: d.info ?? null, silent: d.silent ?? null});
      }
      if (e.shadowRoot) visit(e.shadowRoot);
    }
  };
  visit(document);
  return {sweep: document.documentElement.dataset.sweep !== undefined, only: document.documentElement.dataset.sweep === 'only', found};
})()`

type issue struct {
	Type     string `json:"type"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Element  struct {
		Ref      string `json:"ref"`
		Selector string `json:"selector"`
	} `json:"element"`
	Cause *struct {
		Ref      string `json:"ref"`
		Selector string `json:"selector"`
		Property string `json:"property"`
		Value    string `json:"value"`
	} `json:"cause"`
	Fix *struct {
		Selector string `json:"selector"`
		Property string `json:"property"`
		Value    string `json:"value"`
	} `json:"fix"`
	Verified *struct {
		Fixed bool     `json:"fixed"`
		New   []string `json:"newIssues"`
	} `json:"verified"`
	Purpose string `json:"purpose"`
}

func TestRules(t *testing.T) {
	names, err := pages.LayoutPages()
	if err != nil {
		t.Fatal(err)
	}
	env := commandtest.Managed(t)
	allPages(t, env, names, true)
}

// The same through the extension, in a tab of the person's own Chrome: every type and
// near-miss; that fixes help and that whole pages are silent does not depend on the lane.
func TestRulesOfTheUser(t *testing.T) {
	names, err := pages.LayoutPages()
	if err != nil {
		t.Fatal(err)
	}
	browser := browsertest.Start(t, browsertest.Options{Extension: true})
	browser.Connect(browser.OpenTab(browser.Pages.URL("/layout/places")), "control")
	env := commandtest.User(t, browser)
	browsertest.Until(t, browsertest.Patience, "the connected page", func() bool { return env.Run("page", "list").OK })
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "real-") })
	allPages(t, env, names, false)
}

func allPages(t *testing.T, env *commandtest.Env, names []string, whole bool) {
	env.OK("emulation", "set", "--viewport", "1000x700")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			e := *env
			e.T = t
			examine(t, &e, name, whole)
		})
	}
}

func examine(t *testing.T, env *commandtest.Env, name string, whole bool) {
	env.Goto("/layout/" + name)
	var page struct {
		Sweep bool          `json:"sweep"`
		Only  bool          `json:"only"`
		Found []expectation `json:"found"`
	}
	again(t, env.Eval(collect), &page)
	if len(page.Found) == 0 {
		t.Fatal("the page says of no element what is to be found")
	}
	marked := &marks{env, map[string]string{}}
	for _, want := range page.Found {
		issues := diagnose(t, env, "["+`data-t="`+want.Ref+`"]`, whole)
		if problem := judge(marked, want, issues, whole); problem != "" {
			t.Errorf("%s\n\t%s\n\tgot %s", want.Label, problem, shown(issues))
		}
	}
	if !page.Sweep || !whole {
		return
	}
	var swept []issue
	again(t, env.OK("layout", "diagnose", "--limit", "500")["issues"], &swept)
	for _, i := range swept {
		if page.Only && !slices.ContainsFunc(page.Found, func(want expectation) bool { return want.Fault != nil && marked.of(i.Element.Ref) == want.Ref }) {
			t.Errorf("the sweep blames what is as it should be: %s", shown([]issue{i}))
		}
	}
	for _, want := range page.Found {
		about := func(i issue) bool { return marked.of(i.Element.Ref) == want.Ref }
		if want.Fault != nil && !slices.ContainsFunc(swept, func(i issue) bool { return about(i) && i.Type == *want.Fault }) {
			t.Errorf("%s\n\tthe sweep does not find %s: %s", want.Label, *want.Fault, shown(swept))
		}
		if want.Silent != nil && *want.Silent == "" && slices.ContainsFunc(swept, about) {
			t.Errorf("%s\n\tthe sweep blames it: %s", want.Label, shown(swept))
		}
	}
}

func diagnose(t *testing.T, env *commandtest.Env, target string, verify bool) []issue {
	t.Helper()
	var issues []issue
	again(t, env.OK("layout", "diagnose", target, "--verify="+strconv.FormatBool(verify))["issues"], &issues)
	return issues
}

func judge(marked *marks, want expectation, issues []issue, whole bool) string {
	switch {
	case want.Silent != nil && *want.Silent == "":
		if len(issues) > 0 {
			return "must be silent"
		}
		return ""
	case want.Silent != nil:
		for _, kind := range strings.Split(*want.Silent, ",") {
			if slices.ContainsFunc(issues, func(i issue) bool { return i.Type == kind }) {
				return "must not be told of " + kind
			}
		}
		if want.Fault == nil && want.Info == nil {
			return ""
		}
	}
	kind := want.Fault
	if want.Info != nil {
		kind = want.Info
	}
	at := slices.IndexFunc(issues, func(i issue) bool { return i.Type == *kind })
	if at < 0 {
		return "no " + *kind
	}
	got := issues[at]
	if want.Info != nil {
		if got.Severity != "info" || got.Purpose == "" {
			return "is on purpose: severity info, with the purpose"
		}
		return ""
	}
	if want.Severity != nil && got.Severity != *want.Severity {
		return "want severity " + *want.Severity
	}
	if got.Message == "" {
		return "no message"
	}
	if want.Cause != nil {
		if got.Cause == nil {
			return "no cause"
		}
		if is := marked.of(got.Cause.Ref); is != want.CauseIs {
			return fmt.Sprintf("the cause is %s, want %s", got.Cause.Selector, *want.Cause)
		}
	}
	if want.Property != nil && (got.Cause == nil || got.Cause.Property != *want.Property) {
		return "want the cause in " + *want.Property
	}
	if want.Value != nil && (got.Cause == nil || got.Cause.Value != *want.Value) {
		return "want the cause's value " + *want.Value
	}
	if want.FixProperty != nil && (got.Fix == nil || got.Fix.Property != *want.FixProperty) {
		return "want the fix in " + *want.FixProperty
	}
	if want.FixValue != nil && (got.Fix == nil || got.Fix.Value != *want.FixValue) {
		return "want the fix's value " + *want.FixValue
	}
	if !want.Unfixable && whole {
		if got.Fix == nil {
			return "no fix"
		}
		if got.Verified == nil || !got.Verified.Fixed {
			return "the fix does not help"
		}
	}
	return ""
}

// marks are the test's own names of the elements of refs on one page.
type marks struct {
	env   *commandtest.Env
	known map[string]string
}

func (m *marks) of(ref string) string {
	name, ok := m.known[ref]
	if !ok {
		name, _ = m.env.OK("runtime", "eval", "--function", "(e) => e.dataset.t ?? ''", "--arg", ref)["value"].(string)
		m.known[ref] = name
	}
	return name
}

func shown(issues []issue) string {
	data, _ := json.Marshal(issues) // plain data
	return string(data)
}

// again reads decoded JSON into a type.
func again(t *testing.T, from, into any) {
	t.Helper()
	data, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
