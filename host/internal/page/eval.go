package page

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// Script is one script to run in a page.
type Script struct {
	Expression string // or
	Function   string // declared as `(a, b) => …`; called with Args
	Args       []Argument
	Frame      string // short id; main when empty
	Bridge     bool   // in the bridge's world instead of the page's own
	NoAwait    bool   // a promise is not waited for
	MaxDepth   int    // of the value, below which it is told as [object]; 12 when 0
}

// Argument of a function: an element, or JSON.
type Argument struct {
	Target *protocol.Target
	JSON   jsontext.Value
}

// Value is what a script gave.
type Value struct {
	JSON   any
	Type   string // where JSON does not tell: undefined, node, error, function, …
	Cut    bool   // parts of it are deeper than MaxDepth
	Dialog map[string]any
}

// maxNodeDepth keeps DOM nodes to their start tags.
const deepLimit = 12

// Eval runs a script and gives its value, serialised by the browser. A dialog that
// the script opens ends the wait: it comes in the value. The error is a *fault.Error.
func (t *Tab) Eval(ctx context.Context, script Script, dispatched func()) (Value, error) {
	limit := time.Duration(remaining(ctx)) * time.Millisecond
	opened := t.dialogSignal()
	type reply struct {
		value Value
		err   error
	}
	replies := make(chan reply, 1)
	ctx, cancel := context.WithTimeout(ctx, limit+evaluateMargin)
	defer cancel()
	go func() {
		value, err := t.eval(ctx, script, limit, dispatched)
		replies <- reply{value, err}
	}()
	select {
	case <-opened:
		return Value{Dialog: t.openDialog()}, nil
	case r := <-replies:
		if documentLeft(r.err) {
			return Value{}, fault.New(fault.Indeterminate, "the page navigated away while the script ran").
				With("reason", "navigated").With("dispatched", true).Suggest("dbridge observe state")
		}
		if r.err != nil {
			return Value{}, evaluateFault(r.err)
		}
		return r.value, nil
	}
}

// remote is CDP's answer to a script, of which a deep value is wanted.
type remote struct {
	Result struct {
		Type                string                 `json:"type"`
		Subtype             string                 `json:"subtype"`
		Description         string                 `json:"description"`
		Value               jsontext.Value         `json:"value"`
		UnserializableValue string                 `json:"unserializableValue"`
		Deep                *deepValue             `json:"deepSerializedValue"`
		ObjectID            runtime.RemoteObjectID `json:"objectId"`
	} `json:"result"`
	ExceptionDetails *exceptionDetails `json:"exceptionDetails"`
}

func (t *Tab) eval(ctx context.Context, script Script, limit time.Duration, dispatched func()) (Value, error) {
	depth := int64(script.MaxDepth)
	if depth == 0 {
		depth = deepLimit
	}
	group := "debug-bridge-" + strconv.FormatUint(scriptGroups.Add(1), 10)
	yes, await := true, !script.NoAwait
	deep := &runtime.SerializationOptions{Serialization: runtime.SerializationOptionsSerializationDeep, MaxDepth: &depth,
		AdditionalParameters: jsontext.Value(`{"maxNodeDepth":0,"includeShadowTree":"none"}`)}
	var world World
	var err error
	if script.Frame != "" && script.Frame != "main" || script.Bridge {
		if world, err = t.World(ctx, script.Frame); err != nil {
			return Value{}, err
		}
	}
	in := world.Page
	if script.Bridge {
		in = world.Isolated
	} else if world.FrameID != "" && in == 0 {
		return Value{}, noScripts()
	}
	run := func(method string, params any) (out remote, err error) {
		err = t.Session(world.Session).Call(ctx, method, params, &out)
		return out, err
	}
	var out remote
	kept := true // handles are held until release
	switch {
	case script.Function != "":
		var call runtime.CallFunctionOnParams
		if call, world, err = t.functionCall(ctx, script, world, in, group); err != nil {
			return Value{}, err
		}
		call.AwaitPromise, call.UserGesture, call.SerializationOptions = &await, &yes, deep
		dispatched()
		out, err = run(runtime.CommandCallFunctionOn, call)
	case !replWords.MatchString(script.Expression):
		dispatched()
		out, err = run(runtime.CommandEvaluate, runtime.EvaluateParams{
			Expression: script.Expression, ContextID: in, ObjectGroup: group, AwaitPromise: &await, UserGesture: &yes,
			Timeout: runtime.TimeDelta(limit.Milliseconds()), SerializationOptions: deep,
		})
		kept = out.Result.ObjectID != ""
	default:
		dispatched()
		out, err = run(runtime.CommandEvaluate, runtime.EvaluateParams{
			Expression: script.Expression, ContextID: in, ObjectGroup: group, AwaitPromise: &await, UserGesture: &yes, ReplMode: &yes,
			Timeout: runtime.TimeDelta(limit.Milliseconds()), SerializationOptions: deep,
		})
		if err == nil && await && out.Result.Subtype == "promise" && out.ExceptionDetails == nil {
			// REPL mode awaits what is written with await, not a promise that is the value.
			out, err = run(runtime.CommandCallFunctionOn, runtime.CallFunctionOnParams{
				FunctionDeclaration: "function () { return this }", ObjectID: out.Result.ObjectID, ObjectGroup: group,
				AwaitPromise: &yes, SerializationOptions: deep,
			})
		}
	}
	if err != nil {
		return Value{}, err
	}
	if kept {
		defer t.releaseIn(world.Session, group)
	}
	if out.ExceptionDetails != nil {
		return Value{}, thrown(out.ExceptionDetails)
	}
	value, platform := plainRemote(out)
	if platform && out.Result.ObjectID != "" {
		// An object of the browser (a DOMRect, a Location) keeps its properties on its prototype.
		spread, err := run(runtime.CommandCallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: spreadPlatform, ObjectID: out.Result.ObjectID, ObjectGroup: group, SerializationOptions: deep,
		})
		if err == nil && spread.ExceptionDetails == nil {
			value, _ = plainRemote(spread)
		}
	}
	return value, nil
}

// spreadPlatform copies what is enumerable of the browser's own objects, up to a few levels.
const spreadPlatform = `function () {
  const own = (value, depth) => {
    if (typeof value !== 'object' || value === null || value instanceof Node || depth > 4) return value;
    const proto = Object.getPrototypeOf(value);
    if (Array.isArray(value)) return value.map((item) => own(item, depth + 1));
    if (value === globalThis || value instanceof Promise || value instanceof Error) return value;
    const out = {};
    const plain = proto === null || proto === Object.prototype;
    if (!plain && !/^\[object (?!Object|Map|Set|Date|RegExp)/.test(Object.prototype.toString.call(value))) return value;
    let n = 0;
    for (const key in value) {
      if (++n > 500) break;
      let item;
      try { item = value[key] } catch { continue }
      if (typeof item !== 'function') out[key] = own(item, depth + 1);
    }
    return out;
  };
  return own(this, 0);
}`

// plainRemote makes a script's answer a value.
func plainRemote(out remote) (value Value, platform bool) {
	r := &out.Result
	if r.Deep == nil {
		value.Type = r.Type
		if r.UnserializableValue != "" {
			value.JSON = r.UnserializableValue
		} else if len(r.Value) > 0 {
			_ = decode(r.Value, &value.JSON)
		}
		return value, false
	}
	p := newPlainer()
	value.JSON, value.Cut, value.Type = p.plain(*r.Deep), p.cut, r.Deep.Type
	switch r.Deep.Type {
	case "error", "function", "symbol", "typedarray", "proxy", "window", "promise", "generator", "weakmap", "weakset", "arraybuffer":
		value.JSON = cut(r.Description)
	}
	return value, p.platform || value.Type == "typedarray"
}

// functionCall prepares a function's call: its arguments as values or handles.
func (t *Tab) functionCall(ctx context.Context, script Script, world World, in runtime.ExecutionContextID, group string) (runtime.CallFunctionOnParams, World, error) {
	call := runtime.CallFunctionOnParams{FunctionDeclaration: script.Function, ObjectGroup: group, ExecutionContextID: in}
	for _, arg := range script.Args {
		if arg.Target == nil {
			call.Arguments = append(call.Arguments, &runtime.CallArgument{Value: arg.JSON})
			continue
		}
		node, err := t.Node(ctx, *arg.Target, script.Frame)
		if err != nil {
			return call, world, err
		}
		if world.FrameID != "" && world.FrameID != node.FrameID {
			return call, world, fault.New(fault.ValidationError, "the elements are in different frames; a script sees those of one frame").
				Suggest("Call the function once for each frame.")
		}
		world = node.World
		id := node.ObjectID
		if !script.Bridge {
			if id, err = t.InPage(ctx, node, group); err != nil {
				return call, world, err
			}
		}
		call.Arguments = append(call.Arguments, &runtime.CallArgument{ObjectID: id})
		if call.ExecutionContextID = world.Page; script.Bridge {
			call.ExecutionContextID = world.Isolated
		}
	}
	if call.ExecutionContextID != 0 {
		return call, world, nil
	}
	// The main frame's own world, which has no number that we know: by its global object.
	global, err := evaluateGlobal(ctx, t, group)
	call.ObjectID = global
	return call, world, err
}

func evaluateGlobal(ctx context.Context, t *Tab, group string) (runtime.RemoteObjectID, error) {
	var out remote
	err := t.Session("").Call(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: "globalThis", ObjectGroup: group}, &out)
	return out.Result.ObjectID, err
}

// releaseIn lets the page's memory have the objects of a script back.
func (t *Tab) releaseIn(session, group string) {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), releaseTime)
		defer cancel()
		if err := t.Session(session).Call(ctx, runtime.CommandReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group}, nil); err != nil {
			t.log.Debug().Err(err).Msg("objects of a script not released")
		}
	}()
}

// thrown is the fault of a script that threw.
func thrown(details *exceptionDetails) error {
	message, stack := details.words()
	if message == "" || details.terminated() {
		return lateScript("the script was stopped at the deadline")
	}
	return fault.New(fault.ValidationError, "the script threw: %s", message).
		With("exception", message).With("stack", strings.TrimSpace(stack)).With("dispatched", true).
		Suggest("Correct the script and run it again.")
}

var _ session.Executor = (*Tab)(nil)
