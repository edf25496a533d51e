// Package shell lets a person, or a script, call the tools of agents from a
// command line.
//
//	c, err := shell.Open(ctx, shell.Options{Dir: dir, Session: "shell", Agent: agent})
//	answer, err := c.Call(ctx, "browser_click", []string{"ref=e12"})
//	defer c.Close()
//
// Between connections the daemon keeps the session: tabs, refs and what is known of
// pages are there for the next call.
package shell

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
)

// partLimit is how long the daemon may take to lay a session aside; one that ends
// may close tabs.
const partLimit = 10 * time.Second

// Options say whose tools are called.
type Options struct {
	Dir     string // the state folder
	Level   string // of the log of a daemon that is started
	Session string // its name
	End     bool   // the session ends with the connection
	EndNew  bool   // the same, if the connection is the first that uses it
	Agent   settings.Agent
}

// Client is a connection to a session; the caller closes it.
type Client struct {
	session *mcp.ClientSession
	tools   []*mcp.Tool // nil until they are asked for
}

// Open connects to a session, and begins it where there is none.
func Open(ctx context.Context, o Options) (*Client, error) {
	l, err := enter(ctx, o)
	if err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: o.Session, Version: release.Text()}, nil)
	session, err := client.Connect(ctx, &mcp.IOTransport{Reader: l, Writer: l, MaxLineLength: daemon.MaxLine}, nil)
	if err != nil {
		_ = l.conn.Close()
		return nil, plain(err)
	}
	return &Client{session: session}, nil
}

// enter asks the daemon for the session; one that just leaves is asked again.
func enter(ctx context.Context, o Options) (*line, error) {
	for range 5 {
		conn, who, err := daemon.Reach(ctx, o.Dir, o.Level)
		if err != nil {
			return nil, err
		}
		r, _, err := daemon.Welcomed(conn, daemon.Ask{Ask: daemon.AskAgent, Protocol: daemon.WireProtocol, Secret: who.Secret, Version: release.Text(),
			PID: os.Getpid(), Agent: o.Agent, Session: o.Session, End: o.End, EndNew: o.EndNew}, who.PID)
		if err == nil {
			return &line{conn: conn, in: r, over: make(chan struct{})}, nil
		}
		_ = conn.Close()
		if !errors.Is(err, daemon.ErrNone) {
			return nil, err
		}
	}
	return nil, daemon.ErrLeaves
}

// Close ends the connection, and returns when the session is laid aside.
func (c *Client) Close() error { return c.session.Close() }

// Tools lists the tools of the session's set.
func (c *Client) Tools(ctx context.Context) ([]*mcp.Tool, error) {
	if c.tools == nil {
		list, err := c.session.ListTools(ctx, nil)
		if err != nil {
			return nil, plain(err)
		}
		c.tools = list.Tools
	}
	return c.tools, nil
}

// Call calls a tool with arguments as a person writes them; see Arguments. An error
// of the tool is in its answer.
func (c *Client) Call(ctx context.Context, tool string, words []string) (*mcp.CallToolResult, error) {
	list, err := c.Tools(ctx)
	if err != nil {
		return nil, err
	}
	var schema any
	for _, t := range list {
		if t.Name == tool {
			schema = t.InputSchema
		}
	}
	with, err := Arguments(schema, words)
	if err != nil {
		return nil, err
	}
	c.tools = nil // a call may change what there is
	answer, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: with})
	return answer, plain(err)
}

// plain is an error without the words of the protocol around it.
func plain(err error) error {
	var said *jsonrpc.Error
	if errors.As(err, &said) {
		return errors.New(said.Message)
	}
	return err
}

// line is the connection as MCP sees it: what daemon and front say to each other is
// left out, and the end is said.
type line struct {
	conn net.Conn
	in   *bufio.Reader
	rest []byte
	over chan struct{} // closed when nothing more comes
}

// Read reads what the daemon says of MCP.
func (l *line) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		text, err := daemon.ReadLine(l.in, nil, daemon.MaxLine)
		if err != nil {
			select {
			case <-l.over:
			default:
				close(l.over) // only who reads comes here
			}
			return 0, err
		}
		if !daemon.IsControl(text) {
			l.rest = text
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func (l *line) Write(p []byte) (int, error) { return l.conn.Write(p) }

// Close says that nothing more is asked, and waits for the daemon's end.
func (l *line) Close() error {
	end, err := json.Marshal(daemon.Control{Tabrelay: daemon.SayEnd})
	if err == nil {
		_, err = l.conn.Write(append(end, '\n'))
	}
	if err != nil {
		return l.conn.Close()
	}
	limit := time.NewTimer(partLimit)
	defer limit.Stop()
	select {
	case <-l.over:
	case <-limit.C:
	}
	return l.conn.Close()
}
