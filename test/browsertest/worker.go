package browsertest

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// worker finds the extension's running service worker.
func (e *Env) worker(within time.Duration) (id string, err error) {
	err = poll(within, func() (bool, error) {
		ctx, cancel := e.deadline()
		defer cancel()
		targets, err := e.Browser.Conn.targets(ctx)
		for _, target := range targets {
			if target.Type == "service_worker" && strings.HasPrefix(target.URL, "chrome-extension://"+ExtensionID+"/") {
				id = target.TargetID
				return true, nil
			}
		}
		return false, err
	})
	if err != nil {
		return "", fmt.Errorf("no service worker of the extension: %w", err)
	}
	return id, nil
}

// WorkerEval runs JavaScript in the extension's service worker and decodes its
// awaited value into result, unless nil. The session is closed again at once,
// because an open one keeps the worker alive.
func (e *Env) WorkerEval(expression string, result any) {
	e.T.Helper()
	if err := e.TryWorkerEval(expression, result); err != nil {
		e.T.Fatalf("service worker: %v", err)
	}
}

// TryWorkerEval is WorkerEval that returns the error.
func (e *Env) TryWorkerEval(expression string, result any) error {
	id, err := e.worker(Patience)
	if err != nil {
		return err
	}
	ctx, cancel := e.deadline()
	defer cancel()
	session, err := e.Browser.Conn.attach(ctx, id)
	if err != nil {
		return err
	}
	defer e.Browser.Conn.detach(session)
	// A worker that is just starting is a target before it has the extension's API.
	err = poll(Patience, func() (bool, error) {
		var up bool
		err := e.Browser.Conn.evaluate(ctx, session, "typeof chrome === 'object' && typeof chrome.runtime?.id === 'string'", 0, &up)
		return up, err
	})
	if err != nil {
		return fmt.Errorf("the service worker did not come up: %w", err)
	}
	return e.Browser.Conn.evaluate(ctx, session, expression, 0, result)
}

// WorkerRuns reports whether the service worker is running now.
func (e *Env) WorkerRuns() bool {
	_, err := e.worker(0)
	return err == nil
}

// KillWorker ends the service worker at whatever line it is and waits until it is gone.
func (e *Env) KillWorker() {
	e.T.Helper()
	id, err := e.worker(Patience)
	if err != nil {
		e.T.Fatalf("%v", err)
	}
	ctx, cancel := e.deadline()
	defer cancel()
	if err := e.Browser.Conn.Call(ctx, "", "Target.closeTarget", map[string]any{"targetId": id}, nil); err != nil {
		e.T.Fatalf("kill the service worker: %v", err)
	}
	e.awaitGone(id)
}

// WakeWorker makes sure that the service worker runs, as the next browser event
// would: an extension page that sends a message is one.
func (e *Env) WakeWorker() {
	e.T.Helper()
	if e.WorkerRuns() {
		return
	}
	page := e.extensionPage("options.html")
	defer page.Close()
	if err := page.TryEval("chrome.runtime.sendMessage({}).catch(() => null).then(() => true)", nil); err != nil {
		e.T.Fatalf("wake the service worker: %v", err)
	}
	if _, err := e.worker(Patience); err != nil {
		e.T.Fatalf("%v", err)
	}
}

// TabID is Chrome's number of a tab, as the extension knows it.
func (e *Env) TabID(tab *Tab) int {
	e.T.Helper()
	var id int
	e.WorkerEval(fmt.Sprintf("chrome.debugger.getTargets().then((all) => all.find((one) => one.id === %q)?.tabId ?? 0)", tab.ID), &id)
	if id == 0 {
		e.T.Fatalf("the extension does not know the tab %s", tab.ID)
	}
	return id
}

// extensionPage opens a page of the extension in a tab.
func (e *Env) extensionPage(path string) *Tab {
	e.T.Helper()
	return e.OpenTab("chrome-extension://" + ExtensionID + "/" + path)
}

// awaitTarget waits for a target that fits.
func (e *Env) awaitTarget(ctx context.Context, within time.Duration, fits func(targetInfo) bool) (string, error) {
	var found string
	err := poll(within, func() (bool, error) {
		targets, err := e.Browser.Conn.targets(ctx)
		for _, target := range targets {
			if fits(target) {
				found = target.TargetID
				return true, nil
			}
		}
		return false, err
	})
	return found, err
}
