package planning

import (
	"cmp"
	"maps"
	"os"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Ask is a case for a planner that may also suggest. Its source is the kind of the
// question.
type Ask struct {
	Case
	Also    []Expect `json:",omitzero"` // calls as right as the expected one; or, without one, as each other
	Missing []string `json:",omitzero"` // parameters that the question does not state
}

// FromCases returns the cases of the planner's suite as asks.
func FromCases(c eval.Cases[Case]) (asks eval.Cases[Ask]) {
	asks.Reading = c.Reading
	for _, one := range c.List {
		asks.List = append(asks.List, Ask{Case: one})
	}
	return asks
}

// ReadAsks reads a file of lines such as
//
//	{"id":"a","kind":"read","question":"…","call":{"tool":"server/tool","arguments":{…}},"also":[…],"missing":["name"],"forbidden":"server/tool"}
//
// A call is null where none is right. The tools are those of another file,
//
//	{"servers":{"server":{"tools":[{"name":"t",…}]}},"allowlist":{…}}
func ReadAsks(path, tools string) (eval.Cases[Ask], error) {
	shared, err := readTools(tools)
	if err != nil {
		return eval.Cases[Ask]{}, err
	}
	return eval.ReadCases(shared.parse, path)
}

// toolsLimits bound a file of tools.
var toolsLimits = schema.Limits{Bytes: 4 << 20, Depth: 64, Values: 200_000, Exponent: 308, Digits: 64}

func readTools(path string) (c Case, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return c, verdict.Fail(verdict.EvalCases, err, "the tools cannot be read: %v", err)
	}
	var file struct {
		Servers map[string]struct {
			Tools []map[string]jsontext.Value `json:"tools"`
		} `json:"servers"`
		Allowlist jsontext.Value `json:"allowlist"`
	}
	if err := schema.DecodeOpen(b, &file, toolsLimits); err != nil {
		return c, verdict.Fail(verdict.EvalCases, err, "%s has %v", path, err)
	}
	if _, err := catalog.ParseAllowlist(file.Allowlist); err != nil {
		return c, err
	}
	c.Allowlist = file.Allowlist
	for _, server := range slices.Sorted(maps.Keys(file.Servers)) {
		for _, t := range file.Servers[server].Tools {
			t["server"] = eval.Data(server)
			raw, err := json.Marshal(t, json.Deterministic(true))
			if err != nil {
				return c, err
			}
			d, err := parseTool(raw)
			if err != nil {
				return c, verdict.Fail(verdict.EvalCases, err, "%s: %v", path, err)
			}
			c.Tools = append(c.Tools, d)
		}
	}
	return c.share(), nil
}

// writtenCall is a call in the form of a row. The server may be part of the tool's
// name or separate.
type writtenCall struct {
	Server    string                    `json:"server"`
	Tool      string                    `json:"tool"`
	Arguments map[string]jsontext.Value `json:"arguments"`
}

func (w *writtenCall) expect() Expect {
	if w == nil {
		return Expect{Abstain: true}
	}
	server, tool := splitTool(w.Tool)
	e := Expect{Server: cmp.Or(w.Server, server), Tool: tool, Args: map[string][]jsontext.Value{}}
	for name, v := range w.Arguments {
		e.Args[name] = []jsontext.Value{v}
	}
	return e
}

func (c Case) parse(l *eval.Line) (id string, a Ask, err error) {
	row, err := eval.Decode[struct {
		ID        string        `json:"id"`
		Kind      string        `json:"kind"`
		Question  string        `json:"question"`
		Call      *writtenCall  `json:"call"`
		Also      []writtenCall `json:"also"`
		Missing   []string      `json:"missing"`
		Forbidden string        `json:"forbidden"`
	}](l)
	if err != nil {
		return "", Ask{}, err
	}
	c.ID, c.Source, c.Query, c.Expect = row.ID, cmp.Or(row.Kind, "no kind"), row.Question, row.Call.expect()
	a = Ask{Case: c, Missing: row.Missing}
	for i := range row.Also {
		a.Also = append(a.Also, row.Also[i].expect())
	}
	return row.ID, a, c.check()
}
