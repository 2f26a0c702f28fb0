package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/install"
	"github.com/debug-bridge/debug-bridge/manifests"
)

// Mode bits that must not be set.
const (
	othersWrite fs.FileMode = 0o002
	othersAny   fs.FileMode = 0o077
)

// manifests checks each browser that is found, and each folder that install was given by hand.
func (x *examination) manifests() {
	machine := x.env.Machine
	forAll := machine.Browsers(true)
	var hops []Hop
	for _, browser := range machine.Browsers(false) {
		start := x.env.Now()
		hop := x.judge(browser, "dbridge install --browser "+browser.Browser)
		if at := slices.IndexFunc(forAll, func(f install.Found) bool { return f.Browser == browser.Browser }); hop.absent && at >= 0 {
			if system := x.judge(forAll[at], "sudo dbridge install --system --browser "+browser.Browser); !system.absent {
				hop = system
			}
		}
		hop.Subject, hop.Ms = browser.Name, x.since(start)
		hops = append(hops, hop)
	}
	for _, file := range machine.Custom() {
		start := x.env.Now()
		profile := machine.Parent(machine.Parent(file))
		if _, err := machine.FS.Stat(profile); err != nil {
			continue // a throw-away profile that was thrown away
		}
		hop := x.judge(install.Found{Manifests: []string{file}}, "dbridge install --dir "+quote(profile))
		hop.Subject, hop.Ms = profile, x.since(start)
		hops = append(hops, hop)
	}
	if len(hops) == 0 {
		hops = []Hop{x.noBrowser()}
	}
	good := x.reached() || slices.ContainsFunc(hops, func(hop Hop) bool { return hop.Status == OK })
	for _, hop := range hops {
		if hop.absent && good {
			hop.Status = Warn // another browser works; this one may not be meant
		}
		x.add(hop)
	}
}

func (x *examination) noBrowser() Hop {
	return Hop{
		Hop: "manifest", Status: Fail, Code: fault.NativeHostNotInstalled, absent: true,
		Line: "no browser was found in the usual places",
		Fix:  "start the browser once, then run: dbridge install (with --dir FOLDER for a browser started with --user-data-dir)",
	}
}

// judge looks at the manifests of one browser. fix is the command that writes them anew.
func (x *examination) judge(browser install.Found, fix string) Hop {
	bad := func(format string, args ...any) Hop {
		return Hop{Hop: "manifest", Status: Fail, Code: fault.NativeHostNotInstalled, Line: fmt.Sprintf(format, args...), Fix: fix}
	}
	for _, key := range browser.Keys {
		value, ok, err := x.registryValue(key)
		switch {
		case err != nil:
			return bad("%s cannot be read: %v", key, err)
		case !ok:
			hop := bad("%s is not set", key)
			hop.absent = true
			return hop
		case value != browser.Manifests[0]:
			return bad("%s leads to %s, not to %s", key, value, browser.Manifests[0])
		}
	}
	seen := Hop{}
	for _, file := range browser.Manifests {
		data, err := x.env.Machine.FS.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return bad("%s cannot be read: %v", file, err)
		}
		host, err := manifests.Parse(data)
		if err != nil {
			return bad("%s is damaged: %v", file, err)
		}
		if !host.Allows(manifests.ExtensionID) {
			return bad("%s does not let the extension %s in", file, manifests.ExtensionID)
		}
		hop := x.judgeTarget(file, host.Path, bad)
		if hop.Status == Fail {
			return hop
		}
		if open := x.openToOthers(file); open != "" {
			hop = bad("every user of this computer can change %s", open)
			hop.Fix = "chmod o-w " + quote(open)
			return hop
		}
		if seen.Status == "" || hop.Status == Warn {
			seen = hop
		}
	}
	if seen.Status == "" {
		hop := bad("there is no %s", browser.Manifests[0])
		hop.absent = true
		return hop
	}
	return seen
}

// judgeTarget looks at the binary that a manifest names.
func (x *examination) judgeTarget(file, target string, bad func(string, ...any) Hop) Hop {
	machine := x.env.Machine
	if target == machine.Executable || target == machine.Resolved {
		return Hop{Hop: "manifest", Status: OK, Line: file + " starts this binary"}
	}
	other := machine
	other.Executable, other.Resolved = target, ""
	if err := other.CheckExecutable(); err != nil {
		return bad("%s starts %s: %s", file, target, fault.From(err).Message)
	}
	if x.sameFile(target, machine.Executable) {
		return Hop{Hop: "manifest", Status: OK, Line: file + " starts this binary, as " + target}
	}
	hop := bad("%s starts another binary, %s", file, target)
	hop.Status, hop.Code = Warn, ""
	hop.Fix += " (to use this binary instead)"
	return hop
}

func (x *examination) sameFile(a, b string) bool {
	one, err := x.env.Machine.FS.Stat(a)
	if err != nil {
		return false
	}
	other, err := x.env.Machine.FS.Stat(b)
	return err == nil && os.SameFile(one, other)
}

func (x *examination) registryValue(key string) (string, bool, error) {
	if x.env.Machine.Registry == nil {
		return "", false, nil
	}
	return x.env.Machine.Registry.Get(key)
}

// openToOthers gives the manifest or its folder when every user may write to it.
func (x *examination) openToOthers(file string) string {
	if x.env.Machine.GOOS == "windows" {
		return ""
	}
	for _, path := range []string{file, x.env.Machine.Parent(file)} {
		if info, err := x.env.Machine.FS.Stat(path); err == nil && info.Mode().Perm()&othersWrite != 0 {
			return path
		}
	}
	return ""
}

func (x *examination) extension() {
	start := x.env.Now()
	machine := x.env.Machine
	own, version, same := machine.Unpacked()
	hop := Hop{Hop: "extension", Status: OK, Line: machine.Layout.Extension + ", version " + version, Fix: "dbridge install"}
	switch {
	case !own:
		hop.Status, hop.Code = Fail, fault.NativeHostNotInstalled
		hop.Line = "not unpacked in " + machine.Layout.Extension
		if x.reached() {
			hop.Status = Warn // the browser has it loaded from elsewhere
		}
	case version != machine.ExtensionVersion():
		hop.Status, hop.Code = Warn, fault.VersionMismatch
		hop.Line += "; this binary brings " + machine.ExtensionVersion()
		hop.Fix = "dbridge install, then the reload arrow of Debug Bridge at chrome://extensions"
	case !same:
		hop.Status = Warn
		hop.Line += "; its files differ from those of this binary"
		hop.Fix = "dbridge install, then the reload arrow of Debug Bridge at chrome://extensions"
	default:
		hop.Fix = ""
	}
	hop.Ms = x.since(start)
	x.add(hop)
}

// secrets checks that tokens and the folders of socket and tokens are this person's alone.
func (x *examination) secrets() {
	machine := x.env.Machine
	start := x.env.Now()
	if machine.GOOS == "windows" {
		return // access lists protect the profile folder; modes say nothing there
	}
	paths := slices.Concat([]string{machine.Layout.State, machine.Layout.Run}, x.env.Secrets)
	private := 0
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		info, err := machine.FS.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		hop := Hop{Hop: "secrets", Status: Fail, Code: fault.FileAccessFailed}
		switch {
		case err != nil:
			hop.Line = path + " cannot be examined: " + err.Error()
			hop.Fix = "make yourself its owner"
		case info.Mode()&fs.ModeSymlink != 0:
			hop.Line = path + " is a symbolic link"
			hop.Fix = "replace it by what it leads to"
		case info.Mode().Perm()&othersAny != 0:
			hop.Line = fmt.Sprintf("%s is open to others (mode %04o)", path, info.Mode().Perm())
			hop.Fix = "chmod go= " + quote(path)
		default:
			private++
			continue
		}
		hop.Ms = x.since(start)
		x.add(hop)
		return
	}
	line := fmt.Sprintf("%d files and folders are yours alone", private)
	if private == 0 {
		line = "there are none yet; the first daemon or token makes them"
	}
	x.add(Hop{Hop: "secrets", Status: OK, Ms: x.since(start), Line: line})
}

// quote makes a path safe to paste into a shell.
func quote(path string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%"
	if strings.Trim(path, plain) == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
