package docgen

// examples has one command of each type; a test decodes each with the real decoder.
var examples = map[string]string{
	"click":                `{"type":"click","target":{"ref":"e12"}}`,
	"type":                 `{"type":"type","target":{"selector":"#email"},"text":"ada@harbour.test","clear":true}`,
	"hover":                `{"type":"hover","target":{"role":"button","name":"Menu"}}`,
	"focus":                `{"type":"focus","target":{"stableId":"email"}}`,
	"select":               `{"type":"select","target":{"selector":"#country"},"value":"Spain"}`,
	"scroll":               `{"type":"scroll","y":600}`,
	"navigate":             `{"type":"navigate","url":"http://localhost:3000/cart"}`,
	"evaluate":             `{"type":"evaluate","code":"document.title"}`,
	"dialog.handle":        `{"type":"dialog.handle","accept":true,"text":"Aurora"}`,
	"request_ui_tree":      `{"type":"request_ui_tree","requestId":"r1"}`,
	"request_state":        `{"type":"request_state","scope":"cart"}`,
	"request_dom_snapshot": `{"type":"request_dom_snapshot"}`,
	"cdp_request":          `{"type":"cdp_request","id":1,"method":"DOM.getDocument","params":{"depth":1}}`,
	"cdp_subscribe":        `{"type":"cdp_subscribe","methods":["Network.requestWillBeSent"]}`,
	"cancel":               `{"type":"cancel","requestId":"r1"}`,
}
