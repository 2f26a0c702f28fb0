package clients

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var snippet = regexp.MustCompile("(?s)```(js|go)\n(.*?)```")

// Every program of docs/cdp.md runs as it stands there.
func TestSnippets(t *testing.T) {
	needs(t)
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "cdp.md"))
	must(t, "docs", err)
	found := snippet.FindAllSubmatch(text, -1)
	if len(found) != 5 {
		t.Fatalf("%d snippets", len(found))
	}
	for _, kind := range kinds[1:] {
		at := kind.make(t)
		for n, each := range found {
			language := string(each[1])
			program := bytes.ReplaceAll(each[2], []byte("http://localhost:3000/"), []byte(at.Site+"/page/Hello"))
			t.Run(fmt.Sprintf("%s %d %s", kind.name, n+1, language), func(t *testing.T) { runSnippet(t, language, program, at) })
		}
	}
}

func runSnippet(t *testing.T, language string, program []byte, at Endpoint) {
	command := exec.Command("node", "--input-type=module", "-")
	command.Stdin = bytes.NewReader(program)
	if language == "go" {
		file := filepath.Join(t.TempDir(), "main.go")
		must(t, "write", os.WriteFile(file, program, 0o600))
		command = exec.Command("go", "run", file)
	}
	command.Env = append(os.Environ(), "CDP="+at.WS)
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	timer := time.AfterFunc(patience/4, func() {
		if command.Process != nil {
			_ = command.Process.Kill()
		}
	})
	defer timer.Stop()
	if err := command.Run(); err != nil || strings.TrimSpace(out.String()) != "Hello" {
		t.Errorf("%v: %q\n%s", err, out.String(), said.String())
	}
}
