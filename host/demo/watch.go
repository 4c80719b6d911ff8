package demo

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Arrival is one call as it reached a server, and how the server answered it.
type Arrival struct {
	Server, Tool string
	Args         jsontext.Value
	Answer       jsontext.Value // the tool's result; nil where the server refused the request
}

// Watch has see told of every call that reaches a server, of unknown tools
// too, once it is answered. It is to be called before a client connects; see
// is called by several clients at a time.
func (d *Demo) Watch(see func(Arrival)) {
	for name, made := range d.servers {
		made().see = func(p *mcp.CallToolParamsRaw, answer mcp.Result, err error) {
			a := Arrival{Server: name, Tool: p.Name, Args: jsontext.Value(p.Arguments)}
			if err == nil {
				a.Answer, _ = json.Marshal(answer) // a result that cannot be written is not sent either
			}
			see(a)
		}
	}
}

// Pretend has one tool give this answer whatever it is asked, past every check
// of its own: a server that does not keep to what it lists. Structured may be
// nil. It is to be called before a client connects.
func (d *Demo) Pretend(server, tool, text string, structured any) error {
	s, err := d.server(server)
	if err != nil {
		return err
	}
	s.pretended[tool] = &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: structured}
	return nil
}

// Dial gives a client's way to the named server: [Demo.Transport] for each
// connection.
func (d *Demo) Dial(name string) func(context.Context) (mcp.Transport, error) {
	return func(ctx context.Context) (mcp.Transport, error) { return d.Transport(ctx, name) }
}
