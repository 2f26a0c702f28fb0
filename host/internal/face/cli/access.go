package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

func (a *app) tokenCommand() *cobra.Command {
	group := a.asGroup(&cobra.Command{
		Use:     "token",
		Short:   "Make and revoke the tokens of agents and apps",
		Long:    "Make and revoke the tokens that agents and apps present on localhost.\n\nPrograms of this user that use `dbridge attach` need none.",
		GroupID: groupAllow,
	})
	role, level, origin := "", "", ""
	create := &cobra.Command{
		Use: "new NAME [flags]", Short: "Make a token; it is shown once", Args: arguments("NAME"),
		Example: "  dbridge token new my-agent\n  dbridge token new shop --role app --origin http://localhost:3000",
		RunE: a.answer(func(ctx context.Context, args []string) (any, string, error) {
			return a.tokenNew(ctx, args[0], role, level, origin)
		}),
	}
	create.Flags().SortFlags = false
	create.Flags().StringVar(&role, "role", state.RoleAgent, "agent, app or any")
	create.Flags().StringVar(&level, "level", "control", "most it may do: observe, act or control; the tab's own level bounds it too")
	create.Flags().StringVar(&origin, "origin", "", "web `origin` that alone may present it, e.g. http://localhost:3000")
	group.AddCommand(create,
		&cobra.Command{
			Use: "list", Short: "List the tokens, without their secrets", Args: arguments(),
			RunE: a.answer(a.tokenList),
		},
		&cobra.Command{
			Use: "revoke NAME", Short: "Revoke a token; its connections end within a second", Args: arguments("NAME"),
			RunE: a.answer(a.tokenRevoke),
		},
	)
	return group
}

type tokenData struct {
	state.Token
	Secret string `json:"token"`
	CDPURL string `json:"cdpUrl,omitempty"` // for DevTools clients that cannot set headers
}

func (a *app) tokenNew(ctx context.Context, name, role, level, origin string) (any, string, error) {
	home, err := state.Open()
	if err != nil {
		return nil, "", err
	}
	secret, token, err := home.Tokens().New(ctx, name, role, level, origin)
	if err != nil {
		return nil, "", err
	}
	a.reload(ctx, home)
	text := fmt.Sprintf("%s\n\nToken of %s (%s, %s). It is not shown again; send it as\nAuthorization: Bearer %s", secret, token.Name, token.Role, token.Level, secret)
	data := tokenData{Token: token, Secret: secret}
	if token.Allows(state.RoleAgent) && token.Level == protocol.Control {
		data.CDPURL = home.CDPURL(secret)
		text += "\nDevTools clients that cannot set headers connect to\n" + data.CDPURL
	}
	return data, text, nil
}

func (a *app) tokenList(context.Context, []string) (any, string, error) {
	home, err := state.Open()
	if err != nil {
		return nil, "", err
	}
	tokens, err := home.Tokens().List()
	if err != nil {
		return nil, "", err
	}
	var b strings.Builder
	for _, token := range tokens {
		fmt.Fprintf(&b, "%-24s %-6s %-8s %s  %s\n", token.Name, token.Role, token.Level, token.CreatedAt.Format("2006-01-02"), token.Origin)
	}
	if len(tokens) == 0 {
		b.WriteString("There are no tokens. Make one: dbridge token new NAME")
	}
	return struct {
		Tokens []state.Token `json:"tokens"`
	}{tokens}, b.String(), nil
}

func (a *app) tokenRevoke(ctx context.Context, args []string) (any, string, error) {
	home, err := state.Open()
	if err != nil {
		return nil, "", err
	}
	if err := home.Tokens().Revoke(ctx, args[0]); err != nil {
		return nil, "", err
	}
	a.reload(ctx, home)
	return struct {
		Name    string `json:"name"`
		Revoked bool   `json:"revoked"`
	}{args[0], true}, "Revoked " + args[0] + ".", nil
}

func (a *app) appCommand() *cobra.Command {
	group := a.asGroup(&cobra.Command{
		Use:     "app",
		Short:   "Say which web apps may connect with the SDK",
		Long:    "Say which web apps may connect with the embedded SDK, by their exact\norigin: scheme, host and port.",
		GroupID: groupAllow,
	})
	group.AddCommand(
		&cobra.Command{
			Use: "allow URL", Short: "Allow an origin", Args: arguments("URL"),
			Example: "  dbridge app allow http://localhost:3000",
			RunE: a.answer(func(ctx context.Context, args []string) (any, string, error) {
				return a.appChange(ctx, args[0], true)
			}),
		},
		&cobra.Command{Use: "list", Short: "List the allowed origins", Args: arguments(), RunE: a.answer(a.appList)},
		&cobra.Command{
			Use: "deny URL", Short: "Take an origin off the list", Args: arguments("URL"),
			RunE: a.answer(func(ctx context.Context, args []string) (any, string, error) {
				return a.appChange(ctx, args[0], false)
			}),
		},
	)
	return group
}

type appData struct {
	Origin  string `json:"origin"`
	Allowed bool   `json:"allowed"`
	Changed *bool  `json:"changed,omitempty"`
}

func (a *app) appChange(ctx context.Context, url string, allow bool) (any, string, error) {
	home, err := state.Open()
	if err != nil {
		return nil, "", err
	}
	data, text := appData{Allowed: allow}, ""
	if allow {
		data.Origin, err = home.Apps().Allow(ctx, url)
		text = data.Origin + " may connect."
	} else {
		removed := false
		data.Origin, removed, err = home.Apps().Deny(ctx, url)
		data.Changed = &removed
		text = data.Origin + " may not connect."
		if err == nil && !removed {
			text = data.Origin + " was not on the list."
		}
	}
	if err != nil {
		return nil, "", err
	}
	a.reload(ctx, home)
	return data, text, nil
}

func (a *app) appList(context.Context, []string) (any, string, error) {
	home, err := state.Open()
	if err != nil {
		return nil, "", err
	}
	apps, err := home.Apps().List()
	if err != nil {
		return nil, "", err
	}
	var b strings.Builder
	for _, entry := range apps {
		b.WriteString(entry.Origin + "\n")
	}
	if len(apps) == 0 {
		b.WriteString("No web app may connect. Allow one: dbridge app allow http://localhost:3000")
	}
	return struct {
		Apps []state.App `json:"apps"`
	}{apps}, b.String(), nil
}
