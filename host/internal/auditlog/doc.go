// Package auditlog is the record of who did what to which page: every deed that passes
// the guards and every one that was refused, what people granted and took back, tokens,
// agents that came and went.
//
// It is JSON, one line an entry, in files of mode 0600 that are never written in place.
// A line holds no typed text, no values and no page content: the length of what was
// typed, the address without its query, the words by which the agent named the element.
//
// Each line carries the hash of the line before it, and its own over both, so a line
// that is changed, taken out or put in breaks the chain (Verify). Lines taken off the end
// leave a chain that is whole: against that stands the head, the last hash, which a
// person can keep elsewhere. Who may write as this user can make the whole chain anew.
//
// One goroutine writes. Nobody waits for it: what its queue or the disk does not take is
// counted, and the next line says so. Lines are in the file within milliseconds, and
// synced to the disk within a second: a crash of the daemon loses what is in the queue,
// a power failure a second.
//
// What reads is noted when it happens first; the same again within ten seconds is counted
// and noted once (Entry.Count), so that an agent that polls does not fill the disk.
package auditlog
