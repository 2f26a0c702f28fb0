package page

import (
	"context"
	"encoding/base64"
	"math"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Metrics are the page's measures in CSS px.
type Metrics struct {
	Viewport   protocol.Bounds // where it is scrolled to, and its size
	Content    protocol.Bounds // all of the page
	PixelRatio float64         // device pixels a CSS px
}

// Metrics measures the page.
func (t *Tab) Metrics(ctx context.Context) (Metrics, error) {
	ctx, end := t.looking(ctx)
	m, err := t.metrics(ctx)
	return m, end(err)
}

func (t *Tab) metrics(ctx context.Context) (Metrics, error) {
	var m Metrics
	var layout struct {
		Viewport struct {
			PageX        float64 `json:"pageX"`
			PageY        float64 `json:"pageY"`
			ClientWidth  float64 `json:"clientWidth"`
			ClientHeight float64 `json:"clientHeight"`
		} `json:"cssLayoutViewport"`
		Content protocol.Bounds `json:"cssContentSize"`
	}
	if err := t.Session("").Call(ctx, "Page.getLayoutMetrics", nil, &layout); err != nil {
		return m, err
	}
	var frame struct {
		PixelRatio float64 `json:"devicePixelRatio"`
	}
	if _, err := t.Ask(ctx, "", map[string]any{"type": "frame_info"}, &frame); err != nil {
		return m, err
	}
	v := layout.Viewport
	m.Viewport = protocol.Bounds{X: v.PageX, Y: v.PageY, Width: v.ClientWidth, Height: v.ClientHeight}
	m.Content = layout.Content
	m.PixelRatio = max(frame.PixelRatio, 0.1)
	return m, nil
}

// Shot is a part of the page as an image.
type Shot struct {
	Format  string // png, jpeg, webp
	Quality int    // of jpeg and webp
	Clip    protocol.Bounds
	Scale   float64 // image px a CSS px
	Beyond  bool    // the clip may lie outside of the viewport
}

// Capture makes an image of a part of the page, in the page's own coordinates.
func (t *Tab) Capture(ctx context.Context, m Metrics, s Shot) ([]byte, error) {
	params := map[string]any{
		"format": s.Format, "captureBeyondViewport": s.Beyond,
		"clip": map[string]any{
			"x": s.Clip.X, "y": s.Clip.Y, "width": s.Clip.Width, "height": s.Clip.Height, "scale": s.Scale / m.PixelRatio,
		},
	}
	if s.Format != "png" && s.Quality > 0 {
		params["quality"] = s.Quality
	}
	if t.Info().Source == protocol.SourceExtension {
		// Behind another tab a page draws nothing, unless it believes that it is in front.
		if err := t.front(ctx, true); err != nil {
			return nil, err
		}
		defer func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
			defer cancel()
			_ = t.front(ctx, false) // its page may be gone
		}()
	}
	defer t.nudge(ctx)()
	return t.bytes(ctx, "Page.captureScreenshot", params)
}

// nudgeEvery is longer than most captures take.
const nudgeEvery = 200 * time.Millisecond

// nudge helps a capture of a page behind another tab, until stop is called: Chrome draws
// one frame of it for the first capture, and lets each later one wait for a frame that
// comes when one more capture asks (measured, Chrome 156). A plain one changes nothing.
func (t *Tab) nudge(ctx context.Context) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	go func() {
		every := time.NewTicker(nudgeEvery)
		defer every.Stop()
		for {
			select {
			case <-every.C:
				one, end := context.WithTimeout(ctx, 2*nudgeEvery)                                                         // it may have to wait for the next
				_ = t.Session("").Call(one, "Page.captureScreenshot", map[string]any{"format": "jpeg", "quality": 0}, nil) // the capture itself tells what is wrong
				end()
			case <-ctx.Done():
				return
			}
		}
	}()
	return stop
}

// front lets the page believe that it is in front, or no longer.
func (t *Tab) front(ctx context.Context, on bool) error {
	return t.Session("").Call(ctx, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": on}, nil)
}

// PDF prints the page.
func (t *Tab) PDF(ctx context.Context, params map[string]any) ([]byte, error) {
	return t.bytes(ctx, "Page.printToPDF", params)
}

// bytes calls a command that answers with base64 data.
func (t *Tab) bytes(ctx context.Context, method string, params map[string]any) ([]byte, error) {
	var answer struct {
		Data string `json:"data"`
	}
	ctx, end := t.looking(ctx)
	if err := end(t.Session("").Call(ctx, method, params, &answer)); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(answer.Data)
	if err != nil {
		return nil, fault.New(fault.CDPError, "the browser's answer to %s cannot be read", method).Because(err)
	}
	return data, nil
}

// Place is where an element is, in the page's own coordinates.
type Place struct {
	Ref    string
	Bounds protocol.Bounds
}

// Place scrolls an element into view and tells where it is in the page, through all frames.
func (t *Tab) Place(ctx context.Context, target protocol.Target) (Place, error) {
	if err := t.awaitBridge(ctx); err != nil {
		return Place{}, err
	}
	at, err := t.aimAt(ctx, &protocol.Command{Params: &protocol.HoverParams{Target: target}})
	if err != nil {
		return Place{}, err
	}
	result, err := t.bridgeIn(ctx, at, map[string]any{"type": "locate", "target": at.target, "forAction": "scroll"})
	if err != nil {
		return Place{}, err
	}
	var found struct {
		located
		Ref    string          `json:"ref"`
		Bounds protocol.Bounds `json:"bounds"`
	}
	if err := decode(result.Result, &found); err != nil {
		return Place{}, fault.New(fault.ProtocolError, "the page's answer cannot be read").Because(err)
	}
	t.settleBehind(at, found.Mark)
	x, y, err := t.throughFrames(ctx, at.frame, found.located)
	if err != nil {
		return Place{}, err
	}
	t.mu.Lock()
	scale := at.frame.scale
	out := Place{Ref: at.frame.outward(found.Ref)}
	t.mu.Unlock()
	out.Bounds = protocol.Bounds{
		X: x - (found.Point.X-found.Bounds.X)*scale, Y: y - (found.Point.Y-found.Bounds.Y)*scale,
		Width: found.Bounds.Width * scale, Height: found.Bounds.Height * scale,
	}
	metrics, err := t.Metrics(ctx)
	if err != nil {
		return Place{}, err
	}
	out.Bounds.X += metrics.Viewport.X
	out.Bounds.Y += metrics.Viewport.Y
	return out, nil
}

// Whole is the smallest box of whole pixels around a box.
func Whole(b protocol.Bounds) protocol.Bounds {
	x, y := math.Floor(b.X), math.Floor(b.Y)
	return protocol.Bounds{X: x, Y: y, Width: math.Ceil(b.X+b.Width) - x, Height: math.Ceil(b.Y+b.Height) - y}
}

// Items reads the controls of all frames with where they are in the viewport.
func (t *Tab) Items(ctx context.Context) ([]protocol.UITreeItem, error) {
	if err := t.awaitBridge(ctx); err != nil {
		return nil, err
	}
	ctx, end := t.looking(ctx)
	tree, err := t.tree(ctx, false, "")
	if err := end(err); err != nil {
		return nil, err
	}
	return tree.Items, nil
}

// OpenDialog is a dialog that blocks the page.
type OpenDialog struct {
	Kind          string `json:"kind"`
	Message       string `json:"message"`
	DefaultPrompt string `json:"defaultPrompt,omitempty"`
}

// OpenDialog is the page's open dialog, or nil.
func (t *Tab) OpenDialog() *OpenDialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == nil {
		return nil
	}
	return &OpenDialog{t.dialog.Kind, t.dialog.Message, t.dialog.DefaultPrompt}
}

// State asks the main frame how it stands; focused is found through its frames.
func (t *Tab) State(ctx context.Context, into any, focused **Named) error {
	ctx, end := t.looking(ctx)
	_, err := t.Ask(ctx, "", map[string]any{"type": "page_state"}, into)
	if err = end(err); err != nil || focused == nil || *focused == nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	(*focused).Ref = t.main().outward((*focused).Ref)
	return nil
}
