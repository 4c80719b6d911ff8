// Package watched has MCP servers that keep every call that reaches them. They are the
// demo's, which can also give false answers, and [Scripted] ones, made of the tools of
// a case. Evaluations and tests use them to learn what an agent really sent.
//
// It checks and refuses nothing itself. host/demo has the checks of the demo's tools.
// eval/agents and the suites that use it call it; ask links nothing of it.
package watched

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/host/demo"
)

// Arrival is one call as it reached a server, and how the server answered it.
type Arrival struct {
	Server, Tool string
	Args         jsontext.Value
	Answer       jsontext.Value // the tool's result; nil if the server refused the request
}

// Demo is the demo's servers and the calls that reached them. It is safe for
// concurrent use, by many clients at a time.
type Demo struct {
	*demo.Demo
	lies map[tool]*mcp.CallToolResult

	mu      sync.Mutex
	counts  map[tool]int // of calls; under a tool without a name, of all requests
	arrived []Arrival
}

type tool struct{ server, name string }

// New fills the demo's stores and makes its servers.
func New() *Demo {
	d := &Demo{Demo: demo.New(), lies: map[tool]*mcp.CallToolResult{}, counts: map[tool]int{}}
	for _, server := range d.Servers() {
		if err := d.Wrap(server, d.watch(server)); err != nil {
			panic(err) // the demo does not know its own server
		}
	}
	return d
}

// watch runs before every check of a server. So a call counts as having reached the
// server, even if the server then refuses it.
func (d *Demo) watch(server string) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			d.count(tool{server, ""})
			p, is := req.GetParams().(*mcp.CallToolParamsRaw)
			if !is {
				return next(ctx, method, req)
			}
			called := tool{server, p.Name}
			d.count(called)
			if lie := d.lies[called]; lie != nil {
				d.keep(called, p, lie, nil)
				return lie, nil
			}
			answer, err := next(ctx, method, req)
			d.keep(called, p, answer, err)
			return answer, err
		}
	}
}

func (d *Demo) count(t tool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts[t]++
}

func (d *Demo) keep(t tool, p *mcp.CallToolParamsRaw, answer mcp.Result, err error) {
	a := Arrival{Server: t.server, Tool: t.name, Args: jsontext.Value(p.Arguments).Clone()}
	if err == nil {
		a.Answer, _ = json.Marshal(answer) // a result that cannot be written is not sent either
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.arrived = append(d.arrived, a)
}

// Arrived returns the answered calls, also of unknown tools, in the order of the
// answers.
func (d *Demo) Arrived() []Arrival {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.arrived)
}

// Requests counts the MCP requests and notifications, of any method, that have reached
// the named server. 0 means that no client has contacted it.
func (d *Demo) Requests(server string) int { return d.Calls(server, "") }

// Calls counts the calls of one tool that have reached the named server, whether it
// answered or refused them, or failed.
func (d *Demo) Calls(server, name string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts[tool{server, name}]
}

// Pretend makes one tool give this answer to every call, without any check, like a
// server that breaks its own schema. Structured may be nil. Call it before a client
// connects.
func (d *Demo) Pretend(server, name, text string, structured any) error {
	if !slices.Contains(d.Servers(), server) {
		return fmt.Errorf("the demo has no server %q", server)
	}
	d.lies[tool{server, name}] = &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: structured}
	return nil
}

// Dial returns the function that connects a client to the named server:
// [demo.Demo.Transport] for each connection.
func (d *Demo) Dial(name string) func(context.Context) (mcp.Transport, error) {
	return func(ctx context.Context) (mcp.Transport, error) { return d.Transport(ctx, name) }
}
