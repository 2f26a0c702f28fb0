package ext

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has no such error
	}
	return string(data)
}

// popupPage opens the popup as a page, for any tab.
func (w *world) popupPage(tab int) *browsertest.Tab {
	w.t.Helper()
	page := w.OpenTab(fmt.Sprintf("chrome-extension://%s/popup.html?tab=%d", browsertest.ExtensionID, tab))
	page.Await(`document.querySelector('#tab-title').textContent.trim() !== ''`)
	return page
}

// set changes the settings as the options page does.
func (w *world) set(settings string) {
	w.t.Helper()
	w.WorkerEval(`chrome.storage.local.set(`+settings+`).then(() => true)`, nil)
}

// startBeside starts with another extension installed too.
func startBeside(t *testing.T, other string) *world {
	t.Helper()
	root, err := bundle.Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := bundle.Extension(root)
	if err != nil {
		t.Fatal(err)
	}
	own := t.TempDir()
	for name, content := range files {
		file := filepath.Join(own, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// The last of several flags counts.
	return start(t, "--load-extension="+own+","+other)
}

// extensionOf is the id of the other extension.
func extensionOf(w *world) string {
	w.t.Helper()
	var id string
	w.WorkerEval(`chrome.debugger.getTargets().then((all) => all.map((one) => /^chrome-extension:\/\/([a-p]{32})\/sw.js$/.exec(one.url)?.[1]).find(Boolean) ?? '')`, &id)
	if id == "" {
		w.t.Fatal("the other extension does not run")
	}
	return id
}

// otherWorker is a page of the other extension, from which it tries what it can.
func otherWorker(w *world) *browsertest.Tab {
	w.t.Helper()
	page := w.OpenTab(fmt.Sprintf("chrome-extension://%s/page.html", extensionOf(w)))
	if where := page.Text(`location.href`); !strings.HasSuffix(where, "/page.html") {
		w.t.Fatalf("the other extension's page is %s", where)
	}
	return page
}
