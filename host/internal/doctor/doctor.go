// Package doctor checks every hop between an agent and a page, from the binary
// and the host manifests to the answer of each connected page, and says for a
// broken one what to do.
//
// It only looks: nothing is started, written or repaired. What it needs of
// others it takes as small interfaces, so that each broken hop is tested with a
// fake. It does not print: Report has JSON tags and Text.
package doctor

import (
	"context"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/install"
)

// Daemon is the running daemon's local API; *client.Client is one.
type Daemon interface {
	// Call does one request and decodes the answer's data into out. Its errors are faults.
	Call(ctx context.Context, method, path string, body, out any) error
}

// Env is what to examine.
type Env struct {
	Machine install.Env
	// Dial connects to a running daemon and starts none. The daemon is closed with done.
	Dial func(context.Context) (daemon Daemon, done func(), err error)
	// Secrets are files that only this person may read, where they exist.
	Secrets []string
	// WantedPort is the port asked for (DBRIDGE_PORT or the default).
	WantedPort int
	// Probe connects to the TCP port; nil: ProbePort.
	Probe func(ctx context.Context, port int) error
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Time limits; a doctor that hangs is no doctor.
const (
	dialLimit  = 5 * time.Second
	probeLimit = 3 * time.Second
	echoLimit  = 10 * time.Second // the daemon gives the pages 5 s
)

// status is the part of GET /v1/daemon/status that is looked at.
type status struct {
	Pid      int       `json:"pid"`
	Version  string    `json:"version"`
	Port     int       `json:"port"`
	Browsers []browser `json:"browsers"`
}

type browser struct {
	ID               string  `json:"id"`
	Name             string  `json:"name"`
	Browser          string  `json:"browser"`
	ExtensionVersion string  `json:"extensionVersion"`
	Ms               float64 `json:"ms"`
	Error            string  `json:"error"`
	Pages            []page  `json:"pages"`
}

type page struct {
	PageID int     `json:"pageId"`
	URL    string  `json:"url"`
	Ms     float64 `json:"ms"`
	Error  string  `json:"error"`
	Fix    string  `json:"fix"`
}

// examination is one run.
type examination struct {
	env    Env
	report Report

	daemon    Daemon
	daemonErr error
	status    status
	dialMs    float64
}

// Run examines every hop in order.
func Run(ctx context.Context, env Env) Report {
	if env.Now == nil {
		env.Now = time.Now
	}
	if env.Probe == nil {
		env.Probe = ProbePort
	}
	x := &examination{env: env, report: Report{Version: env.Machine.Version}}
	// The daemon is asked first: how grave a missing file is depends on whether a browser is connected all the same.
	done := x.ask(ctx)
	defer done()
	x.binary()
	x.manifests()
	x.extension()
	x.running()
	x.port(ctx)
	x.secrets()
	x.connected()
	x.echo(ctx)
	x.report.finish()
	return x.report
}

func (x *examination) ask(ctx context.Context) (done func()) {
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	start := x.env.Now()
	daemon, done, err := x.env.Dial(ctx)
	if err == nil {
		if err = daemon.Call(ctx, "GET", "/v1/daemon/status", nil, &x.status); err == nil {
			x.daemon = daemon
		}
	}
	x.daemonErr = err
	x.dialMs = x.since(start)
	if done == nil {
		done = func() {}
	}
	return done
}

// since gives milliseconds with three digits after the point.
func (x *examination) since(start time.Time) float64 {
	return float64(x.env.Now().Sub(start).Microseconds()) / 1000
}

// reached reports that at least one browser is connected, so that its files must be good enough.
func (x *examination) reached() bool { return x.daemon != nil && len(x.status.Browsers) > 0 }

func (x *examination) add(hop Hop) { x.report.Hops = append(x.report.Hops, hop) }

func (x *examination) binary() {
	start := x.env.Now()
	err := x.env.Machine.CheckExecutable()
	hop := Hop{Hop: "binary", Status: OK, Ms: x.since(start), Line: x.env.Machine.Executable + ", version " + x.env.Machine.Version}
	if err != nil {
		f := fault.From(err)
		hop.Line += ": " + f.Message
		hop.Fix = first(f.Suggestions)
		hop.Status, hop.Code = Fail, f.Code
		if x.reached() {
			hop.Status = Warn // another, fit binary serves the browser
		}
	}
	x.add(hop)
}

func first(suggestions []string) string {
	if len(suggestions) == 0 {
		return ""
	}
	return suggestions[0]
}
