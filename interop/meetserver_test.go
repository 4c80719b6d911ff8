//go:build interop

package interop_test

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// golists is a server of the Go SDK over stdio. Its results are lists and texts, and
// it accepts a value of any type.
func golists() {
	s := mcp.NewServer(&mcp.Implementation{Name: "golists", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "texts", Description: "Reads texts."}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, []string, error) {
		return nil, []string{"a", "b"}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "none", Description: "Reads no texts."}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, []string, error) {
		return nil, nil, nil
	})
	type anything struct {
		Value any `json:"value"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "anything", Description: "Reads anything."}, func(_ context.Context, _ *mcp.CallToolRequest, in anything) (*mcp.CallToolResult, anything, error) {
		return nil, in, nil
	})
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		panic(err)
	}
}
