package auditlog

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// Text that was read on one site is seen when it goes to another: 127.0.0.1 and localhost
// are two sites.
func TestTextThatCrossesSites(t *testing.T) {
	t.Parallel()
	a := hire(t, "courier")
	const letter = "The harbour office holds parcel ZX-2931-QQ-8877 for Ada Lovelace until Thursday noon"
	codes := make([]string, 300)
	for i := range codes {
		codes[i] = fmt.Sprintf("BLUE-%d-HARBOUR-4471", 100+i)
	}
	mail := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>Mail</title><p>"+letter+"</p><p>"+strings.Join(codes, "</p><p>")+"</p><label>Note <input id=note></label>")
	}))
	t.Cleanup(mail.Close)
	there := a.Site.CrossURL("/form")
	a.done("page", "navigate", mail.URL)
	if !strings.Contains(string(a.cli("capture", "snapshot", "--full").Stdout), letter) {
		t.Fatal("the letter is not on the page")
	}

	// On its own site nothing is said; nor of what the agent made up, elsewhere.
	if w := a.done("element", "fill", "#note", letter); len(w) > 0 {
		t.Errorf("on the same site: %v", w)
	}
	a.done("page", "navigate", there)
	for _, own := range []string{"Please deliver it tomorrow before the shop closes", "Ada Lovelace", "Thursday noon", "order 2931"} {
		if w := a.done("element", "fill", "#note", own); len(w) > 0 {
			t.Errorf("%q: %v", own, w)
		}
	}
	crosses := func(warnings []string) bool {
		return len(warnings) == 1 && strings.Contains(warnings[0], "127.0.0.1") && strings.Contains(warnings[0], "localhost") && !strings.Contains(warnings[0], "parcel")
	}
	for _, text := range []string{"I know: the harbour office holds parcel", "zx-2931-qq-8877"} {
		if w := a.done("element", "fill", "#note", text); !crosses(w) {
			t.Errorf("%q: %v", text, w)
		}
	}
	if w := a.done("page", "navigate", there+"?q=for%20Ada%20Lovelace%20until%20Thursday%20noon"); !crosses(w) {
		t.Errorf("in an address: %v", w)
	}
	result := a.socket(`{"type":"type","requestId":"m0","target":{"selector":"#note"},"text":"ZX-2931-QQ-8877"}`)[0]
	if w, _ := result["warnings"].([]any); result["success"] != true || len(w) != 1 {
		t.Errorf("over the WebSocket: %v", result)
	}
	warned := slices.DeleteFunc(a.log("--site", "localhost"), func(e entry) bool { return len(e.Warnings) == 0 })
	if len(warned) != 4 || !crosses(warned[0].Warnings) {
		t.Errorf("in the log: %+v", warned)
	}

	// The person may forbid it.
	config := filepath.Join(a.Home, "config")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "policy.toml"), []byte("cross-site = \"refuse\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The file is looked at once a second; what is typed before that is on the page then.
	var refused commandtest.Answer
	tried := 0
	browsertest.Until(t, patience, "the policy", func() bool {
		refused = a.cli("element", "fill", "#note", codes[tried])
		tried++
		return !refused.OK || tried == len(codes)
	})
	if refused.Code != "POLICY_DENIED" || refused.Error.Details["reason"] != "cross_site" || len(refused.Error.Suggestions) == 0 {
		t.Fatalf("%s", refused.Stdout)
	}
	if held := a.cli("runtime", "eval", "document.querySelector('#note').value"); strings.Contains(string(held.Stdout), codes[tried-1]) {
		t.Errorf("it was typed all the same: %s", held.Stdout)
	}
	if w := a.done("element", "fill", "#note", "its own words"); len(w) > 0 {
		t.Errorf("its own words: %v", w)
	}
	a.awaitEntry("the policy's change", func(e entry) bool { return e.Kind == "policy" && e.Command == "changed" })
	last := a.log("--refused")
	if len(last) != 1 || last[0].Code != "POLICY_DENIED" || last[0].Reason != "cross_site" {
		t.Errorf("%+v", last)
	}
}
