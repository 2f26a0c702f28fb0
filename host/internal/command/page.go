package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var pageCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "page.list", Tool: "list_pages", Summary: "List the pages of the context.",
		Effect: catalog.Read, Needs: catalog.Slot, Level: protocol.Observe,
		Examples: []catalog.Example{
			{Line: "page list", Note: "ids, titles and addresses; * marks the current page"},
			{Line: "page list --fields pages.pageId,pages.url"},
		},
	}, pageList),
}

type pageListParams struct{}

type pageRow struct {
	PageID  int    `json:"pageId" doc:"Give it to --page."`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Current bool   `json:"current"`
}

type pageListResult struct {
	Pages []pageRow `json:"pages"`
}

func (r pageListResult) Text() string {
	var b strings.Builder
	for _, p := range r.Pages {
		mark := " "
		if p.Current {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %d %s %s\n", mark, p.PageID, p.URL, p.Title)
	}
	return b.String()
}

func pageList(_ context.Context, env *Env, _ *pageListParams) (pageListResult, error) {
	out := pageListResult{Pages: []pageRow{}}
	current, _ := env.Context.Tab(0)
	for _, t := range env.Context.Tabs() {
		info := t.Info()
		out.Pages = append(out.Pages, pageRow{info.PageID, info.URL, info.Title, t == current})
	}
	return out, nil
}
