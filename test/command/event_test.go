package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func TestWaitEvent(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/one")

	// What the action before set off, although it is over.
	e.Eval("console.log('early bird'); 0")
	first := e.OK("observe", "wait-event", "console", "--pattern", "early")
	event, _ := first["event"].(map[string]any)
	if event["type"] != "console" || !strings.Contains(fmt.Sprint(event["args"]), "early bird") {
		t.Errorf("%v", first)
	}
	// What comes later, whichever type comes first.
	e.Eval("setTimeout(() => { console.log('noise'); location.href = '/page/two' }, 300); 0")
	second := e.OK("observe", "wait-event", "page_navigated,error", "--pattern", `/page\/two/`)
	if event := second["event"].(map[string]any); event["type"] != "page_navigated" {
		t.Errorf("%v", second)
	}
	if text := e.Text("observe", "wait-event", "page_navigated", "--since", fmt.Sprint(first["last"])); strings.Count(text, "\n") != 1 || !strings.Contains(text, "page_navigated") {
		t.Errorf("%s", text)
	}

	// In vain: what came instead is said.
	e.Eval("console.warn('something else'); 0")
	late := e.Fails("TIMEOUT", 4, "observe", "wait-event", "console", "--pattern", "never", "--timeout", "800")
	if !strings.Contains(late.Error.Message, "console") || !strings.Contains(fmt.Sprint(late.Error.Details["lastEvents"]), "something else") {
		t.Errorf("%+v", late.Error)
	}
	// Without a word, any event but the answers to commands.
	e.Fails("TIMEOUT", 4, "observe", "wait-event", "--since", fmt.Sprint(late.Error.Details["last"]), "--timeout", "500")
	e.Fails("VALIDATION_ERROR", 2, "observe", "wait-event", "--since", "999999")
	e.Fails("VALIDATION_ERROR", 2, "observe", "wait-event", "nonsense")
	e.Fails("VALIDATION_ERROR", 2, "observe", "wait-event", "--pattern", "/(/")
}
