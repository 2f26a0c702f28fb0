package profile

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// FuzzParse: what is refused is refused with the next step; of what is read, each profile is
// written so that it reads the same, and no value of a header is in what is shown of it.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "default = \"work\"\n[profile.work]\nheadless = true\nviewport = \"1280x800\"\nargs = [\"--lang=de\"]\n", "allow = [\"state\"]", "allow = [\"all\"]",
		"[profile.far]\nkind = \"remote\"\nbrowser = \"x\"\nendpoints = [\"wss://u:p@h/?token=1\"]\nheaders = { Authorization = \"Bearer hunter2\" }\n",
		"[profile.far]\nkind = \"remote\"\nendpoints = [\"127.0.0.1:9222\"]\nheader-env = { X = \"Y\" }\n", "[profile.p]\nproxy = \"http://u:p@h:1\"\nproxy-bypass = \"*.x\"\n",
		"[profile.p]\nkind = \"extension\"\npage-tools = [\"example.com\"]\n", "[profile.\"a b\"]\n", "[profile.managed]\n", "[profile.p]\nheadles = true\n", "a = = 1", "[profile.p]\nuser-data-dir = \"\\u007f\"\npersistent = true\n",
		"[profile.p]\nexecutable = \"/x\\ny\"\n", "default = 1", "\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("config.toml", data)
		if err != nil {
			var failure *fault.Error
			if !errors.As(err, &failure) || failure.Code != fault.ValidationError || len(failure.Suggestions) == 0 {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		for _, p := range c.Profiles {
			written := p.toml("\n")
			again, err := Parse("config.toml", []byte(written))
			if err != nil || len(again.Profiles) != 1 {
				t.Fatalf("%+v\nis written %q: %v", p, written, err)
			}
			if got := again.Profiles[0]; !reflect.DeepEqual(plain(got), plain(p)) {
				t.Fatalf("%+v\nis written %q, which is\n%+v", p, written, got)
			}
			masked := p.Masked()
			for name, value := range masked.Headers {
				if value != Hidden {
					t.Errorf("header %s shows %q", name, value)
				}
			}
			for _, endpoint := range masked.Endpoints {
				if strings.Contains(endpoint, "://") && strings.ContainsAny(endpoint[strings.Index(endpoint, "://")+3:], "?@") {
					t.Errorf("an endpoint is shown as %q", endpoint)
				}
			}
		}
		if c.Default != "" {
			if _, builtin := Builtin(c.Default); !builtin {
				if _, there := c.Find(c.Default); !there {
					t.Errorf("the default %q is not there", c.Default)
				}
			}
		}
	})
}

// plain takes an empty list and no list for the same.
func plain(p Profile) Profile {
	for _, list := range []*[]string{&p.Args, &p.PageTools, &p.Endpoints} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	for _, m := range []*map[string]string{&p.Headers, &p.HeaderEnv} {
		if len(*m) == 0 {
			*m = nil
		}
	}
	return p
}
