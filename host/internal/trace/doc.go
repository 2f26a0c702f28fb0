// Package trace records a performance trace of a page and says what it shows:
// Core Web Vitals of the recording, long tasks, and the insights of DevTools' own
// engine with their evidence in compact form.
//
// A Recording streams from the browser to a writer, and Analyze streams from a
// reader to the engine, so a trace of any size passes through without being held
// here. The engine is extension/src/trace, bundled; it runs in a page that shows
// nothing, never in the page under debug.
//
// The package opens no file and no connection, and reads no clock. A browser
// records one trace at a time, whoever asks; Start says so with TRACE_ALREADY_RUNNING.
package trace
