package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

const whole = `# What agents may do here.
allow = [
  "*.example.com",
  "localhost",   # any port
  "data:",
]
deny = ["bank.example.com", "admin.example.com:8443"]
level = "act"
confirm = ["upload", "download"]
cross-site = "confirm"

[switches]
raw = false
devtools = false

[[site]]
match = "localhost:3000"
level = "control"
raw = true
confirm = []

[[site]]
match = "localhost"
level = "observe"
evaluate = false
cross-site = "allow"
`

func parsed(t *testing.T, text string) *Policy {
	t.Helper()
	p, err := Parse("policy.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWholeFile(t *testing.T) {
	t.Parallel()
	p := parsed(t, whole)
	for _, c := range []struct {
		address string
		may     bool
		rule    string
		level   protocol.Level
	}{
		{"https://example.com/", true, `line 3: allow "*.example.com"`, protocol.Act},
		{"https://shop.example.com/x", true, `line 3: allow "*.example.com"`, protocol.Act},
		{"https://notexample.com/", false, "line 2: allow, which does not list it", protocol.Act},
		{"https://bank.example.com/", false, `line 7: deny "bank.example.com"`, protocol.Act},
		{"https://my.bank.example.com/", true, `line 3: allow "*.example.com"`, protocol.Act},
		{"https://admin.example.com/", true, `line 3: allow "*.example.com"`, protocol.Act},
		{"https://admin.example.com:8443/", false, `line 7: deny "admin.example.com:8443"`, protocol.Act},
		{"http://localhost:3000/", true, `line 4: allow "localhost"`, protocol.Control},
		{"http://localhost:3001/", true, `line 4: allow "localhost"`, protocol.Observe},
		{"data:text/html,x", true, `line 5: allow "data:"`, protocol.Act},
		{"file:///etc/passwd", false, "line 2: allow, which does not list it", protocol.Act},
		{"about:blank", true, "default", protocol.Act},
		{"chrome-error://chromewebdata/", true, "default", protocol.Act},
	} {
		may, rule := p.Visit(c.address)
		level, _ := p.Level(c.address)
		if may != c.may || rule.String() != c.rule || level != c.level {
			t.Errorf("%s: %t by %q at %s, want %t by %q at %s", c.address, may, rule, level, c.may, c.rule, c.level)
		}
	}
	if on, rule := p.Switch("http://localhost:3000/", Raw); !on || rule.String() != `line 19: [[site]] "localhost:3000": raw = true` {
		t.Errorf("raw at localhost:3000 is %t by %s", on, rule)
	}
	// A key that the first table leaves out is taken from the next that matches.
	if on, rule := p.Switch("http://localhost:3000/", Evaluate); on || rule.Line != 25 {
		t.Errorf("evaluate at localhost:3000 is %t by %s", on, rule)
	}
	if on, rule := p.Switch("https://example.com/", Raw); on || rule.String() != "line 13: [switches] raw = false" {
		t.Errorf("raw at example.com is %t by %s", on, rule)
	}
	if on, rule := p.Switch("https://example.com/", Upload); !on || rule.String() != "default" {
		t.Errorf("upload at example.com is %t by %s", on, rule)
	}
	if list := p.Confirms("http://localhost:3000/"); len(list) != 0 {
		t.Errorf("asked at localhost:3000: %q", list)
	}
	if list := p.Confirms("https://example.com/"); strings.Join(list, " ") != "upload download" {
		t.Errorf("asked at example.com: %q", list)
	}
	if p.CrossSite("http://localhost/") != CrossAllow || p.CrossSite("https://example.com/") != CrossConfirm {
		t.Error("cross-site is not what the file says")
	}
}

func TestNoFilePermitsAll(t *testing.T) {
	t.Parallel()
	for _, p := range []*Policy{{}, parsed(t, ""), parsed(t, "# nothing\n")} {
		may, _ := p.Visit("https://bank.example/")
		level, _ := p.Level("https://bank.example/")
		if !may || level != protocol.Control || p.CrossSite("https://x.example/") != CrossWarn || p.Confirms("https://x.example/") != nil {
			t.Errorf("%+v does not permit all", p)
		}
		for _, s := range Switches {
			if on, _ := p.Switch("https://x.example/", s); !on {
				t.Errorf("%s is off", s)
			}
		}
	}
	if may, _ := parsed(t, "allow = []").Visit("https://x.example/"); may {
		t.Error("an empty allow list permits a site")
	}
}

func TestSpellings(t *testing.T) {
	t.Parallel()
	p := parsed(t, `deny = ["bank.example", "bücher.example", "127.0.0.1", "[::1]:81", "*.evil.example", "view.example"]`)
	for _, address := range []string{
		"http://bank.example", "HTTP://BANK.EXAMPLE/", "http://bank.example./", "http:bank.example", `http:\\bank.example\x`, "http:///bank.example/",
		"https://user:pass@bank.example:8443/", "https://good.example@bank.example/", `https://bank.example\@good.example/`, "https://ｂａｎｋ.example/",
		"https://bank。example/", "https://ba\u00adnk.example/", "https://b%61nk.example/", "\x01 https://bank.example/", "ht\ntps://ba\tnk.example/",
		"https://bank.example?x=/", "https://bank.example#@good.example", "blob:https://bank.example/1234", "wss://bank.example/",
		"https://bücher.example/", "https://BÜCHER.example/", "https://xn--bcher-kva.example/", "https://XN--BCHER-KVA.example/",
		"http://127.0.0.1:9/", "http://127.1/", "http://2130706433/", "http://0x7f.0.0.1/", "http://0177.1/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/",
		"http://[::1]:81/", "http://[0:0:0:0:0:0:0:1]:81/", "https://evil.example/", "https://a.b.evil.example/", "view-source:https://view.example/",
	} {
		if may, _ := p.Visit(address); may {
			t.Errorf("%q is permitted as %s", address, SiteOf(address))
		}
	}
	for _, address := range []string{
		"https://good.example/bank.example", "https://good.example/?u=https://bank.example/", "https://bank.example@good.example/", "https://www.bank.example/",
		"https://bank.example.good.example/", "http://[::1]/", "https://notevil.example/", "https://bank.example.evil/", "data:text/html,https://bank.example/", "",
	} {
		if may, rule := p.Visit(address); !may {
			t.Errorf("%q is refused by %s", address, rule)
		}
	}
}

func TestSiteText(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://Shop.Example:443/a": "shop.example", "http://localhost:3000": "localhost:3000", "http://[::1]:8/": "[::1]:8",
		"data:,x": "data:", "https://faß.example/": "xn--fa-hia.example", "https://ドメイン.example/": "xn--eckwd4c7c.example",
	} {
		if got := SiteOf(address).String(); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
}

func TestWrongFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		line int
		says string
	}{
		{"allow = [", 1, "not TOML"},
		{"\nalow = []", 2, `did you mean "allow"?`},
		{"allow = \"x\"", 1, "another type"},
		{"level = \"contol\"", 1, `did you mean "control"?`},
		{"confirm = [\"upload\", \"submitt\"]", 1, `did you mean "submit"?`},
		{"cross-site = \"deny\"", 1, "cross-site is allow, warn, confirm, refuse"},
		{"[switches]\nevalute = false", 2, `did you mean "evaluate"?`},
		{"[switches]\nevaluate = \"no\"", 2, "another type"},
		{"[[site]]\nlevel = \"act\"", 1, "needs match"},
		{"[[site]]\nmatch = \"x.example\"\nlevl = \"act\"", 3, `did you mean "level"?`},
		{"[[site]]\nmatch = \"x.example\"\n[[site]]\nmatch = \"*x.example\"", 4, "a star stands"},
		{"deny = [\n\"a.example\",\n\"https://b.example/\"]", 3, "give its host alone"},
		{"deny = [\"a..b\"]", 1, "no host"},
		{"deny = [\"\"]", 1, "no host"},
		{"deny = [\"*.\"]", 1, "no host"},
		{"deny = [\"*.10.0.0.1\"]", 1, "nothing below"},
		{"deny = [\"a.example:0\"]", 1, "no port"},
		{"deny = [\"a.example:65536\"]", 1, "no port"},
		{"deny = [\"a:b:c\"]", 1, "no host"},
		{"deny = [\"a.example\", 3]", 1, "another type"},
		{"deny = [\"a\"]\ndeny = [\"b\"]", 2, ""},
		{"[switches]\nevaluate = false\nevaluate = true", 3, ""},
	} {
		p, err := Parse("/x/policy.toml", []byte(c.text))
		f := fault.From(err)
		if err == nil {
			t.Errorf("%q is taken as %+v", c.text, p)
			continue
		}
		if f.Code != fault.ValidationError || f.Details["line"] != c.line || !strings.Contains(f.Message, c.says) || f.Details["path"] != "/x/policy.toml" {
			t.Errorf("%q: %v %v, want line %d and %q", c.text, err, f.Details, c.line, c.says)
		}
	}
}

func TestStoreFollowsTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "policy.toml")
	s := &Store{Path: path}
	if p, err := s.Now(); err != nil || p.Path != "" {
		t.Fatalf("without a file: %+v, %v", p, err)
	}
	write := func(text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	await := func(what string, ok func(*Policy, error) bool) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			p, err := s.Now()
			if ok(p, err) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %+v, %v", what, p, err)
			}
		}
	}
	denies := func(p *Policy, err error) bool {
		may, _ := p.Visit("https://bank.example/")
		return err == nil && !may
	}
	write(`deny = ["bank.example"]`, 0o600)
	await("the file is read", denies)
	write("deny = [\n\"bank example\"]", 0o600)
	await("a wrong file refuses", func(_ *Policy, err error) bool {
		f := fault.From(err)
		return err != nil && f.Code == fault.PolicyDenied && f.Details["line"] == 2 && f.Details["path"] == path && f.Details["reason"] == "invalid_policy"
	})
	write(`deny = ["bank.example"]`, 0o600)
	await("the corrected file holds", denies)
	write(`deny = ["bank.example"]`, 0o666)
	await("a file that others may write refuses", func(_ *Policy, err error) bool { return err != nil && fault.From(err).Code == fault.PolicyDenied })
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	await("without the file all is permitted", func(p *Policy, err error) bool { return err == nil && p.Path == "" })
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{whole, "", "allow = []", "[[site]]\nmatch = \"*\"\nlevel = \"act\"", "deny = [\"[::1]:80\", \"xn--a\", \"ü.example:1\"]", "site = [{match = \"a\", raw = true}]", "switches = {raw = false}"} {
		f.Add(seed, "https://user@shop.example:81/a?b#c")
	}
	f.Fuzz(func(t *testing.T, text, address string) {
		p, err := Parse("policy.toml", []byte(text))
		if err != nil {
			if fault.From(err).Code != fault.ValidationError {
				t.Fatalf("%v", err)
			}
			return
		}
		// What is denied by name stays denied, whatever else the file says.
		for _, d := range p.deny {
			if d.pattern.host == "" || d.pattern.all {
				continue
			}
			host := Site{Scheme: "https", Host: d.pattern.host, Port: d.pattern.port}.String()
			if may, _ := p.Visit("https://" + host + "/"); may {
				t.Fatalf("%q is denied by %q and permitted", host, d.rule)
			}
		}
		p.Visit(address)
		p.Level(address)
		for _, s := range Switches {
			p.Switch(address, s)
		}
		trimmed := strings.TrimRight(address, controls)
		if one, two := SiteOf(trimmed), SiteOf(trimmed+"#x"); one.Host != two.Host && one.Scheme != "blob" {
			t.Fatalf("a fragment changes the site of %q: %v, %v", address, one, two)
		}
	})
}
