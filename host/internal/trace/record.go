package trace

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/tracing"
	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

const (
	// bufferKB is the browser's buffer, taken as it fills. A trace made of more is
	// beyond what a page can parse.
	bufferKB = 400 << 10
	// readSize is one piece of the stream: gzipped, so a trace has few.
	readSize = 1 << 20
	// closeTimeout is for giving back the browser's stream, or its recording, when the command is over.
	closeTimeout = 5 * time.Second
)

// categories are those that DevTools' Performance panel records, from
// front_end/panels/timeline/TimelineController.ts, without what only draws its
// tracks. The rundown of sources is for the insights about the scripts' text.
var categories = []string{
	"-*",
	"blink.console",
	"blink.user_timing",
	"devtools.timeline",
	"disabled-by-default-devtools.timeline",
	"disabled-by-default-devtools.timeline.frame",
	"disabled-by-default-devtools.timeline.invalidationTracking", // causes of layout shifts
	"disabled-by-default-devtools.timeline.stack",                // where a reflow was forced
	"disabled-by-default-devtools.v8-source-rundown",
	"disabled-by-default-devtools.v8-source-rundown-sources",
	"disabled-by-default-lighthouse", // tasks, and the times of navigation
	"disabled-by-default-v8.cpu_profiler",
	"latencyInfo", // interactions
	"loading",     // largest paint and layout shifts
	"navigation",
	"rail",
	"v8.execute",
	"v8",
}

// Categories lists what is recorded.
func Categories(screenshots bool) []string {
	list := append([]string(nil), categories...)
	if screenshots {
		list = append(list, "disabled-by-default-devtools.screenshot")
	}
	return list
}

// Options of a recording.
type Options struct {
	// Screenshots puts the film strip into the file. It costs the page time.
	Screenshots bool
}

// Recording is a trace being recorded. Its methods are for one goroutine; it ends
// with Stop or Abort, or with its session.
type Recording struct {
	session cdp.Session
	frame   mainFrame
}

// Info says what Stop wrote.
type Info struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	// Lost is set when the browser dropped events, as with a full buffer.
	Lost bool `json:"lost,omitzero"`
}

// Start begins a recording of the page of a session (and of its whole browser). Where that
// is not answered in time it ends what may have begun, for up to 5 s more.
func Start(ctx context.Context, s cdp.Session, o Options) (*Recording, error) {
	tree, err := cdp.Call(ctx, s, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return nil, failed(err, "the page's frame is not known")
	}
	var frame mainFrame
	if tree.FrameTree != nil && tree.FrameTree.Frame != nil {
		frame = mainFrame{string(tree.FrameTree.Frame.ID), tree.FrameTree.Frame.URL}
	}
	config := &tracing.TraceConfig{RecordMode: tracing.TraceConfigRecordModeRecordUntilFull, TraceBufferSizeInKb: bufferKB}
	for _, category := range Categories(o.Screenshots) {
		if out, excluded := strings.CutPrefix(category, "-"); excluded {
			config.ExcludedCategories = append(config.ExcludedCategories, out)
		} else {
			config.IncludedCategories = append(config.IncludedCategories, category)
		}
	}
	_, err = cdp.Call(ctx, s, tracing.Start, tracing.StartParams{
		TransferMode:      tracing.StartTransferModeReturnAsStream,
		StreamFormat:      tracing.StreamFormatJSON,
		StreamCompression: tracing.StreamCompressionGzip,
		TraceConfig:       config,
	})
	if err != nil {
		failure := refused(err)
		if code := fault.From(failure).Code; code != fault.CDPError && code != fault.TraceAlreadyRunning {
			// It may have begun unheard, or begin yet: what is switched on is switched off.
			late, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
			defer cancel()
			_ = (&Recording{s, frame}).Abort(late)
		}
		return nil, failure
	}
	return &Recording{s, frame}, nil
}

// refused tells a browser that records already from other refusals.
func refused(err error) error {
	if strings.Contains(err.Error(), "already") { // "Tracing has already been started (possibly in another tab)."
		return fault.New(fault.TraceAlreadyRunning, "this browser is recording a trace, by another agent or in DevTools").Because(err).
			Suggest("dbridge trace stop", "Stop the recording in the Performance panel of DevTools.")
	}
	return failed(err, "the browser does not record a trace")
}

// failed keeps a typed fault as it is.
func failed(err error, what string) error {
	var known *fault.Error
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fault.New(fault.CDPError, "%s: %s", what, err.Error()).Because(err)
}

// Stop ends the recording and writes the trace file to w, gzipped or plain.
// The file is {"traceEvents":[…],"metadata":{…}}, as DevTools loads it.
func (r *Recording) Stop(ctx context.Context, w io.Writer, gzipped bool) (Info, error) {
	stream, event, err := r.end(ctx)
	if err != nil {
		return Info{}, err
	}
	defer stream.close()
	out := &counted{to: w, sum: sha256.New()}
	if err := r.copy(out, stream, event.StreamCompression == tracing.StreamCompressionGzip, gzipped); err != nil {
		return Info{}, failed(err, "the trace was not written whole")
	}
	return Info{Bytes: out.bytes, SHA256: hex.EncodeToString(out.sum.Sum(nil)), Lost: event.DataLossOccurred}, nil
}

// Abort ends the recording and throws it away.
func (r *Recording) Abort(ctx context.Context) error {
	stream, _, err := r.end(ctx)
	if err == nil {
		stream.close()
	}
	return err
}

// end ends the recording and waits for its stream, which the caller closes.
func (r *Recording) end(ctx context.Context) (*stream, tracing.EventTracingComplete, error) {
	var event tracing.EventTracingComplete
	completed, cancel := r.session.Subscribe(tracing.TracingComplete.Method)
	defer cancel()
	if _, err := cdp.Call(ctx, r.session, tracing.End, cdp.Empty{}); err != nil {
		return nil, event, failed(err, "the browser does not end the recording")
	}
	select {
	case raw, open := <-completed:
		if !open {
			return nil, event, fault.New(fault.CDPDisconnected, "the page went away before its trace was complete")
		}
		if err := json.Unmarshal(raw, &event); err != nil {
			return nil, event, fault.New(fault.CDPError, "the browser's word of the complete trace cannot be read").Because(err)
		}
	case <-ctx.Done():
		return nil, event, ctx.Err()
	}
	if event.Stream == "" {
		return nil, event, fault.New(fault.CDPError, "the browser gave no stream of the trace")
	}
	return &stream{ctx: ctx, session: r.session, handle: event.Stream}, event, nil
}

// copy writes the trace, gzipped or not, as a file that is to be so or not.
func (r *Recording) copy(to io.Writer, from io.Reader, isGzip, wantGzip bool) error {
	if isGzip {
		plain, err := gzip.NewReader(bufio.NewReader(from))
		if err != nil {
			return err
		}
		from = plain
	}
	from = complete(from, r.frame)
	if !wantGzip {
		return masked(to, from)
	}
	packed, _ := gzip.NewWriterLevel(to, gzip.BestSpeed) // the level is valid
	if err := masked(packed, from); err != nil {
		return err
	}
	return packed.Close()
}

// masked copies JSON without the values of secrets.
func masked(to io.Writer, from io.Reader) error {
	stream := redact.NewFileStream(to, []byte("{"))
	if stream == nil {
		_, err := io.Copy(to, from)
		return err
	}
	if _, err := io.Copy(stream, from); err != nil {
		return err
	}
	return stream.Close()
}

// stream reads a browser's stream by IO.read.
type stream struct {
	ctx     context.Context // of the one command that reads
	session cdp.Session
	handle  cdpio.StreamHandle
	rest    []byte
	eof     bool
}

func (s *stream) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.eof {
			return 0, io.EOF
		}
		piece, err := cdp.Call(s.ctx, s.session, cdpio.Read, cdpio.ReadParams{Handle: s.handle, Size: readSize})
		if err != nil {
			return 0, err
		}
		s.rest, s.eof = piece.Data, piece.EOF
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// close frees the browser's copy, also when the command was cancelled.
func (s *stream) close() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), closeTimeout)
	defer cancel()
	// Without this the stream goes with the session.
	_, _ = cdp.Call(ctx, s.session, cdpio.Close, cdpio.CloseParams{Handle: s.handle})
}

// counted counts and sums what is written.
type counted struct {
	to    io.Writer
	sum   hash.Hash
	bytes int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.bytes += int64(n)
	c.sum.Write(p[:n])
	return n, err
}
