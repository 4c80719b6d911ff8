// Command bare is the least that a program does which calls a tool through the
// SDK: it starts a server, makes one call and prints the answer's text. It is
// what ask is measured next to.
//
//	bare TOOL ARGUMENTS COMMAND...
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) < 3 {
		return errors.New("a tool, its arguments and a server's command are needed")
	}
	// No capabilities, as ask has none: a server that can ask back keeps a client
	// waiting for its end.
	client := mcp.NewClient(&mcp.Implementation{Name: "bare", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.CommandContext(ctx, args[2], args[3:]...)}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: args[0], Arguments: json.RawMessage(args[1])})
	if err != nil {
		return err
	}
	for _, c := range answer.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			fmt.Println(text.Text)
		}
	}
	return nil
}
