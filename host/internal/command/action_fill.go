package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

type elementFillParams struct {
	aimed
	Value string `json:"value" doc:"What it shall hold: text, 2026-12-24, 13:30, #ff0000, an option's label, true or false."`
}

func elementFill(ctx context.Context, env *Env, p *elementFillParams) (actionResult, error) {
	return env.fill(ctx, p.aimed, p.Value)
}

func (e *Env) fill(ctx context.Context, p aimed, value string) (actionResult, error) {
	var did page.Did
	out, err := e.deed(ctx, "filled", p, func(aim protocol.Target, wait time.Duration) (page.Did, error) {
		var err error
		did, err = e.Tab.Fill(ctx, aim, value, p.Frame, wait, e.Dispatched)
		return did, err
	})
	if err != nil {
		return out, err
	}
	// Told only where it is not what was asked for: a page may put it into another form.
	if held, ok := did.Value["value"].(string); ok && !strings.EqualFold(strings.TrimSpace(held), strings.TrimSpace(value)) {
		out.Value = held
	}
	if labels := words(did.Value["labels"]); len(labels) > 0 && !(len(labels) == 1 && strings.EqualFold(labels[0], value)) {
		out.Values = labels
	}
	return out, nil
}

type elementFillFormParams struct {
	Values jsontext.Value `json:"values" doc:"Object of target to value, or list of {target, value}."`
	Frame  string         `json:"frame,omitempty" doc:"Look in this frame only (f1)."`
}

type elementFillFormResult struct {
	Filled int            `json:"filled"`
	Odd    []actionResult `json:"odd,omitempty" doc:"Fields that hold something else than was asked for."`
	actionResult
}

func (r elementFillFormResult) Text() string {
	text := strings.TrimSpace(r.actionResult.Text())
	lines := []string{"filled " + counted(r.Filled, "field") + strings.TrimPrefix(text, "filled")}
	for _, odd := range r.Odd {
		lines = append(lines, odd.Text())
	}
	return strings.Join(lines, "\n")
}

// entry is one field of a form.
type entry struct {
	Target string         `json:"target"`
	Value  jsontext.Value `json:"value"`
}

func (e entry) text() string {
	var text string
	if json.Unmarshal(e.Value, &text) == nil {
		return text
	}
	return string(e.Value) // true, 12
}

func elementFillForm(ctx context.Context, env *Env, p *elementFillFormParams) (elementFillFormResult, error) {
	entries, err := entriesOf(p.Values)
	if err != nil || len(entries) == 0 {
		return elementFillFormResult{}, problem("values must be an object of target to value, or a list of {target, value}").
			Suggest(`dbridge element fill-form '{"textbox \"Email\"":"ada@example.com"}'`)
	}
	var out elementFillFormResult
	var sum after
	effect := protocol.EffectNoop
	for _, field := range entries {
		did, err := env.fill(ctx, aimed{field.Target, p.Frame}, field.text())
		if err != nil {
			var failure *fault.Error
			if errors.As(err, &failure) {
				failure.Message = fmt.Sprintf("%s (%d of %d fields are filled)", failure.Message, out.Filled, len(entries))
				failure.With("filled", out.Filled).With("field", field.Target)
			}
			return out, err
		}
		out.Filled++
		if did.Value != nil || len(did.Values) > 0 {
			out.Odd = append(out.Odd, did)
		}
		if did.Effect != protocol.EffectNoop {
			effect = did.Effect
		}
		if a := did.After; a != nil {
			requests, failed, mutations, lines := sum.Requests+a.Requests, sum.Failed+a.Failed, sum.Mutations+a.Mutations, append(sum.Errors, a.Errors...)
			sum = *a
			sum.Requests, sum.Failed, sum.Mutations, sum.Errors, sum.Focused = requests, failed, mutations, lines, nil
			if a.Dialog != nil || a.URL != "" {
				break
			}
		}
	}
	out.actionResult = actionResult{Effect: effect, verb: "filled"}
	if sum.Requests+sum.Mutations+len(sum.Errors) > 0 || sum.URL != "" || sum.Dialog != nil {
		out.After = &sum
	}
	if out.Filled < len(entries) {
		out.verb = fmt.Sprintf("filled of %d", len(entries))
	}
	env.Did(effect, "")
	return out, nil
}

// entriesOf reads the fields of a form, in order.
func entriesOf(raw jsontext.Value) ([]entry, error) {
	raw = bytes.TrimSpace(raw)
	var text string
	if json.Unmarshal(raw, &text) == nil { // an argument of a command line
		raw = bytes.TrimSpace([]byte(text))
	}
	var list []entry
	if len(raw) > 0 && raw[0] == '[' {
		err := json.Unmarshal(raw, &list)
		for _, field := range list {
			if field.Target == "" || len(field.Value) == 0 {
				return nil, errors.New("a field needs target and value")
			}
		}
		return list, err
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(raw))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return nil, errors.Join(err, io.ErrUnexpectedEOF)
	}
	for decoder.PeekKind() == '"' {
		key, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := key.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, err
		}
		list = append(list, entry{name, value.Clone()})
	}
	return list, nil
}
