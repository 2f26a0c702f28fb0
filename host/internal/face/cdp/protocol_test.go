package cdp

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
)

var update = flag.Bool("update", false, "write protocol.json.gz anew, of the Chromium that is installed")

// definition is what a client makes its methods of.
type definition struct {
	Version map[string]string `json:"version"`
	Domains []struct {
		Domain   string `json:"domain"`
		Commands []struct {
			Name string `json:"name"`
		} `json:"commands"`
		Events []struct {
			Name string `json:"name"`
		} `json:"events"`
	} `json:"domains"`
}

// TestProtocolDocument: the document has what clients are built of. With -update it is
// made of the installed Chromium's own, without its prose.
func TestProtocolDocument(t *testing.T) {
	if *update {
		if err := os.WriteFile("protocol.json.gz", packed(t, chromiums(t)), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Log("written; run the test again")
		return
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(protocolDocument))
	if err != nil {
		t.Fatal(err)
	}
	var d definition
	if err := json.NewDecoder(unpacked).Decode(&d); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, domain := range d.Domains {
		for _, c := range domain.Commands {
			names[domain.Domain+"."+c.Name] = true
		}
		for _, e := range domain.Events {
			names[domain.Domain+"."+e.Name] = true
		}
	}
	for _, want := range []string{"Page.navigate", "Runtime.evaluate", "Target.setAutoAttach", "Input.dispatchMouseEvent", "Network.requestWillBeSent", "Debugger.paused"} {
		if !names[want] {
			t.Errorf("%s is missing", want)
		}
	}
	if len(names) < 500 || d.Version["major"] != "1" {
		t.Errorf("%d names, version %v", len(names), d.Version)
	}
}

// chromiums is the document of a Chromium that runs.
func chromiums(t *testing.T) any {
	program, err := chromium.Find()
	if err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	dir := t.TempDir()
	command := exec.Command(program, "--headless", "--no-sandbox", "--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	}()
	var port string
	for deadline := time.Now().Add(30 * time.Second); port == ""; time.Sleep(20 * time.Millisecond) {
		if data, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort")); err == nil {
			port, _, _ = strings.Cut(string(data), "\n")
		} else if time.Now().After(deadline) {
			t.Fatal("Chromium opens no port")
		}
	}
	response, err := http.Get("http://127.0.0.1:" + port + "/json/protocol")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	return bare(document)
}

// bare is a document without its prose. A parameter may be called description; its
// definition is an object.
func bare(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = bare(v[i])
		}
	case map[string]any:
		for name, member := range v {
			if _, prose := member.(string); prose && name == "description" {
				delete(v, name)
				continue
			}
			v[name] = bare(member)
		}
	}
	return value
}

func packed(t *testing.T, document any) []byte {
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
