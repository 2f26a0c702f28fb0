// Package ws is the WebSocket face: /debug for agents and for apps that embed
// the SDK (protocol.md sections 5 and 8).
//
// It stands behind package gate and takes the peer's identity from the request.
// coder/websocket does the handshake and the framing; guard.go refuses, before
// the library reads it, what the library lets through: lengths beyond the limit
// as soon as they are claimed, invalid UTF-8, floods of empty frames. Frames to
// the peer are written by this package, because a write of the library ends the
// connection when its context does, and a slow agent must first get its 4408.
//
// A connection has one reader, one goroutine that pumps messages out, and one
// that pings; writes are under one lock.
package ws
