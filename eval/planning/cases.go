package planning

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Case is one question, the tools there are for it, and the plans that
// are right.
type Case struct {
	ID     string
	Source string // where the row is from; figures are given by source
	Query  string
	Tools  []pin.Descriptor
	Expect Expect
	// Allowlist is the operator's own, where the row has one.
	Allowlist jsontext.Value `json:",omitzero"`
	// Unhinted says what a tool counts as of which neither the row nor the tool
	// says whether it reads.
	Unhinted Unhinted `json:",omitzero"`
	// Unasked is why no planner is asked, or "".
	Unasked string `json:",omitzero"`
}

// Expect is a call, or that there is none to make.
type Expect struct {
	Server string `json:"server,omitzero"` // needed where several servers have such a tool
	Tool   string `json:"tool,omitzero"`
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
// A tool is a server's name, and optionally its "effect", next to the Tool
// object of the MCP specification, which may have members that are not known
// here. A row may have an "allowlist". Nothing else may be in a row: one that
// is not of this shape is kept as a case that is not asked. An error is of a
// file that cannot be read, or in which no row can be asked.
func Read(path string) ([]Case, error) {
	var r reader
	return r.cases(path, eval.ReadRows(path, r.add))
}

// Parse is Read for what is not a file; name stands for its path in errors.
func Parse(name string, from io.Reader) ([]Case, error) {
	var r reader
	return r.cases(name, eval.ParseRows(name, from, r.add))
}

// reader collects the cases of a file.
type reader struct {
	list  []Case
	lines []int
}

// add takes any line: a row that was passed over would be missing from every
// figure, and one that stopped the others would cost them theirs.
func (r *reader) add(line int, row []byte) error {
	c, err := parseCase(row)
	if err != nil {
		c.Unasked, c.Source = err.Error(), cmp.Or(c.Source, "no source")
	}
	r.list, r.lines = append(r.list, c), append(r.lines, line)
	return nil
}

func (r *reader) cases(name string, err error) ([]Case, error) {
	if err != nil {
		return nil, err
	}
	r.distinguish()
	asked := func(c Case) bool { return c.Unasked == "" }
	if !slices.ContainsFunc(r.list, asked) {
		return nil, verdict.Fail(verdict.EvalCases, nil, "%s holds no row that can be asked: line %d: %s", name, r.lines[0], r.list[0].Unasked)
	}
	if slices.ContainsFunc(r.list, Case.hinted) {
		return r.list, nil
	}
	return CallUnhinted(r.list, Reading), nil
}

// distinguish gives every case an id of its own: the line's, where the row has
// none or another one's.
func (r *reader) distinguish() {
	first := map[string]int{}
	for i, c := range r.list {
		if _, taken := first[c.ID]; c.ID != "" && !taken {
			first[c.ID] = i
		}
	}
	for i := range r.list {
		c := &r.list[i]
		if at, has := first[c.ID]; has && at == i {
			continue
		} else if has {
			c.Unasked = fmt.Sprintf("the id %.100q is in line %d already", c.ID, r.lines[at])
		}
		c.ID = fmt.Sprintf("line %d", r.lines[i])
		for _, taken := first[c.ID]; taken; _, taken = first[c.ID] {
			c.ID += "'"
		}
		first[c.ID] = i
	}
}

func parseCase(line []byte) (c Case, err error) {
	var row struct {
		ID        string           `json:"id"`
		Source    string           `json:"source"`
		Query     string           `json:"query"`
		Tools     []jsontext.Value `json:"tools"`
		Expect    Expect           `json:"expect"`
		Allowlist jsontext.Value   `json:"allowlist"`
	}
	if err := schema.Decode(line, &row, eval.RowLimits()); err != nil {
		return named(line), err
	}
	c = Case{ID: row.ID, Source: row.Source, Query: row.Query, Expect: row.Expect, Allowlist: row.Allowlist}
	switch {
	case row.ID == "":
		return c, errors.New("a case without an id")
	case row.Source == "":
		return c, errors.New("a row without a source")
	case row.Tools == nil:
		return c, errors.New("a row without tools")
	}
	for _, raw := range row.Tools {
		d, err := parseTool(raw)
		if err != nil {
			return c, err
		}
		c.Tools = append(c.Tools, d)
	}
	return c, c.check()
}

// named is what can be said of a row that is not of the shape: whose it is.
func named(line []byte) Case {
	var row struct {
		ID     string `json:"id"`
		Source string `json:"source"`
	}
	if schema.DecodeOpen(line, &row, eval.RowLimits()) != nil {
		return Case{}
	}
	return Case{ID: row.ID, Source: row.Source}
}

// parseTool reads whose tool it is. What is wrong with the rest is for the
// catalog to find, as it would in a server's listing.
func parseTool(raw jsontext.Value) (pin.Descriptor, error) {
	var t struct {
		Server string  `json:"server"`
		Effect *string `json:"effect"`
	}
	if err := schema.DecodeOpen(raw, &t, eval.RowLimits()); err != nil {
		return pin.Descriptor{}, fmt.Errorf("a tool is %w", err)
	}
	switch {
	case !guard.Name(t.Server):
		return pin.Descriptor{}, fmt.Errorf("a tool's server %.100q has characters outside A-Z a-z 0-9 _ . -, or is none", t.Server)
	case t.Effect != nil && *t.Effect != "read" && *t.Effect != "write":
		return pin.Descriptor{}, fmt.Errorf("a tool's effect %.100q is neither read nor write", *t.Effect)
	}
	return pin.Descriptor{Server: t.Server, Raw: raw}, nil
}

// check refuses rows that could not be judged: a planner would be measured by
// somebody's slip of the pen.
func (c Case) check() error {
	if _, err := c.question(); err != nil {
		return fmt.Errorf("no planner would be asked the query: %w", err)
	}
	if c.Allowlist != nil {
		if _, err := catalog.ParseAllowlist(c.Allowlist); err != nil {
			return err
		}
	}
	if err := c.Expect.check(); err != nil || c.Expect.Abstain {
		return err
	}
	e := c.Expect
	switch servers := c.servers(e.Tool); {
	case e.Server != "" && !slices.Contains(servers, e.Server):
		return fmt.Errorf("expect names %.100q of the server %.100q, which is none of the tools", e.Tool, e.Server)
	case len(servers) == 0:
		return fmt.Errorf("expect names %.100q, which is none of the tools", e.Tool)
	case e.Server == "" && len(servers) > 1:
		return fmt.Errorf("expect names %.100q, which %d of the tools are called (%s), and no server", e.Tool, len(servers), strings.Join(servers, ", "))
	}
	return nil
}

func (e Expect) check() error {
	switch {
	case e.Abstain && (e.Server != "" || e.Tool != "" || e.Args != nil):
		return errors.New("expect has both abstain and a call")
	case !e.Abstain && (e.Tool == "" || e.Args == nil):
		return errors.New(`expect is neither {"tool","args"} nor {"abstain":true}`)
	}
	for name, values := range e.Args {
		if values == nil {
			return fmt.Errorf("expect lists no values of the argument %.100q", name)
		}
	}
	return nil
}

// call is the server and the tool that are expected.
func (c Case) call() (server, tool string) {
	e := c.Expect
	if servers := c.servers(e.Tool); e.Server == "" && len(servers) == 1 {
		return servers[0], e.Tool
	}
	return e.Server, e.Tool
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
