// Package browsertest is the harness of every test that claims something about
// the whole chain: it starts a real Chromium with the built extension and the
// installed native messaging host in a throw-away profile and home, opens the
// real popup and clicks in it with real input, and talks to the daemon as an
// agent does.
//
//	env := browsertest.Start(t, browsertest.Options{Extension: true})
//	tab := env.OpenTab(env.Pages.URL("/app/"))
//	env.Connect(tab, "control")
//	agent := env.Agent()
//	result := agent.Command("click", browsertest.Params{"target": browsertest.Params{"ref": "e1"}})
//
// All waits await a condition with a deadline; none is a fixed sleep. At the end
// everything is closed, and the test fails when a browser, relay or daemon
// process or a socket of its own is left over. When a test failed, the browser's
// and the daemon's logs are in its output.
//
// The DevTools connection of the harness is separate from the extension's own
// and enables no domain, so that it does not change what the product sees.
// Sessions on the service worker are opened for one call only: an open one would
// keep the worker alive.
package browsertest
