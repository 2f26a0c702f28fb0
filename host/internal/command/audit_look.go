package command

import (
	"context"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/extension"
	"github.com/debug-bridge/debug-bridge/host/internal/audit"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
)

// looker is a script of ours beside the bridges of a page's frames. It is reached by
// handles alone: it leaves no name in any world.
type looker struct {
	tab    *page.Tab
	group  string
	frames []*lookedFrame
	left   int // frames that were not reached
}

type lookedFrame struct {
	page.FrameWorld
	session cdp.Session
	object  runtime.RemoteObjectID
}

var lookers atomic.Uint64

// lookCleanup is for what is given back after a failure, too.
const lookCleanup = 5 * time.Second

// look puts a script (extension.Audit) into every frame, or into one.
func look(ctx context.Context, env *Env, name, opening string) (*looker, error) {
	script, err := extension.Audit(name)
	if err != nil {
		return nil, fault.New(fault.InternalError, "the audit script is not in this binary").Because(err)
	}
	l := &looker{tab: env.Tab, group: "debug-bridge-audit-" + strconv.FormatUint(lookers.Add(1), 10)}
	worlds, left, err := env.Tab.Worlds(ctx)
	if err != nil {
		return nil, err
	}
	l.left = left
	for _, w := range worlds {
		f := &lookedFrame{FrameWorld: w, session: env.Tab.Session(w.Session)}
		out, err := cdp.Call(ctx, f.session, runtime.Evaluate, runtime.EvaluateParams{
			Expression: "(() => {" + script + "\nreturn DebugBridgeAudit." + opening + "(" + jsString(w.ID) + ", " + jsString(w.Token) + ")})()",
			ContextID:  w.Isolated, ObjectGroup: l.group,
		})
		if err == nil && out.ExceptionDetails != nil {
			err = fault.New(fault.NavigationInterrupted, "the page went away while it was looked at").With("thrown", thrownText(out.ExceptionDetails))
		}
		if err != nil {
			if w.ID == "main" {
				l.close()
				return nil, err
			}
			l.left++
			continue
		}
		f.object = out.Result.ObjectID
		l.frames = append(l.frames, f)
	}
	return l, nil
}

// close gives the handles back, and with them the scripts.
func (l *looker) close() {
	ctx, cancel := context.WithTimeout(context.Background(), lookCleanup)
	defer cancel()
	sessions := map[string]bool{}
	for _, f := range l.frames {
		if !sessions[f.Session] {
			sessions[f.Session] = true
			_, _ = cdp.Call(ctx, f.session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: l.group}) // gone with its frame otherwise
		}
	}
}

func (l *looker) frame(id string) *lookedFrame {
	for _, f := range l.frames {
		if f.ID == id {
			return f
		}
	}
	return nil
}

func (l *looker) of(frameID cdp.FrameID) *lookedFrame {
	for _, f := range l.frames {
		if f.FrameID == frameID {
			return f
		}
	}
	return nil
}

// call runs a method of the script, which gives a JSON text; into takes it.
func (f *lookedFrame) call(ctx context.Context, method string, into any, args ...*runtime.CallArgument) (string, error) {
	out, err := f.run(ctx, method, true, args)
	if err != nil {
		return "", err
	}
	var text string
	if err := json.Unmarshal(out.Value, &text, jsontext.AllowInvalidUTF8(true)); err != nil {
		return "", fault.New(fault.InternalError, "the audit's answer cannot be read").Because(err)
	}
	if into == nil {
		return text, nil
	}
	if err := json.Unmarshal([]byte(text), into, jsontext.AllowInvalidUTF8(true)); err != nil {
		return "", fault.New(fault.InternalError, "the audit's answer cannot be read").Because(err)
	}
	return text, nil
}

func (f *lookedFrame) run(ctx context.Context, method string, byValue bool, args []*runtime.CallArgument) (*runtime.RemoteObject, error) {
	out, err := cdp.Call(ctx, f.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function (...args) { return this." + method + "(...args) }", ObjectID: f.object,
		Arguments: args, ReturnByValue: &byValue, AwaitPromise: &byValue,
	})
	if err != nil {
		return nil, err
	}
	if out.ExceptionDetails != nil {
		return nil, fault.New(fault.InternalError, "the audit broke on this page: %s", thrownText(out.ExceptionDetails)).
			Suggest("dbridge page navigate --reload", "Name a part of the page as target.")
	}
	return out.Result, nil
}

func thrownText(details *runtime.ExceptionDetails) string {
	if details.Exception != nil && details.Exception.Description != "" {
		return brief(details.Exception.Description, 300)
	}
	return brief(details.Text, 300)
}

// passed is a value for call; an empty one would be left out on the way.
func passed(value any) *runtime.CallArgument {
	data, err := json.Marshal(value)
	if err != nil { // strings and lists of numbers
		panic(err)
	}
	return &runtime.CallArgument{Value: data}
}

// asJSON is a value as the JSON text that the scripts take.
func asJSON(value any) *runtime.CallArgument {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return passed(string(data))
}

// places gives refs and selectors of elements by their numbers in the frame.
func (l *looker) places(ctx context.Context, f *lookedFrame, numbers []int) (map[int]audit.Place, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	var found []*struct {
		Ref      string `json:"ref"`
		Role     string `json:"role"`
		Name     string `json:"name"`
		Selector string `json:"selector"`
	}
	if _, err := f.call(ctx, "describe", &found, asJSON(numbers)); err != nil {
		return nil, err
	}
	places := make(map[int]audit.Place, len(numbers))
	for i, number := range numbers {
		if i >= len(found) || found[i] == nil {
			continue // taken out of the page meanwhile
		}
		place := audit.Place{Ref: l.tab.WireRef(f.FrameWorld, found[i].Ref), Selector: brief(found[i].Selector, 200)}
		if f.ID != "main" {
			place.Frame = f.ID
		}
		places[number] = place
	}
	return places, nil
}

func jsString(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always can be
	}
	return string(data)
}
