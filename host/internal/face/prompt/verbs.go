package prompt

import (
	"math"
	"strconv"
	"strings"
)

const defaultShown = 20

// verbs is every word of the prompt, in the order of help.
var verbs []verb

func init() {
	// In a function, because the parsers look verbs up.
	verbs = []verb{
		{name: "tree", usage: "tree", about: "the elements of the page, with their refs", parse: plain("request_ui_tree")},
		{name: "click", usage: `click TARGET        click e12, click "Sign in", click #save, click button "Save"`, about: "click an element", target: true, parse: pointer("click", "", 0)},
		{name: "dblclick", aliases: []string{"doubleclick"}, usage: "dblclick TARGET", about: "double-click an element", target: true, parse: pointer("click", "", 2)},
		{name: "rightclick", usage: "rightclick TARGET", about: "click an element with the right button", target: true, parse: pointer("click", "right", 0)},
		{name: "type", usage: "type TARGET TEXT    type #email a@b.c", about: "add text to a field", target: true, parse: typing(false)},
		{name: "fill", usage: "fill TARGET TEXT    fill #email a@b.c", about: "replace the text of a field", target: true, parse: typing(true)},
		{name: "select", usage: "select TARGET VALUE select #country Spain", about: "choose an option, or set a checkbox with true or false", target: true, parse: choose},
		{name: "hover", usage: "hover TARGET", about: "move the pointer over an element", target: true, parse: pointer("hover", "", 0)},
		{name: "focus", usage: "focus TARGET", about: "focus an element", target: true, parse: pointer("focus", "", 0)},
		{name: "scroll", usage: "scroll top|bottom|Y|X Y|TARGET [top|bottom|Y]", about: "scroll the page, or an element", target: true, parse: scroll},
		{name: "goto", aliases: []string{"open", "navigate"}, usage: "goto URL", about: "load an address", parse: address},
		{name: "back", usage: "back", about: "one step back in history", parse: history(Command{Type: "navigate", Back: true})},
		{name: "forward", usage: "forward", about: "one step forward in history", parse: history(Command{Type: "navigate", Forward: true})},
		{name: "reload", usage: "reload", about: "load the page again", parse: history(Command{Type: "navigate", Reload: true})},
		{name: "eval", aliases: []string{"evaluate", "js"}, usage: "eval CODE           eval document.title", about: "run JavaScript in the page", parse: evaluate},
		{name: "state", usage: "state [SCOPE]", about: "the state of the app", parse: appState},
		{name: "html", aliases: []string{"snapshot"}, usage: "html", about: "the HTML of the page", parse: plain("request_dom_snapshot")},
		{name: "console", usage: "console [N]", about: "the last console lines", parse: local("console", defaultShown)},
		{name: "errors", usage: "errors [N]", about: "the last errors", parse: local("errors", defaultShown)},
		{name: "pages", usage: "pages", about: "the connected pages", parse: local("pages", 0)},
		{name: "page", usage: "page N", about: "use page N from now on", parse: local("page", -1)},
		{name: "help", aliases: []string{"?"}, usage: "help [COMMAND]", about: "show this, or one command", parse: help},
		{name: "quit", aliases: []string{"exit", "q"}, usage: "quit", about: "leave; Ctrl-D does too", parse: local("quit", 0)},
	}
}

// nothing checks that a line ends here.
func (v *verb) nothing(rest string) error {
	if rest = strings.TrimSpace(rest); rest != "" {
		return v.wrong("%q is too much", rest)
	}
	return nil
}

func plain(kind string) func(*verb, string) (Line, error) {
	return history(Command{Type: kind})
}

func history(command Command) func(*verb, string) (Line, error) {
	return func(v *verb, rest string) (Line, error) {
		made := command
		return Line{Command: &made}, v.nothing(rest)
	}
}

func pointer(kind, button string, count int) func(*verb, string) (Line, error) {
	return func(v *verb, rest string) (Line, error) {
		target, rest, err := v.take(rest, true)
		if err != nil {
			return Line{}, err
		}
		return Line{Command: &Command{Type: kind, Target: target, Button: button, Count: count}}, v.nothing(rest)
	}
}

func typing(replace bool) func(*verb, string) (Line, error) {
	return func(v *verb, rest string) (Line, error) {
		target, rest, err := v.take(rest, false)
		if err != nil {
			return Line{}, err
		}
		text := strings.TrimSpace(rest)
		if text == "" && !replace {
			return Line{}, v.wrong("the text is missing")
		}
		// The rest of the line as it is; quotes around all of it are not part of it.
		if whole, err := v.next(text); err == nil && whole.quoted && whole.end == len(text) {
			text = whole.text
		}
		return Line{Command: &Command{Type: "type", Target: target, Text: &text, Clear: replace}}, nil
	}
}

func choose(v *verb, rest string) (Line, error) {
	target, rest, err := v.take(rest, false)
	if err != nil {
		return Line{}, err
	}
	command := &Command{Type: "select", Target: target}
	var values []string
	quoted := false
	for strings.TrimSpace(rest) != "" {
		value, err := v.next(rest)
		if err != nil {
			return Line{}, err
		}
		values, quoted, rest = append(values, value.text), quoted || value.quoted, rest[value.end:]
	}
	switch {
	case len(values) == 0:
		return Line{}, v.wrong("the value is missing")
	case len(values) == 1:
		command.Value = values[0]
	case quoted:
		command.Values = values
	default:
		// Words without quotes are one label: select #country New Zealand.
		command.Value = strings.Join(values, " ")
	}
	if command.Value == "" && command.Values == nil {
		command.Values = values // an empty value is one too
	}
	return Line{Command: command}, nil
}

func scroll(v *verb, rest string) (Line, error) {
	command := &Command{Type: "scroll"}
	where := strings.Fields(rest)
	if done, err := place(v, command, where); done || err != nil {
		return Line{Command: command}, err
	}
	// The last word may say where to scroll the target; the rest is the target.
	if n := len(where); n > 1 {
		if done, err := place(v, command, where[n-1:]); done && err == nil {
			rest = strings.TrimSuffix(strings.TrimSpace(rest), where[n-1])
		}
	}
	target, rest, err := v.take(rest, true)
	if err != nil {
		return Line{}, err
	}
	command.Target = target
	if command.To == "" && command.Y == nil {
		command.To = "intoView"
	}
	return Line{Command: command}, v.nothing(rest)
}

// place reads top, bottom, Y, or X Y.
func place(v *verb, command *Command, words []string) (bool, error) {
	if len(words) == 1 && (words[0] == "top" || words[0] == "bottom") {
		command.To = words[0]
		return true, nil
	}
	if len(words) == 0 || len(words) > 2 {
		return false, nil
	}
	var numbers []float64
	for _, text := range words {
		number, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
			return false, nil
		}
		numbers = append(numbers, number)
	}
	command.Y = &numbers[len(numbers)-1]
	if len(numbers) == 2 {
		command.X = &numbers[0]
	}
	return true, nil
}

func address(v *verb, rest string) (Line, error) {
	first, err := v.next(rest)
	if err != nil {
		return Line{}, err
	}
	if first.text == "" {
		return Line{}, v.wrong("the address is missing")
	}
	return Line{Command: &Command{Type: "navigate", URL: complete(first.text)}}, v.nothing(rest[first.end:])
}

// complete adds the scheme that people leave out: example.com, localhost:3000.
func complete(url string) string {
	host, _, _ := strings.Cut(url, "/")
	name, port, hasPort := strings.Cut(host, ":")
	digits := port != "" && strings.Trim(port, "0123456789") == ""
	switch {
	case host == "" || strings.ContainsAny(name, "?#") || strings.Trim(name, ".") == "" || (hasPort && !digits):
		return url
	case name == "localhost" || name == "127.0.0.1":
		return "http://" + url
	case strings.Contains(name, ".") && (hasPort || !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".htm")):
		return "https://" + url
	}
	return url
}

func evaluate(v *verb, rest string) (Line, error) {
	if rest == "" {
		return Line{}, v.wrong("the code is missing")
	}
	return Line{Command: &Command{Type: "evaluate", Code: rest}}, nil
}

func appState(v *verb, rest string) (Line, error) {
	scope, err := v.next(rest)
	if err != nil {
		return Line{}, err
	}
	return Line{Command: &Command{Type: "request_state", Scope: scope.text}}, v.nothing(rest[scope.end:])
}

// local is something done here. With a number above 0 that is the default of one, -1 asks for one, 0 takes none.
func local(name string, number int) func(*verb, string) (Line, error) {
	return func(v *verb, rest string) (Line, error) {
		line := Line{Local: name, Number: max(number, 0)}
		if rest == "" && number >= 0 {
			return line, nil
		}
		if number == 0 {
			return Line{}, v.nothing(rest)
		}
		given, err := strconv.Atoi(rest)
		if err != nil || given < 1 {
			return Line{}, v.wrong("a number from 1 is needed")
		}
		line.Number = given
		return line, nil
	}
}

func help(v *verb, rest string) (Line, error) {
	if rest != "" && find(rest) == nil {
		return Line{}, v.wrong("there is no command %q", rest)
	}
	return Line{Local: "help", Word: rest}, nil
}

// targeted reports whether the first argument of a prompt command is a target.
func targeted(name string) bool {
	v := find(name)
	return v != nil && v.target
}
