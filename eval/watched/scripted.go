package watched

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ScriptedTool is a tool that answers every call alike.
type ScriptedTool struct {
	Name        string
	Description string
	InputSchema jsontext.Value // listed as it is; no call is checked against it
	Answer      string
}

// ScriptedServer is an MCP server of scripted tools, to measure agents on: it
// refuses nothing that it has a tool for, and keeps every call as it arrived.
// It is safe for concurrent use, by many clients at a time.
type ScriptedServer struct {
	name  string
	mcp   *mcp.Server
	tools []*mcp.Tool
	text  map[string]string // of the answers, by tool

	mu      sync.Mutex
	arrived []Arrival
}

// Scripted makes a server. Nothing runs until a client connects.
func Scripted(name string, tools []ScriptedTool) *ScriptedServer {
	s := &ScriptedServer{name: name, tools: []*mcp.Tool{}, text: map[string]string{}}
	for _, t := range tools {
		s.tools = append(s.tools, &mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema})
		s.text[t.Name] = t.Answer
	}
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: name, Version: "1.0.0"},
		&mcp.ServerOptions{
			Logger:       slog.New(slog.DiscardHandler), // nothing here prints
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		})
	s.mcp.AddReceivingMiddleware(s.answering)
	return s
}

// Transport starts a session in this process and returns the client's end of
// it, as [demo.Demo.Transport] does.
func (s *ScriptedServer) Transport(ctx context.Context) (mcp.Transport, error) {
	theirs, ours := mcp.NewInMemoryTransports()
	// How a session ended is the client's to judge: it sees its end closed.
	go func() { _ = s.mcp.Run(ctx, ours) }()
	return theirs, nil
}

// Arrived are the calls that have reached the server, in their order: those of
// tools that it does not have are among them.
func (s *ScriptedServer) Arrived() []Arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.arrived)
}

// answering lists and calls in the SDK's place: it would list schemas as it
// decodes them, and never let a call of an unknown tool through to be kept.
func (s *ScriptedServer) answering(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == "tools/list" {
			return &mcp.ListToolsResult{Tools: s.tools}, nil
		}
		if call, is := req.GetParams().(*mcp.CallToolParamsRaw); is {
			return s.call(call)
		}
		return next(ctx, method, req)
	}
}

func (s *ScriptedServer) call(p *mcp.CallToolParamsRaw) (mcp.Result, error) {
	a := Arrival{Server: s.name, Tool: p.Name, Args: jsontext.Value(p.Arguments).Clone()}
	text, has := s.text[p.Name]
	answer := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	if has {
		a.Answer, _ = json.Marshal(answer) // a text, which can always be written
	}
	s.mu.Lock()
	s.arrived = append(s.arrived, a)
	s.mu.Unlock()
	if !has {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", p.Name)}
	}
	return answer, nil
}
