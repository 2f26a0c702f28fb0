package slot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lease"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// fakes starts browsers that are none.
type fakes struct {
	mu      sync.Mutex
	running map[string]*fake
	starts  int
	fail    error
	slow    chan struct{} // a start waits for it
	pages   *page.Manager
	fleet   map[string]chrome.Health // endpoints that answer
}

type fake struct {
	id     string
	owner  *fakes
	plan   Plan
	done   chan struct{}
	once   sync.Once
	closed atomic.Bool
}

func (f *fakes) Launch(ctx context.Context, plan Plan) (Browser, error) {
	f.mu.Lock()
	f.starts++
	slow, fail := f.slow, f.fail
	f.mu.Unlock()
	if slow != nil {
		select {
		case <-slow:
		case <-ctx.Done():
			return nil, fault.New(fault.Cancelled, "cancelled")
		}
	}
	if fail != nil {
		return nil, fail
	}
	b := &fake{id: plan.ID, owner: f, plan: plan, done: make(chan struct{})}
	f.mu.Lock()
	f.running[plan.ID] = b
	f.mu.Unlock()
	f.pages.Connected(b)
	f.pages.Event(b, "tab.connected", jsontext.Value(fmt.Sprintf(`{"tabId":1,"url":"about:blank","level":"control","source":"managed","sessionId":%q}`, plan.Session)))
	return b, nil
}

func (f *fakes) Attach(ctx context.Context, plan Plan) (Browser, error) { return f.Launch(ctx, plan) }

func (f *fakes) Probe(ctx context.Context, endpoint string, _ http.Header) (chrome.Health, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	health, ok := f.fleet[endpoint]
	if !ok {
		return health, fault.New(fault.CDPDisconnected, "refused")
	}
	return health, ctx.Err()
}

func (f *fakes) Allow(url string) error {
	if strings.HasPrefix(url, "file:") {
		return fault.New(fault.PolicyDenied, "no")
	}
	return nil
}

func (f *fakes) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.running)
}

// any gives one that runs.
func (f *fakes) any() *fake {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.running {
		return b
	}
	return nil
}

func (b *fake) ID() string { return b.id }
func (b *fake) Call(context.Context, string, any) (jsontext.Value, error) {
	return jsontext.Value("{}"), nil
}
func (b *fake) Notify(string, any) error { return nil }
func (b *fake) Done() <-chan struct{}    { return b.done }
func (b *fake) Ended() string            { return "it ended with signal: killed" }
func (b *fake) About() About             { return About{Product: "Chrome/1", Process: chrome.Identity{Pid: 7}} }
func (b *fake) Close(context.Context) error {
	b.closed.Store(true)
	b.end()
	return nil
}

func (b *fake) end() {
	b.once.Do(func() {
		b.owner.mu.Lock()
		delete(b.owner.running, b.id)
		b.owner.mu.Unlock()
		b.owner.pages.Disconnected(b)
		close(b.done)
	})
}

type world struct {
	*Manager
	engine *fakes
	home   *state.Home
	dead   sync.Map // pids
}

// newWorld makes a manager over fake browsers; close it within the test's bubble.
func newWorld(t *testing.T, o Options) *world {
	t.Helper()
	w := &world{engine: &fakes{running: map[string]*fake{}}}
	root := t.TempDir()
	w.home = &state.Home{Root: root, State: filepath.Join(root, "state")}
	if err := os.Mkdir(w.home.State, 0o700); err != nil {
		t.Fatal(err)
	}
	hub := session.NewHub(session.Config{Epoch: "e"})
	pages := page.NewManager(hub, nil, zerolog.Nop())
	w.engine.pages = pages
	o.Home, o.Engine, o.Log = w.home, w.engine, zerolog.Nop()
	o.Alive = func(owner lease.Owner) bool { _, dead := w.dead.Load(owner.Pid); return !dead }
	w.Manager = NewManager(pages, o)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		w.Close(ctx)
		pages.Close()
		hub.Close()
		if n := w.engine.count(); n != 0 {
			t.Errorf("%d browsers are left", n)
		}
		if names := w.home.ListContexts(); len(names) != 0 {
			t.Errorf("folders are left: %v", names)
		}
	})
	return w
}

func (w *world) as(t *testing.T, c caller.Caller) *Context {
	t.Helper()
	found, _, err := w.Resolve(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func named(name string) caller.Caller { return caller.Caller{ContextEnv: name} }

func code(err error) fault.Code {
	if err == nil {
		return ""
	}
	return fault.From(err).Code
}

func start(t *testing.T, c *Context) {
	t.Helper()
	if _, err := c.Start(t.Context(), Start{}); err != nil {
		t.Fatal(err)
	}
}

func TestOneBrowserForParallelStarts(t *testing.T) {
	w := newWorld(t, Options{})
	var work sync.WaitGroup
	var won, lost atomic.Int32
	for range 10 {
		work.Go(func() {
			_, err := w.as(t, caller.Caller{ShareGroup: "team"}).Start(t.Context(), Start{})
			switch code(err) {
			case "":
				won.Add(1)
			case fault.SessionAlreadyRunning:
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	work.Wait()
	if won.Load() != 1 || lost.Load() != 9 || w.engine.count() != 1 {
		t.Errorf("%d won, %d were told, %d browsers", won.Load(), lost.Load(), w.engine.count())
	}
}

func TestContextsAreApart(t *testing.T) {
	w := newWorld(t, Options{})
	a, b := w.as(t, named("a")), w.as(t, named("b"))
	start(t, a)
	if err := b.Ready(); code(err) != fault.SessionNotFound {
		t.Fatalf("b has a browser: %v", err)
	}
	start(t, b)
	if len(a.Tabs()) != 1 || len(b.Tabs()) != 1 || a.Tabs()[0] == b.Tabs()[0] {
		t.Fatalf("%v %v", a.Tabs(), b.Tabs())
	}
	if _, err := a.Tab(b.Tabs()[0].PageID()); code(err) != fault.PageNotFound {
		t.Errorf("a reaches b's page: %v", err)
	}
	// Nor by naming b's session.
	sly := named("a")
	sly.Session = b.Key
	if tabs := w.as(t, sly).Tabs(); len(tabs) != 0 {
		t.Errorf("a reaches b's pages by name: %v", tabs)
	}
	if _, err := b.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(a.Tabs()) != 1 || len(b.Tabs()) != 0 {
		t.Error("the end of b is not b's alone")
	}
}

func TestSlotsGoToWhoNeedsThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{Slots: 3})
		for i := range 3 {
			start(t, w.as(t, named(fmt.Sprint(i))))
			time.Sleep(time.Second)
		}
		late := w.as(t, named("late"))
		if _, err := late.Start(t.Context(), Start{}); code(err) != fault.Busy || !fault.From(err).Retryable() {
			t.Fatalf("all were in use a moment ago: %v", err)
		}
		time.Sleep(idleSlot)
		// 0 is the oldest; now it is used, for as long as ctx lasts.
		ctx, end := context.WithCancel(t.Context())
		if _, _, err := w.Resolve(ctx, named("0")); err != nil {
			t.Fatal(err)
		}
		start(t, late)
		if w.engine.count() != 3 {
			t.Errorf("%d browsers for 3 slots", w.engine.count())
		}
		if err := w.as(t, named("1")).Ready(); code(err) != fault.ContextLeaseExpired || fault.From(err).Details["reason"] != lease.Evicted {
			t.Errorf("1 was idle longest: %v", err)
		}
		if err := w.as(t, named("0")).Ready(); err != nil {
			t.Errorf("0 was busy: %v", err)
		}
		end()
		synctest.Wait()
		// One to be kept never gives way.
		kept := w.as(t, named("1"))
		if _, err := kept.Start(t.Context(), Start{Keep: true}); err != nil {
			t.Fatal(err)
		}
		for i := range 6 {
			time.Sleep(idleSlot)
			start(t, w.as(t, named(fmt.Sprint("more", i))))
		}
		if err := kept.Ready(); err != nil {
			t.Errorf("the kept one: %v", err)
		}
	})
}

func TestIdleEndsAContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{Idle: time.Minute})
		c := w.as(t, named("a"))
		kept := w.as(t, named("kept"))
		start(t, c)
		if _, err := kept.Start(t.Context(), Start{Keep: true}); err != nil {
			t.Fatal(err)
		}
		undone := ""
		for _, key := range []string{"one", "two", "one"} {
			c.Undo(key, func(context.Context) error { undone += key + " "; return errors.New("gone") })
		}
		c.Undo("three", func(context.Context) error { undone += "three "; return nil })
		c.Undo("three", nil)
		time.Sleep(50 * time.Second)
		w.as(t, named("a"))
		time.Sleep(50 * time.Second)
		if err := c.Ready(); err != nil {
			t.Fatalf("ended while it is used: %v", err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if err := c.Ready(); code(err) != fault.ContextLeaseExpired || fault.From(err).Details["reason"] != lease.Idle {
			t.Fatalf("after its time: %v", err)
		}
		if undone != "one two " {
			t.Errorf("undone: %q", undone)
		}
		if w.engine.count() != 1 || kept.Ready() != nil {
			t.Error("the one to be kept ended")
		}
		start(t, c)
		if err := c.Ready(); err != nil {
			t.Errorf("it does not start again: %v", err)
		}
	})
}

func TestOwnerGoneEndsAContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		c := w.as(t, caller.Caller{Anchor: 100, AnchorAt: "1"})
		group := caller.Caller{ShareGroup: "g", Anchor: 100, AnchorAt: "1"}
		start(t, c)
		start(t, w.as(t, group))
		group.Anchor = 200
		w.as(t, group)
		w.dead.Store(100, true)
		time.Sleep(sweepEvery + time.Second)
		synctest.Wait()
		if w.engine.count() != 1 {
			t.Fatalf("%d browsers; the group's has an owner left, the other's has none", w.engine.count())
		}
		w.dead.Store(200, true)
		time.Sleep(ownerGrace + 2*sweepEvery)
		synctest.Wait()
		if w.engine.count() != 0 {
			t.Error("the group's outlives it")
		}
		if len(w.home.ListContexts()) != 0 {
			t.Error("its folder is left")
		}
	})
}

func TestBrowserThatGoesByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		c := w.as(t, named("a"))
		start(t, c)
		w.engine.any().end()
		synctest.Wait()
		err := c.Ready()
		if code(err) != fault.SessionNotFound || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("%v", err)
		}
		if len(w.home.ListContexts()) != 0 {
			t.Error("its folder is left")
		}
		if _, err := c.Restart(t.Context(), func(*Start) {}); err != nil {
			t.Errorf("it does not start again: %v", err)
		}
	})
}

func TestStartThatFailsOrIsCancelledLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{Slots: 1})
		c := w.as(t, named("a"))
		w.engine.fail = fault.New(fault.BrowserLaunchFailed, "no")
		if _, err := c.Start(t.Context(), Start{Profile: "work"}); code(err) != fault.BrowserLaunchFailed {
			t.Fatal(err)
		}
		if _, err := c.Start(t.Context(), Start{}); code(err) != fault.BrowserLaunchFailed || len(w.home.ListContexts()) != 0 {
			t.Fatalf("%v, left %v", err, w.home.ListContexts())
		}
		w.engine.fail, w.engine.slow = nil, make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := c.Start(ctx, Start{})
			ended <- err
		}()
		synctest.Wait()
		if s := c.Status(); s.State != "starting" {
			t.Errorf("state %s", s.State)
		}
		cancel()
		if err := <-ended; code(err) != fault.Cancelled || len(w.home.ListContexts()) != 0 || w.engine.count() != 0 {
			t.Fatalf("%v", err)
		}
		w.engine.slow = nil
		other := w.as(t, named("b"))
		if _, err := other.Start(t.Context(), Start{Profile: "work"}); err != nil {
			t.Errorf("slot or profile is still taken: %v", err)
		}
		if _, err := other.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestKeptProfileIsOneContextsAtATime(t *testing.T) {
	w := newWorld(t, Options{})
	a, b := w.as(t, named("a")), w.as(t, named("b"))
	if _, err := a.Start(t.Context(), Start{Profile: "work"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Start(t.Context(), Start{Profile: "work"}); code(err) != fault.BrowserLaunchFailed || fault.From(err).Details["reason"] != "profile_in_use" {
		t.Fatalf("%v", err)
	}
	if _, err := a.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(w.home.Profiles(), "work")); err != nil {
		t.Error("a kept profile is gone")
	}
	if _, err := b.Start(t.Context(), Start{Profile: "work"}); err != nil {
		t.Error(err)
	}
}

func TestWhatCannotBeStarted(t *testing.T) {
	w := newWorld(t, Options{})
	c := w.as(t, named("a"))
	yes := true
	for _, s := range []Start{
		{Profile: "../x"}, {Profile: "."}, {Profile: "-x"}, {Profile: "remote"}, {Profile: "managed", Endpoint: "9222"},
		{Profile: "user", Headless: &yes}, {Endpoint: "9222", Executable: "x"}, {Header: map[string][]string{"A": {"b"}}},
	} {
		if _, err := c.Start(t.Context(), s); code(err) != fault.ValidationError {
			t.Errorf("%+v: %v", s, err)
		}
	}
	if _, err := c.Start(t.Context(), Start{URL: "file:///etc/passwd"}); code(err) != fault.PolicyDenied || w.engine.starts != 0 {
		t.Errorf("%v, %d starts", err, w.engine.starts)
	}
}

func TestCurrentPage(t *testing.T) {
	w := newWorld(t, Options{})
	c := w.as(t, named("a"))
	start(t, c)
	b := w.engine.any()
	open := func(id int) *page.Tab {
		w.pages.Event(b, "tab.connected", jsontext.Value(fmt.Sprintf(`{"tabId":%d,"url":"about:blank","level":"control","source":"managed","sessionId":%q}`, id, c.Key)))
		return w.pages.Find(b.ID(), id)
	}
	first, err := c.Tab(0)
	if err != nil {
		t.Fatal(err)
	}
	second := open(2)
	if now, _ := c.Tab(0); now != first {
		t.Error("a page that opens takes the place of the current one")
	}
	c.Use(second)
	third := open(3)
	c.Use(third)
	w.pages.Event(b, "tab.disconnected", jsontext.Value(`{"tabId":3,"reason":"closed"}`))
	if now, _ := c.Tab(0); now != second {
		t.Error("after its end not the page used before it")
	}
	if _, err := c.Tab(99); code(err) != fault.PageNotFound || !strings.Contains(err.Error(), fmt.Sprint(second.PageID())) {
		t.Errorf("%v", err)
	}
}

// Of a context in use, nothing is read or written on disk with each command.
func BenchmarkResolve(b *testing.B) {
	hub := session.NewHub(session.Config{Epoch: "e"})
	defer hub.Close()
	pages := page.NewManager(hub, nil, zerolog.Nop())
	defer pages.Close()
	m := NewManager(pages)
	defer m.Close(context.Background())
	c := caller.Caller{ContextEnv: "bench", Anchor: 1, AnchorAt: "1"}
	for b.Loop() {
		ctx, cancel := context.WithCancel(context.Background())
		if _, _, err := m.Resolve(ctx, c); err != nil {
			b.Fatal(err)
		}
		cancel()
	}
}

func TestTurnOfAContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		c := w.as(t, named("a"))
		done, err := c.Turn(t.Context(), "element.click")
		if err != nil {
			t.Fatal(err)
		}
		other, err := w.as(t, named("b")).Turn(t.Context(), "element.click")
		if err != nil {
			t.Fatalf("contexts wait for each other: %v", err)
		}
		other()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Turn(ctx, "element.fill"); code(err) != fault.ContextLockTimeout || !strings.Contains(err.Error(), "element.click") {
			t.Errorf("%v", err)
		}
		done()
		if done, err = c.Turn(t.Context(), "element.fill"); err != nil {
			t.Error(err)
		} else {
			done()
		}
	})
}

func TestOperatorsKey(t *testing.T) {
	w := newWorld(t, Options{})
	c := w.as(t, named("secret-name"))
	if found := w.as(t, caller.Caller{ContextID: c.Key}); found.e != c.e {
		t.Error("another context")
	}
	if _, _, err := w.Resolve(t.Context(), caller.Caller{ContextID: "ctx_0123456789abcdef"}); code(err) != fault.ContextNotFound {
		t.Errorf("%v", err)
	}
	for _, s := range w.All() {
		if strings.Contains(fmt.Sprintf("%+v", s), "secret-name") {
			t.Errorf("status tells what the key was made of: %+v", s)
		}
	}
}
