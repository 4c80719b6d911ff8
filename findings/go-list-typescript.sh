#!/usr/bin/env bash
# One Go tool that returns a list hides all tools of its server from TypeScript clients.
#
# Guess:   A Go handler may return []string: the SDK accepts the type and publishes its schema, so other SDKs read it.
# Happens: The published outputSchema has the type ["null", "array"] at its root. The TypeScript client wants the
#          literal "object" there and refuses the whole answer of tools/list. Python's and Java's clients list and call
#          it.
# Package: Go modules github.com/modelcontextprotocol/go-sdk v1.8.0; npm @modelcontextprotocol/client 2.4.0
# Other:   @modelcontextprotocol/client 2.3.1
# Seen:    2026-11-27
# Meets:   Go servers behind the clients that are written in TypeScript, which are most of them.

. "$(dirname "$0")/lib/finding.bash"
npm_install @modelcontextprotocol/client@2.4.0

cat >main.go <<'END'
package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type none struct{}

type count struct {
	N int `json:"n"`
}

func main() {
	s := mcp.NewServer(&mcp.Implementation{Name: "tickets"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "count"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, count, error) {
		return nil, count{2}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "list"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, []string, error) {
		return nil, []string{"a", "b"}, nil
	})
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		panic(err)
	}
}
END
go_build github.com/modelcontextprotocol/go-sdk@v1.8.0
cat >client.js <<'END'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const client = new Client({ name: 'reader', version: '1' })
await client.connect(new StdioClientTransport({ command: './main', stderr: 'ignore' }))
console.log('list:', await client.listTools().then(l => l.tools.map(t => t.name).join(),
	e => e.message.split('[')[0] + JSON.parse(e.message.slice(e.message.indexOf('[')))[0].path.join('/')))
console.log('count:', JSON.stringify((await client.callTool({ name: 'count' })).structuredContent))
await client.close()
END
node client.js >>seen

expect <<'END'
@modelcontextprotocol/client 2.4.0
github.com/modelcontextprotocol/go-sdk v1.8.0
list: Invalid result for tools/list: tools/1/outputSchema/type
count: {"n":2}
END
