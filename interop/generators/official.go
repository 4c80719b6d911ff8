package main

import (
	"context"
	"encoding/json"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func of[T any](name, arguments string) construct {
	return construct{name, json.RawMessage(arguments), func(s *mcp.Server) {
		mcp.AddTool(s, tool(name), func(_ context.Context, _ *mcp.CallToolRequest, in T) (*mcp.CallToolResult, T, error) {
			return nil, in, nil
		})
	}, echoes[T](name)}
}

func returns[T any](name string, result T) construct {
	return construct{name, json.RawMessage(`{}`), func(s *mcp.Server) {
		mcp.AddTool(s, tool(name), func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, T, error) {
			return nil, result, nil
		})
	}, constant(name, result)}
}

func tool(name string) *mcp.Tool { return &mcp.Tool{Name: name, Description: "Returns " + name + "."} }

var itself = &mcp.Implementation{Name: "generator", Version: "1"}

func official(c construct) { c.official(mcp.NewServer(itself, nil)) }

func serveOfficial(ctx context.Context, all []construct) error {
	s := mcp.NewServer(itself, nil)
	for _, c := range all {
		c.official(s)
	}
	return s.Run(ctx, &mcp.StdioTransport{})
}

func clientOfficial(ctx context.Context, command []string, calls []construct) (out said, err error) {
	out.Results = map[string]any{}
	c := mcp.NewClient(itself, nil)
	session, err := c.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(command[0], command[1:]...)}, nil)
	if err != nil {
		return out, err
	}
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			out.Error = err.Error()
			break
		}
		out.Tools = append(out.Tools, tool)
	}
	for _, call := range calls {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: call.Tool, Arguments: call.Arguments})
		if out.Results[call.Tool] = result; err != nil {
			out.Results[call.Tool] = failure{err.Error()}
		}
	}
	return out, session.Close()
}
