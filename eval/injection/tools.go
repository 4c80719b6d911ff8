package injection

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/schema"
)

// Tool is a tool as a server lists it.
type Tool struct {
	Server      string         `json:"server"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	InputSchema jsontext.Value `json:"inputSchema"`
}

func (t Tool) is(other Tool) bool { return t.Server == other.Server && t.Name == other.Name }

// Tools are the tools that cases name. The zero value holds none.
type Tools struct {
	byKey  map[string]Tool
	byName map[[2]string]Tool
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
// and of nothing else. The error names the file and the line.
func ReadTools(path string) (Tools, error) {
	return collect(func(parse func([]byte) (string, Tool, error)) error {
		_, err := eval.ReadCases(path, parse)
		return err
	})
}

// ParseTools is ReadTools for what is not a file; name stands for its path in
// errors.
func ParseTools(name string, from io.Reader) (Tools, error) {
	return collect(func(parse func([]byte) (string, Tool, error)) error {
		_, err := eval.ParseCases(name, from, parse)
		return err
	})
}

func collect(read func(parse func(line []byte) (string, Tool, error)) error) (Tools, error) {
	all := Tools{byKey: map[string]Tool{}, byName: map[[2]string]Tool{}}
	if err := read(all.add); err != nil {
		return Tools{}, err
	}
	return all, nil
}

func (t Tools) add(line []byte) (key string, _ Tool, err error) {
	var r struct {
		Key string `json:"key"`
		Tool
	}
	if err := schema.Decode(line, &r, eval.RowLimits()); err != nil {
		return "", Tool{}, err
	}
	name := [2]string{r.Server, r.Name}
	switch _, twice := t.byName[name]; {
	case r.Key == "":
		return "", Tool{}, errors.New("a tool without a key")
	case r.Server == "" || r.Name == "":
		return "", Tool{}, errors.New("a tool without a server or a name")
	case r.InputSchema.Kind() != '{':
		return "", Tool{}, errors.New("a tool without an inputSchema")
	case twice:
		return "", Tool{}, fmt.Errorf("the tool %.60s of %.60s stands there already", r.Name, r.Server)
	}
	t.byKey[r.Key], t.byName[name] = r.Tool, r.Tool
	return r.Key, r.Tool, nil
}
