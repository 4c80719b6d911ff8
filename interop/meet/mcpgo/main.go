// Command mcpgo is a server of mark3labs/mcp-go, with a schema for any value and
// without annotations.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type args struct {
	Value any `json:"value"`
}

func main() {
	s := server.NewMCPServer("mcpgo", "1.0.0", server.WithToolCapabilities(false))
	for _, name := range []string{"first", "second"} {
		s.AddTool(mcp.NewTool(name, mcp.WithDescription("Reads the "+name+" value."), mcp.WithInputSchema[args]()), echo)
	}
	s.AddTool(mcp.NewTool("third", mcp.WithDescription("Reads a value."), mcp.WithAny("value", mcp.Required())), echo)
	if err := server.ServeStdio(s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func echo(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	b, err := json.Marshal(req.GetArguments())
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultText(string(b)), nil
}
