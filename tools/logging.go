package tools

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// occurrence is something that a client may want in its log: of calls what a history
// keeps of them, and never what a page said.
type occurrence struct {
	Event   string  `json:"event"` // call, connected or disconnected
	Tool    string  `json:"tool,omitempty"`
	Page    string  `json:"page,omitempty"`
	Site    string  `json:"site,omitempty"`
	To      string  `json:"to,omitempty"`
	Outcome string  `json:"outcome,omitempty"`
	Why     string  `json:"why,omitempty"`
	Ms      float64 `json:"ms,omitempty"`
	Browser string  `json:"browser,omitempty"`
}

// occurred is what a client's log says of a call.
func (u Use) occurred() occurrence {
	return occurrence{Event: "call", Tool: u.Tool, Page: u.Page, Site: u.Site, To: u.To, Outcome: u.Outcome, Why: u.Why, Ms: float64(u.Took.Microseconds()) / 1000}
}

// severity is how much a client has to ask for to hear of a call.
func (u Use) severity() string {
	if u.Outcome == "error" {
		return "warning"
	}
	return "debug"
}

// logging returns what tells a server's clients of occurrences: those that asked for
// such a level, by logging/setLevel or, in the call that ctx is of, with it.
func logging(server *mcp.Server) func(context.Context, string, occurrence) {
	return func(ctx context.Context, level string, what occurrence) {
		for client := range server.Sessions() {
			//lint:ignore SA1019 clients have it that speak another version than the newest
			_ = client.Log(ctx, &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(level), Logger: "tabrelay", Data: what})
		}
	}
}
