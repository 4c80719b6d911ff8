// Command bare is the least that a program does which speaks MCP through the
// SDK: it starts the server of its arguments and counts the tools. It is what
// the start of ask is measured next to.
package main

import (
	"context"
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

func run(ctx context.Context, command []string) error {
	if len(command) == 0 {
		return fmt.Errorf("no server is named")
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.CommandContext(ctx, command[0], command[1:]...)}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	fmt.Println(len(list.Tools))
	return nil
}
