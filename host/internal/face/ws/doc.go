// Package ws is the WebSocket face: /debug for agents and for apps that embed
// the SDK (protocol.md sections 5 and 8).
//
// It stands behind package gate and takes the peer's identity from the request. A
// connection (package socket) has one reader, one goroutine that pumps messages out,
// and one that pings; writes are under one lock.
package ws
