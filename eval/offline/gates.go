package offline

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/trace"
)

// The server and the tool of cases that do not name any.
const (
	theServer = "kb"
	theTool   = "act"
	question  = "Look it up."
)

var anyArguments = jsontext.Value(`{"type":"object"}`)

// tool returns a descriptor of the tool.
func tool(inputSchema, outputSchema jsontext.Value) pin.Descriptor {
	raw := fmt.Sprintf(`{"name":%q,"inputSchema":%s`, theTool, inputSchema)
	if outputSchema != nil {
		raw += `,"outputSchema":` + string(outputSchema)
	}
	return pin.Descriptor{Server: theServer, Raw: jsontext.Value(raw + "}")}
}

// listed returns the catalog of the one tool, with the output that the allowlist
// declares for it.
func listed(d pin.Descriptor, output jsontext.Value) (catalog.Catalog, error) {
	entry := fmt.Sprintf("%q", theTool)
	if output != nil {
		entry = fmt.Sprintf(`{"name":%q,"output":%s}`, theTool, output)
	}
	return allowed(d, "["+entry+"]")
}

// allowed returns the catalog of the one tool, with the allowlist's entry for its
// server.
func allowed(d pin.Descriptor, entry string) (catalog.Catalog, error) {
	allow, err := catalog.ParseAllowlist(fmt.Appendf(nil, `{%q:%s}`, theServer, entry))
	if err != nil {
		return catalog.Catalog{}, err
	}
	listings := []catalog.Listing{{Server: theServer, Tools: []pin.Descriptor{d}}}
	return catalog.Admit(listings, allow, catalog.Options{}), nil
}

// approve takes a planner's bytes through the gates before a call.
func approve(g *gate.Gate, q input.Query, c catalog.Catalog, said []byte) (gate.Approved, error) {
	p, err := plan.Parse(said)
	if err != nil {
		return gate.Approved{}, err
	}
	return g.Approve(gate.Asked{Query: q}, c, p)
}

// asked returns an admitted question.
func asked() (input.Query, error) { return input.Admit(input.Asked{Words: question}, input.BuiltIn()) }

// redeem lets the call of an approval leave, as a run does: its record first.
func redeem(a gate.Approved, live pin.Descriptor) (gate.Call, error) {
	on, err := commit(a.Record())
	if err != nil {
		return gate.Call{}, err
	}
	yes, err := eval.Consent(a)
	if err != nil {
		return gate.Call{}, err
	}
	return a.Redeem(live, on, yes)
}

func commit(record jsontext.Value) (trace.Receipt, error) {
	return trace.New(nowhere{}, eval.Noon).Commit(trace.Approval, record)
}

// nowhere keeps no line. The suite measures whether a gate requires the receipt, not
// whether the disk keeps the record.
type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

func (nowhere) Sync() error { return nil }

// leaves compares a call with the requested one.
func leaves(c gate.Call, server, tool string, args []byte) (string, error) {
	if c.Server != server || c.Tool != tool || !sameJSON(c.Args, args) {
		return "", altered(fmt.Sprintf("the call that leaves is %s/%s %.300s", c.Server, c.Tool, c.Args))
	}
	return fmt.Sprintf("calls %s/%s %.200s", c.Server, c.Tool, c.Args), nil
}
