package http

import (
	"bufio"
	"context"
	nethttp "net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// event is one server-sent event.
type event struct{ id, kind, data string }

// stream is an open event stream.
type stream struct {
	t        testing.TB
	events   chan event
	response *nethttp.Response
	cancel   context.CancelFunc
}

// listen opens an event stream; last is the id of the last event that the reader has.
func (c *client) listen(query, last string) *stream {
	c.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	request, err := nethttp.NewRequestWithContext(ctx, "GET", c.base+"/v1/events"+query, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	endless := &nethttp.Client{Transport: c.http.Transport}
	response, err := endless.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/event-stream" {
		c.t.Fatalf("%d %v", response.StatusCode, response.Header)
	}
	s := &stream{c.t, make(chan event, 1<<16), response, cancel}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.read()
	}()
	c.t.Cleanup(func() {
		cancel()
		_ = response.Body.Close()
		<-done
	})
	return s
}

func (s *stream) read() {
	defer close(s.events)
	var one event
	lines := bufio.NewScanner(s.response.Body)
	lines.Buffer(nil, 32<<20)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			one.id = value
		case "event":
			one.kind = value
		case "data":
			one.data += value
		case "":
			if one.kind != "" {
				s.events <- one
			}
			one = event{}
		}
	}
}

// next gives the next event, false at the end.
func (s *stream) next() (event, bool) {
	s.t.Helper()
	select {
	case one, ok := <-s.events:
		return one, ok
	case <-time.After(patience):
		s.t.Fatal("no event came")
		return event{}, false
	}
}

// await gives the next event that has the text in its data.
func (s *stream) await(kind, text string) event {
	s.t.Helper()
	for {
		one, ok := s.next()
		if !ok {
			s.t.Fatalf("the stream ended before %s %s", kind, text)
		}
		if one.kind == kind && strings.Contains(one.data, text) {
			return one
		}
	}
}

// A reader that comes back with the id of its last event misses nothing and gets nothing
// twice; one that is of another run of the daemon is told of the gap.
func TestEventsResume(t *testing.T) {
	t.Parallel()
	_, c := managed(t)
	s := c.listen("?types=console", "")
	welcome, _ := s.next()
	if welcome.kind != "welcome" || !strings.Contains(welcome.id, ":") {
		t.Fatalf("%+v", welcome)
	}
	c.eval(`for (let n = 0; n < 10; n++) console.log('first ' + n); 1`)
	last := s.await("console", "first 4")
	s.cancel()
	c.eval(`for (let n = 0; n < 10; n++) console.log('second ' + n); 1`)
	var got []string
	seen := map[string]bool{last.id: true}
	again := c.listen("?types=console", last.id)
	for len(got) < 15 {
		one, ok := again.next()
		if !ok {
			t.Fatalf("it ended after %q", got)
		}
		if one.kind != "console" {
			continue
		}
		if seen[one.id] {
			t.Errorf("%s came twice", one.id)
		}
		seen[one.id] = true
		at := strings.Index(one.data, `"args":["`) + len(`"args":["`)
		text, _, _ := strings.Cut(one.data[at:], `"`)
		got = append(got, text)
	}
	for n := range 5 {
		if got[n] != "first "+strconv.Itoa(n+5) {
			t.Fatalf("%q", got)
		}
	}
	for n := range 10 {
		if got[n+5] != "second "+strconv.Itoa(n) {
			t.Fatalf("%q", got)
		}
	}
	// From nothing on, and with the number in the query.
	epoch, seq, _ := strings.Cut(last.id, ":")
	c.listen("?types=console&epoch="+epoch+"&since="+seq, "").await("console", "first 5")
	c.listen("?types=console&since=0", "").await("console", "first 0")
	c.listen("?types=console", "0123456789abcdef:5").await("gap", "epoch_changed")
	for _, query := range []string{"?since=x", "?since=-1", "?since=99999999", "?types=nope", "?nope=1", "?session=a%20b", "?since=1&since=2"} {
		c.fails(c.do("GET", "/v1/events"+query, nil), 400, "VALIDATION_ERROR")
	}
	c.fails(c.do("GET", "/v1/events", nil, "Last-Event-ID", "nonsense"), 400, "VALIDATION_ERROR")
}

// A revoked token ends its streams, and only those; a stopping daemon ends all at once,
// and answers what is under way.
func TestStreamsAndRequestsEnd(t *testing.T) {
	t.Parallel()
	e, c := managed(t)
	other := agent(e, "other")
	mine, theirs := c.listen("", ""), other.listen("", "")
	mine.await("welcome", "")
	theirs.await("welcome", "")
	e.OK("token", "revoke", "other")
	theirs.await("end", "token_revoked")
	if _, more := theirs.next(); more {
		t.Error("the stream goes on")
	}
	if a := other.do("GET", "/v1", nil); a.Status != 401 {
		t.Errorf("a revoked token: %d", a.Status)
	}
	c.eval("console.log('still'), 1")
	mine.await("console", "still")

	answered := make(chan *answer, 1)
	go func() {
		a, err := c.try("POST", "/v1/page/wait-text?timeoutMs=60000", []byte(`{"text":["never there"]}`))
		if err != nil {
			t.Errorf("no answer: %v", err)
		}
		answered <- a
	}()
	until(t, "the command is under way", func() bool {
		row := e.OK("daemon", "status")["sessions"].([]any)
		for _, s := range row {
			if waiting, _ := s.(map[string]any)["waiting"].(float64); waiting > 0 {
				return true
			}
		}
		return false
	})
	e.OK("daemon", "stop")
	mine.await("end", "host_restarting")
	if a := <-answered; a == nil || a.Status != 503 || a.Error.Code != "DAEMON_UNAVAILABLE" || a.Header.Get("Retry-After") == "" {
		t.Errorf("%+v", a)
	}
}
