package http

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	nethttp "net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
)

// addCommands makes the routes of the catalogue: POST for every command, GET too where
// it only looks.
func (a *API) addCommands() {
	for _, cmd := range command.All {
		a.add(nethttp.MethodPost, pathOf(cmd), func(c *call) { a.post(c, cmd) })
		if cmd.Effect == catalog.Read {
			a.add(nethttp.MethodGet, pathOf(cmd), func(c *call) { a.get(c, cmd) })
		}
	}
}

// post runs a command whose parameters are the body.
func (a *API) post(c *call, cmd *catalog.Command) {
	err := c.only()
	var params jsontext.Value
	if err == nil {
		params, err = c.body()
	}
	if err != nil {
		c.fail(err)
		return
	}
	a.answer(c, cmd, params)
}

// get runs a command whose parameters are in the query.
func (a *API) get(c *call, cmd *catalog.Command) {
	params, err := c.query(cmd)
	if err != nil {
		c.fail(err)
		return
	}
	a.answer(c, cmd, params)
}

func (a *API) answer(c *call, cmd *catalog.Command, params jsontext.Value) {
	params, err := c.image(cmd, params)
	if err != nil {
		c.fail(err)
		return
	}
	c.send(a.once(c, cmd.Name, params, func() *outcome { return a.run(c, cmd.Name, params) }))
}

// query takes a command's parameters from the query, each as the catalogue says it is.
// What a command has as a parameter is that, also where a common name is the same.
func (c *call) query(cmd *catalog.Command) (jsontext.Value, error) {
	fields := cmd.Fields()
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	if err := c.only(names...); err != nil {
		return nil, err
	}
	params := map[string]any{}
	for _, f := range fields {
		values, given := c.form[f.Name]
		if !given {
			continue
		}
		value, err := valueOf(f, values)
		if err != nil {
			return nil, err
		}
		params[f.Name] = value
	}
	data, err := json.Marshal(params, json.Deterministic(true))
	if err != nil {
		return nil, fault.New(fault.ValidationError, "the query is not UTF-8").Because(err).Suggest("Escape it as UTF-8.")
	}
	return data, nil
}

// valueOf reads a parameter of the query. A switch may stand without a value; a list is
// given by repeating it.
func valueOf(f catalog.Field, values []string) (any, error) {
	if f.Kind == catalog.Strings {
		return values, nil
	}
	wrong := func() error {
		return fault.New(fault.ValidationError, "%s=%q must be %s", f.Name, values[0], f.Kind.Words()).With("parameter", f.Name).
			Suggest("Correct it, or send the parameters as JSON by POST.")
	}
	if len(values) > 1 {
		return nil, fault.New(fault.ValidationError, "the query has %s more than once", f.Name).With("parameter", f.Name).Suggest("Give it once.")
	}
	text := values[0]
	switch f.Kind {
	case catalog.Boolean:
		switch text {
		case "", "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, wrong()
	case catalog.Integer:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, wrong()
		}
		return n, nil
	case catalog.Number, catalog.JSON:
		value := jsontext.Value(text)
		if !value.IsValid() || f.Kind == catalog.Number && value.Kind() != '0' {
			return nil, wrong()
		}
		return value, nil
	}
	return text, nil
}

// image asks a command that makes images for the bytes, where the client accepts those.
func (c *call) image(cmd *catalog.Command, params jsontext.Value) (jsontext.Value, error) {
	if !slices.ContainsFunc(cmd.Fields(), func(f catalog.Field) bool { return f.Name == "inline" }) {
		return params, nil
	}
	c.accept = accepted(c.r, typeJSON, typeText, typeLines, typePNG, typeJPEG, typeWebP)
	format, is := strings.CutPrefix(c.accept, "image/")
	if !is {
		return params, nil
	}
	given := map[string]jsontext.Value{}
	if err := json.Unmarshal(params, &given); err != nil {
		return nil, fault.New(fault.ValidationError, "the body is no JSON object: %v", err).Suggest("Send the parameters as one JSON object.")
	}
	given["inline"] = jsontext.Value("true")
	if _, chosen := given["format"]; !chosen {
		given["format"] = jsontext.Value(strconv.Quote(format))
	}
	return json.Marshal(given, json.Deterministic(true))
}

// once runs a request, at most once under an id that the client chose.
func (a *API) once(c *call, what string, params jsontext.Value, run func() *outcome) *outcome {
	if !c.named {
		return run()
	}
	own, err := mine(c.request.Caller)
	if err != nil {
		return c.failure(err, nil)
	}
	who := c.request.Caller
	body := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%d\x00%q\x00%q\x00%q\x00%s",
		what, bytes.TrimSpace(params), c.request.Page, c.request.TimeoutMs, who.Profile, who.Session, c.fields, c.accept))
	out, repeated, err := a.ledger.do(c.r.Context(), requestKey{c.identity.Name + " " + own, c.request.RequestID}, body, run)
	switch {
	case err != nil:
		return c.failure(err, nil)
	case repeated:
		c.w.Header().Set("X-Repeated", "true")
	}
	return out
}

// run runs a command.
func (a *API) run(c *call, name string, params jsontext.Value) *outcome {
	request := c.request
	request.Command, request.Params, request.Text = name, params, c.accept == typeText
	c.acts = commandOf(name).Effect != catalog.Read
	sink := &sink{call: c}
	answer, err := a.config.Runner.Run(c.r.Context(), &request, command.Hooks{Emit: sink.emit, Say: sink.say})
	if err != nil {
		return c.failure(err, answer.Warnings)
	}
	answer.Result = sink.with(answer.Result)
	e := succeeded(answer, &request, c.start)
	if !e.OK {
		return &outcome{nethttp.StatusInternalServerError, e}
	}
	if e.Text != nil && commandOf(name).PageText {
		*e.Text = pagetext.Fence(*e.Text, 0)
	}
	return &outcome{nethttp.StatusOK, e}
}

// maxLines bounds what is collected of a command that streams, for an answer that is one value.
const maxLines = 10_000

// writeTime bounds each write of an answer: who does not read is let go.
const writeTime = 30 * time.Second

// sink takes what a command tells before its answer: written at once for those who read
// lines, else collected.
type sink struct {
	call *call

	mu    sync.Mutex
	lines []jsontext.Value
}

func (s *sink) emit(line any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.call.accept == typeLines {
		return s.write("line", line)
	}
	data, err := json.Marshal(line, jsontext.AllowInvalidUTF8(true), smaller)
	if err != nil {
		return err
	}
	if len(s.lines) >= maxLines {
		return fault.New(fault.ResultTooLarge, "more than %d lines; one answer cannot hold them", maxLines).
			Suggest("Ask for less, or send Accept: " + typeLines + " and read them as they come.")
	}
	s.lines = append(s.lines, data)
	return nil
}

func (s *sink) say(format string, args ...any) {
	if s.call.accept != typeLines {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.write("say", fmt.Sprintf(format, args...)) // who is gone needs no progress
}

func (s *sink) write(kind string, value any) error {
	data, err := json.Marshal(map[string]any{kind: value}, jsontext.AllowInvalidUTF8(true), smaller)
	if err != nil {
		return err
	}
	data, _ = pagetext.JSON(data)
	c := s.call
	if !c.began {
		c.began = true
		c.head(nethttp.StatusOK)
		c.w.Header().Set("Content-Type", typeLines)
	}
	control := nethttp.NewResponseController(c.w)
	_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // a test's recorder has none
	if _, err := c.w.Write(append(data, '\n')); err != nil {
		return context.Canceled
	}
	if err := control.Flush(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return context.Canceled
	}
	return nil
}

// with is the result, beside the lines where some were collected.
func (s *sink) with(result any) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.lines) == 0 {
		return result
	}
	return collected{s.lines, result}
}

// collected is the answer of a command that streams, as one value.
type collected struct {
	Lines  []jsontext.Value `json:"lines"`
	Result any              `json:"result"`
}

// Text is the lines and what the result says.
func (r collected) Text() string {
	var b strings.Builder
	for _, line := range r.Lines {
		b.Write(line)
		b.WriteByte('\n')
	}
	if texter, ok := r.Result.(catalog.Texter); ok {
		b.WriteString(texter.Text())
	}
	return b.String()
}
