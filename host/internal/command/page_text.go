package command

// fenced are the commands whose text is mostly the page's own. A face that gives it to
// an agent puts it between the lines of pagetext.Fence. The others quote a page's words
// in lines of their own, each cut, cleaned and on one line.
var fenced = map[string]bool{
	"audit.a11y": true, "audit.page": true,
	"capture.snapshot":  true,
	"cdp.send":          true,
	"component.inspect": true, "component.of": true, "component.tree": true,
	"console.get": true, "console.list": true, "console.wait": true,
	"dialog.status":   true,
	"layout.diagnose": true, "layout.styles": true,
	"network.frames": true, "network.get": true, "network.list": true, "network.wait": true,
	"observe.cause": true, "observe.events": true, "observe.find": true, "observe.picked": true, "observe.state": true,
	"observe.targets": true, "observe.wait-event": true,
	"page.downloads": true, "page.list": true, "page.wait-function": true,
	"record.show":  true,
	"runtime.eval": true,
	"state.get":    true, "state.list": true, "state.watch": true,
	"tools.call": true, "tools.list": true,
	"trace.insight": true,
}
