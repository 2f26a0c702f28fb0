// Package client drives Debug Bridge from Go: the tabs that a person connected, browsers
// started for this program, and remote ones.
//
// [Connect] finds this user's daemon over its local socket, and starts it where none
// runs, as the command line does. [WithURL] and [WithToken] reach a daemon over TCP.
//
//	c, err := client.Connect(ctx)
//	if err != nil {
//		return err
//	}
//	defer c.Close()
//	opened, err := c.Page().Open(ctx, client.PageOpenParams{URL: "http://localhost:3000"})
//
// # Commands
//
// Every command of the catalogue is a method, grouped by the first word of its name:
// `dbridge element click` is c.Element().Click. Parameters are a struct; what is not
// required and left at its zero value is not sent, and where zero means something the
// field is a pointer (new(0.5)). [Page], [Timeout] and [RequestID] are for one call.
// Methods may be called from several goroutines at once; what changes a page is done
// one after another by the daemon.
//
// # Who is asking
//
// Over the socket the daemon gives each caller a context of its own: browser, pages,
// lasting changes. It knows the caller by the process that started this one, so that a
// program and the command line in one shell share a context. [WithContext] names one
// instead, [WithShareGroup] one that several share. Over TCP the token says who asks.
//
// # Errors
//
// Errors of commands are *[Error], with a code and what to do next:
//
//	if errors.Is(err, client.ErrElementNotFound) { … }
//
// A daemon that went away between two commands is started and dialled again. A command
// that was under way then is [ErrIndeterminate]: nobody knows whether it was done, and
// nothing sends it a second time.
//
// # Events
//
// [Client.Events] gives console lines, errors, navigations, results of commands and more
// as they come, with their number in the session's log. It comes back by itself after
// restarts, gives no event twice, and tells what could not be had as a [GapEvent].
package client
