package trace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"io"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/extension"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const (
	// pieceSize of the gzipped trace: in base64 it stays below 1 MiB, Chrome's limit
	// of a message to the extension.
	pieceSize = 512 << 10
	// maxPacked bounds what the engine's page takes: its gzipped pieces.
	maxPacked = 256 << 20
	// maxReport bounds the engine's answer. Its rows are few and cut.
	maxReport = 16 << 20
)

// Engine is where the bundled script runs: a blank page over DevTools, or the
// extension's own offscreen page.
type Engine interface {
	// Add hands over the next piece of the gzipped trace, in base64.
	Add(ctx context.Context, piece string) error
	// Report analyses the pieces and forgets them.
	Report(ctx context.Context) (jsontext.Value, error)
	// Drop forgets the pieces that came before a failure.
	Drop(ctx context.Context)
}

// Analyze runs the engine in a page that shows nothing, such as about:blank.
// traceFile is a trace file, gzipped or plain.
func Analyze(ctx context.Context, page cdp.Session, traceFile io.Reader) (*Report, error) {
	var report *Report
	err := whileAlive(ctx, page, func(ctx context.Context) error {
		script, err := extension.TraceEngine()
		if err != nil {
			return fault.New(fault.InternalError, "the trace engine is not in this binary").Because(err)
		}
		if _, err := evaluate(ctx, page, script+"\n;undefined", false); err != nil {
			return err
		}
		report, err = AnalyzeOn(ctx, pageEngine{page}, traceFile)
		return err
	})
	return report, err
}

// AnalyzeOn runs an engine that is loaded already.
func AnalyzeOn(ctx context.Context, engine Engine, traceFile io.Reader) (*Report, error) {
	if err := send(ctx, engine, traceFile); err != nil {
		engine.Drop(ctx)
		return nil, err
	}
	raw, err := engine.Report(ctx)
	if err != nil {
		return nil, err
	}
	if len(raw) > maxReport {
		return nil, fault.New(fault.ResultTooLarge, "the engine's report has %d bytes", len(raw))
	}
	return decodeReport(raw)
}

func decodeReport(raw jsontext.Value) (*Report, error) {
	report := new(Report)
	// Names and addresses are the page's own, which need not be well-formed text.
	if err := json.Unmarshal(raw, report, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fault.New(fault.InternalError, "the trace engine's report cannot be read").Because(err)
	}
	return report, nil
}

// send hands the trace over, gzipped, piece by piece.
func send(ctx context.Context, engine Engine, traceFile io.Reader) error {
	buffered := bufio.NewReader(traceFile)
	magic, err := buffered.Peek(2)
	if err != nil {
		return fault.New(fault.FileAccessFailed, "the trace file is empty or cannot be read").Because(err)
	}
	pieces := &pieces{ctx: ctx, engine: engine}
	if bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		_, err = io.Copy(pieces, buffered)
	} else {
		packed, _ := gzip.NewWriterLevel(pieces, gzip.BestSpeed) // the level is valid
		if _, err = io.Copy(packed, buffered); err == nil {
			err = packed.Close()
		}
	}
	if err == nil {
		err = pieces.flush()
	}
	return err
}

// pieces is a writer that hands over what is written.
type pieces struct {
	ctx    context.Context // of the one analysis
	engine Engine
	buffer []byte
	sent   int
}

func (p *pieces) Write(data []byte) (int, error) {
	if p.buffer == nil {
		p.buffer = make([]byte, 0, pieceSize)
	}
	rest := data
	for len(rest) > 0 {
		n := copy(p.buffer[len(p.buffer):cap(p.buffer)], rest)
		p.buffer, rest = p.buffer[:len(p.buffer)+n], rest[n:]
		if len(p.buffer) == cap(p.buffer) {
			if err := p.flush(); err != nil {
				return len(data) - len(rest), err
			}
		}
	}
	return len(data), nil
}

func (p *pieces) flush() error {
	if len(p.buffer) == 0 {
		return nil
	}
	if p.sent += len(p.buffer); p.sent > maxPacked {
		return fault.New(fault.ResultTooLarge, "the trace is too large to analyse: more than %d MB gzipped", maxPacked>>20).
			Suggest("Record a shorter time.", "Open the trace file in the Performance panel of DevTools.")
	}
	err := p.engine.Add(p.ctx, base64.StdEncoding.EncodeToString(p.buffer))
	p.buffer = p.buffer[:0]
	return err
}

// pageEngine is the engine in a page over DevTools.
type pageEngine struct{ session cdp.Session }

func (e pageEngine) Add(ctx context.Context, piece string) error {
	_, err := evaluate(ctx, e.session, `DebugBridgeTrace.add("`+piece+`")`, false) // base64 needs no escape
	return err
}

func (e pageEngine) Report(ctx context.Context) (jsontext.Value, error) {
	return evaluate(ctx, e.session, `DebugBridgeTrace.report()`, true)
}

// Drop does nothing: the page is closed after its one analysis.
func (pageEngine) Drop(context.Context) {}

func evaluate(ctx context.Context, s cdp.Session, expression string, wait bool) (jsontext.Value, error) {
	yes := true
	params := runtime.EvaluateParams{Expression: expression, ReturnByValue: &yes}
	if wait {
		params.AwaitPromise = &yes
	}
	result, err := cdp.Call(ctx, s, runtime.Evaluate, params)
	if err != nil {
		return nil, failed(err, "the trace engine did not run")
	}
	if thrown := result.ExceptionDetails; thrown != nil {
		return nil, EngineFault(exception(thrown))
	}
	if result.Result == nil {
		return nil, nil
	}
	return result.Result.Value, nil
}

// EngineFault words what the engine threw.
func EngineFault(message string) *fault.Error {
	return fault.New(fault.ResultTooLarge, "the trace was recorded but cannot be analysed: %s", message).
		Suggest("Open the trace file in the Performance panel of DevTools.", "Record a shorter time: dbridge trace start --reload --auto-stop")
}

func exception(thrown *runtime.ExceptionDetails) string {
	if thrown.Exception != nil && thrown.Exception.Description != "" {
		return thrown.Exception.Description
	}
	return thrown.Text
}

var errCrashed = errors.New("the engine's page ran out of memory")

// whileAlive ends run when the page's renderer crashes, which answers no call.
func whileAlive(ctx context.Context, page cdp.Session, run func(context.Context) error) error {
	crashed, cancel := page.Subscribe(inspector.TargetCrashed.Method)
	defer cancel()
	if _, err := cdp.Call(ctx, page, inspector.Enable, cdp.Empty{}); err != nil {
		return failed(err, "the trace engine did not start")
	}
	ctx, stop := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case _, open := <-crashed:
			if open {
				stop(errCrashed)
			}
		case <-ctx.Done():
		}
	}()
	err := run(ctx)
	if err != nil && context.Cause(ctx) == errCrashed {
		err = EngineFault(errCrashed.Error())
	}
	stop(nil)
	<-watched
	return err
}
