package chrome

import (
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Why a person's own switches are refused.
const (
	ownChannel = "the connection to the browser is Debug Bridge's own"
	ownFolder  = "Debug Bridge chooses the folder; name it as user-data-dir"
	noSandbox  = "it takes the sandbox away that keeps pages from this computer"
	noWalls    = "it lets pages read what belongs to other sites"
	noFiles    = "it lets pages read files of this computer"
	program    = "it starts another program than the browser"
	setting    = "it is a setting of its own: "
)

// reserved are switches that would take the browser away from its owner.
var reserved = map[string]string{
	"remote-debugging-pipe":     ownChannel,
	"remote-debugging-port":     ownChannel,
	"remote-debugging-address":  ownChannel,
	"remote-debugging-io-pipes": ownChannel,
	"remote-debugging-targets":  ownChannel,
	"remote-allow-origins":      ownChannel,
	"user-data-dir":             ownFolder,
}

// harmful are switches that would undo what keeps a page in its place, or another setting.
var harmful = map[string]string{
	"no-sandbox":                        noSandbox,
	"disable-setuid-sandbox":            noSandbox,
	"disable-namespace-sandbox":         noSandbox,
	"disable-seccomp-filter-sandbox":    noSandbox,
	"disable-gpu-sandbox":               noSandbox,
	"no-zygote-sandbox":                 noSandbox,
	"single-process":                    noSandbox,
	"disable-web-security":              noWalls,
	"disable-site-isolation-trials":     noWalls,
	"disable-site-isolation-for-policy": noWalls,
	"allow-file-access-from-files":      noFiles,
	"allow-file-access":                 noFiles,
	"browser-subprocess-path":           program,
	"renderer-cmd-prefix":               program,
	"utility-cmd-prefix":                program,
	"ppapi-plugin-launcher":             program,
	"gpu-launcher":                      program,
	"no-startup-window":                 "a context begins with a page",
	"headless":                          setting + "headless",
	"proxy-server":                      setting + "proxy",
	"proxy-bypass-list":                 setting + "proxy-bypass",
}

// switchName is an argument as Chrome reads it: one dash or two, on Windows a slash, and
// letters of either size. Empty where it is no switch.
func switchName(arg string) string {
	arg = strings.TrimSpace(arg)
	name := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	if name == arg {
		if name = strings.TrimPrefix(arg, "/"); name == arg {
			return ""
		}
	}
	name, _, _ = strings.Cut(name, "=")
	return strings.ToLower(name)
}

// CheckArgs refuses arguments for a managed browser that are no switches, or that would
// undo its isolation or what Debug Bridge sets itself. The error is VALIDATION_ERROR with
// details.argument.
func CheckArgs(args []string) error {
	for _, arg := range args {
		name := switchName(arg)
		why := harmful[name]
		if why == "" {
			why = reserved[name]
		}
		switch {
		case !strings.HasPrefix(arg, "--") || name == "" || strings.TrimSpace(arg) != arg:
			return fault.New(fault.ValidationError, "%.200q is no browser switch such as --lang=de", arg).With("argument", name).
				Suggest("Write each switch as --name or --name=value.")
		case why != "":
			return fault.New(fault.ValidationError, "the browser switch --%s is not taken: %s", name, why).With("argument", "--"+name).
				Suggest("Leave --" + name + " out.")
		}
	}
	return nil
}

// reservedIn gives the first switch that nobody but Debug Bridge sets.
func reservedIn(args []string) string {
	for _, arg := range args {
		if name := switchName(arg); reserved[name] != "" {
			return "--" + name
		}
	}
	return ""
}
