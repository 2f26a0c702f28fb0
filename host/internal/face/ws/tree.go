package ws

import (
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// treeCache follows the tree of an app through its full trees and diffs.
type treeCache struct {
	mu   sync.Mutex
	tree *protocol.UITree // its items are never changed in place: others may hold them
}

func (c *treeCache) current() (*protocol.UITree, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tree == nil {
		return nil, false
	}
	copied := *c.tree
	return &copied, true
}

// follow takes a message of the app into account.
func (c *treeCache) follow(message protocol.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m := message.(type) {
	case *protocol.UITree:
		copied := *m
		c.tree = &copied
	case *protocol.UITreeDiff:
		if c.tree != nil {
			c.tree = applied(c.tree, m)
		}
	}
}

// applied gives the tree after a diff; nil when the diff is not of this tree, so
// that nobody gets a tree that the page never had.
func applied(tree *protocol.UITree, diff *protocol.UITreeDiff) *protocol.UITree {
	if diff.BaseVersion != tree.Version {
		return nil
	}
	removed := make(map[string]bool, len(diff.Removed))
	for _, ref := range diff.Removed {
		removed[ref] = true
	}
	changes := make(map[string]map[string]any, len(diff.Changed))
	for _, change := range diff.Changed {
		ref, _ := change["ref"].(string) // DecodeApp refuses changes without it
		changes[ref] = change
	}
	next := *tree
	next.Version, next.Timestamp = diff.Version, diff.Timestamp
	next.Items = make([]protocol.UITreeItem, 0, len(tree.Items)+len(diff.Added))
	for _, item := range tree.Items {
		if removed[item.Ref] {
			continue
		}
		if change := changes[item.Ref]; change != nil {
			merged, err := merge(item, change)
			if err != nil {
				return nil
			}
			item = merged
		}
		next.Items = append(next.Items, item)
	}
	next.Items = append(next.Items, diff.Added...)
	return &next
}

// merge sets the fields of a change; null takes a field away.
func merge(item protocol.UITreeItem, change map[string]any) (merged protocol.UITreeItem, err error) {
	data, err := protocol.Encode(item)
	if err != nil {
		return merged, err
	}
	fields := make(map[string]any)
	if err := json.Unmarshal(data, &fields); err != nil {
		return merged, err
	}
	for name, value := range change {
		if value == nil {
			delete(fields, name)
		} else {
			fields[name] = value
		}
	}
	if data, err = protocol.Encode(fields); err != nil {
		return merged, err
	}
	err = json.Unmarshal(data, &merged)
	return merged, err
}

// treeResult, snapshotResult and stateResult are the answers of an app to the
// commands whose answer is telemetry too.
type (
	treeResult struct {
		Items     []protocol.UITreeItem `json:"items"`
		Version   int                   `json:"version"`
		Truncated int                   `json:"truncated,omitempty"`
	}
	snapshotResult struct {
		HTML      string `json:"html"`
		Truncated bool   `json:"truncated,omitempty"`
		Bytes     int    `json:"bytes"`
	}
	stateResult struct {
		States []struct {
			Scope  string `json:"scope"`
			State  any    `json:"state"`
			Source string `json:"source"`
		} `json:"states"`
	}
)

// publish logs the answer to request_ui_tree, request_dom_snapshot and
// request_state as the message that it is, for all agents.
func (a *app) publish(cmd *protocol.Command, outcome session.Outcome) (session.Outcome, error) {
	page, _ := a.where()
	base := func(messageType string) protocol.Base {
		b := protocol.Base{Type: messageType}
		if cmd.AgentID != "" {
			b.RequestID = cmd.RequestID
		}
		return b
	}
	switch cmd.Spec.Type {
	case "request_ui_tree":
		var result treeResult
		if f := reshape(outcome.Result, &result); f != nil {
			return outcome, f
		}
		tree := &protocol.UITree{Base: base(protocol.TypeUITree), Items: result.Items, Version: result.Version, Full: true, Truncated: result.Truncated}
		a.tree.follow(tree)
		page.Publish(tree)
		outcome.Result = map[string]any{"version": result.Version, "count": len(result.Items)}
	case "request_dom_snapshot":
		var result snapshotResult
		if f := reshape(outcome.Result, &result); f != nil {
			return outcome, f
		}
		page.Publish(&protocol.DOMSnapshot{Base: base(protocol.TypeDOMSnapshot), HTML: result.HTML, Truncated: result.Truncated, Bytes: result.Bytes})
		outcome.Result = map[string]any{"bytes": result.Bytes, "truncated": result.Truncated}
	case "request_state":
		var result stateResult
		if f := reshape(outcome.Result, &result); f != nil {
			return outcome, f
		}
		var updates []protocol.Message
		states := make(map[string]any, len(result.States))
		for _, state := range result.States {
			update := &protocol.StateUpdate{Base: base(protocol.TypeStateUpdate), Scope: state.Scope, State: state.State, Source: state.Source}
			maskState(update)
			states[state.Scope] = update.State
			updates = append(updates, update)
		}
		page.Publish(updates...)
		outcome.Result = map[string]any{"states": states}
	}
	return outcome, nil
}

// maskState masks the secrets of what an app tells of its state.
func maskState(update *protocol.StateUpdate) {
	update.State, update.Patch = redact.Value(update.State), redact.Patch(update.Patch)
	if update.State == nil && update.Patch == nil {
		update.State = jsontext.Value("null") // told, not left out
	}
}

// reshape reads a decoded value as a type. What else stands in it is left out.
func reshape(value any, into any) *fault.Error {
	data, err := protocol.Encode(value)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return fault.New(fault.ProtocolError, "The app's answer is not of the shape of this command.").Because(err)
	}
	return nil
}
