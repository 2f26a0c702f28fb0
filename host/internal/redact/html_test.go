package redact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestHTML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ given, want string }{
		{`<input id=pw type=password value=hunter2Zx9>`, `<input id=pw type=password value=[redacted]>`},
		{`<INPUT value='hunter2Zx9' Type="PassWord">`, `<INPUT value='[redacted]' Type="PassWord">`},
		{`<input autocomplete="section-a one-time-code" value="123 456">`, `<input autocomplete="section-a one-time-code" value="[redacted]">`},
		{`<input type=hidden name="csrf_token" value="abc">`, `<input type=hidden name="csrf_token" value="[redacted]">`},
		{`<meta name="csrf-token" content="abc"><meta name="description" content="abc">`, `<meta name="csrf-token" content="[redacted]"><meta name="description" content="abc">`},
		{`<p data-token="abc" data-tokens-used="5" class="password">password: is asked</p>`, `<p data-token="[redacted]" data-tokens-used="5" class="password">password: is asked</p>`},
		{`<a href="/a?b=1&amp;token=x">x < y</a>`, `<a href="/a?b=1&amp;token=[redacted]">x < y</a>`},
		{`<script>const s = {token: "hunter2Zx9"};</script><b>ok</b>`, `<script>const s = {token: "[redacted]"};</script><b>ok</b>`},
		{`4111 1111 1111 1111 <b title="4111111111111111">` + token + `</b>`, `[redacted] <b title="[redacted]">[redacted]</b>`},
		{`<input type=password value="«redacted:password»">`, `<input type=password value="«redacted:password»">`},
	} {
		if got := HTML(c.given); got != c.want {
			t.Errorf("%s\n→ %s\nwant %s", c.given, got, c.want)
		}
	}
}

func TestHTMLTakesAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"<", ">", "=", `"`, "'", " ", "/", "a", "input", "script", "</script>", "type=password", "value", "<!--", "é"})).Draw(t, "parts"), "")
		got := HTML(text)
		if !strings.Contains(text, "value") && got != text {
			t.Fatalf("%q → %q", text, got)
		}
	})
}

func BenchmarkHTML(b *testing.B) {
	page := strings.Repeat(`<div class="row"><a href="/products/12?page=2" title="Keyboard">Keyboard</a> <span data-id="12">12.50</span></div>`+"\n", 1000)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		HTML(page)
	}
}
