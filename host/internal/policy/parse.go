package policy

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// document is the file's form. A pointer is nil where nothing is said.
type document struct {
	Allow    *[]string `toml:"allow"`
	Deny     []string  `toml:"deny"`
	Switches switches  `toml:"switches"`
	Site     []struct {
		Match string `toml:"match"`
		words
		switches
	} `toml:"site"`
	words
}

type words struct {
	Level     *string   `toml:"level"`
	Confirm   *[]string `toml:"confirm"`
	CrossSite *string   `toml:"cross-site"`
}

type switches struct {
	Evaluate  *bool `toml:"evaluate"`
	Raw       *bool `toml:"raw"`
	DevTools  *bool `toml:"devtools"`
	State     *bool `toml:"state"`
	PageTools *bool `toml:"page-tools"`
	Upload    *bool `toml:"upload"`
	Download  *bool `toml:"download"`
	Secrets   *bool `toml:"secrets"`
}

// list is in the order of Switches.
func (s switches) list() []*bool {
	return []*bool{s.Evaluate, s.Raw, s.DevTools, s.State, s.PageTools, s.Upload, s.Download, s.Secrets}
}

// The words of the file, for who misspells them.
var (
	levels     = []string{string(protocol.Observe), string(protocol.Act), string(protocol.Control)}
	crossSites = []string{string(CrossAllow), string(CrossWarn), string(CrossConfirm), string(CrossRefuse)}
	topKeys    = []string{"allow", "deny", "level", "confirm", "cross-site", "switches", "site"}
	siteKeys   = []string{"match", "level", "confirm", "cross-site"}
)

// Parse reads the content of a policy file; path is for its errors. What is not
// understood is VALIDATION_ERROR with details.path and details.line.
func Parse(path string, data []byte) (*Policy, error) {
	var d document
	decoder := toml.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return nil, unreadable(path, err)
	}
	f := &file{path: path, lines: linesOf(data)}
	p := &Policy{Path: path}
	if d.Allow != nil {
		p.limited = Rule{"allow, which does not list it", f.line("allow")}
		p.allow = f.entries("allow", *d.Allow)
	}
	p.deny = f.entries("deny", d.Deny)
	p.top = f.settings("", "", "switches.", d.words, d.Switches)
	for i, s := range d.Site {
		at := "site." + strconv.Itoa(i) + "."
		if s.Match == "" {
			f.wrong(at+"match", "match", "a [[site]] needs match, as match = \"*.example.com\"")
		}
		p.sites = append(p.sites, siteRules{s.Match, f.pattern(at+"match", "match", s.Match), f.settings(fmt.Sprintf("[[site]] %q: ", s.Match), at, at, s.words, s.switches)})
	}
	if f.err != nil {
		return nil, f.err
	}
	return p, nil
}

// file notes the first thing that is wrong.
type file struct {
	path  string
	lines map[string]int
	err   error
}

// line is where a setting stands, or what it would stand in; 0 where neither is known.
func (f *file) line(key string) int {
	for {
		if line, ok := f.lines[strings.TrimSuffix(key, ".")]; ok {
			return line
		}
		at := strings.LastIndexByte(key, '.')
		if at < 0 {
			return 0
		}
		key = key[:at]
	}
}

func (f *file) wrong(at, key, format string, args ...any) {
	if f.err == nil {
		f.err = invalid(f.path, f.line(at), format, args...).With("key", key)
	}
}

func (f *file) entries(key string, list []string) []entry {
	out := make([]entry, 0, len(list))
	for i, text := range list {
		at := key + "." + strconv.Itoa(i)
		out = append(out, entry{text, f.pattern(at, key, text), Rule{fmt.Sprintf("%s %q", key, text), f.line(at)}})
	}
	return out
}

func (f *file) pattern(at, key, text string) pattern {
	p, problem := parsePattern(text)
	if problem != "" {
		f.wrong(at, key, "%s %.80q: %s", key, text, problem)
	}
	return p
}

// word checks a value of a short list.
func (f *file) word(at, key, value string, of []string) {
	if slices.Contains(of, value) {
		return
	}
	near := ""
	if word := output.Nearest(value, of); word != "" {
		near = fmt.Sprintf("; did you mean %q?", word)
	}
	f.wrong(at+key, key, "%s is %s, not %.40q%s", key, strings.Join(of, ", "), value, near)
}

// settings reads what can be said above the tables and in each [[site]]. where begins the
// rule's text; the switches may stand in a table of their own.
func (f *file) settings(where, at, switchesAt string, w words, on switches) settings {
	s := settings{switches: make(map[Switch]said[bool])}
	if w.Level != nil {
		f.word(at, "level", *w.Level, levels)
		s.level = &said[protocol.Level]{protocol.Level(*w.Level), Rule{fmt.Sprintf("%slevel = %q", where, *w.Level), f.line(at + "level")}}
	}
	if w.Confirm != nil {
		for _, act := range *w.Confirm {
			f.word(at, "confirm", act, Acts)
		}
		s.confirm = &said[[]string]{*w.Confirm, Rule{fmt.Sprintf("%sconfirm = %q", where, *w.Confirm), f.line(at + "confirm")}}
	}
	if w.CrossSite != nil {
		f.word(at, "cross-site", *w.CrossSite, crossSites)
		s.cross = &said[CrossSite]{CrossSite(*w.CrossSite), Rule{fmt.Sprintf("%scross-site = %q", where, *w.CrossSite), f.line(at + "cross-site")}}
	}
	if where == "" {
		where = "[switches] "
	}
	for i, value := range on.list() {
		if value != nil {
			key := Switches[i]
			s.switches[key] = said[bool]{*value, Rule{fmt.Sprintf("%s%s = %t", where, key, *value), f.line(switchesAt + string(key))}}
		}
	}
	return s
}

// parsePattern reads a pattern; problem says what is wrong with it.
func parsePattern(text string) (p pattern, problem string) {
	if text == "*" {
		return pattern{all: true}, ""
	}
	if ip, err := netip.ParseAddr(text); err == nil {
		return pattern{host: ip.Unmap().WithZone("").String()}, ""
	}
	if name, found := strings.CutSuffix(text, ":"); found && schemeOK(name) && !strings.Contains(name, ".") {
		return pattern{scheme: strings.ToLower(name)}, ""
	}
	if strings.ContainsAny(text, "/@?#\\ \t\r\n%") {
		return p, "this is an address; give its host alone, as shop.example or shop.example:8080"
	}
	text, p.below = strings.CutPrefix(text, "*.")
	if strings.Contains(text, "*") {
		return p, "a star stands alone, or at the front, as *.example.com"
	}
	host, port := splitPort(text)
	if strings.Contains(host, ":") && !strings.HasPrefix(text, "[") {
		return p, "this is no host"
	}
	if p.host = HostName(host); p.host == "" {
		return p, "there is no host in it"
	}
	_, err := netip.ParseAddr(p.host)
	if err == nil && p.below {
		return p, "there is nothing below an IP address"
	}
	if err != nil {
		for label := range strings.SplitSeq(p.host, ".") {
			if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
				return p, "this is no host"
			}
		}
	}
	if strings.HasSuffix(text, ":") || port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return p, "what follows the colon is no port"
		}
		p.port = strconv.FormatUint(n, 10)
	}
	return p, ""
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
	return f.Suggest("Correct "+where+".", "dbridge policy check --help")
}

// unreadable tells what the parser did not like.
func unreadable(path string, err error) error {
	if missing, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(missing.Errors) > 0 {
		line, _ := missing.Errors[0].Position()
		key := missing.Errors[0].Key()
		word := key[len(key)-1]
		f := invalid(path, line, "there is no setting %q", strings.Join(key, ".")).With("key", word)
		names := topKeys
		if len(key) > 1 {
			names = nil
			for _, s := range Switches {
				names = append(names, string(s))
			}
			if key[0] == "site" {
				names = append(names, siteKeys...)
			}
		}
		if near := output.Nearest(word, names); near != "" {
			f.Message += fmt.Sprintf("; did you mean %q?", near)
		}
		return f
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

// linesOf says on which line each setting stands: allow, allow.0, switches.evaluate,
// site.0, site.0.level.
func linesOf(data []byte) map[string]int {
	lines := make(map[string]int)
	at := func(n *unstable.Node) int {
		return 1 + bytes.Count(data[:min(int(n.Raw.Offset), len(data))], []byte("\n"))
	}
	keyOf := func(n *unstable.Node) (key string, line int) {
		var words []string
		for it := n.Key(); it.Next(); {
			if words = append(words, string(it.Node().Data)); line == 0 {
				line = at(it.Node())
			}
		}
		return strings.Join(words, "."), line
	}
	var note func(prefix string, n *unstable.Node)
	note = func(prefix string, n *unstable.Node) {
		key, line := keyOf(n)
		key = prefix + key
		lines[key] = line
		switch value := n.Value(); value.Kind {
		case unstable.Array:
			items := value.Children()
			for i := 0; items.Next(); i++ {
				if item := items.Node(); item.Raw.Length > 0 {
					lines[key+"."+strconv.Itoa(i)] = at(item)
				}
			}
		case unstable.InlineTable:
			for items := value.Children(); items.Next(); {
				note(key+".", items.Node())
			}
		}
	}
	parser, prefix, sites := unstable.Parser{}, "", 0
	parser.Reset(data)
	for parser.NextExpression() {
		switch n := parser.Expression(); n.Kind {
		case unstable.Table, unstable.ArrayTable:
			key, line := keyOf(n)
			if n.Kind == unstable.ArrayTable {
				key += "." + strconv.Itoa(sites)
				sites++
			}
			lines[key], prefix = line, key+"."
		case unstable.KeyValue:
			note(prefix, n)
		}
	}
	return lines
}
