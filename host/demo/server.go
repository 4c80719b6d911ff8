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

// toolFiles list each server's tools as tools/list sends them. They are written by hand,
// not inferred from Go types: inference gives no patterns, bounds or descriptions, and
// makes a nil slice a valid result.
//
//go:embed tools/*.json
var toolFiles embed.FS

// Tools are read, and their schemas resolved, once for all demos of a process: an
// evaluation makes a demo for each case.
var (
	toolsOf = map[string]func() []*mcp.Tool{
		sharePoint: sync.OnceValue(func() []*mcp.Tool { return readTools(sharePoint) }),
		serviceNow: sync.OnceValue(func() []*mcp.Tool { return readTools(serviceNow) }),
		policyKB:   sync.OnceValue(func() []*mcp.Tool { return readTools(policyKB) }),
	}
	resolved = mcp.NewSchemaCache()
	texts    sync.Map // texts of the schemas, by the pointer to each
)

type server struct {
	mcp   *mcp.Server
	tools []*mcp.Tool // shared with other servers of the name; read-only
}

func newServer(name, title string) *server {
	s := &server{tools: toolsOf[name]()}
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: name, Title: title, Version: "1.0.0"},
		&mcp.ServerOptions{
			// stdout carries the protocol; stderr and the disk belong to the caller.
			Logger: slog.New(slog.DiscardHandler),
			// Tools only. Their list never changes, so no client needs a notification.
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
			// nil is every version that the SDK supports: 2024-11-05 to 2026-07-28.
			SupportedProtocolVersions: nil,
			SchemaCache:               resolved,
		})
	s.mcp.AddReceivingMiddleware(asWritten)
	return s
}

// add serves the listed tool of that name with fn. The SDK checks arguments against the
// input schema before fn gets them, fills in defaults, and checks the result of fn
// against the output schema. It reports an error of fn as a result with isError set, as
// the protocol requires.
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

// asWritten lists the tools with the schemas from the file. Writing schemas of the SDK's
// type would take most of an evaluation's time.
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

// readTools reads a server's tools. The SDK caches a resolved schema only if it has the
// SDK's own type.
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

// written returns a schema's text, or nil without one.
func written(schema any) any {
	text, _ := texts.Load(schema)
	return text
}

// load reads an embedded file into v. The files are part of the program, so an invalid
// file is a defect of the build, and every test would find it.
func load(files embed.FS, name string, v any) {
	b, err := files.ReadFile(name)
	if err == nil {
		err = schema.Decode(b, v, schema.DescriptorLimits)
	}
	if err != nil {
		panic(fmt.Sprintf("demo: %s: %v", name, err))
	}
}

// addUnchecked serves the listed tool of that name with fn, like many real servers. The
// schema is only for readers of the list. Arguments are used as far as possible, and
// neither they nor the result are checked against it.
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

// failed returns a tool's error as a result, as the protocol requires.
func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
}

// arguments are a client's unchecked arguments.
type arguments map[string]any

// text returns a member as a text. It converts any other value.
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

// count returns a member as a number between 0 and 1000.
func (a arguments) count(name string, otherwise int) int {
	if v, is := a[name].(float64); is {
		return int(min(max(v, 0), 1000))
	}
	return otherwise
}
