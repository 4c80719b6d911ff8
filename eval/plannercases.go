package eval

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// PlannerCase is one question, the tools there are for it, and the plans that
// are right.
type PlannerCase struct {
	ID     string
	Source string // where the row is from; figures are given by source
	Query  string
	Tools  []pin.Descriptor
	Expect PlannerExpect
}

// PlannerExpect is a call, or that there is none to make.
type PlannerExpect struct {
	Tool string `json:"tool,omitzero"`
	// Args gives the acceptable values of each argument; "" among them says
	// that the argument may be left out, an empty list that it must be.
	Args    map[string][]jsontext.Value `json:"args,omitzero"`
	Abstain bool                        `json:"abstain,omitzero"`
}

// ReadPlannerCases reads a file of lines such as
//
//	{"id":"a_1","source":"a","query":"…","tools":[{"server":"s","name":"t",…}],"expect":{"tool":"t","args":{"n":[1,2],"unit":["m",""]}}}
//	{"id":"a_2","source":"a","query":"…","tools":[…],"expect":{"abstain":true}}
//
// A tool is a server's name beside the Tool object of the MCP specification,
// which may have members that are not known here; nothing else may. The
// error names the file and the line.
func ReadPlannerCases(path string) ([]PlannerCase, error) {
	var list plannerList
	if err := readFile(path, list.add); err != nil {
		return nil, err
	}
	return list.cases, nil
}

// ParsePlannerCases is ReadPlannerCases for what is not a file; name stands
// for its path in errors.
func ParsePlannerCases(name string, from io.Reader) ([]PlannerCase, error) {
	var list plannerList
	if err := readRows(name, from, list.add); err != nil {
		return nil, err
	}
	return list.cases, nil
}

type plannerList struct {
	cases []PlannerCase
	lines map[string]int // of the ids
}

func (l *plannerList) add(line []byte) error {
	c, err := parsePlannerCase(line)
	if err != nil {
		return err
	}
	if first := l.lines[c.ID]; first > 0 {
		return fmt.Errorf("the id %.100q stands in line %d already", c.ID, first)
	}
	if l.lines == nil {
		l.lines = map[string]int{}
	}
	l.cases = append(l.cases, c)
	l.lines[c.ID] = len(l.cases)
	return nil
}

func parsePlannerCase(line []byte) (PlannerCase, error) {
	var row struct {
		ID     string           `json:"id"`
		Source string           `json:"source"`
		Query  string           `json:"query"`
		Tools  []jsontext.Value `json:"tools"`
		Expect PlannerExpect    `json:"expect"`
	}
	if len(line) == 0 {
		return PlannerCase{}, errors.New("an empty line")
	}
	if err := schema.Decode(line, &row, rowLimits); err != nil {
		return PlannerCase{}, err
	}
	switch "" {
	case row.ID:
		return PlannerCase{}, errors.New("a row without an id")
	case row.Source:
		return PlannerCase{}, errors.New("a row without a source")
	}
	if row.Tools == nil {
		return PlannerCase{}, errors.New("a row without tools")
	}
	c := PlannerCase{ID: row.ID, Source: row.Source, Query: row.Query, Expect: row.Expect}
	for _, raw := range row.Tools {
		d, err := parseTool(raw)
		if err != nil {
			return PlannerCase{}, err
		}
		c.Tools = append(c.Tools, d)
	}
	return c, c.check()
}

// parseTool reads whose tool it is. What is wrong with the rest is for the
// catalog to find, as it would in a server's listing.
func parseTool(raw jsontext.Value) (pin.Descriptor, error) {
	var t struct {
		Server string `json:"server"`
	}
	if err := schema.DecodeOpen(raw, &t, rowLimits); err != nil {
		return pin.Descriptor{}, fmt.Errorf("a tool is %w", err)
	}
	if !guard.Name(t.Server) {
		return pin.Descriptor{}, fmt.Errorf("a tool's server %.100q has characters outside A-Z a-z 0-9 _ . -, or is none", t.Server)
	}
	return pin.Descriptor{Server: t.Server, Raw: raw}, nil
}

// check refuses rows that could not be judged: a planner would be measured by
// somebody's slip of the pen.
func (c PlannerCase) check() error {
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
func (c PlannerCase) servers(tool string) []string {
	var list []string
	for _, d := range c.Tools {
		if f, err := d.Fields(); f.Name == tool && err == nil {
			list = append(list, d.Server)
		}
	}
	return list
}

// Half is the half that the row belongs to, or "" where its id ends in no number.
func (c PlannerCase) Half() string { return TensHalf(c.ID) }

// Catalog admits the row's tools as a run would, each of them allowed.
func (c PlannerCase) Catalog() (catalog.Catalog, error) {
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

func (c PlannerCase) question() (input.Query, error) {
	rules, err := lax()
	if err != nil {
		return input.Query{}, err
	}
	return input.Admit(c.Query, "", rules)
}
