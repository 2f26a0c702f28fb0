package command

import (
	"fmt"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Changes in words.

// saidOf is how a change is written that is about one element.
var saidOf = map[string]string{
	"text":  "%s now %s",
	"value": "%s now holds %s",
	"title": "title now %[2]s",
}

// sentence writes a change: button "Save" e7 disabled.
func sentence(c protocol.ElementChange) string {
	role := c.Role
	if role == "generic" {
		role = ""
	}
	if c.Change == "value" && c.Text == "" {
		return named(role, c.Name, c.Ref) + " is empty now"
	}
	if format, ok := saidOf[c.Change]; ok {
		text := c.Text
		if text == "" {
			text = c.Name
		}
		name := c.Name
		if c.Change == "text" {
			name = "" // it is of its text, mostly
			if role == "" {
				role = "text of"
			}
		}
		return fmt.Sprintf(format, named(role, name, c.Ref), fmt.Sprintf("%q", text))
	}
	if c.Count > 1 {
		return fmt.Sprintf("%s %s%s", counted(c.Count, c.Role), c.Change, where(c))
	}
	name := c.Name
	if name == "" {
		name = c.Text
	}
	return fmt.Sprintf("%s %s%s", named(role, name, c.Ref), c.Change, where(c))
}

// where is what something was added to or removed from.
func where(c protocol.ElementChange) string {
	if c.Under == nil {
		return ""
	}
	word, role := " under ", c.Under.Role
	if c.Change == "removed" {
		word = " from "
	}
	if role == "generic" {
		role = ""
	}
	return word + named(role, brief(c.Under.Name, 40), c.Under.Ref)
}
