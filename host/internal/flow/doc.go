// Package flow notices text that an agent read from one site and gives to another: typed,
// in an address, in a script, in a tool's arguments. A page that tells an agent to carry
// something elsewhere is thus seen doing it, whatever words it used.
//
// What was read is kept as keyed hashes, never as text: of every four words in a row, and
// of words that are unlikely to come twice (addresses of mail, numbers, keys, references).
// Each agent has a memory of its own, bounded in size and of about half an hour.
//
// Not noticed: text that was changed on the way beyond percent escapes and base64; less than
// four words without such a word among them; text from the same registrable domain; what
// the agent itself gave to a page before it read it there; text of three sites or more;
// addresses that stand on the page as they are (following a link); what came over the
// WebSocket without being asked for; and what DevTools clients read.
package flow
