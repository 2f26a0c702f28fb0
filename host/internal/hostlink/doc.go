// Package hostlink is the link between the extension and the daemon: the relay
// process that Chrome starts (Relay, RedirectStdout) and the daemon's end (Server, Browser).
//
// What crosses the link arrives in order, once, or its loss is told. Neither
// Chrome's pipe nor the relay promises that, so data frames carry a sequence
// number, are kept until the peer has acknowledged them, and are sent again
// when it reports a hole or when a dropped connection is resumed within the
// grace time. The peer's credit (`window`) bounds what is under way, and a cap
// bounds what waits for credit: above it a call or a notification is refused
// with BUSY before anything of it was sent.
//
// The wire format is in package nativemsg; the extension's end is
// extension/src/background/link.ts.
package hostlink

import "time"

const (
	// LinkVersion is the version of the link's rules; both ends must have the same.
	LinkVersion = 1

	// windowFromBrowser is the credit given to the extension, windowToBrowser
	// what is assumed of the extension's until it tells.
	windowFromBrowser = 16 << 20
	windowToBrowser   = 4 << 20

	// maxBacklog is how much may wait for credit before new calls are refused with BUSY.
	maxBacklog = 16 << 20
	// maxInbox is how much a peer that ignores its credit may send before it is cut off.
	maxInbox = windowFromBrowser + 2*64<<20
	// maxRequests is how many requests of one browser are answered at a time.
	maxRequests = 64

	// An acknowledgement goes out at the latest after so many frames or bytes, or after timing.ackDelay.
	ackFrames = 32
	ackBytes  = 256 << 10

	// maxPeerText bounds an error message of the extension.
	maxPeerText = 16 << 10
)

// timing holds the link's times; tests shorten them.
type timing struct {
	hello    time.Duration // a new connection says hello within
	ping     time.Duration // own silence before a ping
	silence  time.Duration // the peer's silence that means it is dead
	ackDelay time.Duration // the latest acknowledgement
	nack     time.Duration // before the same hole is reported again
	probe    time.Duration // without progress before the peer is asked what it has
	grace    time.Duration // a dropped connection may be resumed within
	bye      time.Duration // a last frame may take to be written
}

var defaultTiming = timing{
	hello:    10 * time.Second,
	ping:     10 * time.Second,
	silence:  25 * time.Second,
	ackDelay: 100 * time.Millisecond,
	nack:     500 * time.Millisecond,
	probe:    2 * time.Second,
	grace:    10 * time.Second,
	bye:      time.Second,
}
