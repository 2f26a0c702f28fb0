//go:build unix

package checks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// H-15, A-09: two browsers of the person at once, each with tabs: their pages have
// numbers of one series, a command that could mean any of them is refused with all of
// them, each agent gets the secret of the page that it asked, and the end of one browser
// is nothing to the other.
func TestH15TwoBrowsersOfThePerson(t *testing.T) {
	const each = 3
	html := map[string]string{}
	secret := func(n int) string { return fmt.Sprintf("secret-%d-%d", n, os.Getpid()) }
	for n := range 2 * each {
		html[fmt.Sprintf("/%d", n)] = secretPage(secret(n))
	}
	s := servePages(t, html, nil)
	one := browsertest.Start(t, browsertest.Options{Extension: true})
	two := one.Beside()
	for n := range 2 * each {
		e := []*browsertest.Env{one, two}[n%2]
		e.Connect(e.OpenTab(s.url(fmt.Sprintf("/%d", n))), "control")
	}
	var status struct {
		Browsers []struct{ ID string }
	}
	one.Data(&status, "daemon", "status")
	if len(status.Browsers) != 2 || status.Browsers[0].ID == status.Browsers[1].ID {
		t.Fatalf("browsers %+v", status.Browsers)
	}
	var list struct {
		Pages []struct {
			PageID int
			URL    string
		}
	}
	one.Data(&list, "page", "list")
	pages := map[int]int{} // by page number: which of ours
	for _, p := range list.Pages {
		var n int
		if _, err := fmt.Sscanf(p.URL[strings.LastIndexByte(p.URL, '/'):], "/%d", &n); err != nil {
			t.Fatal(err)
		}
		pages[p.PageID] = n
	}
	if len(pages) != 2*each {
		t.Fatalf("%d pages: %+v", len(pages), list.Pages)
	}
	// Without a page the agent that has not used one is told of all.
	agent := one.Agent()
	refused := agent.Command("evaluate", browsertest.Params{"code": "1"})
	problem, _ := refused.Fields["error"].(map[string]any)
	details, _ := problem["details"].(map[string]any)
	named, _ := details["pages"].([]any)
	if refused.Success() || len(named) != 2*each {
		t.Errorf("%s", refused.Raw)
	}
	var work sync.WaitGroup
	for n := range 10 {
		agent := one.Agent()
		work.Go(func() {
			for id, of := range pages {
				result := agent.Command("evaluate", browsertest.Params{"pageId": id, "code": "document.title + sessionStorage.secret"})
				if text := string(result.Raw); !result.Success() || !strings.Contains(text, secret(of)+secret(of)) {
					t.Errorf("agent %d asked page %d (%s): %s", n, id, secret(of), text)
				}
			}
		})
	}
	work.Wait()
	from := agent.Len()
	two.KillChrome()
	agent.AwaitFrom(from, "the end of the other browser's pages", func(m browsertest.Message) bool { return m.Type() == "app_disconnected" })
	for id, of := range pages {
		if result := agent.Command("evaluate", browsertest.Params{"pageId": id, "code": "document.title", "timeoutMs": 5000}); result.Success() != (of%2 == 0) {
			t.Errorf("page %d of browser %d: %s", id, of%2, result.Raw)
		}
	}
}

// halt stops processes, without their children, until the function it gives is called.
func halt(t *testing.T, pids ...int) (resume func()) {
	t.Helper()
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		// The signal takes effect a little later.
		browsertest.Until(t, browsertest.Patience, "the process is halted", func() bool {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			return err != nil || strings.Contains(string(stat[strings.LastIndexByte(string(stat), ')'):]), ") T ")
		})
	}
	var once sync.Once
	resume = func() {
		once.Do(func() {
			for _, pid := range pids {
				_ = syscall.Kill(pid, syscall.SIGCONT) // it may have been killed
			}
		})
	}
	t.Cleanup(resume)
	return resume
}

// H-22: Chrome is halted, as by a debugger or a suspended machine, and goes on: commands
// end in their time meanwhile, and then all is as before and nothing is lost.
func TestH22ChromeIsHalted(t *testing.T) {
	halted := 2 * time.Second
	if soak(t) > 0 {
		halted = time.Minute // longer than the silence that a link may have
	}
	e := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := e.OpenTab(e.Pages.URL("/page/One"))
	e.Connect(tab, "control")
	agent := e.Agent()
	agent.AwaitType("hello")
	tab.Eval("void setInterval(() => console.log('tick ' + (window.n = (window.n ?? 0) + 1)), 50)", nil)
	agent.Await("a line", func(m browsertest.Message) bool { return m.Type() == "console" })

	resume := halt(t, e.Browser.PID())
	began := time.Now()
	result := agent.Command("evaluate", browsertest.Params{"code": "1", "timeoutMs": 1000})
	if code := result.Code(); code != "INDETERMINATE" && code != "TIMEOUT" {
		t.Errorf("%s", result.Raw)
	}
	if took := time.Since(began); took > patient(3*time.Second) {
		t.Errorf("a command of 1 s took %v", took)
	}
	if out := e.Run("daemon", "status"); out.Exit != 0 {
		t.Errorf("%+v", out)
	}
	time.Sleep(halted - time.Since(began)) // what is tried is the time
	resume()
	browsertest.Until(t, 3*browsertest.Patience, "commands work again", func() bool {
		return agent.Command("evaluate", browsertest.Params{"code": "1", "timeoutMs": 2000}).Success()
	})
	var told int
	tab.Eval("window.n", &told)
	agent.Await("the lines of the meantime", func(m browsertest.Message) bool {
		return strings.Contains(string(m.Raw), fmt.Sprintf(`"tick %d"`, told))
	}, 2*browsertest.Patience)
	next, gap := 0, false
	for _, m := range agent.Messages() {
		gap = gap || m.Type() == "gap"
		if args, _ := m.Fields["args"].([]any); m.Type() == "console" && len(args) == 1 && next <= told {
			var n int
			if _, err := fmt.Sscanf(args[0].(string), "tick %d", &n); err != nil {
				continue
			}
			if next != 0 && n != next && !gap {
				t.Errorf("tick %d instead of %d, and no gap was told", n, next)
			}
			next = n + 1
		}
	}
}

// H-22: a managed browser is halted: its commands end in time, those of another browser
// are not held up, and it works again when it goes on.
func TestH22ManagedBrowserIsHalted(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/test")
	pid, _ := e.OK("session", "status")["pid"].(float64)
	if pid == 0 {
		t.Fatal("no browser")
	}
	resume := halt(t, int(pid))
	began := time.Now()
	if a := e.Run("runtime", "eval", "1", "--timeout", "1000"); a.OK || a.Exit != 4 && a.Code != "INDETERMINATE" || len(a.Error.Suggestions) == 0 {
		t.Errorf("exit %d %s", a.Exit, a.Stdout)
	}
	if a := e.Run("capture", "snapshot", "--timeout", "1000"); a.OK || len(a.Error.Suggestions) == 0 {
		t.Errorf("exit %d %s", a.Exit, a.Stdout)
	}
	if took := time.Since(began); took > patient(6*time.Second) {
		t.Errorf("two commands of 1 s took %v", took)
	}
	e.OK("session", "status")
	other := e.In("other")
	other.OK("session", "start", "--headless")
	if got := other.Eval("1+1"); got != 2.0 {
		t.Errorf("the other browser: %v", got)
	}
	other.OK("session", "stop")
	resume()
	if got := e.Eval("20+1"); got != 21.0 {
		t.Errorf("going on: %v", got)
	}
	// Halted for good, it is ended all the same.
	halt(t, int(pid))
	began = time.Now()
	e.OK("session", "stop")
	if took := time.Since(began); took > patient(20*time.Second) {
		t.Errorf("the end of a halted browser took %v", took)
	}
	if err := syscall.Kill(int(pid), 0); err == nil {
		t.Error("the halted browser is still there")
	}
}

// H-22: the daemon is halted: who asks is told in time that it does not answer, and when
// it goes on, agents that stayed have missed nothing.
func TestH22DaemonIsHalted(t *testing.T) {
	t.Parallel()
	w := newCrowd(t)
	page := w.page("tab", "s", nil)
	agent := w.e.AgentWith(w.agentKey, "sessionId=s")
	agent.AwaitType("capabilities")
	resume := halt(t, w.daemon.PID)
	page.send(t, `{"type":"console","level":"log","args":["while it was halted"],"timestamp":1}`)
	id := agent.Start("evaluate", browsertest.Params{"code": "late"})
	var asked sync.WaitGroup
	for _, args := range [][]string{{"daemon", "status"}, {"page", "list", "--timeout", "1000"}, {"attach", "--json"}, {"daemon", "stop"}} {
		asked.Go(func() {
			began := time.Now()
			out := w.e.Run(args...)
			var a struct {
				OK    bool
				Error struct {
					Code        string
					Suggestions []string
				}
			}
			took := time.Since(began)
			if err := json.Unmarshal([]byte(out.Stdout), &a); err != nil || a.OK || out.Exit != 10 && out.Exit != 4 || len(a.Error.Suggestions) == 0 {
				t.Errorf("%v after %v: exit %d %s%s", args, took, out.Exit, out.Stdout, out.Stderr)
			}
			if took > patient(16*time.Second) {
				t.Errorf("%v took %v", args, took)
			}
		})
	}
	asked.Wait()
	resume()
	agent.Result(id)
	agent.Await("what came meanwhile", func(m browsertest.Message) bool { return strings.Contains(string(m.Raw), "while it was halted") })
	if out := w.e.Run("daemon", "status"); out.Exit != 0 {
		t.Errorf("going on: %+v", out)
	}
	if now := w.e.Daemon(); now.PID != w.daemon.PID {
		t.Errorf("another daemon %d beside %d", now.PID, w.daemon.PID)
	}
}

// H-17: a screenshot on a full disk is an error that says so; half a file is not left, and
// the next one works when there is room.
func TestH17ScreenshotOnAFullDisk(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/test")
	e.Eval(`document.body.innerHTML = ""; for (let i = 0; i < 800; i++) { const d = document.createElement("i"); d.style.cssText = "display:inline-block;width:20px;height:20px;background:hsl(" + i * 37 + "deg 80% 50%)"; d.textContent = i; document.body.append(d) }; 0`)
	first, _ := e.OK("capture", "screenshot")["path"].(string)
	folder := filepath.Dir(first)
	named := filepath.Join(e.Home, "named")
	for _, dir := range []string{folder, named} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := mountSmall(dir); err != nil {
			t.Skipf("cannot mount a small disk: %v", err)
		}
		t.Cleanup(func() { unmount(dir) })
		if err := os.WriteFile(filepath.Join(dir, "full"), make([]byte, 60<<10), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"capture", "screenshot"}, {"capture", "screenshot", "--file", filepath.Join(named, "a.png")}, {"capture", "pdf", "--file", filepath.Join(named, "a.pdf")},
	} {
		a := e.Fails("FILE_ACCESS_FAILED", 6, args...)
		if a.Error.Details["reason"] != "disk_full" {
			t.Errorf("%v: %s", args, a.Stdout)
		}
	}
	for _, dir := range []string{folder, named} {
		left, err := os.ReadDir(dir)
		if err != nil || len(left) != 1 {
			t.Errorf("%s holds %v (%v)", dir, left, err)
		}
		if err := os.Remove(filepath.Join(dir, "full")); err != nil {
			t.Fatal(err)
		}
	}
	e.Eval(`document.body.innerHTML = "small"`)
	path, _ := e.OK("capture", "screenshot")["path"].(string)
	if info, err := os.Stat(path); err != nil || info.Size() == 0 || filepath.Dir(path) != folder {
		t.Errorf("%s: %v %v", path, info, err)
	}
}

// H-18: everything works from a home whose name has a space, quotes, a line break and
// letters of many bytes, and that is too long for a socket.
func TestH18OddHome(t *testing.T) {
	t.Parallel()
	e := commandtest.New(t)
	e.Home = filepath.Join(e.Home, "a b\n'ç\"$東 "+strings.Repeat("long-", 20))
	if err := os.MkdirAll(e.Home, 0o700); err != nil {
		t.Fatal(err)
	}
	e.OK("session", "start", "--headless")
	e.Goto("/page/test")
	for _, args := range [][]string{{"capture", "screenshot"}, {"capture", "pdf"}} {
		path, _ := e.OK(args...)["path"].(string)
		if info, err := os.Stat(path); err != nil || info.Size() == 0 || !strings.HasPrefix(path, e.Home) {
			t.Errorf("%v: %q %v", args, path, err)
		}
	}
	e.OK("console", "list")
	e.OK("session", "stop")
	left, err := filepath.Glob(filepath.Join(strings.NewReplacer(`[`, `\[`).Replace(e.Home), "state", "contexts", "*", "profile*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

// H-21: four agents ask for answers of 48 MB at once from a daemon that may have 256 MiB:
// it answers, or says that it is too much, and lives.
func TestH21LittleMemory(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/test")
	data := e.OK("daemon", "status")
	pid, _ := data["pid"].(float64)
	if err := limitMemory(int(pid), 256<<20); err != nil {
		t.Skipf("cannot limit another process: %v", err)
	}
	sizes := []int{48}
	if soak(t) > 0 {
		sizes = append(sizes, 20) // each is passed on, with all its copies
	}
	for _, megabytes := range sizes {
		var work sync.WaitGroup
		var mu sync.Mutex
		codes := map[string]int{}
		for range 4 {
			work.Go(func() {
				a := e.Run("cdp", "send", "Runtime.evaluate", fmt.Sprintf(`{"expression":"'x'.repeat(%d << 20)","returnByValue":true}`, megabytes), "--timeout", "60000")
				mu.Lock()
				defer mu.Unlock()
				codes[a.Code]++
				if a.OK != (len(a.Stdout) > megabytes<<20) || !a.OK && !slices.Contains([]string{"RESULT_TOO_LARGE", "BUSY"}, a.Code) {
					t.Errorf("exit %d %.300s%s", a.Exit, a.Stdout, a.Stderr)
				}
			})
		}
		work.Wait()
		t.Logf("%d MB: answers %v, daemon %d MiB", megabytes, codes, resident(t, int(pid))>>20)
	}
	if now, _ := e.OK("daemon", "status")["pid"].(float64); now != pid {
		t.Errorf("the daemon of before is gone: %v, %v", pid, now)
	}
	if got := e.Eval("20 + 1"); got != 21.0 {
		t.Errorf("after it: %v", got)
	}
}
