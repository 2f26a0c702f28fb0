package page

import (
	"slices"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// outwardChanges makes the refs of a frame's changes the page's, in place. The caller holds t.mu.
func (f *frame) outwardChanges(changes []protocol.ElementChange) {
	for i := range changes {
		if c := &changes[i]; c.Ref != "" {
			c.Ref = f.outward(c.Ref)
		}
		if under := changes[i].Under; under != nil {
			under.Ref = f.outward(under.Ref)
		}
	}
}

// MaskChanges gives changes without the secrets in their page text; those given stay as they are.
func MaskChanges(changes []protocol.ElementChange) []protocol.ElementChange {
	out := slices.Clone(changes)
	for i := range out {
		c := &out[i]
		c.Name, c.Text = redact.Text(c.Name), redact.Text(c.Text)
		if c.Under != nil {
			under := *c.Under
			under.Name = redact.Text(under.Name)
			c.Under = &under
		}
	}
	return out
}
