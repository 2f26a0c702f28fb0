// Package cdp is the DevTools endpoint: /json/* and the WebSockets under /devtools, as
// Chrome has them with a remote debugging port, for clients that know nothing of Debug
// Bridge (Playwright, Puppeteer, chromedp, …).
//
// It stands behind package gate, carries messages between sockets and the ports of
// package devtools, and knows neither browsers nor policy. Addresses in answers keep the
// path that the client came by, which may hold its credential; they are never logged.
//
// A connection has one reader, which sends to the port, one goroutine that pumps out what
// the port tells, one that pings, and one that closes when the browser or the access ends.
package cdp
