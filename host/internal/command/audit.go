package command

import (
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// auditTimeout is for axe-core, which takes seconds on a page of ten thousand elements.
const auditTimeout = 2 * time.Minute

var auditCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "audit.a11y", Tool: "audit_accessibility", Summary: "Test the page's accessibility with axe-core: what violates WCAG, with refs.",
		Long: "All frames, open and closed shadow roots. Each violation has its impact, rule, help address, and elements with a ref that `element click` takes. " +
			"What axe cannot decide is counted; --incomplete lists it. --file writes all of it.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP, Timeout: auditTimeout, Positional: []string{"target"},
		Faults: []fault.Code{fault.ElementNotFound, fault.TargetAmbiguous, fault.TargetStale, fault.FileAccessFailed, fault.NavigationInterrupted, fault.CDPError},
		Examples: []catalog.Example{
			{Line: "audit a11y --output text"},
			{Line: "audit a11y --impact serious --standard wcag21aa", Note: "what weighs most"},
			{Line: "audit a11y css=body --rules image-alt --rules label", Note: "a part of the page, two rules"},
			{Line: "audit a11y --file a11y.html --overwrite", Note: "all of it, for people"},
		},
	}, auditA11y),
	define(catalog.Spec{
		Name: "audit.page", Tool: "audit_page", Summary: "One report of the page: vitals, console, requests, markup, security headers, accessibility.",
		Long: "Console errors, failed requests, head, links, pictures, weight, headers. Each finding has its severity, evidence, place and fix; what is in order is counted. Vitals are of this load in this browser, rated by the thresholds of web.dev/vitals. " +
			"--reload measures a load of its own. --file writes it as JSON, HTML or text.",
		Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP, Timeout: auditTimeout,
		Faults: []fault.Code{fault.FileAccessFailed, fault.NavigationInterrupted, fault.CDPError},
		Examples: []catalog.Example{
			{Line: "audit page --output text"},
			{Line: "audit page --reload --device mobile --no-a11y", Note: "a load of its own, as on a phone"},
			{Line: "audit page --file audit.html --overwrite", Note: "a report for people"},
		},
	}, auditPage),
}
