// Package session holds bridge sessions: their pages, their agents, the event
// log that all agents share, and the ledger of commands.
//
// Promises. Every event of a session has one number, the same for every agent;
// an agent gets each event once and in order, or a gap that says exactly what it
// missed, or is cut off as too slow. A command runs at most once and gets exactly
// one result, whatever reconnects. A page never waits for an agent: events are
// appended to the log, and each agent reads it at its own pace by a cursor.
//
// The package knows no transport and no browser: a page is an Executor, an agent
// is whoever calls Agent.Receive and Agent.Next. One mutex guards one session;
// messages are encoded before it is taken.
package session
