package caller

import (
	"path/filepath"
	"strings"
)

// Process is one row of the system's process table.
type Process struct {
	Pid    int
	Parent int
	Name   string // of the program, without folder and without .exe
	Start  string // tells a process from another that has its number later
	TTY    string
	Zombie bool
	args   func() []string // read when asked for
}

// Alive reports whether the process with that number is still the one that started then.
func Alive(pid int, start string) bool {
	p, ok := Lookup(pid)
	return ok && !p.Zombie && (start == "" || p.Start == start)
}

// title is what the process is called by people: its program's name, where the
// system's own word for it is a thread's or a file descriptor's.
func (p Process) title() string {
	args := p.arguments()
	if len(args) == 0 || args[0] == "" {
		return p.Name
	}
	if name := programName(args[0]); len(name) <= maxTitle && !strings.ContainsAny(name, " \t") {
		return name
	}
	return p.Name
}

// maxTitle is for a word in a list.
const maxTitle = 32

// maxAncestors bounds the walk; no harness is nested as deeply.
const maxAncestors = 24

// anchorOf walks up from a process, past all that lives for one command only.
func anchorOf(pid int, look func(int) (Process, bool)) (Process, bool) {
	for range maxAncestors {
		if pid <= 0 {
			return Process{}, false
		}
		p, ok := look(pid)
		if !ok || inits[p.Name] {
			return Process{}, false // an orphan: its agent is not among its ancestors
		}
		if !p.passing() {
			return p, true
		}
		pid = p.Parent
	}
	return Process{}, false
}

// inits adopt orphans; what they are the parent of says nothing of who asked.
// One that is the container's own program is not among them.
var inits = set("init", "systemd", "launchd", "tini", "dumb-init", "docker-init", "catatonit", "s6-svscan", "runit",
	"containerd-shim", "containerd-shim-runc-v2", "conmon", "sshd", "sshd-session", "services", "wininit", "svchost", "explorer")

// wrappers run another program and end with it.
var wrappers = set("env", "timeout", "gtimeout", "xargs", "nice", "ionice", "nohup", "stdbuf", "unbuffer", "setsid", "time", "sudo",
	"doas", "su", "runuser", "setpriv", "unshare", "nsenter", "chroot", "prlimit", "taskset", "chrt", "strace", "ltrace", "perf", "hyperfine",
	"script", "watch", "entr", "parallel", "find", "fd", "make", "gmake", "ninja", "just", "task", "npm", "npx", "yarn", "pnpm", "bunx",
	"uv", "uvx", "poetry", "pipenv", "pipx", "go", "cargo", "rake", "git", "direnv", "mise", "asdf", "nix-shell", "firejail", "bwrap",
	"flock", "dbridge")

var shells = set("sh", "bash", "dash", "ash", "busybox", "zsh", "fish", "ksh", "mksh", "tcsh", "csh", "nu", "xonsh", "elvish", "pwsh", "powershell", "cmd")

// hosts are interpreters that some wrappers are written for.
var hosts = set("node", "bun", "deno")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

// passing reports a process that lives for the command only.
func (p Process) passing() bool {
	switch {
	case wrappers[p.Name]:
		return true
	case strings.HasPrefix(p.Name, "npm ") || strings.HasPrefix(p.Name, "npx "): // npm writes its command over its name
		return true
	case shells[p.Name]:
		return hasErrand(p.Name, p.arguments())
	}
	args := p.arguments()
	if len(args) == 0 {
		return false
	}
	// A script that names its shell in its first line runs under its own name, and
	// newer Node.js under that of its thread.
	name := programName(args[0])
	if hosts[name] {
		return len(args) > 1 && wrappers[scriptName(args[1])]
	}
	return shells[name] && hasErrand(name, args)
}

func (p Process) arguments() []string {
	if p.args == nil {
		return nil
	}
	return p.args()
}

func scriptName(path string) string {
	name := strings.ToLower(filepath.Base(strings.ReplaceAll(path, `\`, "/")))
	for _, ending := range []string{".js", ".cjs", ".mjs"} {
		name = strings.TrimSuffix(name, ending)
	}
	return strings.TrimSuffix(name, "-cli") // npm-cli.js
}

// takesValue are the options of shells that are followed by a word of their own.
var takesValue = set("-o", "+o", "-O", "+O", "--rcfile", "--init-file", "--emulate", "-WorkingDirectory", "-wd")

// hasErrand reports a shell that was started with a command, a script or commands on
// its input, and ends with them. One with neither is somebody's: a person's, or a
// harness's that keeps a shell open.
func hasErrand(name string, args []string) bool {
	if len(args) == 0 {
		return false
	}
	if name == "cmd" || name == "pwsh" || name == "powershell" {
		return windowsErrand(args[1:])
	}
	for i := 1; i < len(args); i++ {
		arg := args[i]
		switch {
		case takesValue[arg]:
			i++
		case arg == "--command" || strings.HasPrefix(arg, "--command="):
			return true
		case strings.HasPrefix(arg, "--"), arg == "-", strings.HasPrefix(arg, "+"):
		case strings.HasPrefix(arg, "-"):
			if strings.ContainsAny(arg[1:], "cs") {
				return true
			}
			if strings.HasSuffix(arg, "o") { // -eo pipefail
				i++
			}
		case name == "busybox" && i == 1: // busybox sh …
		default:
			return true // a script
		}
	}
	return false
}

func windowsErrand(args []string) bool {
	for i, arg := range args {
		low := strings.ToLower(arg)
		switch {
		case low == "/k" || low == "-noexit": // stays after its command
			return false
		case low == "/c" || low == "/r", low == "-c" || low == "-f" || strings.HasPrefix(low, "-command") || strings.HasPrefix(low, "-file") || strings.HasPrefix(low, "-e"):
			return low != "-executionpolicy" && low != "-ep" || windowsErrand(args[min(i+2, len(args)):])
		case strings.HasSuffix(low, ".ps1"), strings.HasSuffix(low, ".cmd"), strings.HasSuffix(low, ".bat"):
			return true
		}
	}
	return false
}

// programName takes a login shell's dash, the folder and .exe off.
func programName(name string) string {
	if name != "" && name[0] == '-' {
		name = name[1:]
	}
	if strings.ContainsAny(name, `/\`) {
		name = filepath.Base(strings.ReplaceAll(name, `\`, "/"))
	}
	if low := strings.ToLower(name); strings.HasSuffix(low, ".exe") {
		return low[:len(low)-len(".exe")]
	}
	return name
}
