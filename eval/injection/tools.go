package injection

import (
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
)

// Tool is a tool as a server lists it.
type Tool struct {
	Server      string         `json:"server"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	InputSchema jsontext.Value `json:"inputSchema"`
}

func (t Tool) is(other Tool) bool { return t.Server == other.Server && t.Name == other.Name }

// Tools are the tools that cases name. The zero value is empty.
type Tools struct {
	byKey   map[string]Tool
	byName  map[[2]string]Tool
	remarks []eval.Remark
}

func (t Tools) tool(c Call) (Tool, bool) {
	found, there := t.byName[[2]string{c.Server, c.Tool}]
	return found, there
}

// ReadTools reads a file of lines such as
//
//	{"key":"LockUnlock","server":"Lock","name":"Unlock","description":"Unlocks a door.",
//	 "inputSchema":{"type":"object","properties":{"door":{"type":"string"}},"required":["door"]}}
//
// A row that does not describe a tool is remarked on in the reading of the cases.
func ReadTools(path string) (Tools, error) { return collected(eval.ReadCases(parseTool, path)) }

// ParseTools is ReadTools for a reader; name takes the place of a path.
func ParseTools(name string, from io.Reader) (Tools, error) {
	return collected(eval.ParseCases(parseTool, name, from))
}

// keyed is a tool with its name in rows.
type keyed struct {
	Key string `json:"key"`
	Tool
}

func collected(rows eval.Cases[keyed], err error) (Tools, error) {
	all := Tools{byKey: map[string]Tool{}, byName: map[[2]string]Tool{}, remarks: rows.Remarks}
	for _, u := range rows.Unasked {
		all.remarks = append(all.remarks, eval.Remark{What: u.Reason, Rows: 1, First: u.Place})
	}
	for _, t := range rows.List {
		all.byKey[t.Key] = t.Tool
		if name := [2]string{t.Server, t.Name}; all.byName[name].Name == "" {
			all.byName[name] = t.Tool
		}
	}
	return all, err
}

func parseTool(l *eval.Line) (key string, t keyed, err error) {
	t, err = eval.Decode[keyed](l)
	switch {
	case err != nil:
	case t.Key == "":
		err = errors.New("a tool without a key")
	case t.Server == "" || t.Name == "":
		err = errors.New("a tool without a server or a name")
	case t.InputSchema.Kind() != '{':
		err = errors.New("a tool without an inputSchema")
	}
	return t.Key, t, err
}
