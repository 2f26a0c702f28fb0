package command

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/locator"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

var runtimeCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "runtime.eval", Tool: "evaluate_script", Summary: "Run JavaScript in the page and give its value.",
		Long: "The value is serialised by the browser: Map, Date, BigInt, Error, DOM nodes and cycles are written as a console would, in strings. " +
			"A script that never ends is stopped at --timeout.",
		Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapEval,
		Positional: []string{"expression"},
		Faults:     []fault.Code{fault.EvalDisabled, fault.Indeterminate, fault.ElementNotFound, fault.ResultTooLarge},
		Examples: []catalog.Example{
			{Line: "runtime eval document.title"},
			{Line: `runtime eval --function "(el, n) => el.textContent.slice(0, n)" --arg h1 --arg 20`, Note: "with an element and a number"},
			{Line: `runtime eval "await fetch('/').then(r => r.status)"`, Note: "promises are awaited"},
		},
	}, runtimeEval),
}

type runtimeEvalParams struct {
	Expression string   `json:"expression,omitempty" doc:"JavaScript; its value, awaited, is the result. Top-level await is allowed."`
	Function   string   `json:"function,omitempty" doc:"A function instead, such as (el) => el.value; called with arg."`
	Source     string   `json:"source,omitempty" local:"true" doc:"File that holds the expression; - is not allowed."`
	Arg        []string `json:"arg,omitempty" doc:"An argument of the function: a ref or other target for an element, otherwise JSON or plain text. Repeatable."`
	Frame      string   `json:"frame,omitempty" doc:"Frame to run in: main (default), f1, …."`
	World      string   `json:"world,omitempty" enum:"main,bridge" doc:"main (default) is the page's own; bridge is isolated from page script."`
	Await      *bool    `json:"await,omitempty" doc:"Wait for a promise (default true)."`
	Depth      int      `json:"depth,omitempty" min:"1" max:"50" doc:"Levels of the value that are given; 12 by default."`
	MaxBytes   int      `json:"maxBytes,omitempty" min:"100" max:"67108864" doc:"Largest value that is given inline; 100000 by default."`
	File       string   `json:"file,omitempty" local:"true" doc:"Write the value to this file instead."`
	Overwrite  bool     `json:"overwrite,omitempty" doc:"Let file replace an existing one."`
}

type runtimeEvalResult struct {
	Value     any            `json:"value" doc:"The value as JSON."`
	Type      string         `json:"type,omitempty" doc:"Where JSON does not tell: undefined, error, node, map, …."`
	Truncated bool           `json:"truncated,omitempty" doc:"Parts are deeper than depth."`
	File      string         `json:"file,omitempty"`
	Bytes     int64          `json:"bytes,omitempty"`
	Dialog    map[string]any `json:"dialog,omitempty" doc:"The dialog that the script opened and waits in."`
}

func (r runtimeEvalResult) Text() string {
	switch value := r.Value.(type) {
	case nil:
		if r.File != "" {
			return "written to " + r.File
		}
		if r.Dialog != nil {
			return "the script opened a dialog; answer it with: dbridge dialog handle accept"
		}
		if r.Type == "undefined" {
			return "undefined"
		}
		return "null"
	case string:
		return value
	}
	data, err := json.Marshal(r.Value)
	if err != nil {
		return "?"
	}
	return string(data)
}

// jsonTypes are those that JSON itself tells.
var jsonTypes = map[string]bool{"string": true, "number": true, "boolean": true, "null": true, "object": true, "array": true}

const (
	evalBytes  = 100_000
	sourceMost = 4 << 20
)

func runtimeEval(ctx context.Context, env *Env, p *runtimeEvalParams) (runtimeEvalResult, error) {
	given := 0
	for _, text := range []string{p.Expression, p.Function, p.Source} {
		if text != "" {
			given++
		}
	}
	if given != 1 {
		return runtimeEvalResult{}, problem("give exactly one of expression, function and source").Suggest("dbridge runtime eval document.title")
	}
	script := page.Script{Expression: p.Expression, Function: p.Function, Frame: p.Frame, Bridge: p.World == "bridge", MaxDepth: p.Depth, NoAwait: p.Await != nil && !*p.Await}
	if p.Source != "" {
		source, err := readInput(env.Caller.Cwd, p.Source)
		if err != nil {
			return runtimeEvalResult{}, err
		}
		script.Expression = source
	}
	if len(p.Arg) > 0 && p.Function == "" {
		return runtimeEvalResult{}, problem("arg is of function; an expression takes none").Suggest(`dbridge runtime eval --function "(el) => el.value" --arg e5`)
	}
	for _, text := range p.Arg {
		script.Args = append(script.Args, argument(text))
	}
	value, err := env.Tab.Eval(ctx, script, env.Dispatched)
	if err != nil {
		return runtimeEvalResult{}, err
	}
	env.Did(protocol.EffectUnknown, "cdp")
	out := runtimeEvalResult{Value: value.JSON, Truncated: value.Cut, Dialog: value.Dialog}
	if !jsonTypes[value.Type] {
		out.Type = value.Type
	}
	return out.bounded(env, p)
}

// bounded writes the value to a file, or refuses one that is too large to be read.
func (r runtimeEvalResult) bounded(env *Env, p *runtimeEvalParams) (runtimeEvalResult, error) {
	data, err := json.Marshal(r.Value)
	if err != nil {
		return r, fault.New(fault.InternalError, "the value cannot be written as JSON").Because(err)
	}
	limit := p.MaxBytes
	if limit == 0 {
		limit = evalBytes
	}
	if p.File == "" {
		if len(data) > limit {
			return r, fault.New(fault.ResultTooLarge, "the value has %d bytes; %d are given inline", len(data), limit).
				With("bytes", len(data)).With("begins", string([]rune(string(data[:min(len(data), 2000)])))).With("dispatched", true).
				Suggest("Ask for less, write it to a file with --file value.json, or raise --max-bytes.")
		}
		return r, nil
	}
	out, err := state.OpenOutput(env.Caller.Cwd, p.File, p.Overwrite)
	if err != nil {
		return r, err
	}
	defer out.Close() //nolint:errcheck // after Commit there is nothing left to fail
	if _, err := out.Write(append(data, '\n')); err != nil {
		return r, err
	}
	if err := out.Commit(); err != nil {
		return r, err
	}
	return runtimeEvalResult{File: out.Path(), Bytes: out.Size(), Type: r.Type, Truncated: r.Truncated}, nil
}

// argument reads an argument of a function: an element where it looks like one, else JSON, else text.
func argument(text string) page.Argument {
	if jsontext.Value(text).IsValid() {
		return page.Argument{JSON: jsontext.Value(text)}
	}
	if target, err := locator.Parse(text); err == nil && target.Text == "" {
		return page.Argument{Target: &target}
	}
	quoted, _ := json.Marshal(text) // a string always can be
	return page.Argument{JSON: quoted}
}

// readInput reads a caller's file of text.
func readInput(cwd, name string) (string, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", fault.New(fault.FileAccessFailed, "%s cannot be read: %v", path, err).With("path", path).Suggest("Check the name: ls " + filepath.Dir(path))
	}
	defer file.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(file, sourceMost+1))
	if err != nil || len(data) > sourceMost {
		return "", fault.New(fault.FileAccessFailed, "%s cannot be read, or has more than %d bytes", path, sourceMost).With("path", path).
			Suggest("Give a regular text file.")
	}
	return strings.TrimPrefix(string(data), "\ufeff"), nil
}
