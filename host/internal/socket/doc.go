// Package socket is one WebSocket connection of somebody behind the gate, for the faces
// that speak over one.
//
// coder/websocket does the handshake and the framing; guard.go refuses, before the
// library reads it, what the library lets through: lengths beyond the limit as soon as
// they are claimed, invalid UTF-8, floods of empty frames. Frames to the peer are written
// by this package, because a write of the library ends the connection when its context
// does, and a slow peer must first get its close code.
//
// One goroutine reads; any may write and close.
package socket
