package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// TestScripts runs testdata/scripts/*.txt. A script is a text archive: first
// the commands, then files, each after `-- name --`. The commands:
//
//	dbridge ARGS       run it; its exit status must be 0, or what `exit` says next
//	exit N             the last exit status is N
//	json PATH VALUE    the answer's field is VALUE (JSON); `json PATH` alone: it is there
//	stdout REGEX       stdout has it; `! stdout REGEX`: it does not; stderr likewise
//	stdin NAME         the next command reads the file
//	write PATH MODE    write the next word as file of the home, with a mode: write state/x.json 644 NAME
//	env NAME VALUE     set it
//	save NAME PATH     keep a field of the answer, for $NAME
//
// $HOME_DIR is the home of the script.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			runScript(t, data)
		})
	}
}

type script struct {
	t              *testing.T
	files          map[string]string
	vars           map[string]string
	dir            string
	stdin          string
	status         int
	expected       bool // the status was looked at
	stdout, stderr string
	last           string
}

func runScript(t *testing.T, archive []byte) {
	h := home(t)
	s := &script{t: t, files: map[string]string{}, vars: map[string]string{"HOME_DIR": h.Root}, dir: h.Root, expected: true}
	var commands, name string
	scanner := bufio.NewScanner(bytes.NewReader(archive))
	for scanner.Scan() {
		line := scanner.Text()
		if strings.HasPrefix(line, "-- ") && strings.HasSuffix(line, " --") {
			name = strings.TrimSpace(line[3 : len(line)-3])
			s.files[name] = ""
			continue
		}
		if name == "" {
			commands += line + "\n"
		} else {
			s.files[name] += line + "\n"
		}
	}
	lines := strings.Split(commands, "\n")
	for number, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if strings.HasPrefix(line, "dbridge") && !s.expected && s.status != 0 {
			t.Fatalf("%s: exit %d\n%s%s", s.last, s.status, s.stdout, s.stderr)
		}
		if problem := s.do(os.Expand(line, func(name string) string { return s.vars[name] })); problem != "" {
			t.Fatalf("line %d: %s: %s\nafter %s (exit %d)\nstdout: %sstderr: %s", number+1, line, problem, s.last, s.status, s.stdout, s.stderr)
		}
	}
	if !s.expected && s.status != 0 {
		t.Fatalf("%s: exit %d\n%s%s", s.last, s.status, s.stdout, s.stderr)
	}
}

func (s *script) do(line string) string {
	verb, rest, _ := strings.Cut(line, " ")
	words := strings.Fields(rest)
	switch verb {
	case "dbridge":
		s.last, s.expected = line, false
		s.status, s.stdout, s.stderr = run(s.t, s.stdin, words...)
		s.stdin = ""
	case "exit":
		s.expected = true
		if rest != strconv.Itoa(s.status) {
			return "another exit status"
		}
	case "json":
		path, want, some := strings.Cut(rest, " ")
		return s.field(path, want, some)
	case "stdout", "stderr":
		if !regexp.MustCompile(rest).MatchString(map[string]string{"stdout": s.stdout, "stderr": s.stderr}[verb]) {
			return "not found"
		}
	case "!":
		if s.do(rest) == "" {
			return "found"
		}
	case "stdin":
		s.stdin = s.files[rest]
	case "env":
		name, value, _ := strings.Cut(rest, " ")
		s.t.Setenv(name, value)
	case "write":
		mode, err := strconv.ParseUint(words[1], 8, 32)
		path := filepath.Join(s.dir, words[0])
		if err == nil {
			err = os.WriteFile(path, []byte(s.files[words[2]]), 0o600)
		}
		if err == nil {
			err = os.Chmod(path, os.FileMode(mode))
		}
		if err != nil {
			return err.Error()
		}
	case "save":
		value, ok := s.lookup(words[1])
		if !ok {
			return "no such field"
		}
		s.vars[words[0]] = strings.Trim(value, `"`)
	default:
		return "what is " + verb + "?"
	}
	return ""
}

func (s *script) lookup(path string) (string, bool) {
	var value any
	if err := json.Unmarshal([]byte(s.stdout), &value); err != nil || strings.Count(s.stdout, "\n") != 1 {
		s.t.Fatalf("%s: stdout is not one JSON object: %s", s.last, s.stdout)
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
		s.t.Fatal(err)
	}
	return strings.TrimSpace(b.String()), true
}

func (s *script) field(path, want string, compare bool) string {
	got, ok := s.lookup(path)
	switch {
	case !ok:
		return "no such field"
	case compare && got != want:
		return "it is " + got
	}
	return ""
}

// TestHelp compares the help of every command with testdata/help; -update rewrites it.
func TestHelp(t *testing.T) {
	lines := []string{"", "help"}
	for _, command := range []string{
		"attach", "daemon", "daemon start", "daemon stop", "daemon status", "daemon logs", "install", "uninstall", "doctor",
		"token", "token new", "token list", "token revoke", "app", "app allow", "app list", "app deny", "errors", "completion", "version", "mcp", "mcp install", "skill", "skill install",
	} {
		lines = append(lines, command+" --help")
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			status, out, stderr := run(t, "", strings.Fields(line)...)
			if status != 0 || stderr != "" {
				t.Fatalf("status %d stderr %s", status, stderr)
			}
			name := strings.ReplaceAll(strings.TrimSuffix(line, " --help"), " ", "-")
			if name == "" {
				name = "overview"
			}
			golden := filepath.Join("testdata", "help", name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || out != string(want) {
				t.Errorf("help differs from %s (go test ./host/internal/face/cli -update, then read the diff):\n%s", golden, out)
			}
			for text := range strings.Lines(out) {
				if len([]rune(text)) > 121 {
					t.Errorf("a line is wider than 120: %s", text)
				}
			}
		})
	}
}

// Every suggestion that is a command line must be one: parsed by the real flags.
func TestSuggestionsAreRunnable(t *testing.T) {
	quoted := regexp.MustCompile("`dbridge ([^`]+)`")
	for _, row := range fault.Rows() {
		if len(row.Suggestions) == 0 {
			t.Errorf("%s has no suggestion", row.Code)
		}
		for _, suggestion := range row.Suggestions {
			for _, match := range quoted.FindAllStringSubmatch(suggestion, -1) {
				status, out, _ := run(t, "", append(strings.Fields(match[1]), "--help")...)
				if status != 0 || !strings.Contains(out, "Usage") {
					t.Errorf("%s suggests %q, which is no command", row.Code, match[0])
				}
			}
		}
	}
}

// Every code can be asked for, whatever its case.
func TestErrorsKnowsEveryCode(t *testing.T) {
	for _, row := range fault.Rows() {
		status, out, _ := run(t, "", "errors", strings.ToLower(string(row.Code)))
		if status != 0 || !strings.Contains(out, `"code":"`+string(row.Code)+`"`) {
			t.Errorf("%s: exit %d %s", row.Code, status, out)
		}
	}
}
