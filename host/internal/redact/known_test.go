package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// These tests share what is known of the process, so they do not run beside each other.
func know(t testing.TB, secrets ...Secret) {
	Know(secrets)
	t.Cleanup(func() { Know(nil) })
}

var nasty = []string{
	"hunter2-Zx9", `p"a\s's<w&o>rd/ é%+=`, "line\nbreak\ttab", "日本語のパスワード", "🔑 key 🔑", "1234", "PIN_9", "abcd", "a b c d", "ünï©ode", "\\\\\"\"''", "x=1&y=2#z?",
}

func TestKnownInEveryForm(t *testing.T) {
	for _, value := range nasty {
		know(t, Secret{"NAME", value})
		quoted, _ := json.Marshal(value)
		twice, _ := json.Marshal(string(quoted))
		thrice, _ := json.Marshal(string(twice))
		var plain bytes.Buffer
		encoder := json.NewEncoder(&plain)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(value)
		query := url.Values{"q": {value}}.Encode()
		page := url.URL{Scheme: "https", Host: "a.test", Path: "/" + value, RawQuery: query, User: url.UserPassword("ada", value)}
		inHTML, _ := json.Marshal(`<input value="` + html.EscapeString(value) + `">`)
		cases := map[string][2]string{ // what is written, and what must be gone
			"plain":  {" " + value + " ", value},
			"json":   {string(quoted), string(quoted[1 : len(quoted)-1])},
			"bare":   {plain.String(), strings.Trim(plain.String(), "\"\n")},
			"twice":  {string(twice), string(twice[1 : len(twice)-1])},
			"thrice": {string(thrice), string(thrice[3 : len(thrice)-3])},
			"query":  {query, url.QueryEscape(value)},
			"url":    {page.String(), url.PathEscape(value)},
			"html":   {string(inHTML), html.EscapeString(value)},
			"quote":  {strconv.QuoteToASCII(value), strings.Trim(strconv.QuoteToASCII(value), `"`)},
			"base64": {"x " + base64.StdEncoding.EncodeToString([]byte(value)) + " y", base64.StdEncoding.EncodeToString([]byte(value))},
			"basic":  {"Basic " + base64.StdEncoding.EncodeToString([]byte("ada:"+value)), ""},
		}
		for name, c := range cases {
			got := Known(c[0])
			if name == "basic" {
				if len(value) >= 5 && !strings.Contains(got, "«secret:NAME»") {
					t.Errorf("%s of %q: %s", name, value, got)
				}
				continue
			}
			if !strings.Contains(got, "«secret:NAME»") || c[1] != "" && strings.Contains(got, c[1]) {
				t.Errorf("%s of %q: %s → %s", name, value, c[0], got)
			}
		}
	}
}

func TestKnownLeavesTheRest(t *testing.T) {
	know(t, Secret{"PIN", "1234"}, Secret{"WORD", "password"}, Secret{"SLASH", `end\`}, Secret{"N", "nabcdefgh"}, Secret{"HEX", "00e9abcd"})
	for _, c := range []struct{ given, want string }{
		{`{"seq":1234,"timestamp":1764123400}`, `{"seq":1234,"timestamp":1764123400}`},
		{`{"ref":"e1234","at":"x12345"}`, `{"ref":"e1234","at":"x12345"}`},
		{`{"text":"pin 1234, ok","n":"1234"}`, `{"text":"pin «secret:PIN», ok","n":"«secret:PIN»"}`},
		{`{"a":"x\n1234\u00201234%3D1234"}`, `{"a":"x\n«secret:PIN»\u0020«secret:PIN»%3D«secret:PIN»"}`},
		{`{"password":"password","passwordHash" : "x"}`, `{"password":"«secret:WORD»","passwordHash" : "x"}`},
		{`{"a":"\nabcdefgh"}`, `{"a":"\nabcdefgh"}`},
		{`{"a":"\u00e9abcd"}`, `{"a":"\u00e9abcd"}`},
		{`{"a":"end\"x"}`, `{"a":"end\"x"}`},
		{`{"a":"end\\"}`, `{"a":"«secret:SLASH»"}`},
		{"event: x\ndata: {\"a\":\"1234\"}\n\n", "event: x\ndata: {\"a\":\"«secret:PIN»\"}\n\n"},
	} {
		if got := string(KnownJSON([]byte(c.given))); got != c.want {
			t.Errorf("%s\n→ %s\nwant %s", c.given, got, c.want)
		}
	}
	picture := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0xd7, 0x6d, 0xf8, 0x41}, 500)) // 1234 is not in it as a word
	if got := Known(picture); got != picture {
		t.Error("a picture was changed")
	}
}

// JSON stays JSON of the same shape, and no value is left in any text of it.
func TestKnownJSONStaysJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[a-z"\\<&/é\n0-9 ]{8,16}`).Draw(t, "secret")
		Know([]Secret{{"S", value}})
		defer Know(nil)
		doc := map[string]any{
			rapid.String().Draw(t, "key"): rapid.String().Draw(t, "left") + " " + value + " " + rapid.String().Draw(t, "right"),
			"list":                        []any{value, 1, nil, value + value},
		}
		data, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]any
		masked := KnownJSON(data)
		if err := json.Unmarshal(masked, &back); err != nil {
			t.Fatalf("%s\n→ %s: %v", data, masked, err)
		}
		var all strings.Builder
		for key, item := range back {
			all.WriteString(key + "\x00")
			if text, ok := item.(string); ok {
				all.WriteString(text)
			}
		}
		list, _ := back["list"].([]any)
		for _, item := range list {
			if text, ok := item.(string); ok {
				all.WriteString("\x00" + text)
			}
		}
		if len(back) != len(doc) || len(list) != 4 || strings.Contains(all.String(), value) {
			t.Fatalf("%s\n→ %s", data, masked)
		}
	})
}

// A stream gives what the whole would give, wherever its pieces end.
func TestStreamIsAsTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secrets := []Secret{{"A", "hunter2-Zx9"}, {"B", "1234"}, {"C", `qu"ote\d é`}}
		Know(secrets)
		defer Know(nil)
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"hunter2-Zx9", "1234", `qu"ote\d é`, "x", " ", "hunter2", `"`, "\n", "12"}), 1, 40).Draw(t, "parts")
		text := strings.Join(parts, "")
		isJSON := rapid.Bool().Draw(t, "json")
		data := []byte(text)
		if isJSON {
			data, _ = json.Marshal([]any{text, 1234, map[string]any{text: parts}})
		}
		want := KnownText(data)
		if isJSON {
			want = KnownJSON(data)
		}
		var got bytes.Buffer
		stream := NewStream(&got, isJSON)
		for rest := data; len(rest) > 0; {
			n := min(len(rest), rapid.IntRange(1, 50).Draw(t, "piece"))
			if _, err := stream.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := stream.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("%s\n→ %s\nwant %s", data, got.Bytes(), want)
		}
	})
}

var benchText = bytes.Repeat([]byte(`{"type":"console","level":"log","args":["render of product list took 12 ms, 48 rows"],"url":"http://127.0.0.1:8080/app/?page=2"},`), 800)

func BenchmarkKnownNone(b *testing.B) {
	b.SetBytes(int64(len(benchText)))
	for b.Loop() {
		KnownJSON(benchText)
	}
}

func BenchmarkKnownTen(b *testing.B) {
	var ten []Secret
	for i := range 10 {
		ten = append(ten, Secret{"S" + strconv.Itoa(i), "correct-horse-" + strconv.Itoa(i*7919)})
	}
	know(b, ten...)
	b.SetBytes(int64(len(benchText)))
	for b.Loop() {
		KnownJSON(benchText)
	}
}
