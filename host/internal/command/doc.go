// Package command is the catalogue: every command declared once, with its handler,
// one file a resource.
//
// A handler gets its decoded parameters and an Env, acts through package page, and
// returns a value. It does not render, knows no transport, and may assume what its
// declaration says it needs: with Needs Page, env.Tab is a connected page without an
// open dialog, and it is this command's turn among the page's commands.
//
// To add a command: a parameter struct (flat; tags as catalog.Field says), a result
// struct with a compact Text method, one define in the resource's list. Help,
// completion, --describe, the WebSocket message, docs and types follow from that.
package command
