// Package mcp is the MCP server: the commands of the catalogue as tools, a page's
// console, network, state and snapshot as resources, and three prompts.
//
// A model pays for every word of a tool list and of an answer, again and again. So a
// schema says nothing that another one says (Instructions do, once), the compact text
// of a command is its answer, and what is long goes to a file.
//
// One client is one context of the daemon: over stdio this process stands for it, over
// HTTP each session is one of its own. The daemon is not asked for anything before the
// first call that needs it, and may go and come back between two calls. A tool that
// fails is a result with isError, never an error of the protocol.
package mcp
