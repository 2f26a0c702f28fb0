package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/licenses"
)

// The list of what is in the program and in the extension: SPDX 2.3
// (https://spdx.github.io/spdx-spec/v2.3/). It holds what is shipped; tools and tests are not.

type spdxDocument struct {
	Version       string             `json:"spdxVersion"`
	License       string             `json:"dataLicense"`
	ID            string             `json:"SPDXID"`
	Name          string             `json:"name"`
	Namespace     string             `json:"documentNamespace"`
	Creation      spdxCreation       `json:"creationInfo"`
	Packages      []spdxPackage      `json:"packages"`
	Relationships []spdxRelationship `json:"relationships"`
}

type spdxCreation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	ID        string          `json:"SPDXID"`
	Name      string          `json:"name"`
	Version   string          `json:"versionInfo"`
	Download  string          `json:"downloadLocation"`
	Analyzed  bool            `json:"filesAnalyzed"`
	Concluded string          `json:"licenseConcluded"`
	Declared  string          `json:"licenseDeclared"`
	Copyright string          `json:"copyrightText"`
	Comment   string          `json:"comment,omitempty"`
	Checksums []spdxChecksum  `json:"checksums,omitempty"`
	Refs      []spdxReference `json:"externalRefs,omitempty"`
}

type spdxChecksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type spdxReference struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type spdxRelationship struct {
	From string `json:"spdxElementId"`
	Kind string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

const unsaid = "NOASSERTION"

var notOfAnID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// component is a package of the list. purl is its name elsewhere (https://github.com/package-url/purl-spec).
func component(kind, name, version, license, purl string) spdxPackage {
	p := spdxPackage{
		ID: "SPDXRef-" + kind + "-" + notOfAnID.ReplaceAllString(name, "-"), Name: name, Version: version, Download: unsaid,
		Concluded: license, Declared: license, Copyright: unsaid,
	}
	if purl != "" {
		p.Refs = []spdxReference{{"PACKAGE-MANAGER", "purl", purl}}
	}
	return p
}

// sbom lists the program, the extension, and what each holds.
func sbom(root, version string, c commit, modules []licenses.Module) ([]byte, error) {
	hashes, err := goSums(root)
	if err != nil {
		return nil, err
	}
	program := component("program", "dbridge", version, "MIT", "")
	browser := component("extension", "debug-bridge-extension", version, "MIT", "")
	d := spdxDocument{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: "debug-bridge-" + version,
		Namespace: "https://github.com/debug-bridge/debug-bridge/spdx/" + version + "-" + c.hash,
		Creation:  spdxCreation{c.at.Format(time.RFC3339), []string{"Tool: debug-bridge-scripts-release-" + version}},
		Packages:  []spdxPackage{program, browser},
		Relationships: []spdxRelationship{
			{"SPDXRef-DOCUMENT", "DESCRIBES", program.ID}, {"SPDXRef-DOCUMENT", "DESCRIBES", browser.ID}, {program.ID, "CONTAINS", browser.ID},
		},
	}
	add := func(holder spdxPackage, p spdxPackage) {
		d.Packages = append(d.Packages, p)
		d.Relationships = append(d.Relationships, spdxRelationship{holder.ID, "CONTAINS", p.ID})
	}
	goVersion := strings.TrimPrefix(runtime.Version(), "go")
	add(program, component("go", "stdlib", goVersion, "BSD-3-Clause", "pkg:golang/stdlib@"+goVersion))
	for _, m := range modules {
		p := component("go", m.Path, m.Version, m.License, "pkg:golang/"+m.Path+"@"+m.Version)
		if p.Comment = hashes[m.Path+" "+m.Version]; p.Comment == "" {
			return nil, fmt.Errorf("go.sum has no hash of %s %s", m.Path, m.Version)
		}
		p.Comment = "go.sum " + p.Comment
		add(program, p)
	}
	packages, err := bundled(root)
	if err != nil {
		return nil, err
	}
	for _, n := range packages {
		p := component("npm", n.Name, n.Version, n.License, "pkg:npm/"+strings.Replace(n.Name, "@", "%40", 1)+"@"+n.Version)
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(n.Integrity, "sha512-"))
		if err != nil {
			return nil, fmt.Errorf("%s: integrity %q: %w", n.Name, n.Integrity, err)
		}
		p.Checksums = []spdxChecksum{{"SHA512", hex.EncodeToString(sum)}}
		add(browser, p)
	}
	data, err := json.MarshalIndent(d, "", " ")
	return append(data, '\n'), err
}

// goSums are the hashes of go.sum, by "path version".
func goSums(root string) (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if parts := strings.Fields(line); len(parts) == 3 {
			out[parts[0]+" "+parts[1]] = parts[2]
		}
	}
	return out, nil
}

// notice is the head of a package in the extension's own list of licences.
var notice = regexp.MustCompile(`^((?:@[a-z0-9._-]+/)?[a-z0-9._-]+) (\d\S*) \(([^)]+)\)$`)

// bundled are the npm packages that the extension holds: those of its list, as the lock file has them.
func bundled(root string) ([]licenses.Package, error) {
	lock, err := licenses.Lock(filepath.Join(root, "extension"))
	if err != nil {
		return nil, err
	}
	known := map[string]licenses.Package{}
	for _, p := range lock {
		known[p.Name+" "+p.Version] = p
	}
	data, err := os.ReadFile(filepath.Join(root, "extension", "dist", "THIRD_PARTY_LICENSES.txt"))
	if err != nil {
		return nil, err
	}
	var list []licenses.Package
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		found := notice.FindStringSubmatch(lines.Text())
		if found == nil {
			continue
		}
		p, ok := known[found[1]+" "+found[2]]
		if !ok {
			return nil, fmt.Errorf("the extension holds %s %s, which package-lock.json does not have", found[1], found[2])
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the extension's list of licences names no package")
	}
	return list, lines.Err()
}
