package planning

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// Case is one question, the tools there are for it, and the plans that
// are right.
type Case struct {
	ID     string
	Source string // where the row is from; figures are given by source
	Query  string
	Tools  []pin.Descriptor
	Expect Expect
}

// Expect is a call, or that there is none to make.
type Expect struct {
	Tool string `json:"tool,omitzero"`
	// Args gives the acceptable values of each argument; "" among them says
	// that the argument may be left out, an empty list that it must be.
	Args    map[string][]jsontext.Value `json:"args,omitzero"`
	Abstain bool                        `json:"abstain,omitzero"`
}

// Read reads a file of lines such as
//
//	{"id":"a_1","source":"a","query":"…","tools":[{"server":"s","name":"t",…}],"expect":{"tool":"t","args":{"n":[1,2],"unit":["m",""]}}}
//	{"id":"a_2","source":"a","query":"…","tools":[…],"expect":{"abstain":true}}
//
// A tool is a server's name beside the Tool object of the MCP specification,
// which may have members that are not known here; nothing else may. The
// error names the file and the line.
func Read(path string) ([]Case, error) { return eval.ReadCases(path, parseCase) }

// Parse is Read for what is not a file; name stands for its path in errors.
func Parse(name string, from io.Reader) ([]Case, error) {
	return eval.ParseCases(name, from, parseCase)
}

func parseCase(line []byte) (id string, c Case, err error) {
	var row struct {
		ID     string           `json:"id"`
		Source string           `json:"source"`
		Query  string           `json:"query"`
		Tools  []jsontext.Value `json:"tools"`
		Expect Expect           `json:"expect"`
	}
	if err := schema.Decode(line, &row, eval.RowLimits()); err != nil {
		return "", c, err
	}
	switch {
	case row.Source == "":
		return "", c, errors.New("a row without a source")
	case row.Tools == nil:
		return "", c, errors.New("a row without tools")
	}
	c = Case{ID: row.ID, Source: row.Source, Query: row.Query, Expect: row.Expect}
	for _, raw := range row.Tools {
		d, err := parseTool(raw)
		if err != nil {
			return "", c, err
		}
		c.Tools = append(c.Tools, d)
	}
	return c.ID, c, c.check()
}

// parseTool reads whose tool it is. What is wrong with the rest is for the
// catalog to find, as it would in a server's listing.
func parseTool(raw jsontext.Value) (pin.Descriptor, error) {
	var t struct {
		Server string `json:"server"`
	}
	if err := schema.DecodeOpen(raw, &t, eval.RowLimits()); err != nil {
		return pin.Descriptor{}, fmt.Errorf("a tool is %w", err)
	}
	if !guard.Name(t.Server) {
		return pin.Descriptor{}, fmt.Errorf("a tool's server %.100q has characters outside A-Z a-z 0-9 _ . -, or is none", t.Server)
	}
	return pin.Descriptor{Server: t.Server, Raw: raw}, nil
}

// check refuses rows that could not be judged: a planner would be measured by
// somebody's slip of the pen.
func (c Case) check() error {
	if _, err := c.question(); err != nil {
		return fmt.Errorf("no planner would be asked the query: %w", err)
	}
	e := c.Expect
	if e.Abstain {
		if e.Tool != "" || e.Args != nil {
			return errors.New("expect has both abstain and a call")
		}
		return nil
	}
	if e.Tool == "" || e.Args == nil {
		return errors.New(`expect is neither {"tool","args"} nor {"abstain":true}`)
	}
	for name, values := range e.Args {
		if values == nil {
			return fmt.Errorf("expect lists no values of the argument %.100q", name)
		}
	}
	switch n := len(c.servers(e.Tool)); {
	case n == 0:
		return fmt.Errorf("expect names %.100q, which is none of the tools", e.Tool)
	case n > 1:
		return fmt.Errorf("expect names %.100q, which %d of the tools are called", e.Tool, n)
	}
	return nil
}

// servers are those of the tools of a name.
func (c Case) servers(tool string) []string {
	var list []string
	for _, d := range c.Tools {
		if f, err := d.Fields(); f.Name == tool && err == nil {
			list = append(list, d.Server)
		}
	}
	return list
}

// Catalog admits the row's tools as a run would, each of them allowed.
func (c Case) Catalog() (catalog.Catalog, error) {
	allowed := map[string][]string{}
	listed := map[string][]pin.Descriptor{}
	for _, d := range c.Tools {
		listed[d.Server] = append(listed[d.Server], d)
		f, err := d.Fields()
		if err == nil && guard.Name(f.Name) && !slices.Contains(allowed[d.Server], f.Name) {
			allowed[d.Server] = append(allowed[d.Server], f.Name)
		}
	}
	b, err := json.Marshal(allowed)
	if err != nil {
		return catalog.Catalog{}, err
	}
	allow, err := catalog.ParseAllowlist(b)
	if err != nil {
		return catalog.Catalog{}, err
	}
	var listings []catalog.Listing
	for server, tools := range listed {
		listings = append(listings, catalog.Listing{Server: server, Tools: tools})
	}
	return catalog.Admit(listings, allow, catalog.Options{}), nil
}

// lax admits every well-formed question: what is measured here is the planner,
// not the rules of the input gate. No boundary stands between two letters.
var lax = sync.OnceValues(func() (input.Rules, error) {
	return input.ParseRules([]byte(`{"builtin":false,"rules":[{"id":"never","category":"none","pattern":"a\\ba","reason":"matches nothing"}]}`))
})

func (c Case) question() (input.Query, error) {
	rules, err := lax()
	if err != nil {
		return input.Query{}, err
	}
	return input.Admit(input.Asked{Words: c.Query}, rules)
}
