package command

// fenced are the commands whose text is mostly the page's own words, in as many lines as
// the page likes. A face that gives it to an agent puts it between the lines of
// pagetext.Fence. All others quote a page's words in lines of our own form, each cut and
// on one line; a fence around those would cost more than they do.
var fenced = map[string]bool{
	"capture.snapshot": true,
	"cdp.send":         true,
	"console.get":      true, "console.list": true, "console.wait": true,
	"dialog.status":  true,
	"network.frames": true, "network.get": true,
	"observe.cause": true, "observe.events": true, "observe.find": true, "observe.picked": true, "observe.wait-event": true,
	"page.wait-function": true,
	"record.show":        true,
	"runtime.eval":       true,
	"state.get":          true, "state.watch": true,
	"tools.call": true, "tools.list": true,
}
