package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func echoes[T any](name string) func(*server.MCPServer) {
	return func(s *server.MCPServer) {
		handler := func(_ context.Context, _ mcp.CallToolRequest, in T) (T, error) { return in, nil }
		t := mcp.NewTool(name, mcp.WithDescription("Returns "+name+"."), mcp.WithInputSchema[T](), mcp.WithOutputSchema[T]())
		s.AddTool(t, mcp.NewStructuredToolHandler(handler))
	}
}

func constant[T any](name string, result T) func(*server.MCPServer) {
	return func(s *server.MCPServer) {
		handler := func(context.Context, mcp.CallToolRequest, struct{}) (T, error) { return result, nil }
		t := mcp.NewTool(name, mcp.WithDescription("Returns "+name+"."), mcp.WithOutputSchema[T]())
		s.AddTool(t, mcp.NewStructuredToolHandler(handler))
	}
}

// built returns a tool with an input schema from the options of mcp-go.
func built(name, arguments string, options ...mcp.ToolOption) construct {
	handler := func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultJSON(r.GetArguments())
	}
	return construct{Tool: name, Arguments: json.RawMessage(arguments), mark3: func(s *server.MCPServer) {
		s.AddTool(mcp.NewTool(name, append(options, mcp.WithDescription("Returns "+name+"."))...), handler)
	}}
}

var builders = []construct{
	built("with_nothing", `{}`),
	built("with_string", `{"value":"abc"}`, mcp.WithString("value", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(9), mcp.Pattern("^[a-z]+$"))),
	built("with_string_default", `{}`, mcp.WithString("value", mcp.DefaultString("a"), mcp.Title("Name"), mcp.Description("the name"))),
	built("with_string_enum", `{"value":"a"}`, mcp.WithString("value", mcp.Required(), mcp.Enum("a", "b"))),
	built("with_number", `{"value":1.5}`, mcp.WithNumber("value", mcp.Min(0), mcp.Max(10))),
	built("with_number_multiple", `{"value":0.75}`, mcp.WithNumber("value", mcp.MultipleOf(0.25))),
	built("with_integer", `{"value":7}`, mcp.WithInteger("value", mcp.DefaultNumber(7))),
	built("with_boolean", `{"value":true}`, mcp.WithBoolean("value", mcp.DefaultBool(false))),
	built("with_object", `{"value":{"a":"x"}}`, mcp.WithObject("value", mcp.Properties(map[string]any{"a": map[string]any{"type": "string"}}))),
	built("with_object_closed", `{"value":{}}`, mcp.WithObject("value", mcp.AdditionalProperties(false), mcp.MaxProperties(3))),
	built("with_object_names", `{"value":{"a":1}}`, mcp.WithObject("value", mcp.PropertyNames(map[string]any{"pattern": "^[a-z]+$"}))),
	built("with_array", `{"value":[1]}`, mcp.WithArray("value", mcp.MinItems(1), mcp.MaxItems(3), mcp.UniqueItems(true))),
	built("with_array_default", `{}`, mcp.WithArray("value", mcp.DefaultArray([]string{"a"}), mcp.WithStringItems())),
	built("with_string_items", `{"value":["a"]}`, mcp.WithArray("value", mcp.WithStringItems(mcp.MinLength(1)))),
	built("with_enum_items", `{"value":["a"]}`, mcp.WithArray("value", mcp.WithStringEnumItems([]string{"a", "b"}))),
	built("with_number_items", `{"value":[1.5]}`, mcp.WithArray("value", mcp.WithNumberItems())),
	built("with_items", `{"value":[{"a":"x"}]}`, mcp.WithArray("value", mcp.Items(map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"type": "string"}}}))),
	built("with_any", `{"value":[1,"a"]}`, mcp.WithAny("value", mcp.Required())),
	built("with_additional", `{"a":1}`, mcp.WithSchemaAdditionalProperties(true)),
	built("with_raw_schema", `{"value":7}`, func(t *mcp.Tool) { t.InputSchema.Type = "" }, mcp.WithRawInputSchema(json.RawMessage(`{"type":"object","properties":{"value":{"type":["integer","null"]}}}`))),
}

func newMark3() *server.MCPServer {
	return server.NewMCPServer("generator", "1", server.WithToolCapabilities(false))
}

// mark3 panics if the SDK cannot read what it publishes, because its own client then
// refuses the whole list.
func mark3(c construct) {
	s := newMark3()
	c.mark3(s)
	written, err := json.Marshal(s.GetTool(c.Tool).Tool)
	if err == nil {
		err = json.Unmarshal(written, new(mcp.Tool))
	}
	if err != nil {
		panic(err)
	}
}

func serveMark3(_ context.Context, all []construct) error {
	s := newMark3()
	for _, c := range all {
		c.mark3(s)
	}
	return server.ServeStdio(s)
}

func clientMark3(ctx context.Context, command []string, calls []construct) (out said, err error) {
	out.Results = map[string]any{}
	c, err := client.NewStdioMCPClient(command[0], os.Environ(), command[1:]...)
	if err != nil {
		return out, err
	}
	begin := mcp.InitializeRequest{}
	begin.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	begin.Params.ClientInfo = mcp.Implementation{Name: "generator", Version: "1"}
	if _, err := c.Initialize(ctx, begin); err != nil {
		return out, fmt.Errorf("initialize: %w", err)
	}
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		out.Error = err.Error()
	} else {
		for _, tool := range list.Tools {
			out.Tools = append(out.Tools, tool)
		}
	}
	for _, call := range calls {
		r := mcp.CallToolRequest{}
		r.Params.Name, r.Params.Arguments = call.Tool, call.Arguments
		result, err := c.CallTool(ctx, r)
		if out.Results[call.Tool] = result; err != nil {
			out.Results[call.Tool] = failure{err.Error()}
		}
	}
	return out, c.Close()
}
