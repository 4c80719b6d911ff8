package demo

import (
	"context"
	"embed"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/schema"
)

// maxRequest is the length in bytes of the longest message a client may send.
// The longest arguments that fit a schema here are about 3 KiB.
const maxRequest = 64 << 10

// Each file lists one server's tools as tools/list sends them. They are written
// by hand, not inferred from Go types: inference gives no patterns, bounds or
// descriptions, and makes a nil slice a legal result.
//
//go:embed tools/*.json
var toolFiles embed.FS

// Tools are read, and their schemas resolved, once for all demos of a process:
// an evaluation fills one for each case.
var (
	toolsOf = map[string]func() []*mcp.Tool{
		sharePoint: sync.OnceValue(func() []*mcp.Tool { return readTools(sharePoint) }),
		serviceNow: sync.OnceValue(func() []*mcp.Tool { return readTools(serviceNow) }),
		policyKB:   sync.OnceValue(func() []*mcp.Tool { return readTools(policyKB) }),
	}
	resolved = mcp.NewSchemaCache()
	texts    sync.Map // of the schemas, by the pointer to each
)

type server struct {
	mcp   *mcp.Server
	tools []*mcp.Tool // shared with other servers of the name, and only read
}

func newServer(name, title string) *server {
	s := &server{tools: toolsOf[name]()}
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: name, Title: title, Version: "1.0.0"},
		&mcp.ServerOptions{
			// stdout carries the protocol; stderr and the disk are the caller's.
			Logger: slog.New(slog.DiscardHandler),
			// Tools and nothing else; and their list never changes, so no client
			// needs to be told.
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
			// Empty means each version that the SDK speaks: 2024-11-05 to 2026-07-28.
			SupportedProtocolVersions: nil,
			SchemaCache:               resolved,
		})
	s.mcp.AddReceivingMiddleware(asWritten)
	return s
}

// add serves the listed tool of that name with fn. The SDK checks arguments
// against the input schema before fn sees them, fills in defaults, checks what
// fn returns against the output schema, and reports fn's error as a result
// with isError set, as the protocol asks of a tool that failed.
func add[In, Out any](s *server, name string, fn func(In) (Out, error)) {
	mcp.AddTool(s.mcp, s.tool(name), func(_ context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, err := fn(in)
		return nil, out, err
	})
}

func (s *server) tool(name string) *mcp.Tool {
	i := slices.IndexFunc(s.tools, func(t *mcp.Tool) bool { return t.Name == name })
	if i < 0 {
		panic("demo: no descriptor for " + name)
	}
	return s.tools[i]
}

// asWritten lists the tools with the schemas of the file. Those of the SDK's type
// take most of an evaluation's time to write.
func asWritten(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		answer, err := next(ctx, method, req)
		if list, is := answer.(*mcp.ListToolsResult); is && err == nil {
			for i, t := range list.Tools {
				own := *t
				own.InputSchema, own.OutputSchema = written(t.InputSchema), written(t.OutputSchema)
				list.Tools[i] = &own
			}
		}
		return answer, err
	}
}

// readTools reads a server's tools. The SDK resolves a schema once only where it
// is of the SDK's own type.
func readTools(name string) []*mcp.Tool {
	var tools []*mcp.Tool
	load(toolFiles, "tools/"+name+".json", &tools)
	for _, t := range tools {
		t.InputSchema, t.OutputSchema = typed(t.InputSchema), typed(t.OutputSchema)
	}
	return tools
}

func typed(decoded any) any {
	b, err := json.Marshal(decoded, json.Deterministic(true))
	s := &jsonschema.Schema{}
	if err == nil {
		err = s.UnmarshalJSON(b)
	}
	if err != nil {
		panic(fmt.Sprintf("demo: a tool's schema: %v", err))
	}
	texts.Store(s, jsontext.Value(b))
	return s
}

// written is a schema's text; nil of none.
func written(schema any) any {
	text, _ := texts.Load(schema)
	return text
}

// load reads an embedded file into v. The files are part of the program, so a
// bad one is a defect of the build and every test would meet it.
func load(files embed.FS, name string, v any) {
	b, err := files.ReadFile(name)
	if err == nil {
		err = schema.Decode(b, v, schema.DescriptorLimits)
	}
	if err != nil {
		panic(fmt.Sprintf("demo: %s: %v", name, err))
	}
}

// addUnchecked serves the listed tool of that name with fn, in the manner of
// many real servers: the schema is for readers of the list, and arguments
// are taken as far as they can be. Neither they nor the result are checked against it.
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
