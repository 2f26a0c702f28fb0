package cdptest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func slow(t *testing.T, open Open) {
	const events = 20_000
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	all, cancel := b.conn.Session("").Subscribe("T.tick")
	defer cancel()
	left, cancelLeft := b.conn.Session("").Subscribe("T.tick")
	b.serve(func(c command) string {
		for i := range events {
			if b.peer.Send(fmt.Appendf(nil, `{"method":"T.tick","params":{"n":%d}}`, i)) != nil {
				return ""
			}
		}
		return echo(c)
	})
	if _, err := b.conn.Session("").CallRaw(b.ctx, "T.go", nil); err != nil {
		t.Fatal(err) // nobody has read an event yet
	}
	cancelLeft()
	for i := range events {
		if got, want := string(await(t, all, "an event")), `{"n":`+strconv.Itoa(i)+`}`; got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	for range left { // ends after what the channel itself held
	}
	if ended := b.conn.Stats().EndedByBacklog; ended != 0 {
		t.Errorf("%d subscriptions were ended", ended)
	}
}

func detach(t *testing.T, open Open) {
	reason := fault.New(fault.PageNotFound, "the tab was closed")
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	gone, cancel := b.conn.Session("a").Subscribe("T.tick")
	defer cancel()
	first, second, stays := b.start(b.ctx, "a", "T.one", nil), b.start(b.ctx, "c", "T.two", nil), b.start(b.ctx, "b", "T.three", nil)
	var third command
	for range 3 {
		if c := b.receive(); c.SessionID == "b" {
			third = c
		}
	}
	b.conn.Detached("a", reason)
	result := await(t, first, "the detached call")
	if !errors.Is(result.err, cdp.ErrDetached) || fault.From(result.err).Code != fault.PageNotFound {
		t.Errorf("got %v, want the owner's reason and ErrDetached", result.err)
	}
	if _, more := <-gone; more {
		t.Error("the session's subscription did not end")
	}
	b.conn.Detached("c", nil)
	result = await(t, second, "the call detached without a reason")
	if !errors.Is(result.err, cdp.ErrDetached) || fault.From(result.err).Code != fault.CDPDisconnected {
		t.Errorf("got %v", result.err)
	}
	b.send("%s", echo(third))
	if result = await(t, stays, "the other session's call"); result.err != nil {
		t.Errorf("another session's call failed: %v", result.err)
	}
	after := b.start(b.ctx, "a", "T.after", nil)
	b.send(`{"id":%d,"error":{"code":-32001,"message":"Session with given id not found."}}`, b.receive().ID)
	if result = await(t, after, "the call after"); !errors.Is(result.err, cdp.ErrDetached) {
		t.Errorf("the browser's word for a detached session gives %v", result.err)
	}
}

// broken are messages after which nothing that comes can be trusted.
var broken = []string{
	"hello", "42", "[]", `"text"`, "", "{", `{"id":1`, `{"id":1}}`, `{"id":"1","result":{}}`, `{"id":1.5,"result":{}}`, `{"id":-1}`,
	`{"id":1,}`, `{"id" 1}`, `{id:1}`, `{"method":7}`, `{"method":"a","params":{"b":[}`, `{"method":"a"} trailing`, `{"method":"a\`,
	`{"id":1,"result":}`, `{"method":"\q"}`, `{"id":99999999999999999999,"result":{}}`,
}

func garbage(t *testing.T, open Open) {
	for _, message := range broken {
		b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
		call := b.start(b.ctx, "", "T.call", nil)
		b.receive()
		b.send("%s", message)
		result := await(t, call, "the failed call")
		wantFault(t, result.err, fault.CDPDisconnected, true)
		if text := b.conn.Err().Error(); !strings.Contains(text, "no DevTools message") {
			t.Errorf("%q: the connection ended with %s", message, text)
		}
	}
}

func odd(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	call := b.start(b.ctx, "", "T.call", nil)
	id := b.receive().ID
	b.send(`{"id":77777,"result":{}}`)
	b.send(`{"error":{"code":-32700,"message":"JSON: colon expected"}}`)
	b.send(`{"id":null,"error":{"code":-32700,"message":"no id"}}`)
	b.send(`{}`)
	// Any order of names, space anywhere, names that mean nothing to us.
	b.send(" {\n\t\"extra\" : [ {\"]\":\"}\\\\\\\"\"} , -1.5e+3 , null ], \"result\" : {\"a\":true} ,\"sessionId\":\"\\u0073\" , \"id\" : %d }\r\n", id)
	result := await(t, call, "the answer")
	if result.err != nil || string(result.result) != `{"a":true}` {
		t.Errorf("got %s, %v", result.result, result.err)
	}
	if stats := b.conn.Stats(); stats.LateAnswers != 1 || stats.Complaints != 3 {
		t.Errorf("%+v", stats)
	}
}

func browserError(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	call := b.start(b.ctx, "s", "DOM.focus", nil)
	b.send(`{"id":%d,"error":{"code":-32000,"message":"Element is not focusable","data":"more"},"sessionId":"s"}`, b.receive().ID)
	err := await(t, call, "the error").err
	want := cdp.Error{Code: -32000, Message: "Element is not focusable", Data: "more"}
	var value cdp.Error
	var pointer *cdp.Error
	if !errors.Is(err, want) || !errors.Is(err, &want) || !errors.As(err, &value) || value != want || !errors.As(err, &pointer) || *pointer != want {
		t.Errorf("got %v", err)
	}
	if errors.Is(err, cdp.Error{Code: -32000}) || errors.Is(err, cdp.ErrDetached) {
		t.Errorf("%v equals another error", err)
	}
	if !strings.Contains(err.Error(), "DOM.focus") {
		t.Errorf("%v does not name the method", err)
	}
}

func badParams(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	for name, params := range map[string]any{
		"cut off": jsontext.Value(`{"a":`), "a list": []int{1}, "a number": 3, "a NUL byte": jsontext.Value("{\"a\":\"\x00\"}"),
		"a doubled name": jsontext.Value(`{"a":1,"a":2}`), "invalid UTF-8": map[string]string{"a": "\xff"}, "a func": func() {},
		"two values": jsontext.Value(`{} {}`), "too much": map[string]string{"a": filler(cdp.MaxToBrowser)},
	} {
		_, err := b.conn.Session("").CallRaw(b.ctx, "T.bad", params)
		if failure := fault.From(err); failure == nil || failure.Code != fault.ValidationError || failure.Details["dispatched"] != false {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, params := range []any{nil, struct{}{}, jsontext.Value("null"), (*struct{})(nil)} {
		call := b.start(b.ctx, "", "T.good", params)
		c := b.receive()
		if c.Method != "T.good" || len(c.Params) > 0 && string(c.Params) != "{}" {
			t.Fatalf("the browser got %+v", c)
		}
		b.send("%s", echo(c))
		if result := await(t, call, "the answer"); result.err != nil {
			t.Error(result.err)
		}
	}
}

func busy(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{MaxPending: 2})
	one, two := b.start(b.ctx, "", "T.one", nil), b.start(b.ctx, "", "T.two", nil)
	first := b.receive()
	b.receive()
	_, err := b.conn.Session("").CallRaw(b.ctx, "T.three", nil)
	wantFault(t, err, fault.Busy, false)
	b.send(`{"id":%d,"result":{}}`, first.ID)
	freed := one
	if first.Method == "T.two" {
		freed = two
	}
	if result := await(t, freed, "the answer"); result.err != nil {
		t.Error(result.err)
	}
	four := b.start(b.ctx, "", "T.four", nil)
	if c := b.receive(); c.Method != "T.four" {
		t.Errorf("%s was sent", c.Method)
	} else {
		b.send("%s", echo(c))
	}
	if result := await(t, four, "the call after"); result.err != nil {
		t.Error(result.err)
	}
}

func ownClose(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	events, cancel := b.conn.Session("").Subscribe("T.tick")
	defer cancel()
	for i := range 1000 { // more than the channel takes: a pump waits for a reader that never comes
		b.send(`{"method":"T.tick","params":{"n":%d}}`, i)
	}
	call := b.start(b.ctx, "", "T.blocks", map[string]string{"filler": filler(24 << 20)})
	b.until(func(s cdp.Stats) bool { return s.Events == 1000 && s.Sent == 1 })
	closed := make(chan struct{})
	go func() {
		_ = b.conn.Close()
		close(closed)
	}()
	await(t, closed, "the end of Close")
	result := await(t, call, "the failed call")
	if failure := fault.From(result.err); failure.Code != fault.CDPDisconnected || !errors.Is(result.err, cdp.ErrClosed) {
		t.Errorf("got %v", result.err)
	}
	for range events { // ends
	}
	if err := b.conn.Close(); err != nil {
		t.Error(err)
	}
}

func surrogates(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	call := make(chan error, 1)
	var got struct{ Text string }
	go func() { call <- b.conn.Session("").Call(b.ctx, "T.text", nil, &got) }()
	b.send(`{"id":%d,"result":{"Text":"a\ud83db"}}`, b.receive().ID)
	if err := await(t, call, "the answer"); err != nil || got.Text != "a\uFFFDb" {
		t.Errorf("got %q, %v", got.Text, err)
	}
}
