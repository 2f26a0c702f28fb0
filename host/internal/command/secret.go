package command

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/secret"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

var secretCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "secret.set", Summary: "Give a value a name, so that an agent can type it without knowing it.",
		Long: "The value is asked for without being shown, or is all of stdin; a line's end at its end is not part of it. " +
			"Who types {{secret:NAME}} into a field types the value; in answers, events, files and logs it stands as «secret:NAME».",
		Effect: catalog.Session, Needs: catalog.Nothing, Level: protocol.Control, Local: true, Positional: []string{"name"},
		Faults: []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{
			{Line: "secret set SHOP_PASSWORD --site shop.example", Note: "asks for the value"},
			{Line: "secret set API_KEY", Note: "or from stdin: pass api-key | dbridge secret set API_KEY"},
		},
	}, secretSet),
	define(catalog.Spec{
		Name: "secret.list", Summary: "List the names that {{secret:NAME}} takes, and the sites they are for; no values.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe, Local: true,
		Faults:   []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{{Line: "secret list"}, {Line: "secret list --output text"}},
	}, secretList),
	define(catalog.Spec{
		Name: "secret.remove", Summary: "Forget a secret; its value is masked no longer.",
		Effect: catalog.Session, Needs: catalog.Nothing, Level: protocol.Control, Local: true, Positional: []string{"name"},
		Faults:   []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{{Line: "secret remove SHOP_PASSWORD"}, {Line: "secret remove API_KEY --output text"}},
	}, secretRemove),
}

// hidden is a text that shows itself to nobody who prints or encodes the parameters.
type hidden string

func (hidden) String() string               { return redact.Mark }
func (hidden) GoString() string             { return redact.Mark }
func (hidden) MarshalJSON() ([]byte, error) { return json.Marshal(redact.Mark) }

type secretSetParams struct {
	Name  string   `json:"name" doc:"Capital letters, digits and underscores: SHOP_PASSWORD."`
	Site  []string `json:"site,omitempty" doc:"Host that it may be typed into, with what is below it; repeatable. Any without it."`
	Value hidden   `json:"value,omitempty" typed:"true" doc:"Never an argument: asked for, or from stdin. 4 to 4096 bytes."`
}

type secretRow struct {
	Name  string   `json:"name"`
	Sites []string `json:"sites,omitempty" doc:"Where it may be typed; absent: anywhere."`
	Set   string   `json:"set" doc:"When."`
}

func secretRowOf(s state.Secret) secretRow {
	return secretRow{s.Name, s.Sites, s.SetAt.Format("2006-01-02T15:04:05Z07:00")}
}

func (r secretRow) Text() string {
	return fmt.Sprintf("%s is set, for %s. Type it as {{secret:%s}}", r.Name, sitesText(r.Sites), r.Name)
}

func sitesText(sites []string) string {
	if len(sites) == 0 {
		return "any site"
	}
	return strings.Join(sites, ", ")
}

// vault gives the secrets of this daemon.
func (e *Env) vault() (*secret.Vault, error) {
	if e.secrets == nil {
		return nil, fault.New(fault.CapabilityMissing, "this daemon keeps no secrets")
	}
	return e.secrets, nil
}

func secretSet(ctx context.Context, env *Env, p *secretSetParams) (secretRow, error) {
	vault, err := env.vault()
	if err != nil {
		return secretRow{}, err
	}
	value := string(p.Value)
	if value == "" {
		return secretRow{}, problem("%s has no value", p.Name).Suggest("Run it at a terminal, or give the value on stdin: dbridge secret set " + p.Name)
	}
	if ownWords()[value] {
		return secretRow{}, problem("the value of %s is a word that every answer is made of; masking it would spoil them", p.Name).Suggest("Use another value.")
	}
	set, err := vault.Set(ctx, state.Secret{Name: p.Name, Value: value, Sites: p.Site})
	return secretRowOf(set), err
}

// ownWords are what stands as a value in messages and answers: types, levels, codes. A secret like that would be masked there.
func ownWords() map[string]bool {
	words := map[string]bool{"true": true, "false": true, "null": true}
	add := func(list ...string) {
		for _, word := range list {
			words[word] = true
		}
	}
	for _, c := range protocol.Commands {
		add(c.Type, c.Capability)
	}
	for _, row := range protocol.Telemetry {
		add(row.Type)
	}
	for _, row := range fault.Rows() {
		add(string(row.Code))
	}
	add(protocol.TypeWelcome, protocol.TypeHello, protocol.TypeCapabilities, protocol.TypeCommandResult, protocol.TypeAppConnected, protocol.TypeAppDisconnected, protocol.TypePageNavigated)
	for _, level := range []protocol.Level{protocol.Observe, protocol.Act, protocol.Control} {
		add(string(level))
	}
	return words
}

type secretListResult struct {
	Secrets []secretRow `json:"secrets"`
}

func (r secretListResult) Text() string {
	if len(r.Secrets) == 0 {
		return "there are no secrets; set one: dbridge secret set NAME"
	}
	lines := make([]string, len(r.Secrets))
	for i, s := range r.Secrets {
		lines[i] = fmt.Sprintf("%-24s %s  for %s", s.Name, s.Set, sitesText(s.Sites))
	}
	return strings.Join(lines, "\n")
}

func secretList(_ context.Context, env *Env, _ *struct{}) (secretListResult, error) {
	vault, err := env.vault()
	if err != nil {
		return secretListResult{}, err
	}
	all, err := vault.List()
	out := secretListResult{Secrets: make([]secretRow, 0, len(all))}
	for _, s := range all {
		out.Secrets = append(out.Secrets, secretRowOf(s))
	}
	slices.SortFunc(out.Secrets, func(a, b secretRow) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

type secretRemoveParams struct {
	Name string `json:"name" doc:"Its name."`
}

type secretRemoveResult struct {
	Name    string `json:"name"`
	Removed bool   `json:"removed"`
}

func (r secretRemoveResult) Text() string { return "forgot " + r.Name }

func secretRemove(ctx context.Context, env *Env, p *secretRemoveParams) (secretRemoveResult, error) {
	vault, err := env.vault()
	if err != nil {
		return secretRemoveResult{}, err
	}
	if err := vault.Remove(ctx, p.Name); err != nil {
		return secretRemoveResult{}, err
	}
	return secretRemoveResult{p.Name, true}, nil
}
