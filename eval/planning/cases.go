package planning

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// Case is one question, the tools for it, and the right plans.
type Case struct {
	ID     string
	Source string // the origin of the row; figures are given by source
	Query  string
	Tools  []pin.Descriptor
	Expect Expect
	// Allowlist is the operator's own, if the row has one.
	Allowlist jsontext.Value `json:",omitzero"`
	// Unhinted is the assumed effect of a tool if neither the row nor the tool states
	// one.
	Unhinted Unhinted `json:",omitzero"`
	shared   *shared
}

// shared is what cases of the same tools need not read again.
type shared struct {
	servers map[string][]string // by the name of a tool
	catalog func() (catalog.Catalog, error)
}

// share reads the tools of a case once, for all that are made from it.
func (c Case) share() Case {
	alone, known := c, shared{servers: map[string][]string{}}
	for _, d := range c.Tools {
		if f, err := d.Fields(); err == nil {
			known.servers[f.Name] = append(known.servers[f.Name], d.Server)
		}
	}
	known.catalog = sync.OnceValues(alone.Catalog)
	c.shared = &known
	return c
}

// Expect is the expected call, or that no call is right.
type Expect struct {
	Server string `json:"server,omitzero"` // needed if several servers have such a tool
	Tool   string `json:"tool,omitzero"`
	// Args lists the acceptable values of each argument. "" in a list allows the
	// argument to be absent; an empty list requires it.
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
// here. A row may have an "allowlist".
func Read(path string) (eval.Cases[Case], error) {
	return hinted(eval.ReadCases(parseCase, path))
}

// Parse is Read for a reader; name takes the place of a path.
func Parse(name string, from io.Reader) (eval.Cases[Case], error) {
	return hinted(eval.ParseCases(parseCase, name, from))
}

// hinted lets every tool count as reading if no case states any effect.
func hinted(c eval.Cases[Case], err error) (eval.Cases[Case], error) {
	if !slices.ContainsFunc(c.List, Case.hinted) {
		c.List = CallUnhinted(c.List, Reading)
	}
	return c, err
}

func parseCase(l *eval.Line) (id string, c Case, err error) {
	row, err := eval.Decode[struct {
		ID        string           `json:"id"`
		Source    string           `json:"source"`
		Query     string           `json:"query"`
		Tools     []jsontext.Value `json:"tools"`
		Expect    Expect           `json:"expect"`
		Allowlist jsontext.Value   `json:"allowlist"`
	}](l)
	switch {
	case err != nil:
		return "", Case{}, err
	case row.Tools == nil:
		return "", Case{}, errors.New("a row without tools")
	}
	c = Case{ID: row.ID, Source: cmp.Or(row.Source, "no source"), Query: row.Query, Expect: row.Expect, Allowlist: row.Allowlist}
	for _, raw := range row.Tools {
		d, err := parseTool(raw)
		if err != nil {
			return "", Case{}, err
		}
		c.Tools = append(c.Tools, d)
	}
	return row.ID, c, c.check()
}

// parseTool reads the server of a tool. The catalog finds other faults, as in a
// server's listing.
func parseTool(raw jsontext.Value) (pin.Descriptor, error) {
	var t struct {
		Server string  `json:"server"`
		Effect *string `json:"effect"`
	}
	if err := schema.DecodeOpen(raw, &t, eval.RowLimits()); err != nil {
		return pin.Descriptor{}, fmt.Errorf("a tool is %w", err)
	}
	switch {
	case !escape.Name(t.Server):
		return pin.Descriptor{}, fmt.Errorf("a tool's server %.100q has characters outside A-Z a-z 0-9 _ . -, or is none", t.Server)
	case t.Effect != nil && *t.Effect != "read" && *t.Effect != "write":
		return pin.Descriptor{}, fmt.Errorf("a tool's effect %.100q is neither read nor write", *t.Effect)
	}
	return pin.Descriptor{Server: t.Server, Raw: raw}, nil
}

// check refuses rows that cannot be judged: a slip in a row must not count against a
// planner.
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
	switch called := e.Server+e.Tool != "" || e.Args != nil; {
	case e.Abstain && called:
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

// call returns the expected server and tool.
func (c Case) call() (server, tool string) {
	e := c.Expect
	if servers := c.servers(e.Tool); e.Server == "" && len(servers) == 1 {
		return servers[0], e.Tool
	}
	return e.Server, e.Tool
}

// servers returns the servers that have a tool with this name.
func (c Case) servers(tool string) []string {
	if c.shared != nil {
		return c.shared.servers[tool]
	}
	var list []string
	for _, d := range c.Tools {
		if f, err := d.Fields(); f.Name == tool && err == nil {
			list = append(list, d.Server)
		}
	}
	return list
}
