package page

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Frames of the same process and of other ones, three levels deep, are one tree
// with refs of their own prefix and bounds in the page's coordinates; clicks and
// typing reach each of them at both levels.
func TestFrames(t *testing.T) {
	prefix := regexp.MustCompile(`^(f[1-9][0-9]*)?e[1-9][0-9]*$`)
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/frames3")
			items := p.wholeTree(5)

			// Five frames: itself, two of level 2, two of level 3.
			frames := map[string]bool{}
			for _, one := range items {
				frames[one.FrameID] = true
				match := prefix.FindStringSubmatch(one.Ref)
				want := one.FrameID
				if want == "main" {
					want = ""
				}
				if match == nil || match[1] != want {
					t.Errorf("ref %s in frame %s", one.Ref, one.FrameID)
				}
			}
			if len(frames) != 5 {
				t.Errorf("frames %v, want 5", frames)
			}
			count := map[string]int{}
			for _, one := range items {
				if one.Role == "button" {
					count[one.Name]++
				}
			}
			if count["Button 1"] != 1 || count["Button 2"] != 2 || count["Button 3"] != 2 {
				t.Errorf("buttons %v", count)
			}

			// In document order: a frame's items where its element stands.
			var order []string
			for _, one := range items {
				if one.Role == "button" {
					order = append(order, one.Name)
				}
			}
			if got := strings.Join(order, ","); got != "Button 1,Button 2,Button 3,Button 2,Button 3" {
				t.Errorf("order %s", got)
			}

			// What the top document's eye sees at the middle of the bounds is the frame the item is in.
			for _, one := range items {
				if one.FrameID == "main" || one.Role != "button" {
					continue
				}
				if !p.is(jsAt(one, `at?.localName === 'iframe'`)) {
					t.Errorf("%s %q: no frame at %v", one.Ref, one.Name, one.Bounds)
				}
			}

			for _, one := range items {
				if one.Role != "button" {
					continue
				}
				began := time.Now()
				done := p.Do("click", params{"target": params{"ref": one.Ref}})
				if want := via(level, "click"); done.String("via") != want || done.String("effect") != "changed" {
					t.Errorf("%s: %s", one.Ref, done.Raw)
				}
				if took := time.Since(began); took > 3*time.Second {
					t.Errorf("click in %s took %v", one.FrameID, took)
				}
				field := params{"ref": fieldOf(items, one)}
				if done := p.Do("type", params{"target": field, "text": "in " + one.FrameID}); text(done, "value") != "in "+one.FrameID {
					t.Errorf("type into %s: %s", one.FrameID, done.Raw)
				}
			}
			// The frames themselves say so: each button once, each field its own text.
			after := p.tree()
			for _, one := range after {
				if one.Role == "textbox" && (one.Value == nil || *one.Value != "in "+one.FrameID) {
					t.Errorf("field in %s: %v", one.FrameID, one.Value)
				}
			}
			p.sameProcessClicks(t)
			deep := p.Tab.Frame("/frames3/2").Text(`JSON.stringify([window.clicked, document.querySelector('input').value])`)
			if !strings.HasPrefix(deep, `[1,"in f`) {
				t.Errorf("the cross-process frame says %s", deep)
			}
		})
	}
}

func (p *page) sameProcessClicks(t *testing.T) {
	t.Helper()
	if got := p.Text(`JSON.stringify([window.clicked, frames[0].clicked])`); got != "[1,1]" {
		t.Errorf("clicks in the top and the first frame: %s", got)
	}
}

// wholeTree asks until all frames are in the tree: frames load when they like.
func (p *page) wholeTree(frames int) []item {
	env.T.Helper()
	var items []item
	deadline := time.Now().Add(15 * time.Second)
	for {
		items = p.tree()
		seen := map[string]bool{}
		for _, one := range items {
			seen[one.FrameID] = true
		}
		if len(seen) >= frames {
			return items
		}
		if time.Now().After(deadline) {
			env.T.Fatalf("only %d of %d frames are in the tree", len(seen), frames)
		}
	}
}

func fieldOf(items []item, near item) string {
	for _, one := range items {
		if one.FrameID == near.FrameID && one.Role == "textbox" {
			return one.Ref
		}
	}
	return ""
}

// jsAt evaluates something about what is at the middle of an item's bounds.
func jsAt(one item, expression string) string {
	x, y := one.Bounds.X+one.Bounds.Width/2, one.Bounds.Y+one.Bounds.Height/2
	return "((at) => " + expression + ")(document.elementFromPoint(" + number(x) + ", " + number(y) + "))"
}

func number(x float64) string { return fmt.Sprint(math.Round(x*100) / 100) }

// Names that only one frame has are found wherever it is, and quickly; names in
// two frames are ambiguous; frameId narrows.
func TestFramesSearched(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/frames3")
			items := p.wholeTree(5)

			for _, c := range []struct {
				name string
				do   string
				with params
			}{
				{"a name of the main frame", "click", params{"target": params{"text": "Button 1"}}},
				{"the id of the main frame's field", "type", params{"target": params{"id": "field-1"}, "text": "x"}},
			} {
				began := time.Now()
				p.Do(c.do, c.with)
				if took := time.Since(began); took > 2*time.Second {
					t.Errorf("%s took %v", c.name, took)
				}
			}
			if !p.is(`window.clicked === 1 && document.getElementById('field-1').value === 'x'`) {
				t.Error("the main frame was not reached")
			}

			done := p.try("click", params{"target": params{"text": "Button 2"}})
			found := candidates(done)
			if done.Code() != "TARGET_AMBIGUOUS" || len(found) != 2 {
				t.Fatalf("in two frames: %s", done.Raw)
			}
			for _, one := range found {
				if ref, _ := one["ref"].(string); !strings.HasPrefix(ref, "f") {
					t.Errorf("candidate %v", one)
				}
			}

			var first string
			for _, one := range items {
				if one.Role == "button" && one.Name == "Button 2" {
					first = one.FrameID
					break
				}
			}
			p.Do("click", params{"target": params{"text": "Button 2"}, "frameId": first})
			if done := p.try("click", params{"target": params{"text": "Button 1"}, "frameId": first, "timeoutMs": 700}); done.Code() != "ELEMENT_NOT_FOUND" {
				t.Errorf("not in that frame: %s", done.Raw)
			}
			if done := p.try("click", params{"target": params{"text": "Button 1"}, "frameId": "f99"}); done.Success() {
				t.Errorf("a frame that is not there: %s", done.Raw)
			}

			// One that is in one child frame only, not there yet, hidden at first.
			p.Eval(`void setTimeout(() => frames[0].document.body.append(Object.assign(frames[0].document.createElement('button'), { textContent: 'Only here', onclick() { window.only = 1; } })), 400)`, nil)
			p.Do("click", params{"target": params{"role": "button", "name": "Only here"}})
			if !p.is("window.only === 1") {
				t.Error("the button that came later in a child frame was not clicked")
			}
			p.Eval(`void (frames[0].document.querySelector('body > button').disabled = true)`, nil)
			if done := p.try("click", params{"target": params{"role": "button", "name": "Only here"}, "timeoutMs": 700}); done.Code() != "TARGET_NOT_INTERACTABLE" {
				t.Errorf("disabled in a child frame: %s", done.Raw)
			}
			done = p.try("click", params{"target": params{"role": "button", "name": "Buton 3"}, "timeoutMs": 800})
			if near := candidates(done); done.Code() != "ELEMENT_NOT_FOUND" || len(near) == 0 {
				t.Errorf("nowhere: %s", done.Raw)
			}
		})
	}
}

// Frames that come and go leave and enter the tree; refs of a gone frame are stale.
func TestFramesComeAndGo(t *testing.T) {
	p := at(t, "control", "/frames3")
	items := p.wholeTree(5)
	var gone item
	for _, one := range items {
		if one.Name == "Button 2" {
			gone = one
		}
	}
	from := p.Len()
	p.Eval(`void [...document.querySelectorAll('iframe')].at(-1).remove()`, nil)
	p.AwaitFrom(from, "a diff without the frame", func(m browserMessage) bool {
		return m.Type() == "ui_tree_diff" && strings.Contains(string(m.Raw), `"`+gone.Ref+`"`)
	})
	if done := p.try("click", params{"target": params{"ref": gone.Ref}, "timeoutMs": 700}); done.Code() != "TARGET_STALE" {
		t.Errorf("ref of a frame that is gone: %s", done.Raw)
	}
	p.Eval(`void document.body.append(Object.assign(document.createElement('iframe'), { src: `+quote(env.Pages.CrossURL("/frames3/3"))+` }))`, nil)
	p.wholeTree(4)
	// The rest of the frames moves with the page's scrolling.
	p.Eval(`void (document.body.style.paddingBottom = '3000px')`, nil)
	before := p.tree()
	p.Do("scroll", params{"y": 40})
	after := p.tree()
	for _, one := range before {
		for _, then := range after {
			if one.Ref == then.Ref && math.Abs(one.Bounds.Y-40-then.Bounds.Y) > 1 {
				t.Errorf("%s in %s moved from %v to %v by scrolling 40", one.Ref, one.FrameID, one.Bounds.Y, then.Bounds.Y)
			}
		}
	}
}

// What agents that only listen know of the page is the same as the tree asked
// for: full trees and diffs add up over all frames.
func TestTreeAndDiffsAddUp(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/page/before")
			from := p.Len()
			p.open("/frames3")
			p.wholeTree(5)
			p.Eval(`void (document.querySelector('input').value = 'changed', frames[0].document.querySelector('button').textContent = 'Renamed')`, nil)
			p.AwaitFrom(from, "the new name", func(m browserMessage) bool {
				return m.Type() == "ui_tree_diff" && strings.Contains(string(m.Raw), "Renamed")
			})
			got := p.replica(from)
			want := p.tree()
			for _, one := range want {
				if name, ok := got[one.Ref]; !ok || name != one.Name {
					t.Errorf("%s %q: a listener has %q, %v", one.Ref, one.Name, name, ok)
				}
				delete(got, one.Ref)
			}
			for ref, name := range got {
				t.Errorf("a listener still has %s %q", ref, name)
			}
		})
	}
}

// replica applies the trees and diffs of the log: names by ref.
func (p *page) replica(from int) map[string]string {
	env.T.Helper()
	names := map[string]string{}
	version := -1
	for _, m := range p.Messages()[from:] {
		var body struct {
			Seq                  uint64
			Items, Added         []item
			Removed              []string
			Changed              []map[string]any
			BaseVersion, Version int
		}
		if m.Type() != "ui_tree" && m.Type() != "ui_tree_diff" || m.Decode(&body) != nil || body.Seq == 0 {
			continue
		}
		if m.Type() == "ui_tree" {
			clear(names)
		} else if version >= 0 && body.BaseVersion != version {
			env.T.Errorf("a diff on version %d follows version %d", body.BaseVersion, version)
		}
		version = body.Version
		for _, one := range append(body.Items, body.Added...) {
			names[one.Ref] = one.Name
		}
		for _, ref := range body.Removed {
			delete(names, ref)
		}
		for _, fields := range body.Changed {
			if name, ok := fields["name"].(string); ok {
				names[fields["ref"].(string)] = name
			}
		}
	}
	return names
}
