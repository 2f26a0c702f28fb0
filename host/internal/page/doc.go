// Package page is the daemon's model of the tabs that a person connected
// through the extension: frames and documents, refs, the merged UI tree, and
// the two lanes a command can take (the page bridge and the debugger).
//
// Manager receives what the extension reports; each Tab is the session.Executor
// of its page. The extension holds no state that matters: everything here is
// rebuilt from its `state` event after its service worker died.
package page
