package catalog

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// Whose words a member of a result holds is told by its doc tag ("Page text."), or by
// its JSON name in these lists. A member of one type that differs from its name's list
// stands in the other list as package.type.name. What may hold words of the page, even
// quoted within a sentence of ours, is the page's.
const (
	pageWords = `
		args at base64 can computed consoleErrors
		default defaultPrompt dialog does download errors event events evidence
		framework frameworks build function href html in inheritedFrom initiator
		keys leftOut loading mapped matched message method name newIssues node
		offers params patch property props purpose requestBody requestHeaders responseBody responseHeaders
		result scope script selector selectors site source stack states statusText summary
		tag target text title to tool tree url value values within written

		audit.Finding.fix
		auditlog.Entry.warnings
		command.componentResult.state
		command.consoleRow.frame
		command.downloadRow.path command.elementUploadResult.files
		command.frameRow.kind
		command.networkGetResult.mimeType
		command.runtimeEvalResult.type
		command.sessionStartResult.notes
		recording.Entry.state
		trace.Row.what`

	ourWords = `
		about active agent agentId agentName allow alternatives answer appId artifacts away axeVersion
		browser by capabilities capturedAt category cause cdpSessionId change checked choice code command completeSince
		config confirm context crossSite current deny detail device docs effect endpoint endpoints epoch executable
		expression face failure file fix frame frameId from har hash head headerEnv headers heldBy help helpUrl hidden hop
		hostVersion httpEndpoint id impact inline kind kinds last level made match mimeType mutationType
		next notChecked note notes off origin page pageTools passed path person phase picture prev product profile program protocol
		proxy proxyBypass rating readyState reason ref remoteAddress removed requestId requestType resolvedBy resourceType
		role rule rulesFailed secrets sessionId set severity sha256 since sites startedAt state suggestions switch
		tags time type unavailable under unit unmapped unmeasured unseen userDataDir variables version via viewport warnings what why worst

		audit.Vital.name
		auditlog.Entry.source
		command.asked.words
		command.connectPage.source
		command.leaseStatus.owners
		command.profileRow.name command.profileRow.source
		command.profileShowResult.args command.profileShowResult.name command.profileShowResult.source
		command.profileState.name
		command.secretRemoveResult.name command.secretRow.name
		command.sessionState.changes command.sessionState.name
		command.toolRow.source
		protocol.CDPEvent.method
		protocol.Hello.source protocol.PageInfo.source
		protocol.HostError.message
		trace.Insight.description trace.Insight.name trace.Insight.title trace.InsightState.name`
)

// trust tells by name, or by package.type.name, whether the words are the page's.
var trust = sync.OnceValue(func() map[string]bool {
	rows := make(map[string]bool)
	for _, name := range strings.Fields(pageWords) {
		rows[name] = true
	}
	for _, name := range strings.Fields(ourWords) {
		rows[name] = false
	}
	return rows
})

// TrustRows lists the names by which PageText decides, sorted.
func TrustRows() []string {
	return slices.Sorted(maps.Keys(trust()))
}

// PageText reports whether a member of a result or message holds words of the page: data
// for the reader, never instructions. owner is the struct that declares it, row the entry
// of TrustRows that decided (empty for a doc tag). known is false for a member of strings
// that nothing is said of; members that hold no strings of their own are known, and not the page's.
func PageText(owner reflect.Type, field reflect.StructField) (page, known bool, row string) {
	if !holdsWords(field.Type) {
		return false, true, ""
	}
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if page, known = trust()[owner.String()+"."+name]; known {
		return page, true, owner.String() + "." + name
	}
	if strings.Contains(strings.ToLower(field.Tag.Get("doc")), "page text") {
		return true, true, ""
	}
	page, known = trust()[name]
	return page, known, name
}

// holdsWords reports whether values of the type are strings, may be, or are made of them;
// members of structs speak for themselves.
func holdsWords(t reflect.Type) bool {
	if t == reflect.TypeFor[jsontext.Value]() {
		return true
	}
	switch t.Kind() {
	case reflect.String, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return holdsWords(t.Elem())
	}
	return false
}
