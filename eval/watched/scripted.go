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

// ScriptedTool is a tool that gives the same answer to every call.
type ScriptedTool struct {
	Name        string
	Description string
	InputSchema jsontext.Value // listed unchanged; no call is checked against it
	Answer      string
}

// ScriptedServer is an MCP server of scripted tools, for measuring agents. It answers
// every call of its tools, and keeps every call as it arrived. It is safe for
// concurrent use, by many clients at a time.
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
	// The client judges how a session ended: it sees its own end closed.
	go func() { _ = s.mcp.Run(ctx, ours) }()
	return theirs, nil
}

// Arrived returns the calls that have reached the server, in order, including calls of
// unknown tools.
func (s *ScriptedServer) Arrived() []Arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.arrived)
}

// answering lists and calls instead of the SDK. The SDK would list schemas as it
// decodes them, and would not pass on a call of an unknown tool.
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
		a.Answer, _ = json.Marshal(answer) // a text can always be written
	}
	s.mu.Lock()
	s.arrived = append(s.arrived, a)
	s.mu.Unlock()
	if !has {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", p.Name)}
	}
	return answer, nil
}
