package page

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// A bridge counts its refs from e1 in each document. On the wire a ref is
// unique over the life of the tab: the frame's prefix, and a number that each
// new document of the frame continues (base). So a ref of a document that is
// gone can be told from one of today's, and never reaches another element.

var (
	localRef = lazy.MustCompile(`^e([1-9][0-9]{0,8})$`)
	wireRef  = lazy.MustCompile(`^(f[1-9][0-9]{0,5})?e([1-9][0-9]{0,8})$`)
)

// outward turns a bridge's ref into the wire's. Other strings pass unchanged.
func (f *frame) outward(ref string) string {
	number, ok := localNumber(ref)
	if !ok {
		return ref
	}
	f.maxRef = max(f.maxRef, number)
	return f.wire(number)
}

// wire writes a bridge's number as the wire's ref.
func (f *frame) wire(number int) string { return f.prefix() + "e" + strconv.Itoa(f.refBase+number) }

func localNumber(ref string) (int, bool) {
	match := localRef.FindStringSubmatch(ref)
	if match == nil {
		return 0, false
	}
	number, err := strconv.Atoi(match[1])
	return number, err == nil
}

// prefix is empty in the main frame, else the frame's short id.
func (f *frame) prefix() string {
	if f.id == 0 {
		return ""
	}
	return f.short
}

// newDocument makes refs of the document before distinguishable from those to come.
func (f *frame) newDocument(documentID string) {
	if f.documentID == documentID {
		return
	}
	f.documentID = documentID
	f.refBase += f.maxRef
	f.maxRef = 0
	f.next = 1
	f.seenFirst = false
}

// inward finds the frame of a wire ref and gives the bridge's ref.
func (t *Tab) inward(ref string) (*frame, string, error) {
	match := wireRef.FindStringSubmatch(ref)
	if match == nil {
		return nil, "", fault.New(fault.ValidationError, "%q is not a ref; a ref looks like e12 or f2e7", ref)
	}
	var owner *frame
	for _, f := range t.frames {
		if f.prefix() == match[1] {
			owner = f
		}
	}
	if owner == nil {
		return nil, "", fault.New(fault.TargetStale, "the frame of %s is gone", ref).With("check", "removed").With("ref", ref)
	}
	number, err := strconv.Atoi(match[2])
	if err != nil {
		return nil, "", fault.New(fault.ValidationError, "%q is not a ref", ref)
	}
	if number <= owner.refBase {
		return nil, "", fault.New(fault.TargetStale, "%s belongs to a document that the frame has navigated away from", ref).
			With("check", "navigated").With("ref", ref)
	}
	return owner, fmt.Sprintf("e%d", number-owner.refBase), nil
}

// outwardAll rewrites every "ref" in a decoded JSON value of the bridge.
func (f *frame) outwardAll(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if text, ok := inner.(string); ok && key == "ref" {
				v[key] = f.outward(text)
				continue
			}
			v[key] = f.outwardAll(inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = f.outwardAll(inner)
		}
	}
	return value
}

// toPage turns a point of the frame's viewport into one of the page's.
func (f *frame) toPage(x, y float64) (float64, float64) {
	return x*f.scale + f.offset.X, y*f.scale + f.offset.Y
}

// outwardFault rewrites the refs in a bridge's fault. The one at the top is the
// agent's own word, which may be made up: it says nothing of what was given out.
func (f *frame) outwardFault(details map[string]any) {
	own, _ := details["ref"].(string)
	number, ok := localNumber(own)
	if !ok {
		f.outwardAll(details)
		return
	}
	delete(details, "ref")
	f.outwardAll(details)
	details["ref"] = f.wire(number)
}

// outwardItem makes a frame's item a page's: ref, frame id and place.
func (f *frame) outwardItem(item protocol.UITreeItem) protocol.UITreeItem {
	item.Ref = f.outward(item.Ref)
	item.FrameID = f.short
	item.Bounds.X, item.Bounds.Y = f.toPage(item.Bounds.X, item.Bounds.Y)
	item.Bounds.Width *= f.scale
	item.Bounds.Height *= f.scale
	if f.hidden {
		item.Visible = false
		if item.Hidden == "" {
			item.Hidden = "display"
		}
	}
	return item
}

// shortFrame gives the frame of a wire frame id ("main", "f2").
func (t *Tab) shortFrame(id string) (*frame, error) {
	for _, f := range t.frames {
		if f.short == id {
			return f, nil
		}
	}
	known := make([]string, 0, len(t.frames))
	for _, f := range t.ordered() {
		known = append(known, f.short)
	}
	return nil, fault.New(fault.ElementNotFound, "the page has no frame %q", id).
		With("frames", known).
		Suggest("Use one of the frames: " + strings.Join(known, ", ") + ".")
}
