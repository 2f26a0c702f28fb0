// Command setup gets a machine ready for the tests and the demo: a Chromium,
// from the system's packages where that needs no question, and the npm packages
// that type-check and bundle the extension, and clients for the tests of MCP and of
// the DevTools endpoint.
// Run again it does nothing.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/scripts/chromium"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "setup:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := bundle.Root()
	if err != nil {
		return err
	}
	if err := browser(); err != nil {
		return err
	}
	jq()
	for _, dir := range []string{"extension", "test/mcp", "test/cdp/clients"} {
		if err := packages(filepath.Join(root, filepath.FromSlash(dir))); err != nil {
			return err
		}
	}
	return nil
}

// jq is for the shell scripts among the tests alone: without it they are skipped.
func jq() {
	if has("jq") {
		return
	}
	plan := chromium.PlanPackage("jq", os.Geteuid() == 0, has, sudoWithoutPassword)
	for _, command := range plan.Commands {
		if err := do("", command...); err != nil {
			say("jq: %v", err)
			return
		}
	}
	if len(plan.Commands) == 0 {
		say("jq: not found; the shell scripts of the tests are skipped. Install it with: %s", plan.Line)
	}
}

// browser finds or installs Chromium.
func browser() error {
	path, err := chromium.Find()
	if err == nil {
		say("browser: %s", path)
		return nil
	}
	if os.Getenv(chromium.Env) != "" {
		return err // named by hand: not ours to replace
	}
	plan := chromium.PlanInstall(os.Geteuid() == 0, has, sudoWithoutPassword)
	if len(plan.Commands) == 0 {
		if plan.Line == "" {
			return fmt.Errorf("no Chromium and no package manager found: install Chromium or Chrome for Testing, or set %s to its program", chromium.Env)
		}
		return fmt.Errorf("no Chromium found; install it with: %s", plan.Line)
	}
	for _, command := range plan.Commands {
		if err := do("", command...); err != nil {
			return fmt.Errorf("%w; install Chromium with: %s", err, plan.Line)
		}
	}
	path, err = chromium.Find()
	if err != nil {
		return err
	}
	say("browser: %s", path)
	return nil
}

// packages installs what the lock file says. Nothing of npm runs scripts here,
// and nothing of it reaches the dbridge program.
func packages(dir string) error {
	if !has("npm") {
		say("npm: not found; the extension is taken as committed, types are not checked, MCP and the DevTools endpoint are tested without clients of npm")
		return nil
	}
	if installed(dir) {
		say("npm: packages are installed")
		return nil
	}
	return do(dir, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
}

// installed reports whether npm's own note of what it installed is newer than the lock file.
func installed(dir string) bool {
	lock, err := os.Stat(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return false
	}
	note, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json"))
	return err == nil && !note.ModTime().Before(lock.ModTime())
}

func has(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

func sudoWithoutPassword() bool { return exec.Command("sudo", "-n", "true").Run() == nil }

func do(dir string, command ...string) error {
	say("run: %v", command)
	process := exec.Command(command[0], command[1:]...)
	process.Dir, process.Stdout, process.Stderr = dir, os.Stderr, os.Stderr
	process.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if err := process.Run(); err != nil {
		return fmt.Errorf("%v: %w", command, err)
	}
	return nil
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "setup: "+format+"\n", args...) }
