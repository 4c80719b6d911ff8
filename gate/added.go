package gate

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/trace"
)

type addition struct{ client, argument string }

// additions are the boolean arguments that MCP clients add to the schema of every
// tool, and then send to the server. The server did not ask for them. A client's name
// is its own claim. It only selects a row, and a row only removes an argument that no
// schema accepts.
var additions = []addition{
	{"gemini-cli-mcp-client", "wait_for_previous"}, // gemini-cli 0.61.0; interop.TestGeminiAddsAnArgument
}

// Adds reports whether a client of this name is known to add arguments.
func Adds(client string) bool {
	return slices.ContainsFunc(additions, func(a addition) bool { return a.client == client })
}

// WithoutAddition returns a client's plan without the argument that the client adds to
// every tool, and the removed argument. It returns the plan itself and nil if it
// removes nothing. It removes an argument only if the arguments do not fit the tool's
// schema with it and fit without it.
func (g *Gate) WithoutAddition(client string, c catalog.Catalog, p plan.Plan) (plan.Plan, *trace.RemovedBody) {
	for _, a := range additions {
		if a.client != client {
			continue
		}
		value, is := boolean(p.Args(), a.argument)
		if !is {
			continue
		}
		if less := p.Without(a.argument); !g.fits(c, p) && g.fits(c, less) {
			return less, &trace.RemovedBody{Client: client, Argument: a.argument, Value: value}
		}
	}
	return p, nil
}

// fits reports whether a plan's arguments fit the schema of its tool.
func (g *Gate) fits(c catalog.Catalog, p plan.Plan) bool {
	tool, err := c.Tool(p.Server(), p.Tool())
	if err != nil {
		return false
	}
	v, err := g.validators.of(schema.Input, tool.Input())
	return err == nil && v.Check(p.Args()) == nil
}

// boolean returns the root member of an object with this name, if it is a boolean.
func boolean(object jsontext.Value, name string) (value, is bool) {
	members, _ := schema.Members(object)
	i := slices.IndexFunc(members, func(m schema.Member) bool { return m.Name == name })
	if i < 0 {
		return false, false
	}
	kind := members[i].Value.Kind()
	return kind == 't', kind == 't' || kind == 'f'
}
