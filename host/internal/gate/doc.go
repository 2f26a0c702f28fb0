// Package gate stands in front of everything that listens on loopback TCP: no
// request passes without a Host of ours, an allowed Origin and a valid token,
// checked in the order of protocol.md section 8. Refusals have one constant body
// per status and say nothing of who answers; net/http's own error answers are
// replaced by the same ones (conn.go).
//
// The gate knows no tokens and no routes: it asks Config.Verify and passes an
// Identity on in the request's context.
package gate
