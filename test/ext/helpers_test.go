package ext

import (
	"encoding/json"
	"fmt"

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
