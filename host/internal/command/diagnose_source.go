package command

import (
	"context"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// maxSources are the elements whose rules are looked up for one answer.
const maxSources = 12

// declare says where the causes are written, and what as. That takes the debugger; without
// it, and where it does not reach, the answer stands with what was computed.
func (d *diagnosis) declare(ctx context.Context, _ *diagnoseResult) error {
	if !d.env.Tab.Trusted() {
		return nil
	}
	room := maxSources
	for _, at := range d.frames {
		var nodes []int
		for _, t := range d.told {
			c := t.f.Cause
			if t.in == at && c.Property != "" && !c.Attribute && len(nodes) < room && !slices.Contains(nodes, c.Element) {
				nodes = append(nodes, c.Element)
			}
		}
		if len(nodes) == 0 {
			continue
		}
		room -= len(nodes)
		if err := d.declareIn(ctx, at, nodes); err != nil && ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// declareIn asks for all elements at once: a round trip for their numbers, one for their rules.
func (d *diagnosis) declareIn(ctx context.Context, at *examined, nodes []int) error {
	session, handles, err := d.env.Tab.Handles(ctx, at.Measured, nodes)
	if err != nil {
		return err
	}
	s := d.env.Tab.Session(session)
	open, err := openSheets(ctx, s)
	if err != nil {
		return err
	}
	defer open.close()
	styles := make([]*matchedStyles, len(nodes))
	var wait sync.WaitGroup
	for i := range nodes {
		wait.Go(func() {
			var number dom.RequestNodeResult
			var matched matchedStyles
			if handles[i] != "" && s.Call(ctx, dom.CommandRequestNode, dom.RequestNodeParams{ObjectID: handles[i]}, &number) == nil &&
				s.Call(ctx, css.CommandGetMatchedStylesForNode, css.GetMatchedStylesForNodeParams{NodeID: number.NodeID}, &matched) == nil {
				styles[i] = &matched // else it went away meanwhile
			}
			if handles[i] != "" {
				_ = s.Call(ctx, runtime.CommandReleaseObject, runtime.ReleaseObjectParams{ObjectID: handles[i]}, nil) // so it is released
			}
		})
	}
	wait.Wait()
	known := slices.DeleteFunc(slices.Clone(styles), func(m *matchedStyles) bool { return m == nil })
	if err := open.await(ctx, known...); err != nil {
		return err
	}
	c := &cascade{sheets: open.known}
	for _, t := range d.told {
		i := slices.Index(nodes, t.f.Cause.Element)
		if t.in != at || i < 0 || styles[i] == nil || t.cause == nil || t.cause.Attribute {
			continue
		}
		if won, ok := c.winner(styles[i], t.cause.Property); ok {
			t.cause.Value, t.cause.Source = won.value, won.rule
			if won.source != "" {
				t.cause.Source += " " + won.source
			}
		}
	}
	return nil
}
