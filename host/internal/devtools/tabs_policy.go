package devtools

import (
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
)

// takesHold are the methods, or DOMAIN.*, that act on a page: who sends one holds the
// page from then on, as with a command that acts. Chrome's clients send the first ones
// on every page that they attach to, to set the scene; those take no hold.
var takesHold = map[string]bool{
	"Emulation.setFocusEmulationEnabled": false,
	"Emulation.setEmulatedMedia":         false,
	"Input.setInterceptDrags":            false,

	"Input.*":                      true,
	"Emulation.*":                  true,
	"Page.navigate":                true,
	"Page.reload":                  true,
	"Page.navigateToHistoryEntry":  true,
	"Page.setDocumentContent":      true,
	"Page.handleJavaScriptDialog":  true,
	"Page.stopLoading":             true,
	"Page.setBypassCSP":            true,
	"Page.setWebLifecycleState":    true,
	"Page.crash":                   true,
	"Fetch.enable":                 true,
	"Network.setExtraHTTPHeaders":  true,
	"Network.setUserAgentOverride": true,
	"Network.setBlockedURLs":       true,
	"DOM.focus":                    true,
	"DOM.removeNode":               true,
	"DOM.removeAttribute":          true,
	"DOM.setAttributeValue":        true,
	"DOM.setAttributesAsText":      true,
	"DOM.setNodeName":              true,
	"DOM.setNodeValue":             true,
	"DOM.setOuterHTML":             true,
	"DOM.moveTo":                   true,
	"DOM.copyTo":                   true,
	"CSS.setStyleTexts":            true,
	"CSS.setStyleSheetText":        true,
	"CSS.addRule":                  true,
	"Debugger.pause":               true,
}

// sceneSetting are methods of clients that have just attached; on a page that another
// context holds they are answered without doing.
var sceneSetting = map[string]bool{
	"Emulation.setFocusEmulationEnabled":    true,
	"Emulation.setEmulatedMedia":            true,
	"Page.addScriptToEvaluateOnNewDocument": true,
	"Page.setFontFamilies":                  true,
}

// mayAct takes the hold on the page where the method acts. On a page that another
// context holds a client may read; scripts are refused, since they may do anything.
// answered says that the scene of such a page is left as it is.
func (s *tabSession) mayAct(m Message) (answered bool, err error) {
	c, t := s.port.b.c, s.hub.tab
	acts, listed := takesHold[m.Method]
	if !listed {
		acts = takesHold[domainOf(m.Method)+".*"]
	}
	if acts {
		if err := c.Hold(s.port.ctx, t, false); err != nil {
			return false, err
		}
	} else if script := page.RunsScript(m.Method); script || sceneSetting[m.Method] {
		holder, mine := c.Holder(t)
		switch {
		case holder == "" || mine:
		case sceneSetting[m.Method] && !(script && hasSource(m)):
			return true, nil
		default:
			return false, fault.New(fault.PageLeased, "%s is refused: page %d is held by %s; you may look at it, not run scripts in it", m.Method, t.PageID(), holder)
		}
	}
	if m.Method == "Page.navigate" && s.port.b.o.Allow != nil {
		var asked struct {
			URL string `json:"url"`
		}
		if err := decode(m.Params, &asked); err != nil {
			return false, fault.New(fault.ValidationError, "Invalid parameters")
		}
		return false, s.port.b.o.Allow(asked.URL)
	}
	return false, nil
}

// hasSource reports a script that does something: an empty one makes a world.
func hasSource(m Message) bool {
	var asked struct {
		Source string `json:"source"`
	}
	return decode(m.Params, &asked) != nil || asked.Source != ""
}

// permitted judges a message by the person's policy.
func (s *tabSession) permitted(m Message) error {
	t := s.hub.tab
	if err := t.Permit(m.Method, m.Params, s.channel); err != nil || page.Harmless(m.Method) {
		return err
	}
	return t.May(string(policy.DevTools))
}
