package tools

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// roundsEra is the first protocol in which a server asks with the answer of a call,
// which the client then makes again, and no longer with a request of its own.
const roundsEra = "2026-07-28"

// rounds are the calls that wait for what their clients ask the person.
type rounds struct {
	// mu guards the following.
	mu   sync.Mutex
	open map[string]*round // by the state that the next round brings
}

// round is a call that goes on from one request to the next.
type round struct {
	name, arguments string
	asked           chan string // a question
	answered        chan bool
	over            chan struct{} // closed when the call is
	dropped         bool          // nothing can answer it any more; rounds.mu guards it
	teller          *teller       // tells the request that waits for it; nil where the first one wanted no progress
	result          *mcp.CallToolResult
	err             error
	end             context.CancelCauseFunc
}

// served runs a call, with a way to ask the person where the client has one.
func (s *Session) served(ctx context.Context, r *mcp.CallToolRequest, run func(context.Context) (*mcp.CallToolResult, error)) (*mcp.CallToolResult, error) {
	ctx = withProgress(ctx, r)
	if len(s.opts.Bound.Confirm) == 0 {
		return run(ctx)
	}
	capabilities := r.ClientCapabilities()
	if capabilities == nil || capabilities.Elicitation == nil || capabilities.Elicitation.Form == nil && capabilities.Elicitation.URL != nil {
		return run(ctx)
	}
	if r.ProtocolVersion() >= roundsEra {
		return s.rounds.serve(ctx, r.Params, run)
	}
	return run(context.WithValue(ctx, askerKey{}, asker(func(ctx context.Context, question string) (bool, error) {
		answer, err := r.Session.Elicit(ctx, elicitation(question))
		if err != nil {
			return false, err
		}
		return allowed(answer), nil
	})))
}

// elicitation is a question that is answered with yes or no.
func elicitation(question string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: question, RequestedSchema: map[string]any{
		"type":       "object",
		"properties": map[string]any{"allow": map[string]any{"type": "boolean", "title": "Allow it this once", "default": true}},
		"required":   []string{"allow"},
	}}
}

// allowed reports whether an answer is a yes: nothing else is.
func allowed(answer *mcp.ElicitResult) bool {
	return answer != nil && answer.Action == "accept" && answer.Content["allow"] == true
}

// question names the one question of a round.
const question = "confirm"

// serve runs a call up to its next question or its end.
func (k *rounds) serve(ctx context.Context, p *mcp.CallToolParamsRaw, run func(context.Context) (*mcp.CallToolResult, error)) (*mcp.CallToolResult, error) {
	var c *round
	teller, _ := ctx.Value(progressKey{}).(*teller)
	if p.RequestState == "" {
		work, end := context.WithCancelCause(context.WithoutCancel(ctx))
		c = &round{name: p.Name, arguments: string(p.Arguments), asked: make(chan string), answered: make(chan bool, 1), over: make(chan struct{}), teller: teller, end: end}
		go func() { // ends with the call, which every question bounds
			defer close(c.over)
			defer k.drop(c)
			defer end(nil)
			c.result, c.err = run(context.WithValue(work, askerKey{}, asker(c.ask)))
		}()
	} else if c = k.take(p); c == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this call is no longer waited for: make it anew, without requestState"}
	} else {
		c.teller.follow(teller)
		answer, _ := p.InputResponses[question].(*mcp.ElicitResult)
		c.answered <- allowed(answer)
	}
	stop := context.AfterFunc(ctx, func() { c.end(context.Cause(ctx)) })
	defer stop()
	select {
	case <-c.over:
		return c.result, c.err
	case text := <-c.asked:
		c.teller.follow(nil) // this request is over
		return k.keep(c, text)
	}
}

// ask is the asker of a call that goes on in rounds.
func (c *round) ask(ctx context.Context, text string) (bool, error) {
	select {
	case c.asked <- text:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	select {
	case yes := <-c.answered:
		return yes, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// keep answers a round with a question, whose answer the next one brings.
func (k *rounds) keep(c *round, text string) (*mcp.CallToolResult, error) {
	state := rand.Text()
	k.mu.Lock()
	if k.open == nil {
		k.open = map[string]*round{}
	}
	if !c.dropped { // its request may have ended meanwhile
		k.open[state] = c
	}
	k.mu.Unlock()
	// The library sets the type of the result only for tools that it calls itself.
	said, err := json.Marshal(map[string]any{"content": nil, "resultType": "input_required", "requestState": state,
		"inputRequests": mcp.InputRequestMap{question: elicitation(text)}})
	if err != nil {
		return nil, err
	}
	var result mcp.CallToolResult
	if err := json.Unmarshal(said, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// close ends the calls that wait for a further round.
func (k *rounds) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, c := range k.open {
		c.end(context.Canceled)
	}
}

// drop forgets a call that is over.
func (k *rounds) drop(c *round) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c.dropped = true
	maps.DeleteFunc(k.open, func(_ string, o *round) bool { return o == c })
}

// take returns the call that a round goes on with, once, or nil where there is none.
func (k *rounds) take(p *mcp.CallToolParamsRaw) *round {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.open[p.RequestState]
	if c == nil || c.name != p.Name || c.arguments != string(p.Arguments) {
		return nil
	}
	delete(k.open, p.RequestState)
	return c
}
