// Package capture makes of a page's outline what a language model reads: a short
// text, JSON, what changed since the last one, or what was looked for. It is pure:
// no browser, no clock, no files.
//
// An outline is what the page bridge tells of each frame (extension/src/page/tree/outline.ts):
// one line a node. Here it becomes a tree, loses what says nothing (wrappers, words
// said twice), and is written down with refs on what can be operated.
package capture
