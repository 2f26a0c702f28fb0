package nativemsg_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

var frames = map[string]nativemsg.Frame{
	"request":   {Seq: 1, Ack: 7, Window: 0, Envelope: nativemsg.Envelope{Kind: nativemsg.Request, ID: "r1", Op: "cdp.send", Payload: []byte(`{"a":"é"}`)}},
	"response":  {Seq: 1<<53 - 1, Window: 1 << 22, Envelope: nativemsg.Envelope{Kind: nativemsg.Response, ID: "r1", Payload: []byte(`null`)}},
	"failure":   {Seq: 3, Window: -1, Envelope: nativemsg.Envelope{Kind: nativemsg.Response, ID: "r1", Error: &nativemsg.Error{Code: "X", Message: "m", Suggestions: []string{"s"}, Retryable: true, Details: map[string]any{"a": "b"}}}},
	"event":     {Seq: 2, Window: 9, Envelope: nativemsg.Envelope{Kind: nativemsg.Event, Op: "state", Payload: []byte(`[1,2]`)}},
	"chunk":     {Seq: 5, Window: 9, Envelope: nativemsg.Envelope{Kind: nativemsg.Chunk, ID: "c1"}, Index: 3, Last: true, Data: "\"\\\n😀\u2028"},
	"ack":       {Ack: 4, Window: 12, Envelope: nativemsg.Envelope{Kind: nativemsg.Ack}},
	"nack":      {Ack: 4, Window: -1, Envelope: nativemsg.Envelope{Kind: nativemsg.Nack}},
	"hello":     {Window: -1, Envelope: nativemsg.Envelope{Kind: nativemsg.Hello, Payload: []byte(`{"linkVersion":1}`)}},
	"bye":       {Window: -1, Envelope: nativemsg.Envelope{Kind: nativemsg.Bye, Error: &nativemsg.Error{Code: "X", Message: "m"}}},
	"ping pong": {Ack: 2, Window: 3, Envelope: nativemsg.Envelope{Kind: nativemsg.Ping}},
}

func TestFramesSurviveTheRoundTrip(t *testing.T) {
	t.Parallel()
	for name, frame := range frames {
		data, err := frame.Encode()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := nativemsg.DecodeFrame(data)
		if err != nil || !reflect.DeepEqual(*got, frame) {
			t.Errorf("%s: %s\n got %+v, %v\nwant %+v", name, data, got, err, frame)
		}
	}
}

func nested(depth int) string {
	return `{"v":1,"seq":1,"ack":0,"window":1,"kind":"event","op":"x","payload":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `}`
}

func TestF10MalformedFrames(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"empty": "", "number": "42", "null": "null", "list": "[]", "string": `"x"`, "text": "LOG: hello",
		"invalid UTF-8":       "{\"v\":1,\"kind\":\"event\",\"seq\":1,\"op\":\"\xff\"}",
		"invalid JSON":        `{"v":1,}`,
		"cut":                 `{"v":1,"kind":"ping"`,
		"member twice":        `{"v":1,"kind":"ping","kind":"pong"}`,
		"member twice inside": `{"v":1,"seq":1,"kind":"event","op":"x","payload":{"a":1,"a":2}}`,
		"too deep":            nested(10_001),
		"no version":          `{"kind":"ping"}`,
		"other version":       `{"v":2,"kind":"ping"}`,
		"other case":          `{"v":1,"Kind":"ping"}`,
		"no kind":             `{"v":1}`,
		"unknown kind":        `{"v":1,"kind":"greet"}`,
		"event without seq":   `{"v":1,"kind":"event","op":"x"}`,
		"event without op":    `{"v":1,"kind":"event","seq":1}`,
		"ping with seq":       `{"v":1,"kind":"ping","seq":4}`,
		"request without id":  `{"v":1,"seq":1,"kind":"request","op":"x"}`,
		"response without id": `{"v":1,"seq":1,"kind":"response"}`,
		"bye without error":   `{"v":1,"kind":"bye"}`,
		"chunk without id":    `{"v":1,"seq":1,"kind":"chunk","data":""}`,
		"negative seq":        `{"v":1,"seq":-1,"kind":"event","op":"x"}`,
		"fraction":            `{"v":1,"seq":1.5,"kind":"event","op":"x"}`,
		"seq too large":       `{"v":1,"seq":9007199254740992,"kind":"event","op":"x"}`,
		"negative window":     `{"v":1,"kind":"ping","window":-1}`,
		"seq is text":         `{"v":1,"seq":"1","kind":"event","op":"x"}`,
	} {
		frame, err := nativemsg.DecodeFrame([]byte(data))
		if !nativemsg.IsMalformed(err) || frame != nil {
			t.Errorf("%s: %+v, %v", name, frame, err)
		}
	}
	if _, err := nativemsg.DecodeFrame([]byte(nested(9_000))); err != nil {
		t.Errorf("nested 9,000 deep: %v", err)
	}
}

func TestF11NothingAroundTheValue(t *testing.T) {
	t.Parallel()
	const ping = `{"v":1,"kind":"ping"}`
	if _, err := nativemsg.DecodeFrame([]byte(ping)); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"BOM": "\ufeff" + ping, "CRLF": ping + "\r\n", "leading space": " " + ping,
		"second value": ping + ping, "garbage": ping + "x", "garbage ending in a brace": ping + " }", "NUL": ping + "\x00"} {
		if _, err := nativemsg.DecodeFrame([]byte(data)); !nativemsg.IsMalformed(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLoneSurrogatesAreMended(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`"\ud800"`:             `"\ufffd"`,
		`"a\uDC00b"`:           `"a\ufffdb"`,
		`"\ud83d\ude00\ud83d"`: `"\ud83d\ude00\ufffd"`,
		`"\ud83d\ud83d\ude00"`: `"\ufffd\ud83d\ude00"`,
		`"\\ud800\ud800"`:      `"\\ud800\ufffd"`,
	} {
		frame, err := nativemsg.DecodeFrame([]byte(`{"v":1,"seq":1,"kind":"event","op":"x","payload":` + in + `}`))
		if err != nil || string(frame.Payload) != want {
			t.Errorf("%s: %+v, %v", in, frame, err)
		}
	}
}

// envelopeText is what a sender cuts into chunks.
func envelopeText(t *testing.T, payload string) []byte {
	t.Helper()
	body, err := (&nativemsg.Envelope{Kind: nativemsg.Event, Op: "x", Payload: []byte(payload)}).Body()
	if err != nil {
		t.Fatal(err)
	}
	return append(append([]byte{'{'}, body...), '}')
}

// carry sends text as chunk frames of the given size through encoder, decoder and reassembler.
func carry(t *testing.T, text []byte, size int) []byte {
	t.Helper()
	var chunks nativemsg.Reassembler
	pieces := nativemsg.Split(text, size)
	for i, piece := range pieces {
		if len(piece) > size && size >= utf8.UTFMax || !utf8.Valid(piece) {
			t.Fatalf("piece %d of %d bytes is too large or cut within a rune", i, len(piece))
		}
		frame := nativemsg.Frame{Seq: uint64(i + 1), Window: 1, Index: i, Last: i == len(pieces)-1, Data: string(piece),
			Envelope: nativemsg.Envelope{Kind: nativemsg.Chunk, ID: "c1"}}
		data, err := frame.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if size <= nativemsg.PieceToBrowser && len(data) > nativemsg.MaxToBrowser {
			t.Fatalf("frame of %d bytes", len(data))
		}
		decoded, err := nativemsg.DecodeFrame(data)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := chunks.Add(decoded, time.Time{})
		if err != nil || (whole != nil) != frame.Last {
			t.Fatalf("piece %d: %v", i, err)
		}
		if whole != nil {
			return whole
		}
	}
	t.Fatal("no last piece")
	return nil
}

func TestF02ChunksComeBackIdentical(t *testing.T) {
	t.Parallel()
	for name, payload := range map[string]string{
		"1,048,577 B":      `"` + strings.Repeat("a", nativemsg.MaxToBrowser-1) + `"`,
		"5 MB of quotes":   `"` + strings.Repeat(`\"`, 2_500_000) + `"`,
		"40 MB multi-byte": `"` + strings.Repeat("aé€😀", 4_000_000) + `"`,
	} {
		text := envelopeText(t, payload)
		whole := carry(t, text, nativemsg.PieceToBrowser)
		if string(whole) != string(text) {
			t.Fatalf("%s: differs", name)
		}
		envelope, err := nativemsg.DecodeEnvelope(whole)
		if err != nil || string(envelope.Payload) != payload {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

func TestF04EveryCutOfARune(t *testing.T) {
	t.Parallel()
	text := envelopeText(t, `"é€😀\ud83d\ude00`+"\u2028"+`\\\"𝔸z"`)
	for size := 4; size <= len(text)+1; size++ {
		if got := carry(t, text, size); string(got) != string(text) {
			t.Fatalf("pieces of %d bytes: %q", size, got)
		}
	}
}

func chunk(id string, index int, last bool, data string) *nativemsg.Frame {
	return &nativemsg.Frame{Seq: 1, Envelope: nativemsg.Envelope{Kind: nativemsg.Chunk, ID: id}, Index: index, Last: last, Data: data}
}

func TestF19BadChunks(t *testing.T) {
	t.Parallel()
	now := time.Time{}
	refused := func(err error, reason nativemsg.ChunkReason) {
		t.Helper()
		var chunkErr *nativemsg.ChunkError
		if !errors.As(err, &chunkErr) || chunkErr.Reason != reason {
			t.Errorf("got %v, want %q", err, reason)
		}
	}
	var r nativemsg.Reassembler
	add := func(f *nativemsg.Frame) (string, error) { whole, err := r.Add(f, now); return string(whole), err }

	_, err := add(chunk("unknown", 3, false, "x"))
	refused(err, nativemsg.ChunkUnknown)

	for i, piece := range []*nativemsg.Frame{chunk("d", 0, false, "a"), chunk("d", 0, false, "a"), chunk("d", 1, false, "b"), chunk("d", 0, false, "z"), chunk("d", 1, true, "z")} {
		if whole, err := add(piece); whole != "" || err != nil {
			t.Errorf("duplicate %d: %q, %v", i, whole, err)
		}
	}
	if whole, err := add(chunk("d", 2, true, "c")); whole != "abc" || err != nil {
		t.Errorf("after duplicates: %q, %v", whole, err)
	}
	for _, late := range []*nativemsg.Frame{chunk("d", 0, false, "a"), chunk("d", 2, true, "c")} {
		if whole, err := add(late); whole != "" || err != nil {
			t.Errorf("copy after the end: %q, %v", whole, err)
		}
	}

	_, _ = add(chunk("o", 0, false, "a"))
	_, err = add(chunk("o", 2, false, "c"))
	refused(err, nativemsg.ChunkReordered)
	if whole, err := add(chunk("o", 1, true, "b")); whole != "" || err != nil {
		t.Errorf("rest of a dropped stream: %q, %v", whole, err)
	}

	big := strings.Repeat("x", 8<<20)
	for i := range 8 {
		if _, err := add(chunk("big", i, false, big)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = add(chunk("big", 8, true, "y"))
	refused(err, nativemsg.ChunkTooLarge)

	refusals := 0
	for i := range 10_001 {
		if _, err := add(chunk("s"+string(rune('A'+i)), 0, false, "x")); err != nil {
			refused(err, nativemsg.ChunkTooMany)
			refusals++
		}
	}
	if open, bytes := r.Open(); open != nativemsg.MaxStreams || bytes != nativemsg.MaxStreams || refusals != 10_001-nativemsg.MaxStreams {
		t.Errorf("%d streams of %d bytes, %d refusals", open, bytes, refusals)
	}

	now = now.Add(nativemsg.StreamTTL)
	if expired := r.Expire(now); len(expired) != 0 {
		t.Errorf("%d streams expired at the limit", len(expired))
	}
	r.Touch(now)
	if expired := r.Expire(now.Add(nativemsg.StreamTTL)); len(expired) != 0 {
		t.Errorf("%d streams expired after Touch", len(expired))
	}
	now = now.Add(nativemsg.StreamTTL + 1)
	if expired := r.Expire(now); len(expired) != nativemsg.MaxStreams {
		t.Errorf("%d streams expired", len(expired))
	}
	if open, bytes := r.Open(); open != 0 || bytes != 0 {
		t.Errorf("%d streams of %d bytes are left", open, bytes)
	}
}

func TestF19InterleavedStreams(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var r nativemsg.Reassembler
	type source struct {
		id     string
		pieces [][]byte
		text   string
	}
	var sources []*source
	for i := range 30 {
		text := strings.Repeat(string(rune('a'+i%26))+"€", 200+random.IntN(500))
		sources = append(sources, &source{id: "c" + string(rune('A'+i)), pieces: nativemsg.Split([]byte(text), 64), text: text})
	}
	sent := map[string]int{}
	for len(sources) > 0 {
		at := random.IntN(len(sources))
		s := sources[at]
		index := sent[s.id]
		last := index == len(s.pieces)-1
		whole, err := r.Add(chunk(s.id, index, last, string(s.pieces[index])), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		sent[s.id]++
		if last {
			if string(whole) != s.text {
				t.Fatalf("stream %s differs", s.id)
			}
			sources = append(sources[:at], sources[at+1:]...)
		}
	}
}

// FuzzF12DecodeFrame: no panic; a frame that decodes encodes, and decodes again to the same.
func FuzzF12DecodeFrame(f *testing.F) {
	for _, frame := range frames {
		data, err := frame.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"v":1,"seq":1,"kind":"event","op":"\ud800","payload":{"a":"\udc00"}}`))
	f.Add([]byte(`{"v":1,"kind":"ping","kind":"pong"}`))
	f.Add([]byte("\ufeff{}"))
	f.Add([]byte(nested(100)))
	f.Fuzz(func(t *testing.T, data []byte) {
		frame, err := nativemsg.DecodeFrame(data)
		if err != nil {
			if !nativemsg.IsMalformed(err) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		again, err := frame.Encode()
		if err != nil {
			t.Fatalf("%s does not encode: %v", data, err)
		}
		same, err := nativemsg.DecodeFrame(again)
		if err != nil || same.Seq != frame.Seq || same.Kind != frame.Kind || same.ID != frame.ID || same.Op != frame.Op ||
			string(same.Payload) != string(frame.Payload) || same.Data != frame.Data || same.Window != frame.Window {
			t.Fatalf("%s became %s (%v)", data, again, err)
		}
	})
}

// FuzzReassembler: whatever comes, the caps hold.
func FuzzReassembler(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 2, 1})
	f.Add([]byte{200, 3, 200, 0, 7, 7})
	f.Fuzz(func(t *testing.T, script []byte) {
		var r nativemsg.Reassembler
		now := time.Time{}
		for i := 0; i+1 < len(script); i += 2 {
			now = now.Add(time.Duration(script[i]) * 100 * time.Millisecond)
			id, index := string(rune('a'+script[i]%100)), int(script[i+1]%4)
			_, _ = r.Add(chunk(id, index, script[i+1]&128 != 0, "data"), now)
			r.Expire(now)
			if open, bytes := r.Open(); open > nativemsg.MaxStreams || bytes > open*3*len("data")+open*len("data") {
				t.Fatalf("%d streams of %d bytes", open, bytes)
			}
		}
	})
}

func BenchmarkFrame(b *testing.B) {
	frame := frames["request"]
	b.ReportAllocs()
	for b.Loop() {
		data, err := frame.Encode()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := nativemsg.DecodeFrame(data); err != nil {
			b.Fatal(err)
		}
	}
}
