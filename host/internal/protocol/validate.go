package protocol

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	cdpMethod = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Za-z]{0,40}\.[a-z][A-Za-z0-9]{0,80}$`) })
	cdpEvents = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Z][A-Za-z]{0,40}\.(?:\*|[a-z][A-Za-z0-9]{0,80})$`)
	})
)

// checkParams says what is wrong with the parameters of a command, or nothing.
// names are the fields that were present.
func checkParams(params any, names map[string]bool) string {
	if problem := requireFields(params, names); problem != "" {
		return problem
	}
	switch p := params.(type) {
	case *ClickParams:
		return firstProblem(
			checkTarget(&p.Target),
			oneOf("button", p.Button, "left", "middle", "right"),
			when(names["count"] && (p.Count < 1 || p.Count > 3), "count must be 1 to 3"),
			checkModifiers(p.Modifiers))
	case *TypeParams:
		return checkTarget(&p.Target)
	case *HoverParams:
		return checkTarget(&p.Target)
	case *FocusParams:
		return checkTarget(&p.Target)
	case *SelectParams:
		return firstProblem(
			checkTarget(&p.Target),
			when(names["value"] == names["values"], "give exactly one of value and values"))
	case *ScrollParams:
		problem := oneOf("to", p.To, "top", "bottom", "intoView")
		if p.Target != nil {
			problem = firstProblem(checkTarget(p.Target), problem)
		}
		return firstProblem(problem,
			when(p.Target == nil && p.X == nil && p.Y == nil && p.To == "", "give target, x, y or to"),
			when(p.To != "" && (p.X != nil || p.Y != nil), "give either to, or x and y"),
			when(p.To == "intoView" && p.Target == nil, "intoView needs a target"))
	case *NavigateParams:
		given := 0
		for _, set := range []bool{p.URL != "", p.Back, p.Forward, p.Reload} {
			if set {
				given++
			}
		}
		return when(given != 1, "give exactly one of url, back, forward and reload")
	case *DialogHandleParams:
		return firstProblem(
			when(p.Accept == p.Dismiss, "give exactly one of accept and dismiss"),
			when(p.Dismiss && names["text"], "text goes with accept"))
	case *CDPRequestParams:
		return firstProblem(
			when(p.ID.Kind() != '"' && p.ID.Kind() != '0' || len(p.ID) > MaxRequestIDLen, "id must be a number or a short string"),
			when(!cdpMethod().MatchString(p.Method), "method must be a CDP method such as DOM.getDocument"),
			when(names["params"] && p.Params.Kind() != '{', "params must be an object"))
	case *CDPSubscribeParams:
		for _, method := range p.Methods {
			if !cdpEvents().MatchString(method) {
				return "methods must be CDP events such as Network.requestWillBeSent or Network.*"
			}
		}
		return when(len(p.Methods) > 100, "methods has more than 100 entries")
	case *EvaluateParams:
		return when(names["code"] == names["expression"], "give exactly one of code and expression")
	}
	return ""
}

// requireFields names the first field without omitempty that is missing.
func requireFields(params any, names map[string]bool) string {
	structure := reflect.TypeOf(params).Elem()
	for i := range structure.NumField() {
		name, options, _ := strings.Cut(structure.Field(i).Tag.Get("json"), ",")
		if !strings.Contains(options, "omitempty") && !names[name] {
			return fmt.Sprintf("%s is missing", name)
		}
	}
	return ""
}

// checkTarget says what is wrong with a target, or nothing.
func checkTarget(t *Target) string {
	if *t == (Target{}) {
		return "target is empty: give ref, stableId, selector, text, or role and name"
	}
	return firstProblem(
		when((t.Role == "") != (t.Name == ""), "target: role and name go together"),
		when(t.ID != "" && t.StableID != "" && t.ID != t.StableID, "target: id is the older name of stableId; give one of them"))
}

func checkModifiers(modifiers []string) string {
	for i, modifier := range modifiers {
		if problem := oneOf("modifiers", modifier, "Alt", "Control", "Meta", "Shift"); problem != "" || modifier == "" {
			return "modifiers must be out of Alt, Control, Meta, Shift"
		}
		if slices.Contains(modifiers[:i], modifier) {
			return fmt.Sprintf("modifiers: %s is there twice", modifier)
		}
	}
	return ""
}

// oneOf allows the empty value, which stands for an absent field.
func oneOf(name, value string, allowed ...string) string {
	return when(value != "" && !slices.Contains(allowed, value), name+" must be one of "+strings.Join(allowed, ", "))
}

func when(wrong bool, problem string) string {
	if wrong {
		return problem
	}
	return ""
}

func firstProblem(problems ...string) string {
	for _, problem := range problems {
		if problem != "" {
			return problem
		}
	}
	return ""
}
