package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/tomledit"
)

// Config is what config.toml says.
type Config struct {
	Default  string    // name of the profile where none is named; empty for managed
	Profiles []Profile // by name
	Allow    []Allowance
}

// Allowance is something that is switched off until config.toml switches it on: allow = ["state"].
type Allowance string

// AllowState lets agents change the state of an app: state dispatch, state set.
const AllowState Allowance = "state"

var allowances = []Allowance{AllowState}

// Find gives the profile of a name in the file.
func (c Config) Find(name string) (Profile, bool) {
	at := slices.IndexFunc(c.Profiles, func(p Profile) bool { return p.Name == name })
	if at < 0 {
		return Profile{}, false
	}
	return c.Profiles[at], true
}

// names lists what --profile can mean without a folder or a browser.
func (c Config) names() []string {
	list := []string{NameManaged, NameUser}
	for _, p := range c.Profiles {
		list = append(list, p.Name)
	}
	return list
}

// document is the file's form.
type document struct {
	Default string           `toml:"default"`
	Allow   []Allowance      `toml:"allow"`
	Profile map[string]table `toml:"profile"`
}

type table struct {
	Kind        Kind              `toml:"kind"`
	Headless    *bool             `toml:"headless"`
	UserDataDir string            `toml:"user-data-dir"`
	Persistent  bool              `toml:"persistent"`
	Executable  string            `toml:"executable"`
	Args        []string          `toml:"args"`
	Proxy       string            `toml:"proxy"`
	ProxyBypass string            `toml:"proxy-bypass"`
	PageTools   []string          `toml:"page-tools"`
	Viewport    string            `toml:"viewport"`
	Browser     string            `toml:"browser"`
	Endpoints   []string          `toml:"endpoints"`
	Headers     map[string]string `toml:"headers"`
	HeaderEnv   map[string]string `toml:"header-env"`
}

// keys are what a profile can say, in the order in which they are written.
var keys = []string{
	"kind", "headless", "user-data-dir", "persistent", "executable", "args", "proxy", "proxy-bypass", "viewport", "page-tools",
	"browser", "endpoints", "headers", "header-env",
}

// Load reads config.toml. Where there is none, nothing is configured. What is not
// understood is VALIDATION_ERROR with details.path and details.line.
func Load(path string) (Config, error) {
	data, err := state.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil
	}
	if err != nil {
		return Config{}, err
	}
	return Parse(path, data)
}

// Parse reads the content of config.toml; path is for its errors.
func Parse(path string, data []byte) (Config, error) {
	var d document
	decoder := toml.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return Config{}, unreadable(path, err)
	}
	c := Config{Default: d.Default, Allow: d.Allow}
	for _, one := range d.Allow {
		if !slices.Contains(allowances, one) {
			return Config{}, invalid(path, lineOf(data, "allow"), "nothing that can be allowed is called %q", one).With("key", "allow").
				Suggest(fmt.Sprintf("One of: %q", allowances))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Profile)) {
		t := d.Profile[name]
		p, err := t.profile(name)
		if err == nil {
			err = p.check()
		}
		var wrong problem
		if errors.As(err, &wrong) {
			return Config{}, invalid(path, lineOf(data, "profile", name, wrong.key), "profile %s: %s", name, wrong.says).With("profile", name).With("key", wrong.key)
		}
		c.Profiles = append(c.Profiles, p)
	}
	if names := c.names(); c.Default != "" && !slices.Contains(names, c.Default) {
		failure := invalid(path, lineOf(data, "default"), "the default profile %q is not there", c.Default).With("key", "default")
		return Config{}, meant(failure, c.Default, names)
	}
	return c, nil
}

func (t table) profile(name string) (Profile, error) {
	p := Profile{
		Name: name, Kind: t.Kind, Headless: t.Headless, UserDataDir: t.UserDataDir, Persistent: t.Persistent, Executable: t.Executable, Args: t.Args,
		Proxy: t.Proxy, ProxyBypass: t.ProxyBypass, PageTools: t.PageTools, Browser: t.Browser, Endpoints: t.Endpoints, Headers: t.Headers, HeaderEnv: t.HeaderEnv,
	}
	if p.Kind == "" {
		p.Kind = Managed
	}
	if _, taken := Builtin(name); taken || !NameOK(name) {
		return p, problem{"kind", "this name cannot be given: it has letters, digits, dots, dashes and underscores, 64 at most, and is not managed, remote or user"}
	}
	if t.Viewport != "" {
		var ok bool
		if p.Width, p.Height, ok = ParseViewport(t.Viewport); !ok {
			return p, problem{"viewport", fmt.Sprintf("viewport is %.40q, not a size such as 1280x800", t.Viewport)}
		}
	}
	return p, nil
}

func invalid(path string, line int, format string, args ...any) *fault.Error {
	where := path
	if line > 0 {
		where = fmt.Sprintf("%s line %d", path, line)
	}
	f := fault.New(fault.ValidationError, "%s: %s", where, fmt.Sprintf(format, args...)).With("path", path)
	if line > 0 {
		f.With("line", line)
	}
	return f.Suggest("Correct "+where+".", "dbridge profile --help")
}

func meant(f *fault.Error, word string, words []string) *fault.Error {
	if near := output.Nearest(word, words); near != "" {
		f.Message += fmt.Sprintf("; did you mean %q?", near)
	}
	return f
}

// unreadable tells what the parser did not like. Values are left out: they may be secrets.
func unreadable(path string, err error) error {
	if missing, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(missing.Errors) > 0 {
		line, _ := missing.Errors[0].Position()
		key := missing.Errors[0].Key()
		word := key[len(key)-1]
		failure := invalid(path, line, "there is no setting %q", strings.Join(key, ".")).With("key", word)
		if len(key) == 1 {
			return meant(failure, word, []string{"default", "profile"})
		}
		return meant(failure, word, keys)
	}
	if at, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := at.Position()
		what := "this is not TOML"
		if key := at.Key(); len(key) > 0 {
			what = "the value of " + strings.Join(key, ".") + " has another type"
		}
		return invalid(path, line, "%s (column %d)", what, column).With("column", column)
	}
	return invalid(path, 0, "this is not TOML")
}

// lineOf is the line of a setting, or of the table it would stand in; 0 where neither is.
func lineOf(data []byte, keys ...string) int {
	list, err := tomledit.List(data)
	if err != nil {
		return 0
	}
	for ; len(keys) > 0; keys = keys[:len(keys)-1] {
		for _, s := range list {
			if slices.Equal(s.Keys, keys) {
				return 1 + bytes.Count(data[:s.Start], []byte("\n"))
			}
		}
	}
	return 0
}

// changing is for who changes the file: one after another.
var changing sync.Mutex

// Change says what Add does beside writing the profile.
type Change struct {
	Replace bool // take the place of one of this name
	Default bool // make it the default
}

// Add writes a profile into config.toml, which is made where it is missing.
func Add(path string, p Profile, how Change) error {
	return edit(path, func(data []byte, c Config) ([]byte, error) {
		if _, there := c.Find(p.Name); there {
			if !how.Replace {
				return nil, fault.New(fault.ValidationError, "there is a profile %s already", p.Name).With("profile", p.Name).
					Suggest("Choose another name, or say --replace.", "dbridge profile show "+p.Name)
			}
			var err error
			if data, err = tomledit.Remove(data, "profile", p.Name); err != nil {
				return nil, err
			}
		}
		data = tomledit.Append(data, p.toml(tomledit.Newline(data)))
		if how.Default {
			return tomledit.SetRoot(data, "default", tomledit.String(p.Name))
		}
		return data, nil
	}, func(c Config) bool {
		_, there := c.Find(p.Name)
		return there && (!how.Default || c.Default == p.Name)
	})
}

// Remove takes a profile out of config.toml, with the word that makes it the default.
// Its folder stays. PROFILE unknown is VALIDATION_ERROR.
func Remove(path, name string) (p Profile, wasDefault bool, err error) {
	err = edit(path, func(data []byte, c Config) ([]byte, error) {
		var there bool
		if p, there = c.Find(name); !there {
			return nil, c.Unknown(name)
		}
		if wasDefault = c.Default == name; wasDefault {
			if data, err = tomledit.Remove(data, "default"); err != nil {
				return nil, err
			}
		}
		return tomledit.Remove(data, "profile", name)
	}, func(c Config) bool {
		_, there := c.Find(name)
		return !there
	})
	return p, wasDefault, err
}

// Unknown is the fault for a name that is not in the file, with the nearest that is.
func (c Config) Unknown(name string) *fault.Error {
	f := fault.New(fault.ValidationError, "there is no profile %.80q in config.toml", name).With("profile", name).Suggest("dbridge profile list")
	return meant(f, name, c.names())
}

// edit changes the file by its bytes, and keeps the change where the outcome is right.
func edit(path string, change func([]byte, Config) ([]byte, error), right func(Config) bool) error {
	changing.Lock()
	defer changing.Unlock()
	if err := state.MakeDir(filepath.Dir(path)); err != nil {
		return err
	}
	data, err := state.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	c, err := Parse(path, data)
	if err != nil {
		return err
	}
	if data, err = change(data, c); err != nil {
		return err
	}
	if c, err = Parse(path, data); err != nil {
		failure := fault.From(err)
		failure.Message = strings.TrimPrefix(failure.Message[strings.Index(failure.Message, ": ")+1:], " ")
		delete(failure.Details, "line") // of a file that is not written
		return failure.Suggest("dbridge profile add --help")
	}
	if !right(c) {
		return fault.New(fault.ValidationError, "%s is written in a way that cannot be changed by a program; nothing was changed", path).With("path", path).
			Suggest("Change " + path + " with an editor.")
	}
	return state.WriteFile(path, data)
}

// toml is the profile's table.
func (p Profile) toml(newline string) string {
	var b strings.Builder
	line := func(key, value string) { b.WriteString(key + " = " + value + newline) }
	text := func(key, value string) {
		if value != "" {
			line(key, tomledit.String(value))
		}
	}
	list := func(key string, values []string) {
		if len(values) == 0 {
			return
		}
		quoted := make([]string, len(values))
		for i, value := range values {
			quoted[i] = tomledit.String(value)
		}
		line(key, "["+strings.Join(quoted, ", ")+"]")
	}
	inline := func(key string, values map[string]string) {
		if len(values) == 0 {
			return
		}
		var pairs []string
		for _, name := range slices.Sorted(maps.Keys(values)) {
			pairs = append(pairs, tomledit.Key(name)+" = "+tomledit.String(values[name]))
		}
		line(key, "{ "+strings.Join(pairs, ", ")+" }")
	}
	b.WriteString("[profile." + tomledit.Key(p.Name) + "]" + newline)
	text("kind", string(p.Kind))
	if p.Headless != nil {
		line("headless", fmt.Sprint(*p.Headless))
	}
	text("user-data-dir", p.UserDataDir)
	if p.Persistent {
		line("persistent", "true")
	}
	text("executable", p.Executable)
	list("args", p.Args)
	text("proxy", p.Proxy)
	text("proxy-bypass", p.ProxyBypass)
	text("viewport", p.Viewport())
	list("page-tools", p.PageTools)
	text("browser", p.Browser)
	list("endpoints", p.Endpoints)
	inline("headers", p.Headers)
	inline("header-env", p.HeaderEnv)
	return b.String()
}
