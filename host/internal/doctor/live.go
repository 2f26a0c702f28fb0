package doctor

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func (x *examination) running() {
	hop := Hop{Hop: "daemon", Ms: x.dialMs, Status: OK}
	if x.daemon == nil {
		f := fault.From(x.daemonErr)
		hop.Status, hop.Code = Fail, f.Code
		hop.Line, hop.Fix = f.Message, first(f.Suggestions)
		if f.Code == fault.DaemonUnavailable && f.Details["reason"] == "not_running" {
			hop.Line, hop.Fix = "not running; a browser with the extension starts it, or you do", "dbridge daemon start"
		}
		x.add(hop)
		return
	}
	hop.Line = fmt.Sprintf("process %d, version %s", x.status.Pid, x.status.Version)
	if x.status.Version != x.env.Machine.Version {
		hop.Status, hop.Code = Warn, fault.VersionMismatch
		hop.Line += "; this binary is " + x.env.Machine.Version
		hop.Fix = "dbridge daemon stop, then dbridge daemon start"
	}
	x.add(hop)
}

// skipped adds a hop that cannot be examined.
func (x *examination) skipped(hop, why string) {
	x.add(Hop{Hop: hop, Status: Skip, Line: "not checked: " + why})
}

// port asks the address that agents use. That it is ours follows from the
// daemon's own word, given over the socket of this person, that it holds the
// port; the probe then shows that it can be reached and guards its door.
func (x *examination) port(ctx context.Context) {
	if x.daemon == nil {
		x.skipped("port", "it needs the daemon")
		return
	}
	if x.status.Port == 0 {
		x.add(Hop{Hop: "port", Status: Warn, Line: "the daemon has no TCP port; agents reach it through `dbridge attach` only",
			Fix: "dbridge daemon stop, then dbridge daemon start"})
		return
	}
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	start := x.env.Now()
	err := x.env.Probe(ctx, x.status.Port)
	hop := Hop{Hop: "port", Status: OK, Ms: x.since(start)}
	hop.Line = fmt.Sprintf("127.0.0.1:%d answers, and only to those with a token", x.status.Port)
	if x.status.Port != x.env.WantedPort && x.env.WantedPort != 0 {
		hop.Line += fmt.Sprintf(" (%d was taken)", x.env.WantedPort)
	}
	if err != nil {
		hop.Status, hop.Code = Fail, fault.DaemonUnavailable
		hop.Line = fmt.Sprintf("127.0.0.1:%d: %v", x.status.Port, err)
		hop.Fix = "dbridge daemon stop, then dbridge daemon start; see which program uses the port if it stays"
	}
	x.add(hop)
}

// ProbePort asks for the root without a credential, and so gives none away to
// whoever listens. Our daemon answers 401.
func ProbePort(ctx context.Context, port int) error {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/", nil)
	if err != nil {
		return err
	}
	// A proxy of the environment has no part in this.
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)); err != nil {
		return err
	}
	if response.StatusCode != http.StatusUnauthorized {
		return fmt.Errorf("another program answers there (HTTP %d without a token)", response.StatusCode)
	}
	return nil
}

func (x *examination) connected() {
	if x.daemon == nil {
		x.skipped("browser", "it needs the daemon")
		return
	}
	if len(x.status.Browsers) == 0 {
		x.add(Hop{
			Hop: "browser", Status: Fail, Code: fault.ExtensionNotConnected,
			Line: "no browser with the extension is connected",
			Fix:  "open chrome://extensions, Developer mode, Load unpacked, " + x.env.Machine.Layout.Extension + "; if it is loaded, click its reload arrow or restart the browser",
		})
		return
	}
	for _, b := range x.status.Browsers {
		hop := Hop{Hop: "browser", Subject: b.title(), Status: OK, Line: "connected, extension " + b.ExtensionVersion}
		if want := x.env.Machine.ExtensionVersion(); want != "" && b.ExtensionVersion != want {
			hop.Status, hop.Code = Warn, fault.VersionMismatch
			hop.Line += "; this binary brings " + want
			hop.Fix = "dbridge install, then the reload arrow of Debug Bridge at chrome://extensions"
		}
		x.add(hop)
	}
}

func (b browser) title() string {
	if b.Name == "" {
		return b.Browser
	}
	return b.Browser + " (" + b.Name + ")"
}

// echo measures the way to each extension and to each connected page, there and back.
func (x *examination) echo(ctx context.Context) {
	if !x.reached() {
		x.skipped("echo", "it needs a connected browser")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, echoLimit)
	defer cancel()
	var answer struct {
		Browsers []browser `json:"browsers"`
	}
	start := x.env.Now()
	if err := x.daemon.Call(ctx, "POST", "/v1/doctor/echo", struct{}{}, &answer); err != nil {
		f := fault.From(err)
		x.add(Hop{Hop: "echo", Status: Fail, Code: f.Code, Ms: x.since(start), Line: f.Message, Fix: first(f.Suggestions)})
		return
	}
	if len(answer.Browsers) == 0 {
		x.add(Hop{Hop: "echo", Status: Fail, Code: fault.ExtensionNotConnected, Ms: x.since(start),
			Line: "the browser went away meanwhile", Fix: "dbridge doctor"})
		return
	}
	pages := 0
	for _, b := range answer.Browsers {
		hop := Hop{Hop: "echo", Subject: b.title(), Status: OK, Ms: b.Ms, Line: "the extension answers"}
		if b.Error != "" {
			hop.Status, hop.Line = Fail, "the extension does not answer: "+b.Error
			hop.Code = codeOf(b.Error, fault.ExtensionNotConnected)
			hop.Fix = "the reload arrow of Debug Bridge at chrome://extensions"
		}
		x.add(hop)
		for _, p := range b.Pages {
			pages++
			x.add(x.pageHop(p))
		}
	}
	if pages == 0 {
		x.add(Hop{Hop: "page", Status: Warn, Line: "no tab is connected", Fix: "open the Debug Bridge popup in a tab and click Connect"})
	}
}

func (x *examination) pageHop(p page) Hop {
	hop := Hop{Hop: "page", Subject: fmt.Sprintf("page %d", p.PageID), Status: OK, Ms: p.Ms, Line: "answers, " + p.URL}
	if p.Error == "" {
		return hop
	}
	hop.Status, hop.Line = Fail, "does not answer: "+p.Error+", "+p.URL
	hop.Code = codeOf(p.Error, fault.ExtensionNotConnected)
	row, _ := fault.Lookup(hop.Code)
	hop.Fix = first(row.Suggestions)
	switch {
	case p.Fix != "":
		hop.Fix = p.Fix
	case hop.Code == fault.ExtensionNotConnected:
		hop.Fix = "reload the tab, then Disconnect and Connect it in the popup"
	}
	return hop
}

// codeOf reads the code that a fault's text begins with.
func codeOf(text string, otherwise fault.Code) fault.Code {
	code, _, _ := strings.Cut(text, ":")
	if _, ok := fault.Lookup(fault.Code(code)); ok {
		return fault.Code(code)
	}
	return otherwise
}
