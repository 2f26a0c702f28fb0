package caller

import "os"

// Self tells of this process as one that stands for its agent, as a server that the
// agent started: what it asks for is kept as long as it lives itself.
func Self(flags Flags) Caller {
	c := named(flags)
	c.Anchor = os.Getpid()
	if p, ok := Lookup(c.Anchor); ok {
		c.AnchorAt, c.AnchorName = p.Start, p.title()
	}
	return c
}
