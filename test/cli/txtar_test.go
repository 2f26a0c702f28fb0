package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// TestTxtar runs testdata/*.txtar against the real program and a daemon of its own.
// An archive is commands first, then files, each after `-- name --`; they lie in the
// script's folder, which is the working directory. The commands:
//
//	dbridge WORDS…      run it (quotes as in a shell, $NAMES are put in)
//	sh LINE             run a shell line; dbridge is on the PATH
//	exit N              the last status is N; without this line it must be 0
//	stdout REGEX        stdout has it; `! stdout REGEX`: it has not; stderr likewise
//	json PATH [VALUE]   the answer has the field, and its JSON is VALUE
//	lines N             stdout has N lines
//	save NAME PATH      keep a field of the answer as $NAME
//	stdin FILE          the next command reads the file
//	env NAME VALUE      set it for the commands that follow
//	browser             needs a Chromium; $URL is the sample app's server
//
// Every script has a context of its own.
func TestTxtar(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			newScript(t).run(string(text))
		})
	}
}

// txtar is a script on its way.
type txtar struct {
	*place
	dir            string
	vars           map[string]string
	stdin          string
	last           string
	status         int
	seen           bool // the status was looked at
	stdout, stderr string
}

func newScript(t *testing.T) *txtar {
	t.Helper()
	return scriptIn(newPlace(t))
}

// scriptIn is a script in a place that is there already.
func scriptIn(p *place) *txtar {
	s := &txtar{place: p, dir: p.t.TempDir(), vars: map[string]string{}, seen: true}
	s.env = append(s.env, "DBRIDGE_CONTEXT_ID=script", "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"), "DB_WORK="+s.dir)
	return s
}

// browser gives the script a Chromium and the sample app.
func (s *txtar) browser() {
	s.t.Helper()
	path, err := chromium.Find()
	if err != nil {
		if os.Getenv("CI") != "" {
			s.t.Fatal(err)
		}
		s.t.Skip(err)
	}
	site, err := pages.Serve()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = site.Close() })
	s.vars["URL"], s.vars["CHROMIUM"] = site.URL(""), path
	s.env = append(s.env, "URL="+s.vars["URL"])
}

func (s *txtar) run(text string) {
	s.t.Helper()
	commands, files := split(text)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(s.dir, filepath.FromSlash(name)), []byte(content), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	for number, line := range strings.Split(commands, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if problem := s.do(line); problem != "" {
			s.t.Fatalf("line %d: %s: %s\nafter %s: exit %d\nstdout: %s\nstderr: %s", number+1, line, problem, s.last, s.status, s.stdout, s.stderr)
		}
	}
	s.settled()
}

// split separates commands and files.
func split(text string) (commands string, files map[string]string) {
	files = map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(bare, "-- ") && strings.HasSuffix(bare, " --"):
			name = strings.TrimSpace(bare[3 : len(bare)-3])
			files[name] = ""
		case name == "":
			commands += line
		default:
			files[name] += line
		}
	}
	return commands, files
}

// settled fails where a command failed and nobody looked.
func (s *txtar) settled() {
	s.t.Helper()
	if !s.seen && s.status != 0 {
		s.t.Fatalf("%s: exit %d\nstdout: %s\nstderr: %s", s.last, s.status, s.stdout, s.stderr)
	}
}

func (s *txtar) do(line string) string {
	verb, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch verb {
	case "dbridge", "sh":
		s.settled()
		return s.start(verb, rest)
	case "exit":
		s.seen = true
		if rest != strconv.Itoa(s.status) {
			return "another status"
		}
	case "stdout", "stderr":
		where := map[string]string{"stdout": s.stdout, "stderr": s.stderr}[verb]
		if !regexp.MustCompile("(?m)" + s.expand(rest)).MatchString(where) {
			return "not found"
		}
	case "!":
		if s.do(rest) == "" {
			return "found"
		}
	case "lines":
		if got := strings.Count(s.stdout, "\n"); rest != strconv.Itoa(got) {
			return fmt.Sprintf("there are %d", got)
		}
	case "json":
		path, want, compare := strings.Cut(rest, " ")
		got, ok := s.lookup(path)
		switch {
		case !ok:
			return "no such field"
		case compare && got != s.expand(want):
			return "it is " + got
		}
	case "save":
		name, path, _ := strings.Cut(rest, " ")
		got, ok := s.lookup(path)
		if !ok {
			return "no such field"
		}
		s.vars[name] = strings.Trim(got, `"`)
	case "stdin":
		s.stdin = filepath.Join(s.dir, rest)
	case "env":
		name, value, _ := strings.Cut(rest, " ")
		s.env = append(s.env, name+"="+s.expand(value))
	case "browser":
		s.browser()
	default:
		return "what is " + verb + "?"
	}
	return ""
}

func (s *txtar) expand(text string) string {
	return os.Expand(text, func(name string) string {
		if value, ok := s.vars[name]; ok {
			return value
		}
		return "$" + name
	})
}

func (s *txtar) start(verb, rest string) string {
	line := s.expand(rest)
	if verb == "dbridge" {
		line = "exec dbridge " + line
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, "sh", "-c", line)
	command.WaitDelay = time.Second // what the shell started may hold the pipes
	command.Env, command.Dir = s.env, s.dir
	if s.stdin != "" {
		file, err := os.Open(s.stdin)
		if err != nil {
			return err.Error()
		}
		defer file.Close()
		command.Stdin, s.stdin = file, ""
	}
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	err := command.Run()
	if command.ProcessState == nil {
		return err.Error()
	}
	s.last, s.seen, s.status, s.stdout, s.stderr = verb+" "+rest, false, command.ProcessState.ExitCode(), out.String(), errs.String()
	return ""
}

// lookup finds a field of the answer, data.pages.0.url; of several lines, in the last.
func (s *txtar) lookup(path string) (string, bool) {
	lines := strings.Split(strings.TrimRight(s.stdout, "\n"), "\n")
	decoder := json.NewDecoder(strings.NewReader(lines[len(lines)-1]))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return err.Error(), false
	}
	for part := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			inner, ok := v[part]
			if !ok {
				return "", false
			}
			value = inner
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(v) {
				return "", false
			}
			value = v[i]
		default:
			return "", false
		}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err.Error(), false
	}
	return strings.TrimSpace(b.String()), true
}
