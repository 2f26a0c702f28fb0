// Package chrome finds, starts and stops a Chrome, and finds the DevTools endpoint
// of one that somebody else started.
//
// A launched Chrome speaks over the pipe on descriptors 3 and 4, so that no port
// is open (on Windows over a WebSocket on a port of loopback). It has a process
// group of its own. It does not outlive this process: when the pipe closes, for
// whatever reason, Chrome ends by itself.
//
// Every failure is a fault with the last lines that the browser wrote to stderr.
package chrome
