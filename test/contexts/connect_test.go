//go:build linux

package contexts

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// connection is what session connect answers.
type connection struct {
	State string `json:"state"`
	Pages []struct {
		PageID  int    `json:"pageId"`
		URL     string `json:"url"`
		Title   string `json:"title"`
		Level   string `json:"level"`
		Source  string `json:"source"`
		Current bool   `json:"current"`
	} `json:"pages"`
	Missing struct {
		Hop  string `json:"hop"`
		What string `json:"what"`
	} `json:"missing"`
	Next struct {
		Person  string `json:"person"`
		Command string `json:"command"`
	} `json:"next"`
}

// waiting runs session connect with a wait until it says what it waits for; the
// channel gives its answer.
func waiting(t *testing.T, env *browsertest.Env, says string, args ...string) <-chan answer {
	t.Helper()
	command := env.Exec(append([]string{"session", "connect", "--wait", "60000", "--verbose"}, args...)...)
	var out bytes.Buffer
	command.Stdout = &out
	notes, err := command.StderrPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var heard strings.Builder
	for buffer := make([]byte, 4096); !strings.Contains(heard.String(), says); {
		n, err := notes.Read(buffer)
		heard.Write(buffer[:n])
		if err != nil {
			t.Fatalf("it did not say %q: %s%s", says, heard.String(), out.String())
		}
	}
	answers := make(chan answer, 1)
	go func() {
		for buffer := make([]byte, 4096); err == nil; {
			_, err = notes.Read(buffer)
		}
		_ = command.Wait() // its answer is looked at
		a := answer{raw: out.String()}
		_ = json.Unmarshal(out.Bytes(), &a)
		answers <- a
	}()
	return answers
}

// The way to a page of the person's own Chrome, hop by hop: the browser comes later,
// a tab is connected later still, and the daemon is stopped in between.
func TestConnectToTheUsersChrome(t *testing.T) {
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	look := func(args ...string) (c connection) {
		t.Helper()
		env.Data(&c, append([]string{"session", "connect"}, args...)...)
		return c
	}
	env.Daemon()
	var before connection
	browsertest.Until(t, browsertest.Patience, "the extension at the daemon", func() bool {
		before = look()
		return before.State != "not_connected"
	})
	if before.State != "waiting_for_user" || before.Missing.Hop != "tab" || !strings.Contains(before.Next.Person, "Connect") || len(before.Pages) != 0 {
		t.Errorf("a browser without a tab: %+v", before)
	}

	coming := waiting(t, env, "none of its tabs")
	tab := env.OpenTab(env.Pages.URL("/app/"))
	env.Connect(tab, "act")
	var came connection
	(<-coming).into(t, &came)
	if came.State != "ready" || len(came.Pages) != 1 || came.Pages[0].Level != "act" || came.Pages[0].Source != "extension" || !came.Pages[0].Current {
		t.Errorf("%+v", came)
	}

	// An address that no page has yet.
	elsewhere := waiting(t, env, "no page has an address", "--url", "*/app/?later")
	tab.Navigate(env.Pages.URL("/app/?later"))
	var arrived connection
	(<-elsewhere).into(t, &arrived)
	if arrived.State != "ready" {
		t.Errorf("%+v", arrived)
	}

	// The page is there again when daemon and browser have found each other.
	env.StopDaemon()
	var again connection
	env.Data(&again, "session", "connect", "--wait", "60000")
	if again.State != "ready" || len(again.Pages) != 1 {
		t.Errorf("after the daemon's end: %+v", again)
	}

	env.Disconnect(tab)
	env.Connect(tab, "observe", browsertest.Session("shop"))
	other := look()
	if other.State != "waiting_for_user" || other.Missing.Hop != "session" || !strings.Contains(other.Next.Command, "--session 'shop'") {
		t.Errorf("a page of another session: %+v", other)
	}
	if shop := look("--session", "shop"); shop.State != "ready" || shop.Pages[0].Level != "observe" {
		t.Errorf("%+v", shop)
	}

	env.QuitChrome()
	browsertest.Until(t, patience, "the browser's end", func() bool { return look().State == "not_connected" })
}
