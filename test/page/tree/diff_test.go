package tree

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const diffPage = `<style>.gone{display:none}.faint{opacity:0}input:checked ~ .follows{display:none}.wide button{width:300px}</style>
	<div id=area><fieldset id=fs><legend>Legend</legend><input id=fi><button>In field</button></fieldset>
	<ul id=ul><li><button>One</button></li><li><a href=x>Two</a></li><li><input type=checkbox id=cb><label for=cb>Three</label><button class=follows>Follows</button></li></ul>
	<span id=l1>Label one</span><span id=l2>Label two</span><button id=named aria-labelledby="l1 l2">n</button>
	<div id=host><button slot=a>Slotted</button><button>Default</button></div>
	<label id=wrap>Wrap <input id=wrapped></label><details id=det><summary>Sum</summary><button>In details</button></details>
	<select id=sel><option>A<option>B</select><div id=tid data-testid=total>Total</div><div id=clip style="height:60px;overflow:hidden"><button>Clip</button></div>
	<input type=radio name=r><input type=radio name=r></div>
	<script>document.getElementById('host').attachShadow({mode:'open'}).innerHTML='<slot name=a></slot><button>Shadow</button><slot></slot>'</script>`

// Random changes of the page, made from a number: the same number, the same changes.
const mutator = `
globalThis.mutate = (seed) => {
	let state = seed >>> 0 || 1;
	const next = (n) => { state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0; return state % n };
	const area = document.getElementById('area') ?? document.body;
	const roots = [area, document.getElementById('host')?.shadowRoot].filter(Boolean);
	const all = () => roots.flatMap((r) => [...r.querySelectorAll('*')]).filter((e) => !['OPTION', 'STYLE', 'SCRIPT'].includes(e.tagName));
	const pick = () => { const list = all(); return list[next(list.length)] ?? area };
	const box = () => { for (let i = 0; i < 20; i++) { const e = pick(); if (!['INPUT', 'SELECT', 'SLOT', 'BUTTON'].includes(e.tagName)) return e } return area };
	const make = () => {
		const html = ['<button>New</button>', '<a href=y>Link</a>', '<input value=v>', '<div onclick=1>Click</div>', '<p>text</p>', '<div><button>Deep</button><input type=checkbox></div>',
			'<label for=cb>Second</label>', '<span id=l1>Other label</span>', '<button id=dup>Dup</button>', '<div data-testid=total>Again</div>', '<div tabindex=0>Tab</div>', '<label>L <input></label>',
			'<button slot=a>Late</button>', '<div role=button tabindex=0><b>Role</b></div>', '<div style="cursor:pointer">Point</div>', '<div id=clip><button>Same id</button></div>'][next(16)];
		const t = document.createElement('template'); t.innerHTML = html; return t.content.firstElementChild;
	};
	const attr = () => [['class', ['gone', 'faint', 'wide', '']], ['hidden', ['', null]], ['disabled', ['', null]], ['aria-label', ['Named', null]], ['id', ['l1', 'cb', 'x', null]],
		['data-testid', ['tt', 'total', null]], ['role', ['button', 'link', 'none', null]], ['aria-labelledby', ['l1', 'x', null]], ['title', ['Tip', null]], ['tabindex', ['0', null]],
		['aria-hidden', ['true', null]], ['style', ['display:none', 'opacity:0', 'position:absolute;left:-999px', 'height:10px;overflow:hidden', null]], ['aria-disabled', ['true', null]],
		['href', ['z', null]], ['slot', ['a', null]], ['inert', ['', null]], ['open', ['', null]], ['for', ['wrapped', 'cb', null]], ['aria-expanded', ['true', 'false', null]]][next(19)];
	switch (next(12)) {
	case 0: case 1: box().append(make()); break;
	case 2: { const b = box(); b.insertBefore(make(), b.childNodes[next(b.childNodes.length + 1)] ?? null); break }
	case 3: { const e = pick(); if (!['area', 'host'].includes(e.id)) e.remove(); break }
	case 4: { const e = pick(), to = box(); if (!e.contains(to) && e.id !== 'area' && e.id !== 'host') to.append(e); break }
	case 5: { const e = pick(); const t = document.createTextNode('t' + next(9)); if (e.tagName !== 'INPUT' && e.tagName !== 'SELECT') e.append(t); break }
	case 6: { const e = pick(); for (const n of e.childNodes) if (n.nodeType === 3 && n.data.trim()) { n.data = 'Changed ' + next(9); break } break }
	case 7: case 8: case 9: { const [name, values] = attr(), v = values[next(values.length)], e = pick(); if (v === null) e.removeAttribute(name); else e.setAttribute(name, v); break }
	case 10: { const e = pick(); if (e.tagName === 'INPUT') { if (['checkbox', 'radio'].includes(e.type)) e.checked = !e.checked; else e.value = 'w' + next(99) } else if (e.tagName === 'SELECT') e.selectedIndex = next(2); break }
	case 11: { const e = pick(); if (next(2)) e.focus?.({preventScroll: true}); else { window.scrollTo(0, next(50)) } break }
	}
};
globalThis.check = (held, compare) => {
	// What an agent holds after the diffs against a list taken anew, in places that scrolling does not change.
	const fresh = T.full();
	const text = (item, y) => JSON.stringify({...item, bounds: {w: item.bounds.width, h: item.bounds.height}}, Object.keys({...item, w: 0, h: 0, ...item.meta}).sort());
	const a = new Map(held.map((i) => [i.ref, text(i)])), b = new Map(fresh.items.map((i) => [i.ref, text(i)]));
	const out = [];
	for (const [ref, item] of b) if (a.get(ref) !== item) out.push('held ' + (a.get(ref) ?? 'nothing') + ' page ' + item);
	for (const [ref, item] of a) if (!b.has(ref)) out.push('held ' + item + ' page nothing');
	return {out, items: fresh.items, version: fresh.version};
};
`

// The list after its diffs equals the list taken anew, whatever the page did.
func TestDiffsAddUp(t *testing.T) {
	page := open(t, doc(diffPage))
	page.EvalIn(world, mutator+";undefined", nil)
	rapid.Check(t, func(rt *rapid.T) {
		seeds := rapid.SliceOfN(rapid.SliceOfN(rapid.Uint32Range(1, 1<<31), 1, 6), 1, 8).Draw(rt, "seeds")
		list, _ := json.Marshal(seeds)
		html, _ := json.Marshal(doc(diffPage))
		var got struct {
			Out   []string
			Wrong string
		}
		err := page.TryEvalIn(world, fmt.Sprintf(`(() => {
			const old = document.body, parsed = new DOMParser().parseFromString(%s, 'text/html');
			old.replaceWith(document.importNode(parsed.body, true));
			document.getElementById('host').attachShadow({mode: 'open'}).innerHTML = '<slot name=a></slot><button>Shadow</button><slot></slot>';
			window.scrollTo(0, 0);
			T.start();
			const first = T.full();
			let held = first.items, version = first.version;
			for (const step of %s) {
				for (const seed of step) mutate(seed);
				const diff = T.diff();
				if (diff === null) continue;
				if (diff.baseVersion !== version || diff.version !== version + 1) return {out: [], wrong: 'versions ' + version + ' ' + JSON.stringify(diff)};
				version = diff.version;
				held = T.applyDiff(held, diff);
			}
			const end = check(held);
			return {out: end.out, wrong: end.version !== version && end.out.length === 0 ? 'full() gave version ' + end.version + ' after ' + version : ''};
		})()`, html, list), &got)
		if err != nil {
			rt.Fatal(err)
		}
		if len(got.Out) > 0 || got.Wrong != "" {
			rt.Fatalf("%s\n%v", got.Wrong, got.Out)
		}
	})
}

// Scrolling changes no item's place; a nested scroller's neither.
func TestScrollIsNoChange(t *testing.T) {
	page := open(t, doc(`<div id=s style="height:100px;overflow:auto"><div style="height:60px"></div><button>in</button><div style="height:900px"></div></div><button style="position:fixed;top:200px">fixed</button><div style="height:4000px"></div><button>end</button>`))
	ask[int](t, page, "T.full().items.length")
	do(t, page, `window.scrollTo(0, 700); document.getElementById('s').scrollTop = 40`)
	if got := ask[string](t, page, "JSON.stringify(T.diff())"); got != "null" {
		t.Errorf("after scrolling: %s", got)
	}
}

// Events and live values that no mutation tells of.
func TestDiffOfStates(t *testing.T) {
	page := open(t, doc(`<input id=a><input id=b type=radio name=r checked><input id=c type=radio name=r><details id=d><summary id=s>s</summary></details><dialog id=g><button id=in>x</button></dialog><x-late id=x></x-late><label id=late><input>Second<input></label>`))
	ask[int](t, page, "T.full().items.length")
	cases := []struct{ script, want string }{
		{`document.getElementById('a').value = 'typed'`, `"value":"typed"`},
		{`document.getElementById('c').click()`, `"checked":false`},
		{`document.getElementById('d').open = true`, `"expanded":true`},
		{`document.getElementById('a').focus()`, `"focused":true`},
		{`document.getElementById('a').blur()`, `"focused":null`},
		{`document.getElementById('g').showModal()`, `"hidden":null`},
		{`document.getElementById('x').attachShadow({mode:'open'}).innerHTML = '<button>late</button>'`, `"name":"late"`},
		{`document.body.append(document.getElementById('late').firstElementChild)`, `"name":"Second"`},
		{`document.adoptedStyleSheets = [Object.assign(new CSSStyleSheet(), {})]; document.adoptedStyleSheets[0].replaceSync('#a{opacity:0}')`, `"hidden":"opacity"`},
	}
	for _, c := range cases {
		do(t, page, c.script)
		page.Until(world, "document.readyState === 'complete'")
		got := ask[json.RawMessage](t, page, "T.diff()")
		if !strings.Contains(string(got), c.want) {
			t.Errorf("%s: %s", c.script, got)
		}
	}
}
