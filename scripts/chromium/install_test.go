package chromium

import (
	"fmt"
	"slices"
	"testing"
)

func TestPlanInstall(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		root     bool
		programs []string
		sudo     bool
		commands string
		line     string
	}{
		{"Debian as root", true, []string{"apt-get"}, false, "[[apt-get update] [apt-get install -y --no-install-recommends chromium]]", "apt-get update && apt-get install -y --no-install-recommends chromium"},
		{"Fedora with sudo", false, []string{"dnf", "sudo"}, true, "[[sudo -n dnf install -y chromium]]", "sudo dnf install -y chromium"},
		{"Arch, sudo asks", false, []string{"pacman", "sudo"}, false, "[]", "sudo pacman -Sy --noconfirm chromium"},
		{"Alpine without sudo", false, []string{"apk"}, true, "[]", "sudo apk add chromium"},
		{"macOS", false, []string{"brew"}, false, "[[brew install --cask chromium]]", "brew install --cask chromium"},
		{"nothing", true, nil, true, "[]", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plan := PlanInstall(c.root, func(program string) bool { return slices.Contains(c.programs, program) }, func() bool { return c.sudo })
			if got := fmt.Sprint(plan.Commands); got != c.commands {
				t.Errorf("commands %s, want %s", got, c.commands)
			}
			if plan.Line != c.line {
				t.Errorf("line %q, want %q", plan.Line, c.line)
			}
		})
	}
}
