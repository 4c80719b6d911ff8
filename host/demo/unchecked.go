package demo

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/schema"
)

// addUnchecked serves the listed tool of that name with fn, in the manner of
// many real servers: the schema is for whoever reads the list, and arguments
// are taken as far as they can be. Neither they nor the result are held to it.
func addUnchecked[Out any](s *server, name string, fn func(arguments) (Out, error)) {
	s.mcp.AddTool(s.tool(name), func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args := arguments{}
		if err := schema.DecodeOpen(r.Params.Arguments, &args, schema.ResultLimits); len(r.Params.Arguments) > 0 && err != nil {
			return failed(err), nil
		}
		out, err := fn(args)
		if err != nil {
			return failed(err), nil
		}
		text, err := json.Marshal(out)
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}, StructuredContent: out}, nil
	})
}

// failed is a tool's error as a result, as the protocol asks for it.
func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
}

// arguments are what a client sent, whatever that is.
type arguments map[string]any

// text is a member as a text; one that is none is made one.
func (a arguments) text(name string) string {
	switch v := a[name].(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// count is a member as a number of things, 0 at least.
func (a arguments) count(name string, otherwise int) int {
	if v, is := a[name].(float64); is {
		return int(min(max(v, 0), 1000))
	}
	return otherwise
}
