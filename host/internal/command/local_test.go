package command

import (
	"errors"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Files, programs and addresses of this computer are taken from its own command line only.
func TestLocalParameters(t *testing.T) {
	t.Parallel()
	for name, params := range map[string]string{
		"element.upload":     `{"target":"e1","files":["/etc/passwd"]}`,
		"runtime.eval":       `{"source":"/etc/passwd"}`,
		"capture.screenshot": `{"file":"/tmp/x.png"}`,
		"network.mock":       `{"pattern":"/x","bodyFile":"/etc/passwd"}`,
		"network.list":       `{"har":"x.har"}`,
		"trace.stop":         `{"file":"x.json"}`,
	} {
		cmd, ok := All.Find(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		if err := notLocal(cmd, jsontext.Value(params)); !errors.Is(err, fault.New(fault.PolicyDenied, "")) {
			t.Errorf("%s %s: %v", name, params, err)
		}
		if err := notLocal(cmd, jsontext.Value(`{}`)); err != nil {
			t.Errorf("%s without it: %v", name, err)
		}
	}
	// So are what hands the browser over, what writes the person's configuration, and what
	// tells of other agents.
	locals := []string{
		"session.cdp", "profile.add", "profile.remove", "tools.allow", "record.open", "audit.show", "audit.verify",
		"policy.show", "policy.check", "policy.explain", "secret.set", "secret.list", "secret.remove",
	}
	for _, cmd := range All {
		err := notLocal(cmd, jsontext.Value(`{}`))
		if local := slices.Contains(locals, cmd.Name); errors.Is(err, fault.New(fault.PolicyDenied, "")) != local {
			t.Errorf("%s: %v", cmd.Name, err)
		}
	}
	// What is named like a place on this computer is marked as one.
	places := []string{"file", "files", "har", "out", "source", "bodyFile", "executable", "endpoint", "userDataDir", "args", "proxy", "headerEnv"}
	for _, cmd := range All {
		for _, f := range cmd.Fields() {
			ofThePage := cmd.Name == "tools.call" && f.Name == "args"
			if !cmd.Local && f.Local != (slices.Contains(places, f.Name) && !ofThePage) {
				t.Errorf("%s of %s: local is %v", f.Name, cmd.Name, f.Local)
			}
		}
	}
}
