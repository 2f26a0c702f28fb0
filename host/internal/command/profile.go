package command

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/profile"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

var profileCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "profile.list", Tool: "list_profiles", Summary: "List the names that --profile takes: of config.toml, of connected browsers, of kept folders.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe,
		Faults:   []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{{Line: "profile list"}, {Line: "profile list --output text", Note: "* is the default"}},
	}, profileList),
	define(catalog.Spec{
		Name: "profile.show", Tool: "show_profile", Summary: "Tell what a profile says, without its secrets.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe, Positional: []string{"name"},
		Faults:   []fault.Code{fault.FileAccessFailed, fault.TargetAmbiguous},
		Examples: []catalog.Example{{Line: "profile show managed"}, {Line: "profile show user"}},
	}, profileShow),
	define(catalog.Spec{
		Name: "profile.add", Tool: "add_profile", Summary: "Write a profile into config.toml; it counts for the next start.",
		Long: "The file keeps its comments and its order. The kind is remote with --endpoint, extension with --browser, else managed. " +
			"Several endpoints are a fleet: each start takes the one that answers and has the least load.",
		Effect: catalog.Session, Needs: catalog.Nothing, Level: protocol.Control, Local: true, Positional: []string{"name"},
		Faults: []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{
			{Line: "profile add german --headless --args=--lang=de --viewport 1280x800 --persistent", Note: "a browser of its own, kept"},
			{Line: "profile add mine --browser \"Work Chrome\" --default", Note: "one of the person's browsers"},
			{Line: "profile add grid --endpoint http://127.0.0.1:9222 --endpoint http://127.0.0.1:9223 --header-env 'Authorization: GRID_AUTH'", Note: "a fleet"},
		},
	}, profileAdd),
	define(catalog.Spec{
		Name: "profile.remove", Tool: "remove_profile", Summary: "Take a profile out of config.toml; its folder and the browsers that run stay.",
		Effect: catalog.Session, Needs: catalog.Nothing, Level: protocol.Control, Local: true, Positional: []string{"name"},
		Faults:   []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{{Line: "profile remove german"}, {Line: "profile remove grid"}},
	}, profileRemove),
	define(catalog.Spec{
		Name: "profile.check", Tool: "check_profiles", Summary: "Tell whether a profile, or each one, would work now, and what mends it.",
		Long:   "Looks for the program, its folder and proxy, the connected browsers; asks each endpoint for its version and pages. No browser is started.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe, Positional: []string{"name"},
		Faults: []fault.Code{fault.FileAccessFailed, fault.TargetAmbiguous},
		Examples: []catalog.Example{
			{Line: "profile check"},
			{Line: "profile check managed"},
		},
	}, profileCheck),
}

type profileListParams struct{}

type profileListResult struct {
	Config   string       `json:"config" doc:"The file of the named profiles, which may not be there."`
	Profiles []profileRow `json:"profiles"`
}

type profileRow struct {
	Name    string       `json:"name"`
	Kind    profile.Kind `json:"kind" enum:"managed,extension,remote"`
	Source  string       `json:"source" enum:"built-in,config,browser,folder" doc:"Where the name comes from."`
	Default bool         `json:"default,omitzero" doc:"Taken where no profile is named."`
	About   string       `json:"about,omitempty"`
}

func (r profileListResult) Text() string {
	var b strings.Builder
	for _, p := range r.Profiles {
		mark := " "
		if p.Default {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %s (%s, %s) %s\n", mark, p.Name, p.Kind, p.Source, p.About)
	}
	return b.String() + r.Config
}

func profileList(_ context.Context, env *Env, _ *profileListParams) (profileListResult, error) {
	config, err := env.Slots.Config()
	if err != nil {
		return profileListResult{}, err
	}
	out := profileListResult{Config: env.Slots.ConfigPath()}
	add := func(p profile.Profile, source slot.ProfileSource, about string) {
		fallback := config.Default == "" && p.Name == profile.NameManaged
		out.Profiles = append(out.Profiles, profileRow{p.Name, p.Kind, string(source), fallback || config.Default == p.Name, about})
	}
	for _, p := range config.Profiles {
		add(p, slot.FromConfig, aboutProfile(p))
	}
	for name, about := range profileBuiltins() {
		p, _ := profile.Builtin(name)
		add(p, slot.FromBuiltin, about)
	}
	for _, e := range env.Slots.Extensions() {
		add(profile.Profile{Name: e.Name, Kind: profile.Extension}, slot.FromBrowser, e.Product+", id "+e.ID)
	}
	for _, name := range env.Slots.KeptNames() {
		if _, there := config.Find(name); !there {
			add(profile.Profile{Name: name, Kind: profile.Managed}, slot.FromFolder, "kept")
		}
	}
	return out, nil
}

// profileBuiltins gives the names that need no entry, in order.
func profileBuiltins() func(func(name, about string) bool) {
	return func(yield func(name, about string) bool) {
		_ = yield(profile.NameManaged, "a browser of its own, which goes with the context") &&
			yield(profile.NameUser, "the pages that the person connected, of every browser") &&
			yield(profile.NameRemote, "with --endpoint")
	}
}

// aboutProfile is a profile in a line, without secrets.
func aboutProfile(p profile.Profile) string {
	p = p.Masked()
	var parts []string
	add := func(text string, is bool) {
		if is {
			parts = append(parts, text)
		}
	}
	add(p.Executable, p.Executable != "")
	add("headless", p.Headless != nil && *p.Headless)
	add("headed", p.Headless != nil && !*p.Headless)
	add("kept", p.Persistent)
	add("in "+p.UserDataDir, p.UserDataDir != "")
	add(strings.Join(p.Args, " "), len(p.Args) > 0)
	add("proxy "+p.Proxy, p.Proxy != "")
	add(p.Viewport(), p.Width > 0)
	add("browser "+p.Browser, p.Browser != "")
	add(strings.Join(p.Endpoints, " "), len(p.Endpoints) > 0)
	return strings.Join(parts, ", ")
}

type profileNameParams struct {
	Name string `json:"name" doc:"As --profile takes it."`
}

type profileShowResult struct {
	Name        string            `json:"name"`
	Kind        profile.Kind      `json:"kind" enum:"managed,extension,remote"`
	Source      string            `json:"source" enum:"built-in,config,browser,folder"`
	Headless    *bool             `json:"headless,omitempty"`
	UserDataDir string            `json:"userDataDir,omitempty" doc:"The folder that is kept."`
	Executable  string            `json:"executable,omitempty"`
	Args        []string          `json:"args,omitempty"`
	Proxy       string            `json:"proxy,omitempty"`
	ProxyBypass string            `json:"proxyBypass,omitempty"`
	PageTools   []string          `json:"pageTools,omitempty" doc:"Sites whose page tools may be called."`
	Viewport    string            `json:"viewport,omitempty"`
	Browser     string            `json:"browser,omitempty" doc:"Id or name of the person's browser."`
	Endpoints   []string          `json:"endpoints,omitempty" doc:"Without path, query and user."`
	Headers     map[string]string `json:"headers,omitempty" doc:"Names; the values are hidden."`
	HeaderEnv   map[string]string `json:"headerEnv,omitempty" doc:"Names, and the variables that have the values."`
}

func (r profileShowResult) Text() string {
	p := profile.Profile{
		Headless: r.Headless, UserDataDir: r.UserDataDir, Executable: r.Executable, Args: r.Args, Proxy: r.Proxy, Browser: r.Browser, Endpoints: r.Endpoints,
	}
	p.Width, p.Height, _ = profile.ParseViewport(r.Viewport)
	return strings.TrimSpace(fmt.Sprintf("%s (%s, %s) %s", r.Name, r.Kind, r.Source, aboutProfile(p)))
}

func profileShow(_ context.Context, env *Env, in *profileNameParams) (profileShowResult, error) {
	p, source, err := namedProfile(env, in.Name)
	if err != nil {
		return profileShowResult{}, err
	}
	p = p.Masked()
	return profileShowResult{
		Name: p.Name, Kind: p.Kind, Source: string(source), Headless: p.Headless, UserDataDir: env.Slots.KeptDir(p), Executable: p.Executable, Args: p.Args,
		Proxy: p.Proxy, ProxyBypass: p.ProxyBypass, PageTools: p.PageTools, Viewport: p.Viewport(), Browser: p.Browser, Endpoints: p.Endpoints, Headers: p.Headers, HeaderEnv: p.HeaderEnv,
	}, nil
}

// namedProfile is what a name means. One that would only be the name of a new folder is
// no profile yet: more likely it was mistyped.
func namedProfile(env *Env, name string) (profile.Profile, slot.ProfileSource, error) {
	p, source, err := env.Slots.Profile(name)
	if err != nil || source != slot.FromFolder || slices.Contains(env.Slots.KeptNames(), name) {
		return p, source, err
	}
	config, err := env.Slots.Config()
	if err == nil {
		err = config.Unknown(name)
	}
	return p, source, err
}

type profileAddParams struct {
	Name        string   `json:"name" doc:"Letters, digits, dots, dashes and underscores."`
	Kind        string   `json:"kind,omitempty" enum:"managed,extension,remote" doc:"Whose browser it is; told by the other parameters without it."`
	Headless    bool     `json:"headless,omitzero" doc:"No window."`
	Headed      bool     `json:"headed,omitzero" doc:"A window that the person sees."`
	Persistent  bool     `json:"persistent,omitzero" doc:"Keep the browser's folder under the profile's name."`
	UserDataDir string   `json:"userDataDir,omitempty" local:"true" doc:"Keep the browser's folder there."`
	Executable  string   `json:"executable,omitempty" local:"true" doc:"Browser program: a path, or chrome, chromium, edge, brave, chrome-beta and so on."`
	Args        []string `json:"args,omitempty" local:"true" doc:"Further switch of the browser, as --args=--lang=de; repeatable."`
	Proxy       string   `json:"proxy,omitempty" local:"true" doc:"Of the browser's requests: http://host:port, socks5://…."`
	ProxyBypass string   `json:"proxyBypass,omitempty" doc:"Hosts that are asked without the proxy, as *.local;10.0.0.0/8."`
	Viewport    string   `json:"viewport,omitempty" doc:"Size of the page in CSS px, as 1280x800."`
	Browser     string   `json:"browser,omitempty" doc:"Id or name of one of the person's browsers."`
	Endpoint    []string `json:"endpoint,omitempty" local:"true" doc:"Of a remote browser: http://host:port, ws://…; repeatable."`
	Header      []string `json:"header,omitempty" doc:"HTTP header for the endpoints, as 'Name: value'; repeatable."`
	HeaderEnv   []string `json:"headerEnv,omitempty" local:"true" doc:"The same with its value from the daemon's environment, as 'Name: VARIABLE'; repeatable."`
	Default     bool     `json:"default,omitzero" doc:"Take it where no profile is named."`
	Replace     bool     `json:"replace,omitzero" doc:"Take the place of one of this name."`
}

type profileChangeResult struct {
	Profile string   `json:"profile"`
	Config  string   `json:"config" doc:"The file that was changed."`
	Default bool     `json:"default,omitzero" doc:"It is, or was, the default."`
	Notes   []string `json:"notes,omitempty"`
}

func (r profileChangeResult) Text() string {
	return strings.Join(append([]string{r.Profile + " in " + r.Config}, r.Notes...), "\n")
}

// profile makes a profile of the parameters.
func (in *profileAddParams) profile() (profile.Profile, error) {
	p := profile.Profile{
		Name: in.Name, Kind: profile.Kind(in.Kind), Persistent: in.Persistent, UserDataDir: in.UserDataDir, Executable: in.Executable, Args: in.Args,
		Proxy: in.Proxy, ProxyBypass: in.ProxyBypass, Browser: in.Browser, Endpoints: in.Endpoint,
	}
	switch {
	case p.Kind != "":
	case len(p.Endpoints) > 0:
		p.Kind = profile.Remote
	case p.Browser != "":
		p.Kind = profile.Extension
	default:
		p.Kind = profile.Managed
	}
	if in.Headless && in.Headed {
		return p, problem("headless and headed exclude each other").Suggest("dbridge profile add --help")
	}
	if in.Headless || in.Headed {
		p.Headless = &in.Headless
	}
	if in.Viewport != "" {
		var ok bool
		if p.Width, p.Height, ok = profile.ParseViewport(in.Viewport); !ok {
			return p, problem("viewport is %q, not a size such as 1280x800", in.Viewport).Suggest("dbridge profile add NAME --viewport 1280x800")
		}
	}
	for _, set := range []struct {
		lines []string
		into  *map[string]string
	}{{in.Header, &p.Headers}, {in.HeaderEnv, &p.HeaderEnv}} {
		for _, line := range set.lines {
			name, value, err := headerOf(line)
			if err != nil {
				return p, err
			}
			if *set.into == nil {
				*set.into = map[string]string{}
			}
			(*set.into)[name] = value
		}
	}
	return p, nil
}

func profileAdd(_ context.Context, env *Env, in *profileAddParams) (profileChangeResult, error) {
	out := profileChangeResult{Profile: in.Name, Config: env.Slots.ConfigPath(), Default: in.Default}
	p, err := in.profile()
	if err != nil {
		return out, err
	}
	if out.Config == "" {
		return out, fault.New(fault.InternalError, "there is no folder for config.toml")
	}
	return out, profile.Add(out.Config, p, profile.Change{Replace: in.Replace, Default: in.Default})
}

func profileRemove(_ context.Context, env *Env, in *profileNameParams) (profileChangeResult, error) {
	out := profileChangeResult{Profile: in.Name, Config: env.Slots.ConfigPath()}
	p, wasDefault, err := profile.Remove(out.Config, in.Name)
	if err != nil {
		return out, err
	}
	out.Default = wasDefault
	if dir := env.Slots.KeptDir(p); dir != "" {
		if _, err := os.Stat(dir); err == nil {
			out.Notes = append(out.Notes, "its folder stays: "+dir)
		}
	}
	return out, nil
}
