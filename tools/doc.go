// Package tools is what an agent can call: the Model Context Protocol's side of
// Tabrelay.
//
//	server, session := tools.NewServer(tools.Options{Connect: connect, Version: "1.0"})
//	defer session.Close()
//	err := server.Run(ctx, &mcp.StdioTransport{})
//
// Three facts explain the rest. A tool is one literal in its group's list: a
// name, a sentence, what it does, and a function from an argument struct to a
// value; its schema, its page in the manual and its text are derived. Every call
// goes through Session.Call, which adds to the value what else there is to tell:
// the change of the page, a dialog, new tabs, downloads, console errors. And a
// session belongs to one agent: its page ids, its active page and what it has
// seen of each page are nobody else's.
package tools
