// Package audit judges what was seen of a page: violations of accessibility rules
// found by axe-core, and a page's load, head, markup, requests and headers. It
// holds the reports, the thresholds and the tables of checks, and writes reports as
// text, JSON and HTML.
//
// It is pure: it asks no page, opens no file and reads no clock. What comes in has
// its secrets masked already.
package audit
