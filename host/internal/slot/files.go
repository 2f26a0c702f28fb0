package slot

import (
	"os"
	"path/filepath"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/lease"
)

// metadata is what the next daemon, and an operator, can read of a context.
type metadata struct {
	ContextKey  string          `json:"contextKeyHash"`
	ResolvedBy  string          `json:"resolvedBy"`
	Status      string          `json:"status"`
	Profile     string          `json:"profile"`
	Headless    bool            `json:"headless,omitempty"`
	Browser     string          `json:"browser,omitempty"`
	UserDataDir string          `json:"userDataDir,omitempty"`
	Process     chrome.Identity `json:"process,omitzero"`
	DaemonPid   int             `json:"daemonPid"`
	StartedAt   time.Time       `json:"startedAt"`
	CurrentPage int             `json:"currentPageId,omitempty"`
}

// leaseFile is lease.json. It is written when it changes, and now and then while the
// context is used, not with every command.
type leaseFile struct {
	Owners     []lease.Owner `json:"owners"`
	AcquiredAt time.Time     `json:"acquiredAt"`
	LastSeenAt time.Time     `json:"lastSeenAt"`
	IdleMs     int64         `json:"idleMs,omitempty"`
	Keep       bool          `json:"keep,omitempty"`
}

// leaseFresh is how old lease.json may be.
const leaseFresh = 30 * time.Second

// describe writes both files of a context with a browser.
func (e *entry) describe() error {
	if e.files.Dir == "" {
		return nil
	}
	e.mu.Lock()
	r := e.running
	if r == nil {
		e.mu.Unlock()
		return nil
	}
	about := r.About()
	m := metadata{
		ContextKey: e.key.Name, ResolvedBy: e.key.By, Status: "running", Profile: r.profile, Headless: r.plan.Headless, Browser: about.Product,
		UserDataDir: r.plan.Dir, Process: about.Process, DaemonPid: os.Getpid(), StartedAt: r.began.UTC(),
	}
	if n := len(e.used); n > 0 {
		m.CurrentPage = e.used[n-1]
	}
	e.mu.Unlock()
	err := e.files.Write(stateMetadata, m)
	if err == nil {
		err = e.writeLease()
	}
	if err != nil {
		e.failed(err)
	}
	return err
}

func (e *entry) writeLease() error {
	s := e.lease.State()
	file := leaseFile{Owners: s.Owners, AcquiredAt: s.Began.UTC(), LastSeenAt: s.Seen.UTC(), Keep: s.Terms.Keep}
	if !file.Keep {
		file.IdleMs = s.Terms.Idle.Milliseconds()
	}
	if err := e.files.Write(stateLease, file); err != nil {
		return err
	}
	e.mu.Lock()
	e.told = file
	e.mu.Unlock()
	return nil
}

func (e *entry) failed(err error) {
	e.mu.Lock()
	e.failures++
	first := e.failures == 1
	e.mu.Unlock()
	if first {
		e.m.o.Log.Warn().Err(err).Str("context", e.key.Name).Msg("a context's files cannot be written")
	}
}

// refresh writes lease.json anew where it is too far from the truth.
func (e *entry) refresh() {
	e.mu.Lock()
	needed := e.running != nil && e.files.Dir != ""
	told := e.told
	e.mu.Unlock()
	if !needed {
		return
	}
	s := e.lease.State()
	if s.Seen.Sub(told.LastSeenAt) < leaseFresh && len(s.Owners) == len(told.Owners) && s.Terms.Keep == told.Keep {
		return
	}
	if err := e.writeLease(); err != nil {
		e.failed(err)
	}
}

// removeFiles removes what does not outlive the browser.
func (e *entry) removeFiles() error {
	if e.files.Dir == "" {
		return nil
	}
	e.mu.Lock()
	e.folder = false
	e.mu.Unlock()
	return e.files.Remove()
}

// keepArtifacts is how long what a context made is kept after its last use.
const keepArtifacts = 7 * 24 * time.Hour

// clearLeftovers ends what an earlier daemon that died left: browsers that still run,
// their profiles and sockets, files that describe contexts. It runs before the first
// browser is started, so all that it finds is of another daemon.
func (m *Manager) clearLeftovers() {
	defer close(m.tidy)
	home := m.o.Home
	if home == nil {
		return
	}
	for _, name := range home.ListContexts() {
		files := home.ContextFiles(name)
		var left metadata
		// Without it, or with a damaged one, the browser cannot be known. It ends by
		// itself when its pipe does.
		if err := files.Read(stateMetadata, &left); err == nil && filepath.IsAbs(left.UserDataDir) {
			m.endOrphan(name, left)
			if !left.Process.Running() {
				chrome.ClearSocket(left.UserDataDir)
			}
		}
		if err := files.Remove(); err != nil {
			m.o.Log.Warn().Err(err).Str("context", name).Msg("files of an earlier daemon are left")
		}
		if time.Since(files.Newest()) > keepArtifacts {
			_ = os.RemoveAll(files.Dir) // old pictures; the next start tries again
		}
	}
}

// orphanGrace is what a browser may take to notice that its daemon is gone.
const orphanGrace = 2 * time.Second

// endOrphan ends a browser whose daemon died, if it does not by itself. The process is
// known by its start time, so a recycled number is left alone.
func (m *Manager) endOrphan(name string, left metadata) {
	if !left.Process.Running() {
		return
	}
	for deadline := time.Now().Add(orphanGrace); left.Process.Running() && time.Now().Before(deadline); {
		select {
		case <-time.After(20 * time.Millisecond):
		case <-m.ctx.Done():
			return
		}
	}
	if left.Process.Running() {
		m.o.Log.Warn().Str("context", name).Int("pid", left.Process.Pid).Msg("ending a browser that an earlier daemon left")
		left.Process.Kill()
	}
	for deadline := time.Now().Add(orphanGrace); left.Process.Running() && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond) // until the system has taken it away, so that its profile can go
	}
}
