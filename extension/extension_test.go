package extension

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"testing"

	"github.com/debug-bridge/debug-bridge/manifests"
)

func TestManifestInside(t *testing.T) {
	t.Parallel()
	data, err := fs.ReadFile(Files(), "manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Key        string `json:"key"`
		Background struct {
			ServiceWorker string `json:"service_worker"`
		} `json:"background"`
		Action struct {
			Popup string `json:"default_popup"`
		} `json:"action"`
		Icons map[string]string `json:"icons"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	if id, err := manifests.IDOfKey(manifest.Key); err != nil || id != ID {
		t.Errorf("the key gives the id %s, %v; the hosts let %s in", id, err, ID)
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(Version()) {
		t.Errorf("version %q", Version())
	}
	names := []string{manifest.Background.ServiceWorker, manifest.Action.Popup}
	for _, icon := range manifest.Icons {
		names = append(names, icon)
	}
	for _, name := range names {
		if info, err := fs.Stat(Files(), name); err != nil || info.Size() == 0 {
			t.Errorf("%s of the manifest is not in dist: %v", name, err)
		}
	}
}
