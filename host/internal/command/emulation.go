package command

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var emulationCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "emulation.set", Tool: "emulate", Summary: "Emulate a device, a network, a place or a person's preferences.",
		Long: "Settings add up until `emulation reset`; auto takes one back. They last for the page, over navigations, and end with the context. " +
			"Networks: offline, slow-3g, fast-3g, slow-4g, fast-4g, or DOWN/UP/LATENCY in kbit/s and ms (1600/750/150).",
		Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP,
		Faults: []fault.Code{fault.CDPError},
		Examples: []catalog.Example{
			{Line: "emulation set --viewport 390x844@3,mobile,touch --color-scheme dark"},
			{Line: "emulation set --network slow-3g --cpu 4"},
			{Line: "emulation set --geolocation 48.85,2.35 --timezone Europe/Paris --locale fr-FR"},
		},
	}, emulationSet),
	define(catalog.Spec{
		Name: "emulation.reset", Tool: "emulate_reset", Summary: "Take back all that emulation set.",
		Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP,
		Faults:   []fault.Code{fault.CDPError},
		Examples: []catalog.Example{{Line: "emulation reset"}, {Line: "emulation reset --page 1"}},
	}, emulationReset),
}

type emulationSetParams struct {
	Viewport      string   `json:"viewport,omitempty" doc:"WIDTHxHEIGHT in CSS px, then @SCALE, and mobile, touch, landscape after commas: 390x844@3,mobile,touch. auto takes it back."`
	UserAgent     string   `json:"userAgent,omitempty" doc:"User agent string; auto takes it back."`
	Network       string   `json:"network,omitempty" doc:"offline, slow-3g, fast-3g, slow-4g, fast-4g, DOWN/UP/LATENCY (kbit/s, kbit/s, ms) or auto."`
	Offline       *bool    `json:"offline,omitempty" doc:"Same as network offline; false takes it back."`
	CPU           float64  `json:"cpu,omitempty" min:"1" max:"100" doc:"Slow the processor down by this factor; 1 takes it back."`
	Geolocation   string   `json:"geolocation,omitempty" doc:"LATITUDE,LONGITUDE[,ACCURACY in m] or auto."`
	ColorScheme   string   `json:"colorScheme,omitempty" enum:"dark,light,auto" doc:"prefers-color-scheme."`
	ReducedMotion string   `json:"reducedMotion,omitempty" enum:"reduce,no-preference,auto" doc:"prefers-reduced-motion."`
	ForcedColors  string   `json:"forcedColors,omitempty" enum:"active,none,auto" doc:"forced-colors."`
	Contrast      string   `json:"contrast,omitempty" enum:"more,less,custom,no-preference,auto" doc:"prefers-contrast."`
	Media         string   `json:"media,omitempty" enum:"screen,print,auto" doc:"CSS media type."`
	Timezone      string   `json:"timezone,omitempty" doc:"IANA name, such as Europe/Paris, or auto."`
	Locale        string   `json:"locale,omitempty" doc:"BCP 47 tag, such as fr-FR, or auto."`
	Header        []string `json:"header,omitempty" doc:"Extra request header, NAME: VALUE; repeatable. An empty value takes one back."`
}

// emulated is what is emulated on a page, by parameter; its JSON is the result.
type emulated struct {
	mu      sync.Mutex
	setting map[string]string
	headers map[string]string
}

func (*emulated) Close() {} // the browser forgets it with the tab

type emulatedKey struct{}

func emulationOf(t *page.Tab) *emulated {
	return t.Keep(emulatedKey{}, func() page.Keeper {
		return &emulated{setting: map[string]string{}, headers: map[string]string{}}
	}).(*emulated)
}

type emulationResult struct {
	Active  map[string]string `json:"active" doc:"What is emulated now, by parameter."`
	Headers map[string]string `json:"headers,omitempty" doc:"Extra request headers."`
}

func (r emulationResult) Text() string {
	if len(r.Active) == 0 && len(r.Headers) == 0 {
		return "nothing is emulated"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(r.Active)) {
		parts = append(parts, name+" "+r.Active[name])
	}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		parts = append(parts, "header "+name)
	}
	return "emulating " + strings.Join(parts, " · ")
}

func (e *emulated) result() emulationResult {
	return emulationResult{Active: maps.Clone(e.setting), Headers: maps.Clone(e.headers)}
}

const auto = "auto"

// wish is one setting that is asked for.
type wish struct{ name, value string }

func (p *emulationSetParams) wishes() []wish {
	list := []wish{
		{"viewport", p.Viewport}, {"userAgent", p.UserAgent}, {"network", p.Network}, {"geolocation", p.Geolocation},
		{"colorScheme", p.ColorScheme}, {"reducedMotion", p.ReducedMotion}, {"forcedColors", p.ForcedColors}, {"contrast", p.Contrast},
		{"media", p.Media}, {"timezone", p.Timezone}, {"locale", p.Locale},
	}
	if p.CPU != 0 {
		list = append(list, wish{"cpu", strconv.FormatFloat(p.CPU, 'f', -1, 64)})
	}
	if p.Offline != nil {
		value := auto
		if *p.Offline {
			value = "offline"
		}
		list = append(list, wish{"network", value})
	}
	return slices.DeleteFunc(list, func(w wish) bool { return w.value == "" })
}

// appliers set, or take back, one setting. Media features and headers are set together, after.
var appliers = map[string]func(context.Context, cdp.Session, string) error{
	"viewport":    applyViewport,
	"userAgent":   applyUserAgent,
	"network":     applyNetwork,
	"geolocation": applyGeolocation,
	"timezone":    applyTimezone,
	"locale":      applyLocale,
	"cpu":         applyCPU,
}

// features are the media features by parameter.
var features = map[string]string{
	"colorScheme": "prefers-color-scheme", "reducedMotion": "prefers-reduced-motion",
	"forcedColors": "forced-colors", "contrast": "prefers-contrast",
}

func emulationSet(ctx context.Context, env *Env, p *emulationSetParams) (emulationResult, error) {
	wishes := p.wishes()
	if len(wishes) == 0 && len(p.Header) == 0 {
		return emulationResult{}, problem("nothing to emulate was given").Suggest("dbridge emulation set --viewport 390x844@3,mobile --color-scheme dark", "dbridge emulation set --help")
	}
	headers, err := readHeaders(p.Header)
	if err != nil {
		return emulationResult{}, err
	}
	e := emulationOf(env.Tab)
	e.mu.Lock()
	defer e.mu.Unlock()
	env.Dispatched()
	if err := env.Tab.Hold(ctx, holdsEmulation, true); err != nil {
		return emulationResult{}, err
	}
	// Noted first: what is set in part is taken back too.
	tab := env.Tab
	env.Context.Undo("emulation of page "+strconv.Itoa(tab.PageID()), func(ctx context.Context) error { return resetEmulation(ctx, tab) })
	s := tab.Session("")
	media := false
	for _, w := range wishes {
		if apply, ok := appliers[w.name]; ok {
			if err := apply(ctx, s, w.value); err != nil {
				return e.result(), err
			}
			spread(ctx, tab, w.name, w.value)
		} else {
			media = true
		}
		if w.value == auto || w.name == "cpu" && w.value == "1" {
			delete(e.setting, w.name)
		} else {
			e.setting[w.name] = w.value
		}
	}
	if media {
		if err := e.applyMedia(ctx, s); err != nil {
			return e.result(), err
		}
	}
	if len(headers) > 0 {
		for name, value := range headers {
			if value == "" {
				delete(e.headers, name)
			} else {
				e.headers[name] = value
			}
		}
		if err := e.applyHeaders(ctx, s); err != nil {
			return e.result(), err
		}
	}
	env.Did(protocol.EffectChanged, "cdp")
	return e.result(), nil
}

type emulationResetParams struct{}

func emulationReset(ctx context.Context, env *Env, _ *emulationResetParams) (emulationResult, error) {
	env.Dispatched()
	if err := resetEmulation(ctx, env.Tab); err != nil {
		return emulationResult{}, err
	}
	env.Context.Undo("emulation of page "+strconv.Itoa(env.Tab.PageID()), nil)
	env.Did(protocol.EffectChanged, "cdp")
	return emulationResult{Active: map[string]string{}}, nil
}

// resetEmulation takes back what was set, and only that.
func resetEmulation(ctx context.Context, t *page.Tab) error {
	e := emulationOf(t)
	e.mu.Lock()
	defer e.mu.Unlock()
	s := t.Session("")
	media := false
	for _, name := range slices.Sorted(maps.Keys(e.setting)) {
		if apply, ok := appliers[name]; ok {
			if err := apply(ctx, s, auto); err != nil {
				return err
			}
			spread(ctx, t, name, auto)
		} else {
			media = true
		}
		delete(e.setting, name)
	}
	if media {
		if err := e.applyMedia(ctx, s); err != nil {
			return err
		}
	}
	if len(e.headers) > 0 {
		clear(e.headers)
		if err := e.applyHeaders(ctx, s); err != nil {
			return err
		}
	}
	return t.Hold(ctx, holdsEmulation, false)
}

// holdsEmulation is the name under which emulation keeps the debugger on a page of the
// user's browser: letting it go would undo the emulation.
const holdsEmulation = "emulation"

var viewportPattern = lazy.MustCompile(`^(\d{1,5})x(\d{1,5})(?:x|@)?(\d+(?:\.\d+)?)?((?:,(?:mobile|touch|landscape))*)$`)

func applyViewport(ctx context.Context, s cdp.Session, value string) error {
	if value == auto {
		off := false
		if _, err := cdp.Call(ctx, s, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: off}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, s, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
		return err
	}
	parts := viewportPattern.FindStringSubmatch(value)
	if parts == nil {
		return problem("viewport %q is not like 390x844@3,mobile,touch", value).Suggest("dbridge emulation set --viewport 1280x800")
	}
	width, _ := strconv.ParseInt(parts[1], 10, 64)
	height, _ := strconv.ParseInt(parts[2], 10, 64)
	scale, _ := strconv.ParseFloat(parts[3], 64)
	words := strings.Split(parts[4], ",")
	if slices.Contains(words, "landscape") && height > width {
		width, height = height, width
	}
	_, err := cdp.Call(ctx, s, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: scale, Mobile: slices.Contains(words, "mobile"),
	})
	if err != nil {
		return err
	}
	_, err = cdp.Call(ctx, s, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: slices.Contains(words, "touch")})
	return err
}

func applyUserAgent(ctx context.Context, s cdp.Session, value string) error {
	if value == auto {
		value = ""
	}
	_, err := cdp.Call(ctx, s, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: value})
	return err
}

// throughput and latency of the presets, as Lighthouse and DevTools have them
// (kbit/s down, kbit/s up, ms), with their adjustment factors applied.
var networks = map[string][3]float64{
	"slow-3g": {400, 400, 2000},
	"fast-3g": {1440, 675, 562.5},
	"slow-4g": {1440, 675, 562.5},
	"fast-4g": {8100, 1350, 165},
}

// networkConditions are the parameters of Network.emulateNetworkConditions, which cdproto leaves out.
type networkConditions struct {
	Offline            bool    `json:"offline"`
	Latency            float64 `json:"latency"`
	DownloadThroughput float64 `json:"downloadThroughput"`
	UploadThroughput   float64 `json:"uploadThroughput"`
}

func applyNetwork(ctx context.Context, s cdp.Session, value string) error {
	// -1 switches a limit off (Network.emulateNetworkConditions).
	params := networkConditions{DownloadThroughput: -1, UploadThroughput: -1}
	name := strings.ReplaceAll(strings.ToLower(value), " ", "-")
	switch preset, ok := networks[name]; {
	case name == auto:
	case name == "offline":
		params.Offline = true
	case ok:
		params.DownloadThroughput, params.UploadThroughput, params.Latency = preset[0]*1000/8, preset[1]*1000/8, preset[2]
	default:
		var down, up, latency float64
		if n, _ := fmt.Sscanf(value, "%f/%f/%f", &down, &up, &latency); n != 3 || down <= 0 || up <= 0 || latency < 0 {
			return problem("network %q is no preset and not DOWN/UP/LATENCY", value).
				Suggest("dbridge emulation set --network slow-3g", "dbridge emulation set --network 1600/750/150")
		}
		params.DownloadThroughput, params.UploadThroughput, params.Latency = down*1000/8, up*1000/8, latency
	}
	if err := s.Call(ctx, network.CommandEnable, network.EnableParams{}, nil); err != nil {
		return err
	}
	return s.Call(ctx, "Network.emulateNetworkConditions", params, nil)
}

func applyGeolocation(ctx context.Context, s cdp.Session, value string) error {
	if value == auto {
		_, err := cdp.Call(ctx, s, emulation.ClearGeolocationOverride, cdp.Empty{})
		return err
	}
	var numbers []float64
	for part := range strings.SplitSeq(value, ",") {
		number, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			numbers = nil
			break
		}
		numbers = append(numbers, number)
	}
	if len(numbers) == 2 {
		numbers = append(numbers, 10)
	}
	if len(numbers) != 3 || numbers[0] < -90 || numbers[0] > 90 || numbers[1] < -180 || numbers[1] > 180 {
		return problem("geolocation %q is not LATITUDE,LONGITUDE[,ACCURACY]", value).Suggest("dbridge emulation set --geolocation 48.85,2.35")
	}
	_, err := cdp.Call(ctx, s, emulation.SetGeolocationOverride, emulation.SetGeolocationOverrideParams{
		Latitude: &numbers[0], Longitude: &numbers[1], Accuracy: &numbers[2],
	})
	return err
}

func applyTimezone(ctx context.Context, s cdp.Session, value string) error {
	if value == auto {
		value = ""
	}
	_, err := cdp.Call(ctx, s, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: value})
	return err
}

func applyLocale(ctx context.Context, s cdp.Session, value string) error {
	params := map[string]any{}
	if value != auto {
		params["locale"] = value
	}
	return s.Call(ctx, emulation.CommandSetLocaleOverride, params, nil)
}

func applyCPU(ctx context.Context, s cdp.Session, value string) error {
	rate := 1.0
	if value != auto {
		rate, _ = strconv.ParseFloat(value, 64) // it was made from a number
	}
	_, err := cdp.Call(ctx, s, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: rate})
	return err
}

// applyMedia sets media type and features, which the browser takes all at once.
func (e *emulated) applyMedia(ctx context.Context, s cdp.Session) error {
	params := map[string]any{"media": e.setting["media"]}
	list := []map[string]string{}
	for name, feature := range features {
		if value, ok := e.setting[name]; ok {
			list = append(list, map[string]string{"name": feature, "value": value})
		}
	}
	params["features"] = list
	return s.Call(ctx, emulation.CommandSetEmulatedMedia, params, nil)
}

func (e *emulated) applyHeaders(ctx context.Context, s cdp.Session) error {
	if err := s.Call(ctx, network.CommandEnable, network.EnableParams{}, nil); err != nil {
		return err
	}
	raw, err := json.Marshal(e.headers)
	if err != nil {
		return fault.From(err)
	}
	return s.Call(ctx, network.CommandSetExtraHTTPHeaders, map[string]any{"headers": json.RawMessage(raw)}, nil)
}

// readHeaders reads NAME: VALUE lines.
func readHeaders(lines []string) (map[string]string, error) {
	headers := make(map[string]string, len(lines))
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(line, "\r\n") {
			return nil, problem("header %q is not NAME: VALUE", line).Suggest(`dbridge emulation set --header "X-Test: 1"`)
		}
		headers[name] = strings.TrimSpace(value)
	}
	return headers, nil
}
