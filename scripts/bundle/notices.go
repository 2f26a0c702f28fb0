package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// metaInputs gives the files that esbuild put into a bundle.
func metaInputs(metafile string) ([]string, error) {
	var meta struct {
		Inputs map[string]json.RawMessage `json:"inputs"`
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, fmt.Errorf("esbuild's metafile: %w", err)
	}
	inputs := make([]string, 0, len(meta.Inputs))
	for name := range meta.Inputs {
		inputs = append(inputs, name)
	}
	return inputs, nil
}

// npmPackage names the npm package that a bundled file is from, or nothing.
func npmPackage(input string) string {
	_, rest, found := strings.Cut(input, "node_modules/")
	if !found {
		return ""
	}
	parts := strings.SplitN(rest, "/", 3)
	if strings.HasPrefix(parts[0], "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// notices joins the licence texts of the bundled npm packages, as those
// licences ask of whoever passes the code on.
func notices(dir string, packages map[string]bool) ([]byte, error) {
	names := make([]string, 0, len(packages))
	for name := range packages {
		names = append(names, name)
	}
	sort.Strings(names)
	var out bytes.Buffer
	out.WriteString("Debug Bridge's extension holds code of these packages.\n")
	for _, name := range names {
		folder := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
		raw, err := os.ReadFile(filepath.Join(folder, "package.json"))
		if err != nil {
			return nil, err
		}
		var about struct{ Version, License string }
		if err := json.Unmarshal(raw, &about); err != nil {
			return nil, fmt.Errorf("%s: package.json: %w", name, err)
		}
		fmt.Fprintf(&out, "\n%s %s (%s)\n", name, about.Version, about.License)
		text, err := licenceText(folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if text != "" {
			fmt.Fprintf(&out, "\n%s\n", strings.TrimSpace(text))
		}
	}
	return out.Bytes(), nil
}

// licenceText is empty for a package without a licence file; its package.json
// then is all it says.
func licenceText(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	var texts []string // a package that holds others' code has one for that, too
	for _, entry := range entries {
		upper := strings.ToUpper(entry.Name())
		if strings.HasPrefix(upper, "LICENSE") || strings.HasPrefix(upper, "LICENCE") {
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				return "", err
			}
			texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		}
	}
	return strings.Join(texts, "\n\n"), nil
}
