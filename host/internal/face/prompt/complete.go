package prompt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// maxOptions is how many ways to go on are listed.
const maxOptions = 24

// completion goes on with the word before pos. Where there are several ways
// and nothing in common to add, the line stays and options lists them.
func completion(line string, pos int, items []protocol.UITreeItem, pages []int) (newLine string, newPos int, options []string) {
	head, tail := line[:pos], line[pos:]
	name, argument, inArgument := strings.Cut(strings.TrimLeft(head, " "), " ")
	var found []string
	typed := ""
	switch {
	case !inArgument:
		typed = name
		found = startingWith(names(), typed)
	case name == "help":
		typed = strings.TrimLeft(argument, " ")
		found = startingWith(names(), typed)
	case name == "page":
		typed = strings.TrimLeft(argument, " ")
		for _, id := range pages {
			found = append(found, strconv.Itoa(id))
		}
		found = startingWith(found, typed)
	case targeted(name):
		typed = strings.TrimLeft(argument, " ")
		found = targets(typed, items)
	}
	if len(found) == 0 {
		return line, pos, nil
	}
	add := common(found)
	if len(found) == 1 {
		add += " "
		tail = strings.TrimPrefix(tail, " ")
	}
	if len(add) <= len(typed) && len(found) > 1 {
		return line, pos, found[:min(len(found), maxOptions)]
	}
	head = strings.TrimSuffix(head, typed) + add
	return head + tail, len(head), nil
}

// targets lists what a click could mean: quoted names first, refs where the word begins like one.
func targets(typed string, items []protocol.UITreeItem) []string {
	var found []string
	add := func(option string) {
		if !slices.Contains(found, option) {
			found = append(found, option)
		}
	}
	for _, item := range items {
		if item.Visible && item.Name != "" && show(item.Name, 80) == item.Name {
			option := quoted(item.Name)
			if startsWith(option, typed) || (typed != "" && typed[0] != '"' && startsWith(item.Name, typed)) {
				add(option)
			}
		}
		if typed != "" && strings.HasPrefix(item.Ref, typed) {
			add(item.Ref)
		}
	}
	return found
}

func quoted(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
}

func startingWith(all []string, typed string) []string {
	var found []string
	for _, one := range all {
		if strings.HasPrefix(one, typed) {
			found = append(found, one)
		}
	}
	return found
}

func startsWith(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

func common(all []string) string {
	shared := all[0]
	for _, one := range all[1:] {
		for !strings.HasPrefix(one, shared) {
			// By whole runes, so that the line stays valid text.
			runes := []rune(shared)
			shared = string(runes[:len(runes)-1])
		}
	}
	return shared
}

// helpText lists the commands, or explains one.
func helpText(p paint, name string) string {
	if v := find(name); v != nil {
		text := p.bold(v.usage) + "\n  " + v.about
		if len(v.aliases) > 0 {
			text += "\n  also: " + strings.Join(v.aliases, ", ")
		}
		return text
	}
	var b strings.Builder
	for _, v := range verbs {
		short, _, _ := strings.Cut(v.usage, "  ")
		fmt.Fprintf(&b, "  %s  %s\n", p.bold(fmt.Sprintf("%-26s", short)), v.about)
	}
	b.WriteString(p.dim("A TARGET is a ref (e12), a selector (#id, .class, [attr], a > b), a role and a name\n(button \"Save\"), or text (\"Sign in\"). A line that begins with { goes out as it is."))
	return b.String()
}
