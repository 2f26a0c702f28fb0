package slot

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/profile"
)

// Extension is a browser of the person's that is connected.
type Extension struct {
	ID      string // of the extension's installation: it stays
	Name    string // that the person gave
	Product string // Chrome 156
}

// ProfileSource says where a profile's name comes from.
type ProfileSource string

// The sources, in the order in which a name is looked for.
const (
	FromBuiltin ProfileSource = "built-in"
	FromConfig  ProfileSource = "config"
	FromBrowser ProfileSource = "browser" // the name or id of a connected one
	FromFolder  ProfileSource = "folder"  // kept under that name
)

// Config reads the named profiles.
func (m *Manager) Config() (profile.Config, error) {
	if m.ConfigPath() == "" {
		return profile.Config{}, nil
	}
	return profile.Load(m.ConfigPath())
}

// ConfigPath is the file of the named profiles; empty without files.
func (m *Manager) ConfigPath() string {
	if m.o.Home == nil || m.o.Home.Config == "" {
		return ""
	}
	return m.o.Home.ConfigPath()
}

// Extensions lists the person's browsers that are connected, by id.
func (m *Manager) Extensions() []Extension {
	if m.o.Extensions == nil {
		return nil
	}
	list := m.o.Extensions()
	slices.SortFunc(list, func(a, b Extension) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// called lists the connected browsers with an id or a name, in any letters.
func (m *Manager) called(selector string) []Extension {
	return slices.DeleteFunc(m.Extensions(), func(e Extension) bool { return e.ID != selector && !strings.EqualFold(e.Name, selector) })
}

// Profile gives the profile that a name means: built in, of config.toml, that of a
// connected browser, or a folder that is kept. TARGET_AMBIGUOUS where two browsers have
// the name; VALIDATION_ERROR for what is no name, and for a config.toml that is wrong.
func (m *Manager) Profile(name string) (profile.Profile, ProfileSource, error) {
	if p, ok := profile.Builtin(name); ok {
		return p, FromBuiltin, nil
	}
	config, err := m.Config()
	if err != nil {
		return profile.Profile{}, "", err
	}
	if p, ok := config.Find(name); ok {
		return p, FromConfig, nil
	}
	switch found := m.called(name); {
	case len(found) == 1:
		return profile.Profile{Name: name, Kind: profile.Extension, Browser: found[0].ID}, FromBrowser, nil
	case len(found) > 1:
		return profile.Profile{}, "", ambiguous(name, found)
	case !profile.NameOK(name):
		return profile.Profile{}, "", fault.New(fault.ValidationError, "%.80q is neither a profile, nor the name of a connected browser; the name of a folder that is kept has letters, digits, dots, dashes and underscores, 64 at most", name).
			With("profile", name).Suggest("dbridge profile list", "dbridge session start --help")
	}
	return profile.Profile{Name: name, Kind: profile.Managed, Persistent: true}, FromFolder, nil
}

func ambiguous(name string, found []Extension) *fault.Error {
	browsers := make([]map[string]string, len(found))
	next := make([]string, len(found))
	for i, e := range found {
		browsers[i] = map[string]string{"browserId": e.ID, "name": e.Name, "browser": e.Product}
		next[i] = "--profile " + e.ID
	}
	return fault.New(fault.TargetAmbiguous, "%d connected browsers are called %q", len(found), name).With("profile", name).With("browsers", browsers).
		Suggest(append(next, "Give one of them another name in its Debug Bridge popup.")...)
}

// view says which pages of the person's browsers are seen.
type view struct {
	profile string // by which it was asked for
	browser string // as it was named; empty for all
	id      string // of that browser; empty where it is not connected
}

func (v *view) shows(id string) bool { return v == nil || v.browser == "" || v.id == id }

// viewOf makes the view of a profile of kind extension.
func (m *Manager) viewOf(p profile.Profile) (*view, error) {
	v := &view{profile: p.Name, browser: p.Browser}
	if p.Browser == "" {
		return v, nil
	}
	switch found := m.called(p.Browser); len(found) {
	case 0:
	case 1:
		v.id = found[0].ID
	default:
		return nil, ambiguous(p.Browser, found)
	}
	return v, nil
}

// asked is the view of a profile that a caller names; nil where that is none of the
// person's browsers. What is wrong with another name is said when it is started.
func (m *Manager) asked(name string) (*view, error) {
	if name == "" {
		return nil, nil
	}
	p, _, err := m.Profile(name)
	if failure := fault.From(err); failure != nil && (failure.Code == fault.TargetAmbiguous || failure.Details["path"] != nil) {
		return nil, err
	}
	if err != nil || p.Kind != profile.Extension {
		return nil, nil
	}
	return m.viewOf(p)
}

// view is that of the caller's profile, or of the context's; nil where all is seen.
func (c *Context) view() *view {
	if c.asked != nil {
		return c.asked
	}
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	return c.e.view
}

// OfUser reports whether the pages of the person's browsers may serve the caller: not
// where a browser of another kind was asked for.
func (c *Context) OfUser() bool { return c.caller.Profile == "" || c.asked != nil }

// AwayBrowser is the browser of the person's that the context's profile names, where it
// is not connected; empty otherwise.
func (c *Context) AwayBrowser() string {
	if v := c.view(); v != nil && v.id == "" {
		return v.browser
	}
	return ""
}

// away is the fault of a browser that is named and not connected.
func (m *Manager) away(browser string) *fault.Error {
	f := fault.New(fault.ExtensionNotConnected, "no connected browser has the id or name %q", browser).With("browser", browser)
	var names []string
	for _, e := range m.Extensions() {
		names = append(names, e.Name)
	}
	if len(names) > 0 {
		f.Message += "; connected are " + strings.Join(names, ", ")
		f.With("connected", names)
	}
	return f.Suggest("Start that browser; its name stands in its Debug Bridge popup.", "dbridge profile list", "dbridge session connect")
}

// nameOf is a connected browser's name.
func (m *Manager) nameOf(v *view) string {
	if v == nil || v.browser == "" {
		return ""
	}
	for _, e := range m.Extensions() {
		if e.ID == v.id {
			return e.Name
		}
	}
	return v.browser
}

// settled is a start with what its profile says.
type settled struct {
	Start     // as it was asked for, with its profile's name
	of        profile.Profile
	view      *view    // of kind extension
	endpoints []string // of kind remote
	dir       string   // of kind managed: the folder that is kept; empty for a throw-away one
	args      []string
}

// settle completes and judges what is wanted. What the caller says wins over the profile.
func (m *Manager) settle(want Start) (settled, error) {
	s := settled{Start: want}
	if s.Profile == "" && s.Endpoint != "" {
		s.Profile = ProfileRemote
	}
	if s.Profile == "" {
		config, err := m.Config()
		if err != nil {
			return s, err
		}
		if s.Profile = config.Default; s.Profile == "" {
			s.Profile = ProfileManaged
		}
	}
	var err error
	if s.of, _, err = m.Profile(s.Profile); err != nil {
		return s, err
	}
	if says := s.wrong(); says != "" {
		return s, fault.New(fault.ValidationError, "%s", says).Suggest("dbridge session start --help")
	}
	if s.Width == 0 {
		s.Width, s.Height = s.of.Width, s.of.Height
	}
	switch s.of.Kind {
	case profile.Extension:
		if s.view, err = m.viewOf(s.of); err == nil && s.view.browser != "" && s.view.id == "" {
			err = m.away(s.view.browser)
		}
	case profile.Remote:
		err = s.remote()
	default:
		s.managed(m)
	}
	return s, err
}

// wrong says what does not fit the profile's kind.
func (s *settled) wrong() string {
	kind := s.of.Kind
	switch {
	case kind == profile.Extension && (s.Endpoint != "" || s.Executable != "" || s.Headless != nil):
		return "the user's own browser is not started here: it takes no endpoint, executable or headless"
	case kind == profile.Remote && s.Endpoint == "" && len(s.of.Endpoints) == 0:
		return "a remote browser needs its endpoint"
	case kind == profile.Remote && (s.Executable != "" || s.Headless != nil):
		return "a remote browser runs already: it takes no executable or headless"
	case kind != profile.Remote && s.Endpoint != "":
		return "an endpoint is of a remote profile, not of " + s.Profile
	case kind != profile.Remote && len(s.Header) > 0:
		return "headers are sent to a remote browser only"
	}
	return ""
}

// remote finds endpoints and headers. The profile's headers go to its own endpoints only.
func (s *settled) remote() error {
	s.endpoints = s.of.Endpoints
	if s.Endpoint != "" {
		s.endpoints = []string{s.Endpoint}
		if !slices.Contains(s.of.Endpoints, s.Endpoint) {
			return nil
		}
	}
	header, err := s.of.Header()
	if err != nil {
		return err
	}
	if header == nil {
		header = http.Header{}
	}
	maps.Copy(header, s.Header)
	s.Header = header
	return nil
}

func (s *settled) managed(m *Manager) {
	if s.Headless == nil {
		s.Headless = s.of.Headless
	}
	if s.Executable == "" {
		s.Executable = s.of.Executable
	}
	s.args = s.of.Switches()
	s.dir = m.KeptDir(s.of)
}

// KeptDir is the folder in which a managed profile is kept; empty for a throw-away one.
func (m *Manager) KeptDir(p profile.Profile) string {
	switch {
	case p.UserDataDir != "":
		return filepath.Clean(p.UserDataDir)
	case p.Persistent && m.o.Home != nil:
		return m.o.Home.Profile(p.Name)
	}
	return ""
}

// KeptNames lists the folders that are kept under names.
func (m *Manager) KeptNames() []string {
	if m.o.Home == nil {
		return nil
	}
	entries, err := os.ReadDir(m.o.Home.Profiles())
	if err != nil {
		return nil // none is there yet, or not ours to read
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() && profile.NameOK(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names
}

// UsedBy is the key of the context whose browser has the folder of a profile; empty where none has.
func (m *Manager) UsedBy(dir string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.profile[dir]
}
