package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
)

// common are the flags that every command of the catalogue has. A command whose
// own parameter has the name of one of them takes its place.
type common struct {
	page       int
	shareGroup string
	contextID  string
	profile    string
	session    string
	inputFile  string
	describe   bool
	help       bool
}

// bound is a command of the catalogue with a flag for each parameter.
type bound struct {
	command *catalog.Command
	params  []*param
	flags   *pflag.FlagSet
	shared  common
}

// bind gives the flag set the command's flags and the common ones.
func (a *app) bind(c *catalog.Command, flags *pflag.FlagSet) *bound {
	b := &bound{command: c, flags: flags}
	flags.SortFlags = false
	for _, f := range c.Fields() {
		p := &param{field: f}
		b.params = append(b.params, p)
		if f.Typed {
			continue
		}
		flag := flags.VarPF(p, f.Flag(), "", f.Doc)
		if f.Kind != catalog.Boolean {
			continue
		}
		flag.NoOptDefVal = "true"
		if f.Default == "true" {
			flags.VarPF(&negation{p}, "no-"+f.Flag(), "", "turns --"+f.Flag()+" off").NoOptDefVal = "true"
		}
	}
	str := func(to *string, name, short, value, usage string) {
		if flags.Lookup(name) == nil {
			flags.StringVarP(to, name, short, value, usage)
		}
	}
	boolean := func(to *bool, name, short, usage string) {
		if flags.Lookup(name) == nil {
			flags.BoolVarP(to, name, short, false, usage)
		}
	}
	integer := func(to *int, name string, value int, usage string) {
		*to = value
		if flags.Lookup(name) == nil {
			flags.IntVar(to, name, value, usage)
		}
	}
	if c.Needs == catalog.Page || c.Needs == catalog.Dialog {
		integer(&b.shared.page, "page", 0, "id of the page; the current one without it")
	}
	integer(&a.timeoutMs, "timeout", int(c.TimeLimit().Milliseconds()), "time limit in ms")
	str(&a.outputFlag, "output", "o", string(output.JSON), "answer as json or text")
	str(&a.fieldsFlag, "fields", "", "", "keep only these fields of the answer: a,b.c")
	str(&b.shared.inputFile, "input-file", "", "", "parameters as JSON from a file, - for stdin")
	str(&b.shared.shareGroup, "share-group", "", "", "share one browser with all who name this group")
	str(&b.shared.contextID, "context-id", "", "", "context to use (for operators)")
	str(&b.shared.profile, "profile", "", "", "user, managed, remote or a name of yours")
	str(&b.shared.session, "session", "", "", "session of the user's pages")
	boolean(&b.shared.describe, "describe", "", "tell schemas, examples and errors instead of running")
	boolean(&a.verbose, "verbose", "v", "say more")
	boolean(&a.debug, "debug", "", "say the causes of errors on stderr")
	boolean(&b.shared.help, "help", "h", "help of this command")
	return b
}

// own reports whether a flag is a parameter of the command.
func (b *bound) own(flag *pflag.Flag) bool {
	switch flag.Value.(type) {
	case *param, *negation:
		return true
	}
	return false
}

// param is a parameter's value as JSON: a pflag.Value.
type param struct {
	field catalog.Field
	raw   []byte // of one value; of a list the elements, without brackets
	given bool
}

// Set takes one value; of a list, one more.
func (p *param) Set(text string) error {
	f := &p.field
	value, err := appendValue(nil, f, text)
	if err != nil {
		return err
	}
	if f.Kind == catalog.Strings && p.given {
		value = append(append(p.raw, ','), value...)
	}
	p.raw, p.given = value, true
	return nil
}

// String is the default, for help.
func (p *param) String() string { return p.field.Default }

// Type is the word for the value in help.
func (p *param) Type() string {
	switch p.field.Kind {
	case catalog.Boolean:
		return "bool"
	case catalog.Integer, catalog.Number:
		return "number"
	case catalog.JSON:
		return "json"
	}
	return "text"
}

// json is the whole value.
func (p *param) json() []byte {
	if p.field.Kind != catalog.Strings {
		return p.raw
	}
	return append(append([]byte{'['}, p.raw...), ']')
}

// negation turns a switch off that is on by default.
type negation struct{ of *param }

func (n *negation) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return badValue(&n.of.field, text)
	}
	return n.of.Set(strconv.FormatBool(!on))
}

func (n *negation) String() string { return "" }
func (n *negation) Type() string   { return "bool" }

// appendValue appends the JSON of one word of the command line.
func appendValue(to []byte, f *catalog.Field, text string) ([]byte, error) {
	switch f.Kind {
	case catalog.Boolean:
		on, err := strconv.ParseBool(text)
		if err != nil {
			return nil, badValue(f, text)
		}
		return strconv.AppendBool(to, on), nil
	case catalog.Integer:
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, badValue(f, text)
		}
		return strconv.AppendInt(to, number, 10), nil
	case catalog.Number:
		if _, err := strconv.ParseFloat(text, 64); err != nil || !jsontext.Value(text).IsValid() {
			return nil, badValue(f, text)
		}
		return append(to, text...), nil
	case catalog.JSON:
		if !jsontext.Value(text).IsValid() {
			return nil, fault.New(fault.ValidationError, "--%s must be JSON, and %q is not", f.Flag(), output.Cut(text, 80)).
				With("parameter", f.Name).Suggest("Quote it for the shell: --" + f.Flag() + ` '{"a":1}'`)
		}
		return append(to, text...), nil
	}
	if len(f.Enum) > 0 && text != "" && !slices.Contains(f.Enum, text) {
		e := fault.New(fault.ValidationError, "--%s is %q, not one of %s", f.Flag(), output.Cut(text, 80), strings.Join(f.Enum, ", ")).With("parameter", f.Name)
		if near := output.Nearest(text, f.Enum); near != "" {
			return nil, e.Suggest(fmt.Sprintf("Did you mean --%s %s?", f.Flag(), near))
		}
		return nil, e.Suggest("Use --" + f.Flag() + " " + strings.Join(f.Enum, "|"))
	}
	return jsontext.AppendQuote(to, strings.ToValidUTF8(text, "\ufffd"))
}

func badValue(f *catalog.Field, text string) error {
	return fault.New(fault.ValidationError, "--%s must be %s, not %q", f.Flag(), f.Kind.Words(), output.Cut(text, 80)).
		With("parameter", f.Name).Suggest("Give " + f.Kind.Words() + ".")
}

// minus marks words that begin with a minus and a digit, which pflag would take for flags.
const minus = "\x00"

// parse reads the words after the verb and gives the parameters' JSON, and whether
// help or a description was asked for instead.
func (b *bound) parse(words []string) error {
	if err := b.flags.Parse(guardNumbers(b.flags, words)); err != nil {
		return err
	}
	return b.place(b.flags.Args())
}

// guardNumbers marks negative numbers that are arguments and not the values of flags.
func guardNumbers(flags *pflag.FlagSet, words []string) []string {
	guarded := words
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--":
			return guarded
		case strings.HasPrefix(word, "--"):
			if flag := flags.Lookup(word[2:]); flag != nil && flag.NoOptDefVal == "" {
				i++ // its value
			}
		case len(word) > 1 && word[0] == '-' && (word[1] >= '0' && word[1] <= '9' || word[1] == '.'):
			if &guarded[0] == &words[0] {
				guarded = slices.Clone(words)
			}
			guarded[i] = minus + word
		case word == "-o":
			i++
		}
	}
	return guarded
}

// place gives the arguments to the positional parameters that have no flag.
func (b *bound) place(args []string) error {
	for _, name := range b.command.Positional {
		p := b.param(name)
		if p == nil || p.given {
			continue
		}
		for len(args) > 0 {
			if err := p.Set(strings.TrimPrefix(args[0], minus)); err != nil {
				f := fault.From(err)
				f.Message = strings.Replace(f.Message, "--"+p.field.Flag(), p.field.Argument(), 1)
				return f
			}
			args = args[1:]
			if p.field.Kind != catalog.Strings {
				break
			}
		}
	}
	if len(args) == 0 {
		return nil
	}
	f := fault.New(fault.ValidationError, "%q is one argument too many", strings.TrimPrefix(args[0], minus))
	return f.Suggest("Use: "+usage(b.command), seeHelp(b.command))
}

func (b *bound) param(name string) *param {
	for _, p := range b.params {
		if p.field.Name == name {
			return p
		}
	}
	return nil
}

func seeHelp(c *catalog.Command) string {
	return "dbridge " + c.Resource() + " " + c.Verb() + " --help"
}
