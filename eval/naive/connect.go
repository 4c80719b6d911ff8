package naive

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connections are the connections to all servers, for one run.
type connections struct {
	sessions map[string]*mcp.ClientSession
	tools    []Tool
}

// connect dials every server and lists every tool, without any check before.
func (a Agent) connect(ctx context.Context) (connections, error) {
	c := connections{sessions: map[string]*mcp.ClientSession{}}
	for _, server := range a.Servers {
		t, err := a.Connect(ctx, server)
		if err != nil {
			return c, fmt.Errorf("server %s: %w", server, err)
		}
		// Without options: common agents use the SDK's defaults.
		client := mcp.NewClient(&mcp.Implementation{Name: "naive", Version: "1.0.0"}, nil)
		session, err := client.Connect(ctx, t, nil)
		if err != nil {
			return c, fmt.Errorf("server %s: %w", server, err)
		}
		c.sessions[server] = session
		for tool, err := range session.Tools(ctx, nil) {
			if err != nil {
				return c, fmt.Errorf("server %s: %w", server, err)
			}
			if a.allows(server, tool.Name) {
				c.tools = append(c.tools, Tool{server, tool.Name, tool.Description, tool.InputSchema})
			}
		}
	}
	return c, nil
}

func (a Agent) allows(server, tool string) bool { return a.Allow == nil || a.Allow(server, tool) }

func (c connections) close() error {
	var all error
	for _, s := range c.sessions {
		all = errors.Join(all, s.Close())
	}
	return all
}

// call makes the requested call on the server that a step names. If no server has that
// name, the tool's name decides, because in most agents tools have no other name.
func (a Agent) call(ctx context.Context, c connections, s step) Call {
	server := s.server
	for _, t := range c.tools {
		if c.sessions[server] == nil && t.Name == s.tool {
			server = t.Server
		}
	}
	call := Call{Server: server, Tool: s.tool, Args: s.args, Failed: true}
	session := c.sessions[server]
	switch {
	case session == nil:
		call.Result = fmt.Sprintf("error: there is no server %q", s.server)
	case !a.allows(server, s.tool):
		call.Result = fmt.Sprintf("error: the tool %q is not allowed", s.tool)
	case a.Approve != nil && !a.Approve(server, s.tool):
		call.Result = "error: the user declined this call"
	default:
		call.Result, call.Failed = send(ctx, session, s)
	}
	return call
}

func send(ctx context.Context, session *mcp.ClientSession, s step) (text string, failed bool) {
	r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: s.tool, Arguments: s.args})
	if err != nil {
		return "error: " + err.Error(), true
	}
	return textOf(r), r.IsError
}

// textOf returns a result as it goes into a prompt: its texts, or else its structure.
func textOf(r *mcp.CallToolResult) string {
	var texts []string
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	if len(texts) == 0 && r.StructuredContent != nil {
		b, err := json.Marshal(r.StructuredContent, json.Deterministic(true))
		if err == nil {
			texts = append(texts, string(b))
		}
	}
	return strings.Join(texts, "\n")
}

// empty are the arguments of a step without arguments.
var empty = jsontext.Value("{}")
