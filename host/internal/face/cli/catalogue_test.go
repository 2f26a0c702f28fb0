package cli

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	catalogue "github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var (
	commandName = regexp.MustCompile(`^[a-z]+\.[a-z][a-z0-9]*(-[a-z]+)*$`)
	toolName    = regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)*$`)
	paramName   = regexp.MustCompile(`^[a-z]+([A-Z][a-z0-9]*)*$`)
)

// TestCatalogue holds the rules by which one declaration can serve every face.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	names, tools := map[string]bool{}, map[string]string{}
	for _, c := range catalogue.All {
		if !commandName.MatchString(c.Name) || names[c.Name] {
			t.Errorf("%s: a command is named resource.verb, once", c.Name)
		}
		names[c.Name] = true
		if other := tools[c.Tool]; c.Tool != "" && (!toolName.MatchString(c.Tool) || other != "") {
			t.Errorf("%s: tool %q is not snake_case, or is that of %s", c.Name, c.Tool, other)
		}
		tools[c.Tool] = c.Name
		if c.Summary == "" || !strings.HasSuffix(c.Summary, ".") || len(c.Summary) > 100 {
			t.Errorf("%s: the summary is one sentence of at most 100 bytes: %q", c.Name, c.Summary)
		}
		if !slices.Contains([]catalog.Effect{catalog.Read, catalog.Act, catalog.Session}, c.Effect) ||
			!slices.Contains([]catalog.Needs{catalog.Nothing, catalog.Slot, catalog.Page, catalog.Dialog}, c.Needs) || c.Level.Rank() == 0 {
			t.Errorf("%s: effect %q, needs %q or level %q is none", c.Name, c.Effect, c.Needs, c.Level)
		}
		if c.TimeLimit() > protocol.MaxTimeout {
			t.Errorf("%s: the time limit is above that of the protocol", c.Name)
		}
		for _, code := range c.Faults {
			if _, ok := fault.Lookup(code); !ok {
				t.Errorf("%s: there is no fault %s", c.Name, code)
			}
		}
		if _, ok := reflectNew(c).(catalog.Texter); !ok {
			t.Errorf("%s: the result has no Text", c.Name)
		}
		for source, why := range c.Cannot {
			if why == "" || !slices.Contains([]protocol.Source{protocol.SourceExtension, protocol.SourceManaged, protocol.SourceRemote}, source) {
				t.Errorf("%s: cannot over %q, because %q", c.Name, source, why)
			}
		}
		if !slices.ContainsFunc(resources, func(r struct{ name, group, about string }) bool { return r.name == c.Resource() }) {
			t.Errorf("%s: the help has no words for %s", c.Name, c.Resource())
		}
		checkFields(t, c)
		checkExamples(t, c)
	}
}

// taken are the common flags that no parameter may be called.
var taken = []string{"timeout", "output", "fields", "input-file", "describe", "help", "debug", "share-group", "context-id"}

func checkFields(t *testing.T, c *catalog.Command) {
	t.Helper()
	fields := c.Fields()
	flags := map[string]bool{}
	for _, f := range fields {
		where := c.Name + "." + f.Name
		if !paramName.MatchString(f.Name) || flags[f.Flag()] || slices.Contains(taken, f.Flag()) {
			t.Errorf("%s: the name is not camelCase, is there twice, or is that of a common flag", where)
		}
		flags[f.Flag()] = true
		if f.Kind == catalog.Boolean && f.Default == "true" {
			if flags["no-"+f.Flag()] {
				t.Errorf("%s: --no-%s is there twice", where, f.Flag())
			}
			flags["no-"+f.Flag()] = true
		}
		if f.Doc == "" || !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: the doc is a sentence: %q", where, f.Doc)
		}
		if f.Default != "" {
			if _, err := appendValue(nil, &f, f.Default); err != nil {
				t.Errorf("%s: the default: %v", where, err)
			}
		}
		if len(f.Enum) > 0 && f.Kind != catalog.String && f.Kind != catalog.Strings {
			t.Errorf("%s: a list of values for a %s", where, f.Kind)
		}
	}
	for i, name := range c.Positional {
		at := slices.IndexFunc(fields, func(f catalog.Field) bool { return f.Name == name })
		switch {
		case at < 0:
			t.Errorf("%s: positional %s is no parameter", c.Name, name)
		case fields[at].Kind == catalog.Boolean, fields[at].Kind == catalog.Strings && i < len(c.Positional)-1:
			t.Errorf("%s: %s cannot stand without a flag there", c.Name, name)
		}
	}
}

func checkExamples(t *testing.T, c *catalog.Command) {
	t.Helper()
	if len(c.Examples) < 2 {
		t.Errorf("%s has %d examples; two are the least", c.Name, len(c.Examples))
	}
	own := 0
	for _, example := range c.Examples {
		name, err := checkLine(example.Line)
		if err != nil {
			t.Errorf("%s: example %q: %v", c.Name, example.Line, err)
		}
		if name == c.Name {
			own++
		}
	}
	if own == 0 {
		t.Errorf("%s: no example is one of it", c.Name)
	}
}

// checkLine parses a command line with the real flags; name is that of the command.
func checkLine(line string) (name string, err error) {
	// A pipe's end is the shell's.
	line, _, _ = strings.Cut(line, " | ")
	words, err := splitWords(line)
	if err != nil {
		return "", err
	}
	a := &app{printer: output.New(&bytes.Buffer{}, &bytes.Buffer{}), stdin: strings.NewReader("{}"), words: words}
	if c, rest, ok := catalogued(words); ok {
		b := a.bind(c, newFlags(c))
		if err := b.parse(rest); err != nil {
			return c.Name, b.explain(err, rest)
		}
		if b.shared.help || b.shared.describe {
			return c.Name, nil
		}
		b.shared.inputFile = "" // named for the reader, not there
		params, err := b.json(nil)
		if err != nil {
			return c.Name, err
		}
		_, err = c.Decode(params)
		return c.Name, err
	}
	command, rest, err := a.root().Find(words)
	if err != nil {
		return "", err
	}
	if err := command.ParseFlags(rest); errors.Is(err, pflag.ErrHelp) {
		return command.CommandPath(), nil
	} else if err != nil {
		return "", err
	}
	if command.HasAvailableSubCommands() && len(command.Flags().Args()) > 0 {
		return "", fault.New(fault.ValidationError, "no command %q", command.Flags().Arg(0))
	}
	if command.Args == nil || command.HasAvailableSubCommands() {
		return command.CommandPath(), nil
	}
	if help, _ := command.Flags().GetBool("help"); help {
		return command.CommandPath(), nil
	}
	return command.CommandPath(), command.Args(command, command.Flags().Args())
}

// TestSuggestedCommands parses every command line that the host's sources tell
// somebody to run: those in fault rows, in calls of Suggest, and in backquotes.
func TestSuggestedCommands(t *testing.T) {
	t.Parallel()
	checked := 0
	check := func(where, line string) {
		if strings.Contains(line, "%") || strings.HasSuffix(line, "=") || line == "" {
			return // made at run time
		}
		checked++
		if _, err := checkLine(placeholder.ReplaceAllString(line, "1")); err != nil {
			t.Errorf("%s: `dbridge %s` does not parse: %v", where, line, err)
		}
	}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil //nolint:nilerr // the compiler tells
		}
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			if selected, ok := call.Fun.(*ast.SelectorExpr); !ok || selected.Sel.Name != "Suggest" {
				return true
			}
			for _, argument := range call.Args {
				literal, ok := argument.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					continue
				}
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					continue
				}
				for _, line := range commandsIn(text) {
					check(set.Position(literal.Pos()).String(), line)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range fault.Rows() {
		for _, suggestion := range row.Suggestions {
			for _, line := range commandsIn(suggestion) {
				check(string(row.Code), line)
			}
		}
	}
	for _, c := range catalogue.All {
		for _, line := range commandsIn(c.Long) {
			check(c.Name, line)
		}
	}
	if checked < 20 {
		t.Errorf("only %d command lines found", checked)
	}
}

var (
	backquoted  = regexp.MustCompile("`dbridge ([^`]+)`")
	placeholder = regexp.MustCompile(`\b[A-Z][A-Z_]*\b`)
)

// commandsIn lists the command lines of a text: the whole text, or what is in backquotes.
func commandsIn(text string) []string {
	var lines []string
	if line, ok := strings.CutPrefix(text, "dbridge "); ok {
		lines = append(lines, line)
	}
	for _, match := range backquoted.FindAllStringSubmatch(text, -1) {
		lines = append(lines, match[1])
	}
	return lines
}
