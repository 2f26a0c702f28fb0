package command

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"strconv"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// recordingCommands take what a page shows, or holds, over time. They belong to capture.
var recordingCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "capture.screencast-start", Tool: "screencast_start", Summary: "Begin to record what the page shows.",
		Long:   "The browser tells of each new frame. Of a recording, the first 600 frames within 64 MiB are kept.",
		Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP,
		Faults:   []fault.Code{fault.TraceAlreadyRunning, fault.CDPError},
		Examples: []catalog.Example{{Line: "capture screencast-start"}, {Line: "capture screencast-start --max-width 640 --fps 10"}},
	}, screencastStart),
	define(catalog.Spec{
		Name: "capture.screencast-stop", Tool: "screencast_stop", Summary: "End the recording and write it as an animated GIF.",
		Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP,
		Timeout:  2 * time.Minute,
		Faults:   []fault.Code{fault.TraceNotFound, fault.FileAccessFailed},
		Examples: []catalog.Example{{Line: "capture screencast-stop"}, {Line: "capture screencast-stop --file demo.gif --overwrite"}},
	}, screencastStop),
	define(catalog.Spec{
		Name: "capture.heap", Tool: "take_heapsnapshot", Summary: "Write a snapshot of the page's JavaScript heap, for DevTools' Memory panel.",
		Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP,
		Timeout: 5 * time.Minute,
		Faults:  []fault.Code{fault.FileAccessFailed, fault.CapabilityMissing},
		Cannot:  map[protocol.Source]string{protocol.SourceExtension: "Chrome keeps HeapProfiler from extensions"},
		Examples: []catalog.Example{
			{Line: "capture heap"}, {Line: "capture heap --file page.heapsnapshot --overwrite"},
		},
	}, captureHeap),
}

// Bounds of a recording.
const (
	castFrames = 600
	castBytes  = 64 << 20
	castWidth  = 800
	castRate   = 5
)

// screencast is a recording under way.
type screencast struct {
	mu      sync.Mutex
	frames  []castFrame
	bytes   int
	dropped int
	gap     time.Duration // between kept frames, at least
	stop    context.CancelFunc
	done    chan struct{} // closed when no frame comes any more
}

type castFrame struct {
	at   time.Time
	data []byte // JPEG
}

type screencastKey struct{}

// casts holds at most one recording of a tab.
type casts struct {
	mu      sync.Mutex
	running *screencast
}

func castsOf(t *page.Tab) *casts {
	c, _ := t.Keep(screencastKey{}, func() page.Keeper { return &casts{} }).(*casts)
	return c
}

// Close ends a recording with its tab.
func (c *casts) Close() {
	if s := c.take(); s != nil {
		s.end()
	}
}

func (c *casts) take() *screencast {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.running
	c.running = nil
	return s
}

func (s *screencast) end() {
	s.stop()
	<-s.done
}

type screencastStartParams struct {
	MaxWidth int `json:"maxWidth,omitempty" doc:"Width of the recording, px." min:"100" max:"1920" default:"800"`
	FPS      int `json:"fps,omitempty" doc:"Frames a second that are kept at most." min:"1" max:"20" default:"5"`
}

type screencastResult struct {
	Recording bool    `json:"recording,omitempty"`
	Path      string  `json:"path,omitempty"`
	Bytes     int64   `json:"bytes,omitempty"`
	SHA256    string  `json:"sha256,omitempty"`
	Frames    int     `json:"frames,omitempty"`
	Seconds   float64 `json:"seconds,omitempty"`
	Dropped   int     `json:"dropped,omitempty" doc:"Frames beyond the bounds."`
}

func (r screencastResult) Text() string {
	if r.Recording {
		return "recording; end it with: dbridge capture screencast-stop"
	}
	return fmt.Sprintf("%s %d frames in %.1f s, %d bytes", r.Path, r.Frames, r.Seconds, r.Bytes)
}

func castUndo(t *page.Tab) string { return "screencast of page " + strconv.Itoa(t.PageID()) }

const holdsScreencast = "screencast"

func screencastStart(ctx context.Context, env *Env, p *screencastStartParams) (screencastResult, error) {
	held := castsOf(env.Tab)
	if held == nil {
		return screencastResult{}, fault.New(fault.PageNotFound, "the page is gone").Suggest("dbridge page list")
	}
	held.mu.Lock()
	defer held.mu.Unlock()
	if held.running != nil {
		return screencastResult{}, fault.New(fault.TraceAlreadyRunning, "the page is being recorded already").Suggest("dbridge capture screencast-stop")
	}
	env.Dispatched()
	if err := env.Tab.Hold(ctx, holdsScreencast, true); err != nil {
		return screencastResult{}, err
	}
	tab := env.Tab
	s := tab.Session("")
	life, stop := context.WithCancel(context.Background())
	recording := &screencast{gap: time.Second / time.Duration(p.FPS+1), stop: stop, done: make(chan struct{})}
	frames, cancel := s.Subscribe("Page.screencastFrame")
	go func() {
		defer close(recording.done)
		defer cancel()
		for {
			select {
			case raw, ok := <-frames:
				if !ok {
					return
				}
				recording.take(life, s, raw)
			case <-life.Done():
				return
			}
		}
	}()
	width, quality := int64(p.MaxWidth), int64(70)
	begin := func() error {
		_, err := cdp.Call(ctx, s, cdppage.StartScreencast, cdppage.StartScreencastParams{
			Format: "jpeg", Quality: &quality, MaxWidth: width, MaxHeight: width,
		})
		return err
	}
	err := begin()
	if err != nil && fault.From(err).Code == fault.CDPError { // one of before runs, whose end was refused
		_ = s.Call(ctx, cdppage.CommandStopScreencast, nil, nil)
		err = begin()
	}
	if err != nil {
		recording.end()
		castNever(ctx, tab) // it may run all the same: only its answer did not come
		return screencastResult{}, err
	}
	held.running = recording
	env.Context.Undo(castUndo(tab), func(ctx context.Context) error { return castEnd(ctx, tab) })
	env.Did(protocol.EffectNoop, "cdp")
	return screencastResult{Recording: true}, nil
}

// take keeps a frame and asks for the next one.
func (s *screencast) take(ctx context.Context, session cdp.Session, raw []byte) {
	var event struct {
		Data      []byte `json:"data"`
		SessionID int64  `json:"sessionId"`
	}
	if decodeEvent(raw, &event) != nil {
		return
	}
	now := time.Now()
	s.mu.Lock()
	switch n := len(s.frames); {
	case n > 0 && now.Sub(s.frames[n-1].at) < s.gap:
		// Too soon after the one before: it takes its place, so that the last state is never missed.
		s.bytes += len(event.Data) - len(s.frames[n-1].data)
		s.frames[n-1].data = event.Data
	case n >= castFrames || s.bytes+len(event.Data) > castBytes:
		s.dropped++
	default:
		s.frames = append(s.frames, castFrame{now, event.Data})
		s.bytes += len(event.Data)
	}
	s.mu.Unlock()
	_ = session.Call(ctx, cdppage.CommandScreencastFrameAck, map[string]any{"sessionId": event.SessionID}, nil) // the page may be gone
}

// castUndoTime bounds the end of a recording that may not have begun.
const castUndoTime = 2 * time.Second

// castNever stops what nobody keeps. It is not left for later: it would stop the next recording.
func castNever(ctx context.Context, t *page.Tab) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), castUndoTime)
	defer cancel()
	_ = t.Session("").Call(ctx, cdppage.CommandStopScreencast, nil, nil) // nothing runs where the start was refused
	_ = t.Hold(ctx, holdsScreencast, false)
}

// castEnd ends a recording without keeping it.
func castEnd(ctx context.Context, t *page.Tab) error {
	held := castsOf(t)
	if held == nil {
		return nil
	}
	recording := held.take()
	if recording == nil {
		return nil
	}
	err := t.Session("").Call(ctx, cdppage.CommandStopScreencast, nil, nil)
	recording.end()
	if letGo := t.Hold(ctx, holdsScreencast, false); err == nil {
		err = letGo
	}
	return err
}

type screencastStopParams struct {
	fileParams
}

func screencastStop(ctx context.Context, env *Env, p *screencastStopParams) (screencastResult, error) {
	held := castsOf(env.Tab)
	if held == nil {
		return screencastResult{}, fault.New(fault.PageNotFound, "the page is gone").Suggest("dbridge page list")
	}
	held.mu.Lock()
	recording := held.running
	held.mu.Unlock()
	if recording == nil {
		return screencastResult{}, fault.New(fault.TraceNotFound, "the page is not being recorded").Suggest("dbridge capture screencast-start")
	}
	out, err := env.output(p.fileParams, "screencast", "gif") // before the recording is given up
	if err != nil {
		return screencastResult{}, err
	}
	defer out.Close() //nolint:errcheck // after Commit there is nothing left to fail
	env.Dispatched()
	if err := castEnd(ctx, env.Tab); err != nil {
		return screencastResult{}, err
	}
	env.Context.Undo(castUndo(env.Tab), nil)
	env.Did(protocol.EffectNoop, "cdp")
	recording.mu.Lock()
	defer recording.mu.Unlock()
	if len(recording.frames) == 0 {
		return screencastResult{}, fault.New(fault.TraceNotFound, "the page showed no frame while it was recorded").Suggest("dbridge capture screenshot")
	}
	env.Say("encoding %d frames", len(recording.frames))
	length, err := encodeGIF(ctx, out, recording.frames)
	if err != nil {
		return screencastResult{}, err
	}
	if err := out.commit(); err != nil {
		return screencastResult{}, err
	}
	return screencastResult{
		Path: out.Path(), Bytes: out.Size(), SHA256: out.sum(), Frames: len(recording.frames),
		Seconds: length.Seconds(), Dropped: recording.dropped,
	}, nil
}

// cube is an even palette, 6 reds, 7 greens and 6 blues, in which the nearest colour is
// computed, not searched for: a recording has hundreds of millions of pixels.
var cube = func() color.Palette {
	colours := make(color.Palette, 0, 6*7*6)
	for r := range 6 {
		for g := range 7 {
			for b := range 6 {
				colours = append(colours, color.RGBA{uint8(r * 255 / 5), uint8(g * 255 / 6), uint8(b * 255 / 5), 255})
			}
		}
	}
	return colours
}

func paletted(decoded image.Image, size image.Rectangle) *image.Paletted {
	pixels := image.NewRGBA(size)
	draw.Draw(pixels, size, decoded, decoded.Bounds().Min, draw.Src)
	shown := image.NewPaletted(size, cube())
	for i := range shown.Pix {
		p := pixels.Pix[4*i : 4*i+3 : 4*i+3]
		shown.Pix[i] = uint8((int(p[0])*5+127)/255*42 + (int(p[1])*6+127)/255*6 + (int(p[2])*5+127)/255)
	}
	return shown
}

// lastFrame is how long the last frame is shown.
const lastFrame = 2 * time.Second

// encodeGIF writes frames as an animation that keeps their times.
func encodeGIF(ctx context.Context, out *output, frames []castFrame) (time.Duration, error) {
	animation := &gif.GIF{}
	var size image.Rectangle
	for i, frame := range frames {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		decoded, err := jpeg.Decode(bytes.NewReader(frame.data))
		if err != nil {
			return 0, fault.New(fault.CDPError, "a frame of the recording cannot be read").Because(err)
		}
		if i == 0 {
			size = decoded.Bounds()
		}
		shown := paletted(decoded, size)
		until := frame.at.Add(lastFrame)
		if i+1 < len(frames) {
			until = frames[i+1].at
		}
		animation.Image = append(animation.Image, shown)
		animation.Delay = append(animation.Delay, max(2, int(until.Sub(frame.at)/(10*time.Millisecond))))
	}
	if err := gif.EncodeAll(out, animation); err != nil {
		return 0, fault.From(err)
	}
	return frames[len(frames)-1].at.Sub(frames[0].at), nil
}

type captureHeapParams struct {
	fileParams
}

type captureHeapResult struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func (r captureHeapResult) Text() string {
	return fmt.Sprintf("%s %d bytes; load it in DevTools, Memory, Load profile", r.Path, r.Bytes)
}

func captureHeap(ctx context.Context, env *Env, p *captureHeapParams) (captureHeapResult, error) {
	out, err := env.output(p.fileParams, "heap", "heapsnapshot")
	if err != nil {
		return captureHeapResult{}, err
	}
	defer out.Close() //nolint:errcheck // after Commit there is nothing left to fail
	s := env.Tab.Session("")
	chunks, cancel := s.Subscribe("HeapProfiler.addHeapSnapshotChunk")
	defer cancel()
	env.Dispatched()
	if err := s.Call(ctx, heapprofiler.CommandEnable, nil, nil); err != nil {
		return captureHeapResult{}, err
	}
	taken := make(chan error, 1)
	go func() {
		taken <- s.Call(ctx, heapprofiler.CommandTakeHeapSnapshot, map[string]any{"reportProgress": false}, nil)
	}()
	write := func(raw []byte) error {
		var event struct {
			Chunk string `json:"chunk"`
		}
		if err := decodeEvent(raw, &event); err != nil {
			return fault.New(fault.CDPError, "a piece of the snapshot cannot be read").Because(err)
		}
		_, err := out.Write([]byte(event.Chunk))
		return err
	}
	for done := false; !done; {
		select {
		case raw := <-chunks:
			if err := write(raw); err != nil {
				return captureHeapResult{}, err
			}
		case err := <-taken:
			if err != nil {
				return captureHeapResult{}, err
			}
			done = true // all pieces are queued: the browser sends them before its answer
		}
	}
	for {
		select {
		case raw := <-chunks:
			if err := write(raw); err != nil {
				return captureHeapResult{}, err
			}
			continue
		case <-time.After(200 * time.Millisecond): // the queue's own hand-over
		}
		break
	}
	if err := s.Call(ctx, heapprofiler.CommandDisable, nil, nil); err != nil {
		return captureHeapResult{}, err
	}
	if err := out.commit(); err != nil {
		return captureHeapResult{}, err
	}
	env.Did(protocol.EffectNoop, "cdp")
	return captureHeapResult{Path: out.Path(), Bytes: out.Size(), SHA256: out.sum()}, nil
}
