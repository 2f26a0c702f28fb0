// Package browser makes a browser that is reached over a DevTools connection (a
// managed Chrome, a remote endpoint) one more page.Browser: it answers the same
// operations and reports the same events as the extension over its link, so that
// package page works unchanged over all of them.
//
// Direct attaches to every page, cross-process frame and worker with flat sessions,
// paused at their start, so that nothing is missed from the first line of a document
// on. The page bridge is injected into an isolated world of every frame and talks
// back through a binding of that world.
//
// Events are handled on the goroutine that reads the connection, under one lock, and
// reported in their order; nothing there waits. What a call waits for comes in that
// same order: when a call returns, all events of the browser before its answer have
// been reported.
package browser
