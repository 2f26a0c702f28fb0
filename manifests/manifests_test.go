package manifests

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestEncodeIsParsedBack(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/usr/local/bin/dbridge",
		`C:\Users\Ann "A" O'Neil\dbridge & co\dbridge.exe`,
		"/home/zoë/a\tb/<dbridge>\u2028",
	} {
		data, err := New(path).Encode()
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(data) || data[len(data)-1] != '\n' {
			t.Errorf("%q: not one line-ended JSON value: %s", path, data)
		}
		host, err := Parse(data)
		if err != nil {
			t.Fatalf("%q: %v", path, err)
		}
		if host.Path != path || !host.Allows(ExtensionID) {
			t.Errorf("%q came back as %+v", path, host)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty":       ``,
		"cut":         `{"name":"com.debugbridge.host"`,
		"other name":  `{"name":"com.other.host","type":"stdio","path":"/x"}`,
		"other type":  `{"name":"com.debugbridge.host","type":"pipe","path":"/x"}`,
		"no path":     `{"name":"com.debugbridge.host","type":"stdio"}`,
		"not object":  `[]`,
		"path object": `{"name":"com.debugbridge.host","type":"stdio","path":{}}`,
	} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestAllowsComparesWholeOrigins(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]bool{
		Origin(ExtensionID):                           true,
		"chrome-extension://" + ExtensionID:           false,
		"chrome-extension://*/":                       false,
		strings.ToUpper(Origin(ExtensionID)):          false,
		Origin("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"):    false,
		"https://" + ExtensionID + ".example.invalid": false,
	} {
		if got := (Host{AllowedOrigins: []string{origin}}).Allows(ExtensionID); got != want {
			t.Errorf("%s: %v", origin, got)
		}
	}
}

func TestIDOfKey(t *testing.T) {
	t.Parallel()
	// Vector computed by hand: SHA-256 of the empty string starts e3b0c442 98fc1c14 9afbf4c8 996fb924.
	if id, err := IDOfKey(""); err != nil || id != "odlameecjipmbmbejkplpemijjgpljce" {
		t.Errorf("empty key: %q, %v", id, err)
	}
	if _, err := IDOfKey("not base64!"); err == nil {
		t.Error("bad base64 accepted")
	}
}

func TestTableIsComplete(t *testing.T) {
	t.Parallel()
	want := []string{"chrome", "chrome-beta", "chrome-dev", "chrome-canary", "chrome-for-testing", "chromium", "edge", "brave", "vivaldi", "opera"}
	for goos, browsers := range map[string][]string{
		"linux":   want,
		"darwin":  append(slices.Clone(want), "arc"),
		"windows": append(slices.Clone(want), "arc"),
	} {
		var got []string
		for _, row := range For(goos) {
			got = append(got, row.Browser)
			if row.Name == "" || len(row.Found) == 0 {
				t.Errorf("%s/%s: no name or no way to find it", goos, row.Browser)
			}
			if goos == "windows" && (len(row.Keys) == 0 || len(row.User)+len(row.System) > 0) {
				t.Errorf("%s/%s: Windows takes keys and no folders", goos, row.Browser)
			}
			if goos != "windows" && (len(row.Keys) > 0 || len(row.User) == 0 || len(row.System) == 0) {
				t.Errorf("%s/%s: takes folders and no keys", goos, row.Browser)
			}
			for _, dir := range slices.Concat(row.Found, row.User, row.System) {
				if strings.Contains(dir.Path, `\`) || strings.Contains(dir.Path, "..") || (dir.Root == Absolute) != strings.HasPrefix(dir.Path, "/") {
					t.Errorf("%s/%s: %+v", goos, row.Browser, dir)
				}
			}
			for _, key := range row.Keys {
				if !strings.HasPrefix(key, `Software\`) || !strings.HasSuffix(key, `\`+FolderName) {
					t.Errorf("%s/%s: key %s", goos, row.Browser, key)
				}
			}
		}
		slices.Sort(got)
		slices.Sort(browsers)
		if !slices.Equal(got, browsers) {
			t.Errorf("%s has %v, want %v", goos, got, browsers)
		}
	}
}
