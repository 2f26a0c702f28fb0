package tree

import (
	"fmt"
	"strings"
	"testing"
)

func names(list []item) string {
	var out []string
	for _, it := range list {
		out = append(out, it.Name)
	}
	return strings.Join(out, " ")
}

const shadowPage = `<button>top</button><div id=open></div><div id=host><span slot=b>B</span><button slot=a>light-a</button><button>dropped</button><button slot=b>light-b</button></div>
	<div id=closed><button>in-closed</button></div><button>end</button><script>
	const r=document.getElementById('open').attachShadow({mode:'open'});r.innerHTML='<button>s1</button><div></div>';
	r.querySelector('div').attachShadow({mode:'open'}).innerHTML='<button>s2</button><button>s2b</button>';
	const h=document.getElementById('host').attachShadow({mode:'open'});
	h.innerHTML='<slot name=b></slot><button>mid</button><slot name=a></slot><slot name=none><button>fallback</button></slot>';
	const c=document.getElementById('closed').attachShadow({mode:'closed'});c.innerHTML='<button>hidden-root</button><slot></slot>';
	</script>`

// The list is in the order of what is rendered: through shadow roots, slots where they stand.
func TestShadowOrder(t *testing.T) {
	page := open(t, doc(shadowPage))
	got := ask[full](t, page, "T.full()")
	if want := "top s1 s2 s2b light-b mid light-a fallback in-closed end"; names(got.Items) != want {
		t.Errorf("%s, want %s", names(got.Items), want)
	}
	for _, it := range got.Items {
		again := ask[string](t, page, fmt.Sprintf("(() => { const found = T.tree.refs.record(%q).element.deref(); return T.bySelector(%q).length + ':' + T.label(found) })()", it.Ref, it.Selector))
		if !strings.HasPrefix(again, "1:") {
			t.Errorf("%s: selector %s finds %s", it.Name, it.Selector, again)
		}
	}
}

// Closed roots open where the channel can. Here the page itself hands the root over.
func TestClosedRoot(t *testing.T) {
	page := open(t, doc(`<div id=closed><template shadowrootmode=closed><button>hidden-root</button><slot></slot></template><button>in-closed</button></div>`))
	if got := names(ask[full](t, page, "T.full()").Items); got != "in-closed" {
		t.Errorf("without help: %q", got)
	}
	// An isolated world cannot reach a closed root; one attached from here stands for chrome.dom's answer.
	got := ask[full](t, page, `(() => {
		const host = document.createElement('div');
		const root = host.attachShadow({mode: 'closed'});
		root.innerHTML = '<button>one</button><slot></slot><button>two</button>';
		host.innerHTML = '<button>light</button>';
		document.body.append(host);
		return T.start({openClosedRoot: (e) => e === host ? root : null}) && T.full();
	})()`)
	if names(got.Items) != "in-closed one light two" {
		t.Errorf("with help: %q", names(got.Items))
	}
}

func TestSelectorsUnique(t *testing.T) {
	page := open(t, doc(`<div id="a:b 1"><button>1</button><button>2</button></div><div id=dup><button>3</button></div><div id=dup><button>4</button></div>
		<p data-testid='q"uote\'><button>5</button></p><form><input name=id><input name=parentNode><input name=getAttribute><button>6</button></form>
		<my-el><button>7</button></my-el><svg><a href=x><text>8</text></a><a href=y><text>9</text></a></svg>`))
	for _, it := range ask[full](t, page, "T.full()").Items {
		same := ask[bool](t, page, fmt.Sprintf("(() => { const all = document.querySelectorAll(%q); return all.length === 1 && all[0] === T.tree.refs.record(%q).element.deref() })()", it.Selector, it.Ref))
		if !same {
			t.Errorf("%s: %s", it.Name, it.Selector)
		}
	}
}

// The count of what is left out is exact.
func TestLimit(t *testing.T) {
	page := open(t, doc(strings.Repeat("<button>x</button>", 30)))
	got := ask[full](t, page, "T.start({limit: 20}) && T.full()")
	if len(got.Items) != 20 || got.Truncated != 10 {
		t.Errorf("%d items, %d left out", len(got.Items), got.Truncated)
	}
	do(t, page, `document.body.append(document.createElement('button'))`)
	if diff := ask[string](t, page, "JSON.stringify(T.diff())"); diff != "null" {
		t.Errorf("beyond the limit: %s", diff)
	}
	if got := ask[full](t, page, "T.full()"); got.Truncated != 11 {
		t.Errorf("%d left out", got.Truncated)
	}
	do(t, page, `document.querySelector('button').remove()`)
	diff := ask[struct{ Added, Removed []any }](t, page, "T.diff()")
	if len(diff.Added) != 1 || len(diff.Removed) != 1 {
		t.Errorf("the one behind the limit moves up: %+v", diff)
	}
}

// Names and ids are sound text whatever the page wrote, and cut at 200 characters.
func TestText(t *testing.T) {
	page := open(t, doc(`<button id=b></button><button id=long></button>`))
	do(t, page, `
		b.textContent = 'lone \ud800 end \u2028 \u0000 👍 שלום';
		b.setAttribute('aria-label', '\udc00 label'); b.id = 'x\ud800y';
		document.getElementById('long').textContent = 'a'.repeat(198) + '👍👍👍'`)
	got := ask[full](t, page, "JSON.parse(JSON.stringify(T.full()))")
	first, long := got.Items[0], got.Items[1]
	if first.Name != "\ufffd label" || first.StableID != "x\ufffdy" || !strings.Contains(first.Text, "lone \ufffd end") || !strings.Contains(first.Text, "👍 שלום") {
		t.Errorf("%+v", first)
	}
	if n := len([]rune(long.Name)); !strings.HasSuffix(long.Name, "…") || n > 200 || strings.Contains(long.Name, "\ufffd") {
		t.Errorf("%d %q", n, long.Name)
	}
	if found := ask[string](t, page, fmt.Sprintf("T.locate({ref: %q})", first.Ref)); found == "" {
		t.Error("a ref with a lone surrogate in its id does not resolve")
	}
}

// A page that replaced the language's and the DOM's own functions before us changes nothing (in an isolated world).
func TestHostilePage(t *testing.T) {
	body := `<label>Name <input id=n value=v></label><div id=o></div><button id=b aria-labelledby=l>x</button><span id=l>Order</span>
		<form><input name=parentNode><input name=localName><input name=getAttribute><input name=checkVisibility><input name=getRootNode><button id=inform>Send</button></form>
		<script>document.getElementById('o').attachShadow({mode:'open'}).innerHTML='<button>deep</button>'</script>`
	hostile := `<script>
		for (const proto of [Array.prototype, String.prototype, Map.prototype, Set.prototype, WeakMap.prototype, Element.prototype, Node.prototype, Document.prototype, HTMLElement.prototype, MutationObserver.prototype, EventTarget.prototype])
			for (const name of Object.getOwnPropertyNames(proto)) {
				const d = Object.getOwnPropertyDescriptor(proto, name);
				if (name === 'constructor' || !d.configurable || ['attachShadow','getElementById','innerHTML','shadowRoot','write'].includes(name)) continue;
				try { if (typeof d.value === 'function') Object.defineProperty(proto, name, {value() { return 'forged' }, configurable: true});
				else if (d.get) Object.defineProperty(proto, name, {get() { return 'forged' }, configurable: true}) } catch {}
			}
		JSON.stringify = () => '"forged"'; JSON.parse = () => 'forged'; window.getComputedStyle = () => ({}); Object.prototype.then = 1; Object.prototype.toJSON = () => 'forged';
		window.requestAnimationFrame = () => 0; window.Promise = null; window.WeakRef = null; Object.prototype.name = 'forged';
	</script>`
	clean := ask[string](t, open(t, doc(body)), "JSON.stringify(T.full())")
	dirty := ask[string](t, open(t, doc(hostile+body)), "JSON.stringify(T.full())")
	if clean != dirty {
		t.Errorf("clean:   %s\nhostile: %s", clean, dirty)
	}
	if !strings.Contains(clean, `"deep"`) || !strings.Contains(clean, `"Order"`) || !strings.Contains(clean, `"Send"`) {
		t.Errorf("not all there: %s", clean)
	}
}

// Depth and long texts of a page do not bring the walk down. The depth is not
// laid out: Chromium's own layout ends at some 3,000 levels.
func TestExtremes(t *testing.T) {
	page := open(t, doc(`<div id=deep hidden></div><button id=big></button>`))
	do(t, page, `
		let at = document.getElementById('deep');
		for (let i = 0; i < 10000; i++) { const d = document.createElement('div'); at.append(d); at = d; }
		const b = document.createElement('button'); b.id = 'bottom'; b.textContent = 'bottom'; at.append(b);
		document.getElementById('big').textContent = 'word '.repeat(200_000)`)
	got := ask[full](t, page, "T.full()")
	if len(got.Items) != 2 || got.Items[0].Name != "bottom" || len(got.Items[1].Name) > 210 {
		t.Errorf("%s", names(got.Items))
	}
	if found := ask[string](t, page, "T.locate({text: 'bottom'})"); found != "bottom" {
		t.Errorf("by text: %s", found)
	}
}

// Frames know their place without asking the page.
func TestFrameInfo(t *testing.T) {
	page := open(t, doc(`<button>a</button><iframe id=f1 src=/child style="border:3px solid;padding:2px;width:200px;height:100px"></iframe><button>b</button><iframe id=f2 src=/child style="display:none"></iframe>`))
	got := ask[struct {
		Index       int
		ChildFrames []struct {
			Index, Order int
			Visible      bool
			Ref          string
			Bounds       struct{ X, Y, Width, Height float64 }
		}
		Viewport struct{ Width, Height float64 }
	}](t, page, "T.full() && T.frameInfo()")
	if got.Index != -1 || len(got.ChildFrames) != 2 || got.Viewport.Width == 0 {
		t.Fatalf("%+v", got)
	}
	first, second := got.ChildFrames[0], got.ChildFrames[1]
	if first.Index != 0 || first.Order != 1 || !first.Visible || first.Bounds.Width != 200 || first.Bounds.Height != 100 || first.Ref == "" {
		t.Errorf("%+v", first)
	}
	if got, fault := locate(t, page, fmt.Sprintf("{ref: %q}", first.Ref)); got != "f1" {
		t.Errorf("the frame's ref: %q %+v", got, fault)
	}
	if second.Index != 1 || second.Order != 2 || second.Visible {
		t.Errorf("%+v", second)
	}
}
