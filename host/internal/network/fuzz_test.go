package network

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"testing"
)

// events are those that a page's requests are made of.
var events = []string{
	"requestWillBeSent", "requestWillBeSentExtraInfo", "responseReceived", "responseReceivedExtraInfo", "dataReceived", "loadingFinished", "loadingFailed",
	"requestServedFromCache", "webSocketCreated", "webSocketFrameSent", "webSocketFrameReceived", "webSocketClosed", "eventSourceMessageReceived",
}

// FuzzHAR: whatever the browser tells, one event a line, the store keeps its bounds and what it has
// is a HAR by the specification, with the bodies as they were.
func FuzzHAR(f *testing.F) {
	post := strings.Replace(request("1", "http://127.0.0.1/f?a=1&b=%20"), `"method":"GET","headers":{`, `"method":"POST","hasPostData":true,"postData":"q=1&password=x","headers":{"Cookie":"k=v","Content-Type":"application/x-www-form-urlencoded",`, 1)
	f.Add("\x00"+post+"\n\x02"+`{"requestId":"1","timestamp":10.2,"type":"Document","response":{"status":302,"statusText":"Found","headers":{"Location":"/x","Set-Cookie":"a=b; Path=/; HttpOnly; Expires=Mon, 02 Jan 2006 15:04:05 GMT"},"mimeType":"text/html","protocol":"h2"}}`+"\n\x05"+`{"requestId":"1","timestamp":10.3}`, []byte("body"))
	f.Add("\x00"+request("1", "http://x/")+"\n\x02"+`{"requestId":"1","timestamp":9,"response":{"status":-1,"headers":{"A":1},"timing":{"requestTime":1e300,"dnsStart":5,"dnsEnd":1,"sendStart":-1e300,"sendEnd":1}}}`, []byte{0xff})
	f.Add("\x00"+`{"requestId":"1","request":{"url":"\ud800"},"wallTime":1e18,"timestamp":-1e308}`, []byte(nil))
	f.Add("\x00"+`{"requestId":"1","request":{"url":"x"},"wallTime":-62135596801}`+"\n\x06"+`{"requestId":"1","timestamp":1e308,"errorText":"net::ERR_FAILED"}`, []byte("\x00"))
	f.Add("\x08"+`{"requestId":"2","url":"ws://x/"}`+"\n\x09"+`{"requestId":"2","timestamp":1,"response":{"opcode":1,"payloadData":"hi"}}`+"\n\x0b"+`{"requestId":"2","timestamp":2}`, []byte(nil))
	f.Fuzz(func(t *testing.T, told string, body []byte) {
		s := NewStore()
		for line := range strings.SplitSeq(told, "\n") {
			if line != "" && json.Valid([]byte(line[1:])) {
				s.Event("", "Network."+events[int(line[0])%len(events)], []byte(line[1:]))
			}
		}
		var requests []Request
		for id := 1; id <= s.Last(); id++ {
			if r, ok := s.Get(id, true); ok {
				requests = append(requests, r)
			}
		}
		if len(requests) > MaxEntries {
			t.Fatalf("%d are kept", len(requests))
		}
		var out bytes.Buffer
		err := WriteHAR(&out, "1.0", Document{URL: "http://127.0.0.1/"}, requests, func(*Request) *Content { return &Content{Data: body, Text: true} },
			func(r *Request) []Message {
				list, _, _, _ := s.Messages(r.ID, 0, 100, true)
				return list
			})
		if err != nil {
			t.Fatal(err)
		}
		if problems := CheckHAR(out.Bytes()); len(problems) > 0 {
			t.Fatalf("%v\n%s", problems, out.String())
		}
		var har struct {
			Log struct {
				Entries []struct {
					Response struct {
						Content struct {
							Text, Encoding string
							Size           int
						}
					}
				}
			}
		}
		if err := json.Unmarshal(out.Bytes(), &har); err != nil || len(har.Log.Entries) != len(requests) {
			t.Fatalf("%d entries of %d: %v", len(har.Log.Entries), len(requests), err)
		}
		for _, e := range har.Log.Entries {
			got := []byte(e.Response.Content.Text)
			if e.Response.Content.Encoding == "base64" {
				if err := json.Unmarshal([]byte(`"`+string(got)+`"`), &got); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got, body) || e.Response.Content.Size != len(body) {
				t.Errorf("the body is %q, not %q", got, body)
			}
		}
	})
}

// FuzzPattern: a pattern is refused or chooses addresses as path.Match does with * for anything.
func FuzzPattern(f *testing.F) {
	for _, seed := range [][2]string{
		{"/api/save", "http://x/api/save?x"}, {"*.png", "http://x/a.png?v=1"}, {"/api/*/x", "http://x/api/1/x"}, {`/ord(er)?s$/`, "http://x/orders"}, {"", ""},
		{"/(/", "x"}, {"**", "x"}, {"http://*/a", "http://x/a#b"}, {"a?*", "a?b"}, {`\*`, `\x`}, {"/./", "a/b"}, {"*\n*", "a\nb"}, {"[*]", "[a]"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, address string) {
		p, err := ParsePattern(text)
		if err != nil {
			return
		}
		got := p.Match(address)
		if p.String() != text {
			t.Fatalf("%q is shown as %q", text, p)
		}
		if strings.HasPrefix(text, "/") && strings.HasSuffix(text, "/") || strings.Contains(address, "\n") {
			return
		}
		want := strings.Contains(address, text)
		if strings.Contains(text, "*") {
			want = globbed(text, address)
			if bare, _, _ := strings.Cut(strings.ReplaceAll(address, "#", "?"), "?"); !strings.Contains(text, "?") {
				for at := len(bare); at < len(address) && !want; at++ {
					want = (address[at] == '?' || address[at] == '#') && globbed(text, address[:at])
				}
			}
		}
		if got != want {
			t.Errorf("%q chooses %q: %v, by the reference %v", text, address, got, want)
		}
	})
}

// globbed matches by path.Match, whose * ends at a slash: there is none left.
func globbed(text, address string) bool {
	if !strings.Contains(text, "://") {
		text = "*" + text
	}
	plain := strings.NewReplacer("/", "\x01", `\`, `\\`, "?", `\?`, "[", `\[`)
	ok, err := path.Match(plain.Replace(text), strings.ReplaceAll(address, "/", "\x01"))
	return ok && err == nil
}
