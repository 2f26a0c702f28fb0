package nativemsg_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// FuzzF12Allocations: what a stream claims costs nothing. Reading it with the real limit, and
// decoding each frame, takes memory for the bytes that came and for a buffer, whatever lengths
// are in their heads.
func FuzzF12Allocations(f *testing.F) {
	for _, frame := range frames {
		data, err := frame.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(message(string(data)))
	}
	f.Add(header(60 << 20))
	f.Add(append(header(64<<20), `{"v":1`...))
	f.Add(append(message(`{"v":1,"kind":"ping"}`), header(0xFFFFFFFF)...))
	f.Add(message(nested(1000)))
	f.Add(message(`{"v":1,"seq":1,"kind":"event","op":"x","payload":"` + strings.Repeat("a", 16<<10) + `"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		reader := nativemsg.NewReader(bytes.NewReader(in), nativemsg.MaxFromBrowser)
		for {
			got, err := reader.Read()
			if err != nil {
				break
			}
			_, _ = nativemsg.DecodeFrame(got) // FuzzF12DecodeFrame looks at what comes out
		}
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4*uint64(len(in))+256<<10 {
			t.Errorf("allocated %d bytes for %d", grown, len(in))
		}
	})
}
