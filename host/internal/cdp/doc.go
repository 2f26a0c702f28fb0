// Package cdp is a DevTools connection with flat sessions, over any Transport.
//
// A Conn has one goroutine that reads and one that writes: a browser that stops
// reading holds up the writer alone, never a caller beyond its deadline. Calls in
// flight belong to the connection; all fail at once when it ends, and those of a
// session when its owner says that the session was detached. A call whose context
// ends is given up, its late answer is ignored, and its fault says whether it was
// sent. Every call has a deadline.
//
// Order: Options.OnEvent sees every event in the order of the wire, before any
// answer that came after it. A subscription gets the events of its session and
// method in order, and none is lost once Subscribe has returned: what its reader
// does not take is queued without blocking the connection, up to maxQueued bytes,
// where the subscription is ended (its channel closes after what was queued) and
// counted in Stats.
//
// Only the envelope of a message is read here. Results and parameters are passed
// on as they came, unchecked until somebody decodes them; Unmarshal does it with
// the options that text of a web page needs.
package cdp
