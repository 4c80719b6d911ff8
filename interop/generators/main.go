// Command generators is a server and a client of the Go SDK, or of mark3labs/mcp-go.
// The server has a tool for each construct.
//
//	generators SDK serve             the server, over stdio
//	generators SDK cases             the constructs, with arguments, as JSON
//	generators SDK client COMMAND…   the client: lists, and makes the calls from stdin
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	mcpgo "github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type construct struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`

	official func(*mcp.Server)
	mark3    func(*mcpgo.MCPServer)
}

type said struct {
	Tools   []any          `json:"tools"`
	Error   string         `json:"error,omitempty"`
	Results map[string]any `json:"results"`
}

type failure struct {
	Error string `json:"error"`
}

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, sdk, mode string, command []string) error {
	add, all, serve, client := official, constructs, serveOfficial, clientOfficial
	if sdk == "mcp-go" {
		add, all, serve, client = mark3, append(constructs, builders...), serveMark3, clientMark3
	}
	kept, left := published(add, all)
	switch mode {
	case "serve":
		return serve(ctx, kept)
	case "cases":
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"cases": kept, "left": left})
	}
	var calls []construct
	if err := json.NewDecoder(os.Stdin).Decode(&calls); err != nil {
		return err
	}
	out, err := client(ctx, command, calls)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// published separates the constructs that the SDK cannot register, each with the
// reason.
func published(add func(construct), all []construct) (kept []construct, left map[string]string) {
	left = map[string]string{}
	for _, c := range all {
		func() {
			defer func() {
				if reason := recover(); reason != nil {
					left[c.Tool] = fmt.Sprint(reason)
				}
			}()
			add(c)
			kept = append(kept, c)
		}()
	}
	return kept, left
}
