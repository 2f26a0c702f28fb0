package trace

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
)

// maxNodes bounds the questions about nodes: one each.
const maxNodes = 40

// NameNodes asks the page that was recorded for the names of the nodes in the
// evidence that have a number only. Those of a document that is gone stay without.
func (r *Report) NameNodes(ctx context.Context, page cdp.Session) {
	names := make(map[int64]string)
	for s := range r.Sets {
		for i := range r.Sets[s].Insights {
			rows := r.Sets[s].Insights[i].Evidence
			for k := range rows {
				row := &rows[k]
				if row.NodeID == 0 || row.Node != "" {
					continue
				}
				name, asked := names[row.NodeID]
				if !asked && len(names) < maxNodes && ctx.Err() == nil {
					name = describe(ctx, page, row.NodeID)
					names[row.NodeID] = name
				}
				row.Node = name
			}
		}
	}
}

// describe gives a node as the engine does: P id='x' class='y'.
func describe(ctx context.Context, page cdp.Session, id int64) string {
	result, err := cdp.Call(ctx, page, dom.DescribeNode, dom.DescribeNodeParams{BackendNodeID: cdp.BackendNodeID(id)})
	if err != nil || result.Node == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(result.Node.NodeName)
	for i := 0; i+1 < len(result.Node.Attributes); i += 2 {
		if name := result.Node.Attributes[i]; name == "id" || name == "class" {
			b.WriteString(" " + name + "='" + cut(result.Node.Attributes[i+1]) + "'")
		}
	}
	return b.String()
}

// cut bounds what a page names its nodes.
func cut(text string) string {
	const limit = 80
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}
