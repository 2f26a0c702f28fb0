// Package licenses finds the licences of what the repository depends on, by the texts
// that come with it, and holds the table of those it may have.
package licenses

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Allowed are the licences a dependency may have, by their SPDX names, and what they ask.
// An empty list of packages is any; otherwise only these may have it.
var Allowed = map[string]struct {
	Asks string
	Only []string
}{
	"MIT":          {"its text beside the program", nil},
	"ISC":          {"its text beside the program", nil},
	"BSD-2-Clause": {"its text beside the program", nil},
	"BSD-3-Clause": {"its text beside the program", nil},
	"Apache-2.0":   {"its text, and the NOTICE where there is one", nil},
	"MPL-2.0":      {"the source of its files, unchanged here: axe-core is passed on as it is, rapid is of tests", []string{"axe-core", "pgregory.net/rapid"}},
}

// prints are phrases that stand in one licence only. Texts are compared in lower case, with single spaces.
var prints = []struct {
	id   string
	all  []string
	none string
}{
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy of this software"}, ""},
	{"ISC", []string{"distribute this software for any purpose with or without fee is hereby granted"}, ""},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "to endorse or promote products"}, ""},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}, "to endorse or promote products"},
	{"Apache-2.0", []string{"apache license", "version 2.0, january 2004", "terms and conditions for use, reproduction, and distribution"}, ""},
	{"MPL-2.0", []string{"mozilla public license version 2.0"}, ""},
}

// unwelcome begin texts that no other text beside them makes acceptable.
var unwelcome = []string{"gnu general public license", "gnu lesser general public license", "gnu affero general public license", "server side public license", "business source license"}

// Classify names the licences in a text, as an SPDX expression; false where it knows none, or one
// that is not wanted.
func Classify(text string) (string, bool) {
	folded := strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, title := range unwelcome {
		if strings.HasPrefix(strings.TrimLeft(folded, "# "), title) {
			return "", false
		}
	}
	var found []string
	for _, p := range prints {
		all := p.none == "" || !strings.Contains(folded, p.none)
		for _, phrase := range p.all {
			all = all && strings.Contains(folded, phrase)
		}
		if all {
			found = append(found, p.id)
		}
	}
	slices.Sort(found)
	return strings.Join(found, " AND "), len(found) > 0
}

// Check says what is wrong with the licence of a package, or nothing.
func Check(name, expression string) string {
	for id := range strings.SplitSeq(expression, " AND ") {
		allowed, ok := Allowed[id]
		if !ok {
			return fmt.Sprintf("%s has the licence %q, which is not in the table", name, id)
		}
		if allowed.Only != nil && !slices.Contains(allowed.Only, name) {
			return fmt.Sprintf("%s has the licence %s, which only %q may have", name, id, allowed.Only)
		}
	}
	return ""
}

// Module is a Go module that is compiled into something.
type Module struct {
	Path, Version, Dir string
	License            string // SPDX expression; empty where it is not known
	Text               string // its licence files, with those of folders in it that have their own
}

// Systems are those that releases are built for.
var Systems = []string{"linux", "darwin", "windows"}

// Modules lists the modules that packages need on any system, by path. more are further
// arguments of go list, such as -test.
func Modules(root string, patterns []string, more ...string) ([]Module, error) {
	found := map[string]Module{}
	for _, system := range Systems {
		args := append([]string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"}, more...)
		command := exec.Command("go", append(args, patterns...)...)
		command.Dir = root
		command.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		var failure strings.Builder
		command.Stderr = &failure
		output, err := command.Output()
		if err != nil {
			return nil, fmt.Errorf("go list: %w: %s", err, failure.String())
		}
		for line := range strings.Lines(string(output)) {
			parts := strings.Split(strings.TrimSpace(line), "\t")
			if len(parts) == 3 {
				found[parts[0]] = Module{Path: parts[0], Version: parts[1], Dir: parts[2]}
			}
		}
	}
	var list []Module
	for _, m := range found {
		var err error
		if m.Text, err = texts(m.Dir); err != nil {
			return nil, err
		}
		m.License, _ = Classify(m.Text)
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b Module) int { return cmp.Compare(a.Path, b.Path) })
	return list, nil
}

// texts joins the licence files of a folder.
func texts(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var out []string
	for _, entry := range entries {
		name := strings.ToUpper(entry.Name())
		if entry.IsDir() || !strings.HasPrefix(name, "LICENSE") && !strings.HasPrefix(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") && !strings.HasPrefix(name, "NOTICE") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return "", err
		}
		out = append(out, strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")))
	}
	return strings.Join(out, "\n\n"), nil
}

// Package is an npm package of a lock file.
type Package struct {
	Name, Version, License string
	Integrity              string // sha512-…, of the archive in the registry
	Resolved               string
}

// Lock reads package-lock.json of a folder.
func Lock(dir string) ([]Package, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		LockfileVersion int
		Packages        map[string]struct {
			Version, License, Integrity, Resolved string
			Link                                  bool
		}
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("%s: package-lock.json: %w", dir, err)
	}
	if lock.LockfileVersion != 3 {
		return nil, fmt.Errorf("%s: package-lock.json has version %d, not 3", dir, lock.LockfileVersion)
	}
	var list []Package
	for _, at := range slices.Sorted(maps.Keys(lock.Packages)) {
		if p := lock.Packages[at]; at != "" && !p.Link {
			list = append(list, Package{at[strings.LastIndex(at, "node_modules/")+len("node_modules/"):], p.Version, p.License, p.Integrity, p.Resolved})
		}
	}
	return list, nil
}
