package chromium

import (
	"slices"
	"strings"
)

// manager is a package manager and how it installs.
type manager struct {
	program  string
	refresh  []string // arguments that bring its lists up to date, if it needs that
	install  []string // arguments that install, without questions
	chromium []string // what Chromium is called
	root     bool     // needs to run as root
}

// managers in the order of looking; brew comes last because it is also on Linux machines.
var managers = []manager{
	{"apt-get", []string{"update"}, []string{"install", "-y", "--no-install-recommends"}, []string{"chromium"}, true},
	{"dnf", nil, []string{"install", "-y"}, []string{"chromium"}, true},
	{"pacman", nil, []string{"-Sy", "--noconfirm"}, []string{"chromium"}, true},
	{"apk", nil, []string{"add"}, []string{"chromium"}, true},
	{"brew", nil, []string{"install"}, []string{"--cask", "chromium"}, false},
}

// Plan is how to get a package on this machine.
type Plan struct {
	Commands [][]string // to run in order; empty when it cannot be done without a person
	Line     string     // the same as one line that a person can run; empty when no package manager is known
}

// PlanInstall finds the package manager and whether it may be used: as root, or
// with a sudo that asks no password.
func PlanInstall(isRoot bool, has func(program string) bool, sudo func() bool) Plan {
	return planned(func(m manager) []string { return m.chromium }, isRoot, has, sudo)
}

// PlanPackage is PlanInstall for a package that has the same name everywhere.
func PlanPackage(name string, isRoot bool, has func(program string) bool, sudo func() bool) Plan {
	return planned(func(manager) []string { return []string{name} }, isRoot, has, sudo)
}

func planned(words func(manager) []string, isRoot bool, has func(program string) bool, sudo func() bool) Plan {
	for _, m := range managers {
		if !has(m.program) {
			continue
		}
		var commands [][]string
		if m.refresh != nil {
			commands = append(commands, append([]string{m.program}, m.refresh...))
		}
		commands = append(commands, slices.Concat([]string{m.program}, m.install, words(m)))
		var line []string
		for i, command := range commands {
			if m.root && !isRoot {
				line = append(line, "sudo "+strings.Join(command, " "))
				commands[i] = append([]string{"sudo", "-n"}, command...)
			} else {
				line = append(line, strings.Join(command, " "))
			}
		}
		plan := Plan{Commands: commands, Line: strings.Join(line, " && ")}
		if m.root && !isRoot && (!has("sudo") || !sudo()) {
			plan.Commands = nil
		}
		return plan
	}
	return Plan{}
}
