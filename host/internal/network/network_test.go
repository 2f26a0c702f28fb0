package network

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// feed sends events, given as method and params by turns.
func feed(s *Store, session string, lines ...string) {
	for i := 0; i+1 < len(lines); i += 2 {
		s.Event(session, "Network."+lines[i], []byte(lines[i+1]))
	}
}

func request(id, url string) string {
	return fmt.Sprintf(`{"requestId":%q,"loaderId":"L","type":"Fetch","request":{"url":%q,"method":"GET","headers":{"Accept":"*/*"}},"timestamp":10,"wallTime":1700000000,"initiator":{"type":"script"}}`, id, url)
}

func TestARequestFromStartToEnd(t *testing.T) {
	t.Parallel()
	s := NewStore()
	feed(s, "", "requestWillBeSentExtraInfo", `{"requestId":"1","headers":{"Cookie":"sid=abc","Authorization":"Bearer hunter2"}}`,
		"requestWillBeSent", request("1", "http://127.0.0.1/api?token=hunter2"),
		"responseReceived", `{"requestId":"1","timestamp":10.2,"type":"Fetch","response":{"url":"x","status":200,"statusText":"OK","headers":{"content-type":"application/json"},"mimeType":"application/json",
			"protocol":"http/1.1","remoteIPAddress":"127.0.0.1","remotePort":80,"timing":{"requestTime":10.01,"dnsStart":-1,"dnsEnd":-1,"connectStart":-1,"connectEnd":-1,"sslStart":-1,"sslEnd":-1,"sendStart":1,"sendEnd":2,"receiveHeadersEnd":50}}}`,
		"responseReceivedExtraInfo", `{"requestId":"1","statusCode":200,"headers":{"Set-Cookie":"a=1; HttpOnly\nb=2"}}`,
		"dataReceived", `{"requestId":"1","dataLength":100,"encodedDataLength":40}`,
		"loadingFinished", `{"requestId":"1","timestamp":10.25,"encodedDataLength":140}`)
	r, ok := s.Get(1, false)
	if !ok || r.Status != 200 || r.State != Finished || int(r.Ms) != 250 || r.Encoded != 140 || r.Decoded != 100 || r.Remote != "127.0.0.1:80" {
		t.Fatalf("%+v", r)
	}
	if all := fmt.Sprintf("%+v", r); strings.Contains(all, "hunter2") || strings.Contains(all, "abc") || strings.Count(all, "[redacted]") != 5 {
		t.Error(all)
	}
	if raw, _ := s.Get(1, true); raw.RequestHeaders[1].Value != "Bearer hunter2" || len(raw.ResponseHeaders) != 2 {
		t.Errorf("%+v", raw)
	}
	if r.Timing == nil || int(r.Timing.Wait) != 48 || int(r.Timing.Blocked) != 10 && int(r.Timing.Blocked) != 11 || r.Timing.DNS != -1 {
		t.Errorf("%+v", r.Timing)
	}
}

func TestHeadersOfTheWireBeforeTheRequest(t *testing.T) {
	t.Parallel()
	s := NewStore()
	feed(s, "", "requestWillBeSentExtraInfo", `{"requestId":"1","headers":{"Cookie":"a=1"}}`,
		"responseReceivedExtraInfo", `{"requestId":"1","statusCode":200,"headers":{"Set-Cookie":"b=2"}}`,
		"requestWillBeSent", request("1", "http://127.0.0.1/a"),
		"responseReceived", `{"requestId":"1","timestamp":12,"type":"Fetch","hasExtraInfo":true,"response":{"status":200,"headers":{"x":"y"}}}`)
	r, _ := s.Get(1, true)
	if len(r.RequestHeaders) != 1 || len(r.ResponseHeaders) != 1 || s.HeadersDue(1) {
		t.Errorf("%v %v, due %v", r.RequestHeaders, r.ResponseHeaders, s.HeadersDue(1))
	}
	feed(s, "", "requestWillBeSent", request("2", "http://127.0.0.1/a"),
		"responseReceived", `{"requestId":"2","timestamp":12,"type":"Fetch","hasExtraInfo":true,"response":{"status":200,"headers":{"x":"y"}}}`)
	if !s.HeadersDue(2) {
		t.Error("the headers of the wire are not awaited")
	}
}

func TestRedirectsAreAChain(t *testing.T) {
	t.Parallel()
	s := NewStore()
	second := strings.Replace(request("1", "http://127.0.0.1/b"), `"timestamp":10`, `"timestamp":11,"redirectResponse":{"status":302,"headers":{"location":"/b"}}`, 1)
	feed(s, "", "requestWillBeSent", request("1", "http://127.0.0.1/a"), "requestWillBeSent", second,
		"responseReceivedExtraInfo", `{"requestId":"1","statusCode":302,"headers":{"location":"/b","set-cookie":"x=1"}}`,
		"responseReceived", `{"requestId":"1","timestamp":12,"type":"Fetch","response":{"status":200,"headers":{}}}`,
		"loadingFinished", `{"requestId":"1","timestamp":12}`)
	list := s.List(Query{}).Requests
	if len(list) != 2 || list[0].State != Redirected || list[0].Next != 2 || list[1].Previous != 1 || list[0].Status != 302 || list[1].Status != 200 {
		t.Fatalf("%+v", list)
	}
	if first, _ := s.Get(1, false); len(first.ResponseHeaders) != 2 {
		t.Errorf("%+v", first.ResponseHeaders)
	}
}

func TestNavigationAndCursor(t *testing.T) {
	t.Parallel()
	s := NewStore()
	feed(s, "", "requestWillBeSent", request("1", "http://127.0.0.1/old"))
	document := strings.NewReplacer(`"L"`, `"M"`, "Fetch", "Document").Replace(request("M", "http://127.0.0.1/two"))
	feed(s, "", "requestWillBeSent", document)
	s.Event("", "Page.frameNavigated", []byte(`{"frame":{"id":"F","loaderId":"M"}}`))
	s.Event("", "Page.frameNavigated", []byte(`{"frame":{"id":"G","parentId":"F","loaderId":"N"}}`))
	feed(s, "child", "requestWillBeSent", request("9", "http://127.0.0.1/new"))
	list := s.List(Query{})
	if len(list.Requests) != 2 || list.Requests[0].Kind != "document" || list.Requests[1].URL != "http://127.0.0.1/new" {
		t.Errorf("%+v", list.Requests)
	}
	if all := s.List(Query{Preserved: true}); len(all.Requests) != 3 || !all.Requests[0].Earlier {
		t.Errorf("%+v", all.Requests)
	}
	if after := s.List(Query{Since: list.Requests[0].ID, Preserved: true}); len(after.Requests) != 1 || after.Cursor != 3 {
		t.Errorf("%+v", after)
	}
}

func TestStoreIsBounded(t *testing.T) {
	t.Parallel()
	s := NewStore()
	for i := range 3 * MaxEntries {
		feed(s, "", "requestWillBeSent", request(fmt.Sprint(i), "http://127.0.0.1/"+strings.Repeat("x", 3000)))
	}
	feed(s, "", "requestWillBeSent", request("data", "data:text/plain,"+strings.Repeat("y", 1<<20)))
	list := s.List(Query{})
	if s.size > MaxBytes || len(s.byID) != len(s.entries) || list.Dropped+len(list.Requests) != 3*MaxEntries+1 {
		t.Errorf("%d bytes, %d by id, %d kept, %d dropped", s.size, len(s.byID), len(list.Requests), list.Dropped)
	}
	if last := list.Requests[len(list.Requests)-1]; len(last.URL) > 100 {
		t.Errorf("a data: URL of %d bytes", len(last.URL))
	}
	if _, ok := s.Get(1, false); ok {
		t.Error("the first is still there")
	}
	feed(s, "", "webSocketCreated", `{"requestId":"ws","url":"ws://127.0.0.1/"}`)
	for range 1000 {
		feed(s, "", "webSocketFrameReceived", `{"requestId":"ws","timestamp":1,"response":{"opcode":1,"payloadData":"`+strings.Repeat("z", 2000)+`"}}`)
	}
	messages, total, dropped, _ := s.Messages(s.Last(), 0, 0, false)
	if total != 1000 || dropped+len(messages) != total || len(messages)*2000 > maxFrameAll {
		t.Errorf("%d of %d, %d dropped", len(messages), total, dropped)
	}
}

func TestPatterns(t *testing.T) {
	t.Parallel()
	const base = "http://127.0.0.1:80"
	for _, c := range []struct {
		pattern, url string
		want         bool
	}{
		{"/api/save", base + "/api/save?x=1", true}, {"/api/", base + "/api/save", true}, {"/api/", base + "/apix", false},
		{"*.png", base + "/a.png", true}, {"*.png", base + "/a.png?v=1", true}, {"*.png", base + "/a.pngx", false}, {"*.png", base + "/a.png/b", false},
		{"/api/*/items", base + "/api/7/items", true}, {"/api/*/items", base + "/api/7/other", false},
		{"http://127.0.0.1:80/a*", base + "/a/b", true}, {"http://localhost*", base + "/a", false},
		{`/ord(er)?s$/`, base + "/ords", true}, {`/^http.*\/x$/`, base + "/x", true}, {`/^http.*\/x$/`, base + "/xy", false},
		{"a?b=1", base + "/a?b=1", true}, {"a?b=1", base + "/axb=1", false},
	} {
		p, err := ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Match(c.url); got != c.want {
			t.Errorf("%s on %s is %v", c.pattern, c.url, got)
		}
	}
	for _, bad := range []string{"", "/(/"} {
		if _, err := ParsePattern(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	e := &entry{status: 404, state: Finished}
	for status, want := range map[Status]bool{"": true, "404": true, "4xx": true, "200": false, "5xx": false, "error": true, "ok": false, "failed": false, "pending": false} {
		if got := status.match(e); got != want {
			t.Errorf("%s is %v", status, got)
		}
	}
	if Status("40").Valid() || Status("foo").Valid() || !Status("2xx").Valid() {
		t.Error("validity")
	}
}

// HAR 1.2: what must be there is, of the right type (har-12-spec; the checks are those of its JSON schema).
func TestHAR(t *testing.T) {
	t.Parallel()
	s := NewStore()
	post := strings.Replace(request("1", "http://127.0.0.1/f?a=1&b=%20"), `"method":"GET","headers":{`, `"method":"POST","hasPostData":true,"postData":"q=1&password=hunter2","headers":{"Cookie":"k=hunter2","Content-Type":"application/x-www-form-urlencoded",`, 1)
	feed(s, "", "requestWillBeSent", post, "responseReceived", `{"requestId":"1","timestamp":10.2,"type":"Document","response":{"status":302,"statusText":"Found","headers":{"Location":"/x","Set-Cookie":"a=hunter2; Path=/; HttpOnly"},"mimeType":"text/html","protocol":"h2"}}`,
		"loadingFinished", `{"requestId":"1","timestamp":10.3}`, "requestWillBeSent", request("2", "http://127.0.0.1/pending"))
	var requests []Request
	for _, id := range []int{1, 2} {
		r, _ := s.Get(id, false)
		requests = append(requests, r)
	}
	var out strings.Builder
	err := WriteHAR(&out, "1.0", Document{URL: "http://127.0.0.1/"}, requests,
		func(r *Request) *Content { return &Content{Data: []byte{0xff, 0}, Text: true} }, func(*Request) []Message { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "hunter2") {
		t.Error("a secret is in the HAR")
	}
	if problems := CheckHAR([]byte(out.String())); len(problems) > 0 {
		t.Errorf("%v\n%s", problems, out.String())
	}
	var har map[string]any
	if err := json.Unmarshal([]byte(out.String()), &har); err != nil {
		t.Fatal(err)
	}
	first := har["log"].(map[string]any)["entries"].([]any)[0].(map[string]any)
	if r := first["response"].(map[string]any); r["redirectURL"] != "/x" || r["content"].(map[string]any)["encoding"] != "base64" || len(r["cookies"].([]any)) != 1 {
		t.Errorf("%v", r)
	}
	if r := first["request"].(map[string]any); len(r["queryString"].([]any)) != 2 || len(r["postData"].(map[string]any)["params"].([]any)) != 2 {
		t.Errorf("%v", r)
	}
}

func BenchmarkEvent(b *testing.B) {
	s := NewStore()
	event := []byte(request("1", "http://127.0.0.1/api/items?page=2"))
	for b.Loop() {
		s.Event("", "Network.requestWillBeSent", event)
	}
}
