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

// The popup's parts, by what they are to a person.
const (
	connectButton    = `[...document.querySelectorAll('button')].find((b) => b.textContent.trim() === 'Connect' && b.checkVisibility())`
	disconnectButton = `[...document.querySelectorAll('button')].find((b) => b.textContent.trim() === 'Disconnect' && b.checkVisibility())`
	popupAlert       = `[...document.querySelectorAll('[role=alert]')].map((a) => a.textContent.trim()).filter(Boolean).join(' ')`
)

// Connect opens the popup of a tab, chooses a level, clicks Connect with real
// input and waits until the popup says that the tab is connected.
func (e *Env) Connect(tab *Tab, level string, options ...ConnectOption) {
	e.T.Helper()
	choice := connect{level: level}
	for _, option := range options {
		option(&choice)
	}
	popup := e.OpenPopup(tab)
	popup.Await(fmt.Sprintf("document.querySelector('input[type=radio][value=%s]') && !(%s)?.disabled", choice.level, connectButton))
	popup.check(fmt.Sprintf("input[type=radio][value=%s]", choice.level))
	if choice.anySite {
		popup.check("#any-site")
	}
	if choice.session != "" {
		popup.Click("#session")
		popup.Eval("void document.querySelector('#session').select()", nil)
		popup.Type(choice.session)
	}
	popup.Eval(fmt.Sprintf("void (%s).setAttribute('data-browsertest', 'connect')", connectButton), nil)
	popup.Click("[data-browsertest=connect]")
	var alert string
	err := poll(Patience, func() (bool, error) {
		var connected bool
		if err := popup.TryEval("Boolean("+disconnectButton+")", &connected); err != nil {
			return false, err
		}
		return connected, popup.TryEval(popupAlert, &alert)
	})
	if err != nil {
		e.T.Fatalf("connect at level %s: %v; the popup says: %s", level, err, alert)
	}
	popup.dismiss()
}

// Disconnect opens the popup of a tab and clicks Disconnect.
func (e *Env) Disconnect(tab *Tab) {
	e.T.Helper()
	popup := e.OpenPopup(tab)
	popup.Await(disconnectButton)
	popup.Eval(fmt.Sprintf("void (%s).setAttribute('data-browsertest', 'disconnect')", disconnectButton), nil)
	popup.Click("[data-browsertest=disconnect]")
	popup.Await(connectButton)
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
