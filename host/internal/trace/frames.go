package trace

import (
	"bufio"
	"bytes"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// startedEvent tells DevTools which frame is the page. Through chrome.debugger the
// browser leaves its own process's events out of a trace, and this one with them.
const startedEvent = "TracingStartedInBrowser"

// headSize is how much of a trace is looked through: the event is among the first ones.
const headSize = 256 << 10

var (
	head      = []byte(`{"traceEvents":[`)
	pidOf     = lazy.MustCompile(`"pid":([1-9][0-9]*)`)
	timeOf    = lazy.MustCompile(`"ts":([1-9][0-9]*)`)
	mainOf    = lazy.MustCompile(`"name":"CrRendererMain"[^\n]*"pid":([1-9][0-9]*)`)
	noProcess = []byte("0")
)

// mainFrame is the page that was recorded.
type mainFrame struct{ id, url string }

// complete gives the plain trace with the event that tells its main frame, if it has none.
func complete(trace io.Reader, frame mainFrame) io.Reader {
	buffered := bufio.NewReaderSize(trace, headSize)
	begin, _ := buffered.Peek(headSize) // a shorter trace, or its failure, which is read again
	if frame.id == "" || !bytes.HasPrefix(begin, head) || bytes.Contains(begin, []byte(`"`+startedEvent+`"`)) {
		return buffered
	}
	ts := timeOf.Get().FindSubmatch(begin)
	if ts == nil || bytes.HasPrefix(bytes.TrimSpace(begin[len(head):]), []byte("]")) {
		return buffered // no event to tell about
	}
	_, _ = buffered.Discard(len(head)) // it is in the buffer
	return io.MultiReader(bytes.NewReader(head), bytes.NewReader(started(frame, processOf(begin, frame), ts[1])), buffered)
}

// processOf finds the renderer: that of an event of the frame, or the first.
func processOf(begin []byte, frame mainFrame) []byte {
	for line := range bytes.Lines(begin) {
		if bytes.Contains(line, []byte(`"`+frame.id+`"`)) {
			if pid := pidOf.Get().FindSubmatch(line); pid != nil {
				return pid[1]
			}
		}
	}
	if pid := mainOf.Get().FindSubmatch(begin); pid != nil {
		return pid[1]
	}
	return noProcess
}

// started writes the event as the browser does, with a comma behind it.
func started(frame mainFrame, pid, ts []byte) []byte {
	type frameData struct {
		Frame   string         `json:"frame"`
		Primary bool           `json:"isInPrimaryMainFrame"`
		Outer   bool           `json:"isOutermostMainFrame"`
		Name    string         `json:"name"`
		Process jsontext.Value `json:"processId"`
		URL     string         `json:"url"`
	}
	type data struct {
		Frames     []frameData `json:"frames"`
		Persistent bool        `json:"persistentIds"`
	}
	event, err := json.Marshal(struct {
		Args  map[string]data `json:"args"`
		Cat   string          `json:"cat"`
		Name  string          `json:"name"`
		Phase string          `json:"ph"`
		Pid   jsontext.Value  `json:"pid"`
		Scope string          `json:"s"`
		Tid   jsontext.Value  `json:"tid"`
		Time  jsontext.Value  `json:"ts"`
	}{
		map[string]data{"data": {[]frameData{{frame.id, true, true, "", pid, frame.url}}, true}},
		"disabled-by-default-devtools.timeline", startedEvent, "I", pid, "t", pid, ts,
	})
	if err != nil { // an address that is not UTF-8
		return nil
	}
	return append(append([]byte("\n"), event...), ",\n"...)
}
