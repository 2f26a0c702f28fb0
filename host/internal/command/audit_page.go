package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/debug-bridge/debug-bridge/host/internal/audit"
	"github.com/debug-bridge/debug-bridge/host/internal/console"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

type auditPageParams struct {
	Reload    bool   `json:"reload,omitempty" doc:"Load the page again first: vitals, requests and headers are then of that load."`
	Device    string `json:"device,omitempty" enum:"mobile,desktop" doc:"Load it as on this device; taken back afterwards."`
	NoA11y    bool   `json:"noA11y,omitempty" doc:"Without the summary of accessibility, which takes most of the time."`
	File      string `json:"file,omitempty" local:"true" doc:"Write the report here too: .json, .html or .txt."`
	Overwrite bool   `json:"overwrite,omitempty" doc:"Replace the file."`
}

type auditPageResult struct {
	audit.Page
	File string `json:"file,omitempty" doc:"The report."`
}

func (r auditPageResult) Text() string {
	text := r.Page.Text()
	if r.File != "" {
		text += "\n" + r.File
	}
	return text
}

func auditPage(ctx context.Context, env *Env, p *auditPageParams) (auditPageResult, error) {
	form, err := reportForm(p.File)
	if err != nil {
		return auditPageResult{}, err
	}
	record, err := env.records()
	if err != nil {
		return auditPageResult{}, err
	}
	if err := record.listen(ctx, env); err != nil {
		return auditPageResult{}, err
	}
	release, err := holdForAudit(ctx, env)
	if err != nil {
		return auditPageResult{}, err
	}
	defer release()
	env.Dispatched()
	effect := protocol.EffectNoop
	if p.Device != "" {
		restore, err := env.emulateDevice(ctx, p.Device)
		defer restore()
		if err != nil {
			return auditPageResult{}, err
		}
	}
	if p.Reload || p.Device != "" {
		effect = protocol.EffectNavigated
		if err := loadAgain(ctx, env); err != nil {
			return auditPageResult{}, err
		}
	}
	report, err := seePage(ctx, env, record)
	if err != nil {
		return auditPageResult{}, err
	}
	report.Device, report.Loaded = p.Device, effect == protocol.EffectNavigated
	if !p.NoA11y {
		env.Say("testing the accessibility")
		a11y, err := runAxe(ctx, env, &auditA11yParams{Limit: 1}, false)
		if err != nil {
			return auditPageResult{}, err
		}
		report.A11y = a11y.Brief()
	}
	env.Did(effect, "cdp")
	out := auditPageResult{Page: *report}
	if p.File != "" {
		out.File, err = writeReport(env, p.File, p.Overwrite, form, report)
	}
	return out, err
}

// loadAgain loads the page and waits until its network is silent.
func loadAgain(ctx context.Context, env *Env) error {
	s := env.Tab.Session("")
	steps, cancel := s.Subscribe(cdppage.LifecycleEvent.Method) // before the load
	defer cancel()
	if _, err := cdp.Call(ctx, s, cdppage.SetLifecycleEventsEnabled, cdppage.SetLifecycleEventsEnabledParams{Enabled: true}); err != nil {
		return err
	}
	if _, err := env.Perform(ctx, "navigate", &protocol.NavigateParams{Reload: true}); err != nil {
		return err
	}
	_, err := awaitIdle(ctx, s, steps)
	return err
}

// devices are those of Lighthouse, without its slow network and processor: `emulation set` has them.
// https://github.com/GoogleChrome/lighthouse/blob/main/core/config/constants.js
var devices = map[string]struct{ viewport, agent string }{
	"mobile":  {"412x823@1.75,mobile,touch", "Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0 Mobile Safari/537.36"},
	"desktop": {"1350x940@1", ""},
}

var chromeMajor = lazy.MustCompile(`Chrome/(\d+)`)

// emulateDevice makes the page take the browser for a device; restore gives it what was emulated before.
func (e *Env) emulateDevice(ctx context.Context, name string) (restore func(), err error) {
	wanted := map[string]string{"viewport": devices[name].viewport}
	if agent := devices[name].agent; agent != "" {
		major := "150"
		if found := chromeMajor.FindStringSubmatch(e.Tab.Info().UserAgent); found != nil {
			major = found[1]
		}
		wanted["userAgent"] = fmt.Sprintf(agent, major)
	}
	emulates := emulationOf(e.Tab)
	emulates.mu.Lock()
	defer emulates.mu.Unlock()
	set := func(ctx context.Context, setting, value string) error {
		err := appliers[setting](ctx, e.Tab.Session(""), value)
		spread(ctx, e.Tab, setting, value)
		return err
	}
	restore = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookCleanup)
		defer cancel()
		emulates.mu.Lock()
		defer emulates.mu.Unlock()
		for setting := range wanted {
			before := emulates.setting[setting]
			if before == "" {
				before = auto
			}
			_ = set(ctx, setting, before) // a page that is gone emulates nothing
		}
	}
	for setting, value := range wanted {
		if err := set(ctx, setting, value); err != nil {
			return restore, err
		}
	}
	return restore, nil
}

// pageFacts is what the script tells of a frame.
type pageFacts struct {
	URL    string      `json:"url"`
	Title  string      `json:"title"`
	Secure bool        `json:"secure"`
	Hidden bool        `json:"hidden"`
	Head   *audit.Head `json:"head"`
	Vitals map[string]struct {
		Value    float64 `json:"value"`
		Elements []int   `json:"elements"`
		URL      string  `json:"url"`
		Kind     string  `json:"kind"`
	} `json:"vitals"`
	Resources []struct {
		URL      string  `json:"url"`
		Type     string  `json:"type"`
		Bytes    int64   `json:"bytes"`
		Ms       float64 `json:"ms"`
		Blocking bool    `json:"blocking"`
		Status   int     `json:"status"`
	} `json:"resources"`
	Lists map[string][]struct {
		Element int    `json:"element"`
		Text    string `json:"text"`
	} `json:"lists"`
	Counts map[string]int `json:"counts"`
}

// addressed are the lists whose texts are addresses.
var addressed = []string{"image-alt", "image-size", "link-text", "http-link", "mixed-active", "mixed-passive"}

// seePage reads the frames and what was recorded, and judges it.
func seePage(ctx context.Context, env *Env, r *record) (*audit.Page, error) {
	l, err := look(ctx, env, "page", "open")
	if err != nil {
		return nil, err
	}
	defer l.close()
	seen := &audit.Seen{Vitals: map[string]audit.Measure{}, Elements: map[string][]audit.Element{}, Counts: map[string]int{}}
	var top pageFacts
	for _, f := range l.frames {
		var facts pageFacts
		if _, err := f.call(ctx, "read", &facts); err != nil {
			if f.ID == "main" {
				return nil, err
			}
			l.left++
			continue
		}
		if f.ID == "main" {
			top = facts
		}
		if err := l.note(ctx, seen, f, &facts, top.URL); err != nil {
			return nil, err
		}
	}
	seen.URL, seen.Secure = redact.URL(top.URL), top.Secure
	if top.Head != nil {
		seen.Head = maskHead(*top.Head)
	}
	consoleSeen(r, seen, top.URL)
	r.requestsSeen(ctx, seen, &top, l.frame("main").FrameID)
	report := audit.Judge(seen)
	report.Title = redact.Text(top.Title)
	if top.Hidden {
		report.Notes = append(report.Notes, "The page is in the background: browsers measure no paints there. Show it, and give --reload.")
	}
	if l.left > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d frames could not be looked into.", l.left))
	}
	if !seen.RequestsKnown {
		report.Notes = append(report.Notes, "The document's response was not recorded; with --reload it is.")
	}
	return report, nil
}

// note adds what a frame told, its elements by their refs.
func (l *looker) note(ctx context.Context, seen *audit.Seen, f *lookedFrame, facts *pageFacts, pageURL string) error {
	var numbers []int
	for _, list := range facts.Lists {
		for _, e := range list[:min(len(list), auditPlaces)] {
			numbers = append(numbers, e.Element)
		}
	}
	for _, v := range facts.Vitals {
		numbers = append(numbers, v.Elements...)
	}
	slices.Sort(numbers)
	places, err := l.places(ctx, f, slices.Compact(numbers))
	if err != nil {
		return err
	}
	for kind, list := range facts.Lists {
		seen.Counts[kind] += facts.Counts[kind]
		for _, e := range list[:min(len(list), auditPlaces)] {
			words := redact.Text(e.Text)
			if slices.Contains(addressed, kind) {
				words = here(pageURL, redact.URL(e.Text))
			}
			seen.Elements[kind] = append(seen.Elements[kind], audit.Element{Place: places[e.Element], Words: words})
		}
	}
	for name, v := range facts.Vitals {
		m := audit.Measure{Value: v.Value}
		for _, number := range v.Elements {
			place := places[number]
			place.Text = v.Kind
			if v.URL != "" {
				place.At = here(pageURL, redact.URL(v.URL))
			}
			m.Where = append(m.Where, place)
		}
		seen.Vitals[name] = m
	}
	return nil
}

// auditPlaces are the elements of a kind that get a ref.
const auditPlaces = 5

// maskHead takes secrets out of the head's texts.
func maskHead(h audit.Head) audit.Head {
	for _, list := range []*[]string{&h.Titles, &h.Description} {
		*list = slices.Clone(*list)
		for i, text := range *list {
			(*list)[i] = redact.Text(text)
		}
	}
	h.Canonical = slices.Clone(h.Canonical)
	for i, address := range h.Canonical {
		h.Canonical[i] = redact.URL(address)
	}
	return h
}

// consoleSeen adds the errors of the console. Failed loads are in it too; they are told as requests.
func consoleSeen(r *record, seen *audit.Seen, pageURL string) {
	for _, m := range r.console.List(console.Query{Level: "error"}).Messages {
		if m.Source == "network" || m.Kind == "navigation" {
			continue
		}
		row := consoleRowOf(&m, pageURL)
		seen.Console = append(seen.Console, audit.Line{Text: row.Text, At: row.At, Thrown: m.Kind == "exception" || m.Kind == "rejection"})
	}
}

// requestsSeen adds the requests of this load: as they were recorded, or as the page
// itself measured them where the record begins later.
func (r *record) requestsSeen(ctx context.Context, seen *audit.Seen, top *pageFacts, frame cdp.FrameID) {
	blocking := map[string]float64{}
	for _, res := range top.Resources {
		if res.Blocking {
			blocking[redact.URL(res.URL)] = res.Ms
		}
	}
	list := r.network.List(network.Query{}).Requests
	document := 0
	for i := range list {
		if req := &list[i]; req.Kind == "document" && req.FrameID == string(frame) && req.State != network.Redirected {
			document = req.ID
		}
	}
	if document == 0 {
		for _, res := range top.Resources {
			seen.Requests = append(seen.Requests, audit.Request{
				Kind: resourceKind(res.Type), Method: "GET", URL: here(top.URL, redact.URL(res.URL)), Status: res.Status, Bytes: res.Bytes, Ms: res.Ms, Blocking: res.Blocking,
			})
		}
		return
	}
	seen.HeadersKnown, seen.RequestsKnown = true, true
	r.awaitHeaders(ctx, document)
	if req, ok := r.network.Get(document, false); ok {
		for _, h := range req.ResponseHeaders {
			seen.Headers = append(seen.Headers, audit.Header{Name: h.Name, Value: h.Value})
		}
	}
	for i := range list {
		req := &list[i]
		if scheme, _, _ := strings.Cut(req.URL, ":"); scheme == "data" || scheme == "blob" || req.Cancelled {
			continue
		}
		ms, blocks := blocking[req.URL]
		if !blocks {
			ms = req.Ms
		}
		seen.Requests = append(seen.Requests, audit.Request{
			ID: req.ID, Kind: req.Kind, Method: req.Method, URL: here(top.URL, brief(req.URL, 300)), Status: req.Status, Failure: failureOf(req),
			Bytes: req.Encoded, Ms: ms, Blocking: blocks,
		})
	}
}

// resourceKind names what asked for a file as the record does.
func resourceKind(initiator string) string {
	if kind, ok := map[string]string{"link": "stylesheet", "css": "stylesheet", "img": "image", "xmlhttprequest": "xhr", "iframe": "document"}[initiator]; ok {
		return kind
	}
	return initiator
}
