package browsertest

import (
	"fmt"
	"strings"
	"time"
)

// ConnectOption changes what Connect sets in the popup.
type ConnectOption func(*connect)

type connect struct {
	level, session string
	anySite        bool
}

// Session sets the session's name in the popup.
func Session(name string) ConnectOption { return func(c *connect) { c.session = name } }

// AnySite switches "any site in this tab" on.
func AnySite() ConnectOption { return func(c *connect) { c.anySite = true } }

// OpenPopup opens the extension's popup for a tab: the real one, as the click on
// the toolbar button does, or where the browser has no window for it the same
// page in a tab.
func (e *Env) OpenPopup(tab *Tab) *Tab {
	e.T.Helper()
	tab.Front()
	e.awaitActive(tab)
	isPopup := func(target targetInfo) bool {
		return strings.HasPrefix(target.URL, "chrome-extension://"+ExtensionID+"/popup.html")
	}
	err := e.TryWorkerEval("chrome.action.openPopup().then(() => true)", nil)
	if err == nil {
		ctx, cancel := e.deadline()
		defer cancel()
		id, err := e.awaitTarget(ctx, 3*time.Second, isPopup)
		if err == nil {
			popup := &Tab{ID: id, env: e}
			popup.Await("document.readyState === 'complete'")
			return popup
		}
	}
	return e.extensionPage(fmt.Sprintf("popup.html?tab=%d", e.TabID(tab)))
}

// awaitActive waits until the extension sees the tab in front as well: the popup is for
// the tab that is active when it opens.
func (e *Env) awaitActive(tab *Tab) {
	e.T.Helper()
	expression := fmt.Sprintf(`chrome.debugger.getTargets().then((all) => all.find((one) => one.id === %q)?.tabId)
		.then((id) => id === undefined || chrome.tabs.get(id).then((tab) => tab.active))`, tab.ID)
	err := poll(Patience, func() (bool, error) {
		var active bool
		err := e.TryWorkerEval(expression, &active)
		return active, err
	})
	if err != nil {
		e.T.Fatalf("bring the tab to the front: %v", err)
	}
}

// Connect opens the popup of a tab, chooses a level, clicks Connect (or Apply
// changes) with real input and waits until the popup says that the tab is
// connected so.
func (e *Env) Connect(tab *Tab, level string, options ...ConnectOption) {
	e.T.Helper()
	choice := connect{level: level}
	for _, option := range options {
		option(&choice)
	}
	popup := e.OpenPopup(tab)
	popup.Await("!document.querySelector('#levels').disabled")
	popup.check(fmt.Sprintf("input[type=radio][value=%s]", choice.level))
	if choice.anySite {
		popup.check("#any-site")
	}
	if choice.session != "" {
		popup.Click("#session")
		popup.Eval("void document.querySelector('#session').select()", nil)
		popup.Type(choice.session)
	}
	var already bool
	popup.Eval("document.querySelector('#connect').textContent === 'Connected'", &already)
	if !already {
		popup.Await("!document.querySelector('#connect').disabled")
		popup.Click("#connect")
	}
	done := fmt.Sprintf("document.querySelector('#connect').textContent === 'Connected' && document.querySelector('#tab-status').textContent.includes('connected at %s')", choice.level)
	err := poll(Patience, func() (bool, error) {
		var connected bool
		err := popup.TryEval(done, &connected)
		return connected, err
	})
	if err != nil {
		e.T.Fatalf("connect at level %s: %v; the popup says: %s", level, err, popup.Text("document.body.innerText"))
	}
	popup.dismiss()
}

// Disconnect opens the popup of a tab and clicks Disconnect.
func (e *Env) Disconnect(tab *Tab) {
	e.T.Helper()
	popup := e.OpenPopup(tab)
	popup.Await("!document.querySelector('#disconnect').hidden")
	popup.Click("#disconnect")
	popup.Await("document.querySelector('#disconnect').hidden")
	popup.dismiss()
}

// check sets a checkbox or radio with a real click.
func (t *Tab) check(selector string) {
	t.env.T.Helper()
	on := fmt.Sprintf("document.querySelector(%q).checked", selector)
	var already bool
	t.Eval(on, &already)
	if already {
		return
	}
	// The control itself may be drawn by its label; a click there is what a person does.
	target := selector
	var labelled bool
	t.Eval(fmt.Sprintf("Boolean(document.querySelector(%q).closest('label'))", selector), &labelled)
	if labelled {
		t.Eval(fmt.Sprintf("void document.querySelector(%q).closest('label').setAttribute('data-browsertest', 'check')", selector), nil)
		target = "[data-browsertest=check]"
	}
	t.Click(target)
	t.Await(on)
	if labelled {
		t.Eval("void document.querySelector('[data-browsertest=check]').removeAttribute('data-browsertest')", nil)
	}
}

// dismiss closes the popup; a real one goes away by itself when it loses focus.
func (t *Tab) dismiss() {
	t.env.T.Helper()
	ctx, cancel := t.env.deadline()
	defer cancel()
	// It may be gone already.
	_ = t.env.Browser.Conn.Call(ctx, "", "Target.closeTarget", map[string]any{"targetId": t.ID}, nil)
	t.env.awaitGone(t.ID)
}
