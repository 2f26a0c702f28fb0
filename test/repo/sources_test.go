package repo

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxLines is the ceiling for one source file; most have a third of it.
const maxLines = 600

// sources gives the tracked files, and those that would be tracked, with their bytes.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	dir := repository(t)
	command := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	command.Dir = dir
	output, err := command.Output()
	if err != nil {
		t.Skipf("not a git work tree: %v", err)
	}
	files := make(map[string][]byte)
	for name := range strings.SplitSeq(strings.TrimRight(string(output), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if os.IsNotExist(err) {
			continue // deleted, not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		files[name] = content
	}
	if len(files) < 50 {
		t.Fatalf("only %d files found", len(files))
	}
	return files
}

func generated(name string) bool {
	return strings.HasPrefix(name, "extension/dist/") || name == "extension/src/protocol/generated.ts" || name == "extension/src/protocol/commands.ts" || strings.Contains(name, "/testdata/") ||
		strings.HasSuffix(name, ".gen.go")
}

func TestFileLengths(t *testing.T) {
	t.Parallel()
	for name, content := range sources(t) {
		if generated(name) || !slices.Contains([]string{".go", ".ts", ".js", ".css", ".html", ".sh"}, path.Ext(name)) {
			continue
		}
		if lines := bytes.Count(content, []byte("\n")); lines > maxLines {
			t.Errorf("%s has %d lines; %d is the ceiling", name, lines, maxLines)
		}
	}
}

// Nothing in the repository may tell where it was written, or work only there.
func TestNoMachinePaths(t *testing.T) {
	t.Parallel()
	places := []string{"/" + "work/", "/" + "root/", "/tmp/" + "brief", "/home/" + "user/", "C:\\" + "Users\\" + "user"}
	for name, content := range sources(t) {
		if bytes.IndexByte(content, 0) >= 0 {
			continue // a picture
		}
		for _, place := range places {
			if at := bytes.Index(content, []byte(place)); at >= 0 {
				t.Errorf("%s:%d holds the machine path %s", name, 1+bytes.Count(content[:at], []byte("\n")), place)
			}
		}
	}
}

// stdout is data: only package output writes it. In the process that Chrome
// starts, one stray line would end the connection of every agent.
func TestStdoutHasOneWriter(t *testing.T) {
	t.Parallel()
	mayName := func(name string) bool { // os.Stdout
		return strings.HasPrefix(name, "host/internal/output/") || strings.HasPrefix(name, "host/cmd/") ||
			strings.HasPrefix(name, "host/internal/hostlink/stdout_")
	}
	eachGo(t, func(name string, set *token.FileSet, file *ast.File) {
		if !strings.HasPrefix(name, "host/") {
			return
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.SelectorExpr:
				called := selector(n)
				switch {
				case called == "os.Stdout" && !mayName(name):
					t.Errorf("%s: os.Stdout outside package output", set.Position(n.Pos()))
				case called == "fmt.Print" || called == "fmt.Println" || called == "fmt.Printf":
					t.Errorf("%s: %s writes to stdout", set.Position(n.Pos()), called)
				}
			case *ast.CallExpr:
				if builtin, ok := n.Fun.(*ast.Ident); ok && (builtin.Name == "print" || builtin.Name == "println") && builtin.Obj == nil {
					t.Errorf("%s: the builtin %s is for the compiler's own tests", set.Position(n.Pos()), builtin.Name)
				}
			}
			return true
		})
	})
}

// Every start of the program runs the initialization of every package: regular
// expressions are compiled when they are first used. That they compile is seen here.
func TestExpressionsAreLazy(t *testing.T) {
	t.Parallel()
	eachGo(t, func(name string, set *token.FileSet, file *ast.File) {
		if !strings.HasPrefix(name, "host/") || strings.HasPrefix(name, "host/internal/docgen/") || strings.HasPrefix(name, "host/internal/lazy/") {
			return
		}
		for _, declared := range file.Decls {
			general, ok := declared.(*ast.GenDecl)
			if !ok {
				continue
			}
			ast.Inspect(general, func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok {
					_, function := node.(*ast.FuncLit) // runs later
					return !function
				}
				named, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || named.Sel.Name != "MustCompile" {
					return true
				}
				if selector(named) == "regexp.MustCompile" {
					t.Errorf("%s: lazy.MustCompile costs nothing at the start", set.Position(call.Pos()))
				}
				if expr, ok := constant(call.Args[0]); ok {
					if _, err := regexp.Compile(expr); err != nil {
						t.Errorf("%s: %v", set.Position(call.Pos()), err)
					}
				}
				return true
			})
		}
	})
}

// constant is the value of string literals that are added up.
func constant(expr ast.Expr) (string, bool) {
	switch e := expr.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok := constant(e.X)
		right, also := constant(e.Y)
		return left + right, ok && also
	}
	return "", false
}

// zerolog's ConsoleWriter writes to stdout unless it is told otherwise.
func TestConsoleWriterHasOut(t *testing.T) {
	t.Parallel()
	eachGo(t, func(_ string, set *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.CompositeLit:
				named, ok := n.Type.(*ast.SelectorExpr)
				if ok && selector(named) == "zerolog.ConsoleWriter" && !slices.ContainsFunc(n.Elts, isOut) {
					t.Errorf("%s: zerolog.ConsoleWriter without Out", set.Position(n.Pos()))
				}
			case *ast.SelectorExpr:
				if selector(n) == "zerolog.NewConsoleWriter" {
					t.Errorf("%s: write zerolog.ConsoleWriter{Out: …}, which cannot forget it", set.Position(n.Pos()))
				}
			}
			return true
		})
	})
}

func isOut(element ast.Expr) bool {
	pair, ok := element.(*ast.KeyValueExpr)
	if !ok {
		return false
	}
	key, ok := pair.Key.(*ast.Ident)
	return ok && key.Name == "Out"
}

// The extension's sources keep their own rules: these are the ones that the
// compiler does not know.
func TestTypeScriptRules(t *testing.T) {
	t.Parallel()
	for name, content := range sources(t) {
		if !strings.HasPrefix(name, "extension/src/") || path.Ext(name) != ".ts" || generated(name) {
			continue
		}
		for i, line := range strings.Split(blankTypeScript(string(content)), "\n") {
			for _, rule := range typeScriptRules {
				if rule.what == "default export" && strings.HasSuffix(name, ".d.ts") {
					continue // of a package, which has one
				}
				if rule.pattern.MatchString(line) && strings.HasPrefix(name, rule.below) {
					t.Errorf("%s:%d: %s", name, i+1, rule.what)
				}
			}
		}
	}
}

var typeScriptRules = []struct {
	below   string
	pattern *regexp.Regexp
	what    string
}{
	{"", regexp.MustCompile(`\bexport\s+default\b`), "default export"},
	{"", regexp.MustCompile(`[:<|&,(]\s*any\b|\bas\s+any\b`), "any"},
	{"", regexp.MustCompile(`[\w)\]]!([.;,)\[]|\s*$)`), "a non-null assertion"},
	{"extension/src/page/", regexp.MustCompile(`\bchrome\s*[.?[]`), "the page bridge knows no chrome.*"},
}

// blankTypeScript takes comments and the insides of strings away and keeps the
// lines. A quote in a regular expression ends with its line.
func blankTypeScript(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		rest := text[i:]
		length := 1
		switch {
		case strings.HasPrefix(rest, "/*"):
			length = end(rest, "*/")
		case strings.HasPrefix(rest, "//"):
			length = strings.IndexByte(rest+"\n", '\n')
		case rest[0] == '\'' || rest[0] == '"' || rest[0] == '`':
			length = quoted(rest)
		default:
			out.WriteByte(rest[0])
			i++
			continue
		}
		out.WriteString(strings.Repeat("\n", strings.Count(rest[:length], "\n")))
		i += length
	}
	return out.String()
}

func end(text, mark string) int {
	if at := strings.Index(text[2:], mark); at >= 0 {
		return 2 + at + len(mark)
	}
	return len(text)
}

func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == text[0]:
			return i + 1
		case text[i] == '\n' && text[0] != '`':
			return i
		}
	}
	return len(text)
}

func TestBlankTypeScript(t *testing.T) {
	t.Parallel()
	text := "a /* any\n chrome. */ b // any\n'it\\'s any' c `x\n${any}` d"
	if got, want := blankTypeScript(text), "a \n b \n c \n d"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// eachGo parses every Go file of the repository that is not a test.
func eachGo(t *testing.T, visit func(name string, set *token.FileSet, file *ast.File)) {
	t.Helper()
	for name, content := range sources(t) {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, content, 0)
		if err != nil {
			t.Error(err)
			continue
		}
		visit(name, set, file)
	}
}

func selector(s *ast.SelectorExpr) string {
	if of, ok := s.X.(*ast.Ident); ok {
		return of.Name + "." + s.Sel.Name
	}
	return ""
}
