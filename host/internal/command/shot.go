package command

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/capture"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

var imageCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "capture.screenshot", Tool: "take_screenshot", Summary: "Make an image of the page, of all of it, or of an element.",
		Long: "One image pixel is one CSS pixel. Without --file it goes to the context's artifacts, where the newest 200 files of 7 days are kept. " +
			"A page longer than a browser can draw at once is put together of strips (PNG).",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP, Timeout: time.Minute,
		Faults: []fault.Code{fault.ElementNotFound, fault.TargetAmbiguous, fault.TargetStale, fault.TargetOutOfView, fault.TargetNotInteractable, fault.FileAccessFailed, fault.ResultTooLarge},
		Examples: []catalog.Example{
			{Line: "capture screenshot", Note: "the viewport; the answer has the path"},
			{Line: "capture screenshot --full-page --max-width 600 --format jpeg --quality 70"},
			{Line: "capture screenshot --element css=main --annotate", Note: "with the refs of its controls drawn in"},
		},
	}, captureScreenshot),
	define(catalog.Spec{
		Name: "capture.pdf", Tool: "take_pdf", Summary: "Print the page to a PDF file.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP,
		Faults: []fault.Code{fault.FileAccessFailed, fault.CDPError},
		Examples: []catalog.Example{
			{Line: "capture pdf"},
			{Line: "capture pdf --paper letter --landscape --pages 1-2"},
		},
	}, capturePDF),
}

// fileParams name a file to write.
type fileParams struct {
	File      string `json:"file,omitempty" local:"true" doc:"Write it here instead of to the artifacts."`
	Overwrite bool   `json:"overwrite,omitempty" doc:"Replace an existing file."`
}

type screenshotParams struct {
	Format   string `json:"format,omitempty" doc:"Of the file." enum:"png,jpeg,webp" default:"png"`
	Quality  int    `json:"quality,omitempty" doc:"Of jpeg and webp; 80 without it." min:"1" max:"100"`
	FullPage bool   `json:"fullPage,omitempty" doc:"The whole page, not only the viewport."`
	Element  string `json:"element,omitempty" doc:"This element alone: ref, role and name, CSS selector, or text."`
	Annotate bool   `json:"annotate,omitempty" doc:"Draw box and ref of each control."`
	MaxWidth int    `json:"maxWidth,omitempty" doc:"Made smaller to this many pixels across." min:"16"`
	Inline   bool   `json:"inline,omitempty" doc:"Answer the image too, as base64."`
	fileParams
}

type imageResult struct {
	Path       string `json:"path"`
	Width      int    `json:"width"`
	Height     int    `json:"height"`
	Bytes      int64  `json:"bytes"`
	SHA256     string `json:"sha256"`
	CapturedAt string `json:"capturedAt"`
	Resized    bool   `json:"resized,omitempty" doc:"Smaller than the page."`
	Labels     int    `json:"labels,omitempty" doc:"Refs drawn."`
	Inline     string `json:"inline,omitempty" doc:"The image, base64."`
	MIMEType   string `json:"mimeType,omitempty" doc:"Of inline."`
}

func (r imageResult) Text() string {
	text := fmt.Sprintf("%s %dx%d, %d bytes", r.Path, r.Width, r.Height, r.Bytes)
	if r.Resized {
		text += ", resized"
	}
	if r.Labels > 0 {
		text += fmt.Sprintf(", %d refs drawn", r.Labels)
	}
	return text
}

const (
	// What a GPU draws at once; beyond it the browser repeats or leaves out.
	maxDrawn = 16_384
	// Pixels of a strip of what is longer: 20 MiB while it is in hand.
	stripPixels = 5_000_000
	// Pixels of one image that a browser and a model can still do something with.
	maxPixels = 400_000_000
	// maxInline of an image as base64.
	maxInline = 8 << 20
)

// shot is one screenshot in the making.
type shot struct {
	env     *Env
	p       *screenshotParams
	metrics page.Metrics
	clip    protocol.Bounds
	scale   float64
	beyond  bool
	labels  []capture.Label
}

func captureScreenshot(ctx context.Context, env *Env, p *screenshotParams) (imageResult, error) {
	if p.FullPage && p.Element != "" {
		return imageResult{}, problem("--full-page and --element exclude each other").Suggest("dbridge capture screenshot --full-page")
	}
	if p.Annotate && p.Format == "webp" {
		return imageResult{}, problem("refs are drawn into png and jpeg").Suggest("dbridge capture screenshot --annotate --format png")
	}
	s := &shot{env: env, p: p, scale: 1}
	if err := s.frame(ctx); err != nil {
		return imageResult{}, err
	}
	if p.Annotate {
		if err := s.label(ctx); err != nil {
			return imageResult{}, err
		}
	}
	return s.save(ctx)
}

// frame finds what of the page is in the picture.
func (s *shot) frame(ctx context.Context) error {
	var place page.Place
	if s.p.Element != "" {
		t, err := target(s.p.Element)
		if err != nil {
			return err
		}
		if place, err = s.env.Tab.Place(ctx, t); err != nil {
			return err
		}
	}
	var err error
	if s.metrics, err = s.env.Tab.Metrics(ctx); err != nil {
		return err
	}
	view := s.metrics.Viewport
	switch {
	case s.p.Element != "":
		s.clip = page.Whole(place.Bounds)
		s.beyond = !within(s.clip, view)
	case s.p.FullPage:
		s.clip = page.Whole(protocol.Bounds{Width: max(s.metrics.Content.Width, view.Width), Height: max(s.metrics.Content.Height, view.Height)})
		s.beyond = true
	default:
		s.clip = view
	}
	if s.clip.Width < 1 || s.clip.Height < 1 {
		return fault.New(fault.TargetNotInteractable, "there is nothing to see: its size is %v x %v", s.clip.Width, s.clip.Height).With("check", "size").
			Suggest("Name another element, or leave --element out.")
	}
	if s.p.MaxWidth > 0 && s.clip.Width > float64(s.p.MaxWidth) {
		s.scale = float64(s.p.MaxWidth) / s.clip.Width
	}
	if w, h := s.size(); w*h > maxPixels {
		return fault.New(fault.ResultTooLarge, "the page is %v x %v px, more than one image can be", s.clip.Width, s.clip.Height).
			Suggest("dbridge capture screenshot --full-page --max-width 600", "dbridge capture screenshot --element css=main")
	}
	return nil
}

func within(inner, outer protocol.Bounds) bool {
	return inner.X >= outer.X && inner.Y >= outer.Y && inner.X+inner.Width <= outer.X+outer.Width && inner.Y+inner.Height <= outer.Y+outer.Height
}

// size is the image's, in pixels.
func (s *shot) size() (width, height int) {
	return int(math.Round(s.clip.Width * s.scale)), int(math.Round(s.clip.Height * s.scale))
}

// label finds the controls that are in the picture.
func (s *shot) label(ctx context.Context) error {
	items, err := s.env.Tab.Items(ctx)
	if err != nil {
		return err
	}
	width, height := s.size()
	picture := image.Rect(0, 0, width, height)
	for _, item := range items {
		if !item.Visible {
			continue
		}
		x := (item.Bounds.X + s.metrics.Viewport.X - s.clip.X) * s.scale
		y := (item.Bounds.Y + s.metrics.Viewport.Y - s.clip.Y) * s.scale
		box := image.Rect(int(x), int(y), int(x+item.Bounds.Width*s.scale), int(y+item.Bounds.Height*s.scale))
		if box.Overlaps(picture) && box.Dx() > 1 && box.Dy() > 1 {
			s.labels = append(s.labels, capture.Label{Ref: item.Ref, Box: box})
		}
	}
	return nil
}

// save draws and writes the file.
func (s *shot) save(ctx context.Context) (imageResult, error) {
	at := time.Now()
	width, height := s.size()
	out, err := s.env.output(s.p.fileParams, "screenshot", s.p.Format)
	if err != nil {
		return imageResult{}, err
	}
	defer out.Close()
	if s.beyond && (height > maxDrawn || width > maxDrawn) {
		err = s.strips(ctx, out, width, height)
	} else {
		width, height, err = s.whole(ctx, out, width, height)
	}
	if err != nil {
		return imageResult{}, err
	}
	r := imageResult{
		Path: out.Path(), Width: width, Height: height, Resized: s.scale < 1, Labels: len(s.labels),
		CapturedAt: at.UTC().Format(time.RFC3339),
	}
	if s.p.Inline {
		if out.Size() > maxInline {
			return r, fault.New(fault.ResultTooLarge, "the image has %d bytes; inline may be at most %d", out.Size(), maxInline).
				Suggest("dbridge capture screenshot --format jpeg --max-width 800 --inline", "Leave --inline out and read the file.")
		}
		r.Inline, r.MIMEType = base64.StdEncoding.EncodeToString(out.kept.Bytes()), "image/"+s.p.Format
	}
	r.Bytes, r.SHA256 = out.Size(), out.sum()
	return r, out.commit()
}

// whole is a picture that the browser draws at once.
func (s *shot) whole(ctx context.Context, out io.Writer, width, height int) (int, int, error) {
	format := s.p.Format
	if len(s.labels) > 0 {
		format = "png"
	}
	data, err := s.env.Tab.Capture(ctx, s.metrics, page.Shot{Format: format, Quality: s.quality(), Clip: s.clip, Scale: s.scale, Beyond: s.beyond})
	if err != nil {
		return 0, 0, err
	}
	if format != "webp" {
		if config, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
			width, height = config.Width, config.Height
		}
	}
	if len(s.labels) == 0 {
		_, err = out.Write(data)
		return width, height, err
	}
	img, err := drawable(data)
	if err != nil {
		return 0, 0, err
	}
	capture.Annotate(img, s.labels)
	if s.p.Format == "jpeg" {
		err = jpeg.Encode(out, img, &jpeg.Options{Quality: s.quality()})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(out, img)
	}
	return width, height, err
}

func (s *shot) quality() int {
	if s.p.Quality > 0 {
		return s.p.Quality
	}
	return 80
}

func drawable(data []byte) (draw.Image, error) {
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fault.New(fault.CDPError, "the browser's image cannot be read").Because(err)
	}
	if img, ok := decoded.(draw.Image); ok {
		return img, nil
	}
	img := image.NewRGBA(decoded.Bounds())
	draw.Draw(img, img.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	return img, nil
}

// strips draws a picture that is too long for the browser, strip by strip.
func (s *shot) strips(ctx context.Context, out io.Writer, width, height int) error {
	if s.p.Format != "png" || width > maxDrawn {
		return fault.New(fault.ResultTooLarge, "the picture is %d x %d px; a browser draws %d at once, and longer ones are put together as png", width, height, maxDrawn).
			Suggest("dbridge capture screenshot --full-page --format png", "dbridge capture screenshot --full-page --max-width 400")
	}
	stitcher, err := capture.NewStitcher(out, width, height)
	if err != nil {
		return err
	}
	rows := float64(min(stripPixels/width, maxDrawn/2)) / s.scale
	for y := 0.0; stitcher.Rows() < height; y += rows {
		clip := s.clip
		clip.Y += y
		clip.Height = min(rows, s.clip.Height-y)
		if clip.Height <= 0 {
			clip.Height = 1
		}
		data, err := s.env.Tab.Capture(ctx, s.metrics, page.Shot{Format: "png", Clip: clip, Scale: s.scale, Beyond: true})
		if err != nil {
			return err
		}
		img, err := drawable(data)
		if err != nil {
			return err
		}
		if img.Bounds().Dy() == 0 {
			return fault.New(fault.CDPError, "the browser drew an empty strip")
		}
		if labels := shifted(s.labels, stitcher.Rows(), img.Bounds().Dy()); len(labels) > 0 {
			capture.Annotate(img, labels)
		}
		if err := stitcher.Add(img); err != nil {
			return err
		}
	}
	return stitcher.Close()
}

// shifted are the labels in a strip, in its own pixels.
func shifted(labels []capture.Label, from, rows int) []capture.Label {
	var list []capture.Label
	for _, l := range labels {
		if l.Box.Max.Y > from && l.Box.Min.Y < from+rows {
			list = append(list, capture.Label{Ref: l.Ref, Box: l.Box.Sub(image.Pt(0, from))})
		}
	}
	return list
}

// output is a file in the making: the caller's, or one of the artifacts.
type output struct {
	*state.Output
	artifacts *state.Artifacts
	hash      hash.Hash
	kept      bytes.Buffer // what was written, to answer it inline
}

func (e *Env) output(p fileParams, kind, extension string) (*output, error) {
	o := &output{hash: sha256.New()}
	var err error
	if p.File != "" {
		o.Output, err = state.OpenOutput(e.Caller.Cwd, p.File, p.Overwrite)
	} else {
		o.artifacts = state.OpenArtifacts(e.Context.Artifacts())
		o.Output, err = o.artifacts.Create(kind, extension)
	}
	if err != nil {
		return o, err
	}
	o.Seen(func(data []byte) {
		_, _ = o.hash.Write(data) // a hash never fails
		if o.kept.Len()+len(data) <= maxInline {
			_, _ = o.kept.Write(data)
		}
	})
	return o, nil
}

func (o *output) sum() string { return hex.EncodeToString(o.hash.Sum(nil)) }

func (o *output) commit() error {
	if err := o.Commit(); err != nil {
		return err
	}
	if o.artifacts != nil {
		return o.artifacts.Tidy()
	}
	return nil
}

type pdfParams struct {
	Paper      string  `json:"paper,omitempty" doc:"Paper size." enum:"A3,A4,A5,letter,legal" default:"A4"`
	Landscape  bool    `json:"landscape,omitempty" doc:"Wide instead of high."`
	Background bool    `json:"background,omitempty" doc:"With background colours and images."`
	Scale      float64 `json:"scale,omitempty" doc:"Size of the content." min:"0.1" max:"2"`
	Pages      string  `json:"pages,omitempty" doc:"Only these, as 1-3,5."`
	fileParams
}

type pdfResult struct {
	Path       string `json:"path"`
	Bytes      int64  `json:"bytes"`
	SHA256     string `json:"sha256"`
	CapturedAt string `json:"capturedAt"`
}

func (r pdfResult) Text() string { return fmt.Sprintf("%s %d bytes", r.Path, r.Bytes) }

// papers by name, in inches.
var papers = map[string][2]float64{
	"A3": {11.69, 16.54}, "A4": {8.27, 11.69}, "A5": {5.83, 8.27}, "letter": {8.5, 11}, "legal": {8.5, 14},
}

func capturePDF(ctx context.Context, env *Env, p *pdfParams) (pdfResult, error) {
	at := time.Now()
	paper := papers[p.Paper]
	params := map[string]any{
		"paperWidth": paper[0], "paperHeight": paper[1], "landscape": p.Landscape, "printBackground": p.Background,
		"pageRanges": p.Pages, "transferMode": "ReturnAsBase64",
	}
	if p.Scale > 0 {
		params["scale"] = p.Scale
	}
	out, err := env.output(p.fileParams, "page", "pdf")
	if err != nil {
		return pdfResult{}, err
	}
	defer out.Close()
	data, err := env.Tab.PDF(ctx, params)
	if err != nil {
		return pdfResult{}, err
	}
	if _, err := out.Write(data); err != nil {
		return pdfResult{}, err
	}
	r := pdfResult{Path: out.Path(), Bytes: out.Size(), SHA256: out.sum(), CapturedAt: at.UTC().Format(time.RFC3339)}
	return r, out.commit()
}
