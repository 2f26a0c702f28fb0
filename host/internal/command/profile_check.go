package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/profile"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

type profileCheckParams struct {
	Name string `json:"name,omitempty" doc:"Of one profile; those of config.toml, managed and user without it."`
}

type profileCheckResult struct {
	OK       bool           `json:"ok" doc:"All of them would work."`
	Profiles []profileState `json:"profiles"`
}

type profileState struct {
	Name string       `json:"name"`
	Kind profile.Kind `json:"kind" enum:"managed,extension,remote"`
	OK   bool         `json:"ok" doc:"It would work; of several endpoints one is enough."`
	Hops []profileHop `json:"hops"`
}

type profileHop struct {
	What     string `json:"what" enum:"executable,folder,proxy,browser,headers,endpoint"`
	OK       bool   `json:"ok"`
	Detail   string `json:"detail"`
	Fix      string `json:"fix,omitempty"`
	Product  string `json:"product,omitempty" doc:"Of an endpoint."`
	Pages    int    `json:"pages,omitzero" doc:"Open in an endpoint's browser: its load."`
	Contexts int    `json:"contexts,omitzero" doc:"Of this daemon, that use the endpoint now."`
	Ms       int64  `json:"ms,omitzero" doc:"Until the endpoint had answered."`
}

func (r profileCheckResult) Text() string {
	var lines []string
	for _, p := range r.Profiles {
		word := "ok"
		if !p.OK {
			word = "does not work"
		}
		lines = append(lines, fmt.Sprintf("%s (%s) %s", p.Name, p.Kind, word))
		for _, h := range p.Hops {
			mark := "+"
			if !h.OK {
				mark = "-"
			}
			lines = append(lines, fmt.Sprintf("  %s %s %s", mark, h.What, h.Detail))
			if h.Fix != "" {
				lines = append(lines, "    fix: "+h.Fix)
			}
		}
	}
	return strings.Join(lines, "\n")
}

func profileCheck(ctx context.Context, env *Env, in *profileCheckParams) (profileCheckResult, error) {
	out := profileCheckResult{OK: true}
	list, err := checked(env, in.Name)
	if err != nil {
		return out, err
	}
	for _, p := range list {
		hops := env.Slots.Check(ctx, p)
		state := profileState{Name: p.Name, Kind: p.Kind, OK: slot.Works(p, hops), Hops: []profileHop{}}
		for _, h := range hops {
			hop := profileHop{What: h.What, OK: h.OK, Detail: h.Detail, Fix: h.Fix}
			if h.Health != nil {
				hop.Product, hop.Pages, hop.Contexts, hop.Ms = h.Health.Product, h.Health.Pages, h.Health.Contexts, h.Health.Took.Milliseconds()
			}
			state.Hops = append(state.Hops, hop)
		}
		out.OK = out.OK && state.OK
		out.Profiles = append(out.Profiles, state)
	}
	return out, nil
}

// checked are the profiles that are meant: one, or all that somebody set up.
func checked(env *Env, name string) ([]profile.Profile, error) {
	if name != "" {
		p, _, err := namedProfile(env, name)
		return []profile.Profile{p}, err
	}
	config, err := env.Slots.Config()
	if err != nil {
		return nil, err
	}
	list := config.Profiles
	for _, name := range []string{profile.NameManaged, profile.NameUser} {
		p, _ := profile.Builtin(name)
		list = append(list, p)
	}
	return list, nil
}
