package devtools

import (
	"context"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// leave ends sessions because their client has no more use for them, and undoes what
// they left in the page as far as no other session wants it.
func (h *hub) leave(over func(*tabSession) bool) {
	h.mu.Lock()
	var gone []*tabSession
	for _, s := range slices.Clone(h.sessions) {
		for up := s; up != nil; up = up.parent {
			if over(up) {
				gone = append(gone, s)
				break
			}
		}
	}
	type step struct{ method, params, channel string }
	var steps []step
	for _, s := range gone {
		h.remove(s)
	}
	for _, s := range gone {
		if s.kind == kindTab || h.channels[s.channel] == nil {
			continue
		}
		for _, method := range slices.Sorted(maps.Keys(s.undo)) {
			if !h.others(s, func(other *tabSession) bool { return other.undo[method] }) {
				steps = append(steps, step{undoes[method].method, undoes[method].params, s.channel})
			}
		}
		for id := range s.scripts {
			steps = append(steps, step{"Page.removeScriptToEvaluateOnNewDocument", string(encode(map[string]string{"identifier": id})), s.channel})
		}
		for name := range s.bindings {
			if !h.others(s, func(other *tabSession) bool { return other.bindings[name] }) {
				steps = append(steps, step{"Runtime.removeBinding", string(encode(map[string]string{"name": name})), s.channel})
			}
		}
		if s.lifecycle && !h.others(s, func(other *tabSession) bool { return other.lifecycle }) {
			steps = append(steps, step{"Page.setLifecycleEventsEnabled", `{"enabled":false}`, s.channel})
		}
		for domain := range s.on {
			if h.tab.Release(s.channel, domain, s.id) {
				steps = append(steps, step{domain + ".disable", "", s.channel})
			}
		}
	}
	h.mu.Unlock()
	for _, step := range steps {
		h.tab.Begin(context.Background(), step.method, jsontext.Value(step.params), step.channel, func(jsontext.Value, error) {})
	}
}

// undoes is what ends a lasting effect of a method.
var undoes = map[string]struct{ method, params string }{
	"Emulation.setDeviceMetricsOverride":          {"Emulation.clearDeviceMetricsOverride", ""},
	"Emulation.setUserAgentOverride":              {"Emulation.setUserAgentOverride", `{"userAgent":""}`},
	"Network.setUserAgentOverride":                {"Emulation.setUserAgentOverride", `{"userAgent":""}`},
	"Emulation.setTouchEmulationEnabled":          {"Emulation.setTouchEmulationEnabled", `{"enabled":false}`},
	"Emulation.setEmitTouchEventsForMouse":        {"Emulation.setEmitTouchEventsForMouse", `{"enabled":false}`},
	"Emulation.setEmulatedMedia":                  {"Emulation.setEmulatedMedia", `{"media":"","features":[]}`},
	"Emulation.setEmulatedVisionDeficiency":       {"Emulation.setEmulatedVisionDeficiency", `{"type":"none"}`},
	"Emulation.setGeolocationOverride":            {"Emulation.clearGeolocationOverride", ""},
	"Emulation.setTimezoneOverride":               {"Emulation.setTimezoneOverride", `{"timezoneId":""}`},
	"Emulation.setLocaleOverride":                 {"Emulation.setLocaleOverride", `{}`},
	"Emulation.setCPUThrottlingRate":              {"Emulation.setCPUThrottlingRate", `{"rate":1}`},
	"Emulation.setFocusEmulationEnabled":          {"Emulation.setFocusEmulationEnabled", `{"enabled":false}`},
	"Emulation.setScriptExecutionDisabled":        {"Emulation.setScriptExecutionDisabled", `{"value":false}`},
	"Emulation.setDefaultBackgroundColorOverride": {"Emulation.setDefaultBackgroundColorOverride", `{}`},
	"Emulation.setScrollbarsHidden":               {"Emulation.setScrollbarsHidden", `{"hidden":false}`},
	"Emulation.setIdleOverride":                   {"Emulation.clearIdleOverride", ""},
	"Emulation.setDocumentCookieDisabled":         {"Emulation.setDocumentCookieDisabled", `{"disabled":false}`},
	"Emulation.setAutoDarkModeOverride":           {"Emulation.setAutoDarkModeOverride", `{}`},
	"Emulation.setAutomationOverride":             {"Emulation.setAutomationOverride", `{"enabled":false}`},
	"Emulation.setPageScaleFactor":                {"Emulation.resetPageScaleFactor", ""},
	"Network.setExtraHTTPHeaders":                 {"Network.setExtraHTTPHeaders", `{"headers":{}}`},
	"Network.setBlockedURLs":                      {"Network.setBlockedURLs", `{"urls":[]}`},
	"Network.setCacheDisabled":                    {"Network.setCacheDisabled", `{"cacheDisabled":false}`},
	"Network.setBypassServiceWorker":              {"Network.setBypassServiceWorker", `{"bypass":false}`},
	"Network.emulateNetworkConditions":            {"Network.emulateNetworkConditions", `{"offline":false,"latency":0,"downloadThroughput":-1,"uploadThroughput":-1}`},
	"Page.setBypassCSP":                           {"Page.setBypassCSP", `{"enabled":false}`},
	"Page.setInterceptFileChooserDialog":          {"Page.setInterceptFileChooserDialog", `{"enabled":false}`},
	"Page.startScreencast":                        {"Page.stopScreencast", ""},
	"Input.setInterceptDrags":                     {"Input.setInterceptDrags", `{"enabled":false}`},
	"Input.setIgnoreInputEvents":                  {"Input.setIgnoreInputEvents", `{"ignore":false}`},
	"Overlay.setInspectMode":                      {"Overlay.setInspectMode", `{"mode":"none","highlightConfig":{}}`},
	"Debugger.pause":                              {"Debugger.resume", ""},
	"Tracing.start":                               {"Tracing.end", ""},
}
