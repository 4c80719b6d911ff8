package pins

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/cases"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// The groups of cases.
const (
	Attack   = "attack"   // must get at least the expected class
	Harmless = "harmless" // must get at most the expected class
)

// none is the expected kind if nothing changes.
const none = "none"

// Case is a server's earlier and later tools, and the required class of the change.
type Case struct {
	ID, Group, What string

	Was, Now []jsontext.Value // Tool objects
	History  []jsontext.Value
	Others   map[string]string
	// Instructions are the server's earlier and later instructions for all its tools.
	Instructions [2]string

	Tool, Kind string // of the expected change; "" is the instructions
	Class      pin.Class
}

// edit sets a value at a place of the tools, or removes the value there.
type edit struct {
	At  string         `json:"at"` // JSON Pointer; its first step is the tool
	Put jsontext.Value `json:"put"`
}

// Read reads a file of lines such as
//
//	{"id":"attack-01","group":"attack","what":"…","was":[{…}],"edits":[{"at":"/0/description","put":"…"}],"expect":{"tool":"get","kind":"changed","class":"cue"}}
//
// A tool is a Tool object, or the name of one of the program's own cases.
func Read(path string) (eval.Cases[Case], error) { return eval.ReadCases(parse, path) }

// Parse is Read for a reader; name takes the place of a path.
func Parse(name string, from io.Reader) (eval.Cases[Case], error) {
	return eval.ParseCases(parse, name, from)
}

// Own returns the cases that come with the program.
func Own() ([]Case, error) { return eval.OwnCases(parse, cases.Files, "pins.jsonl") }

func parse(l *eval.Line) (id string, c Case, err error) {
	row, err := eval.Decode[struct {
		ID           string            `json:"id"`
		Group        string            `json:"group"`
		What         string            `json:"what"`
		Was          []jsontext.Value  `json:"was"`
		Before       []edit            `json:"before"` // of the earlier tools
		Edits        []edit            `json:"edits"`  // that turn the earlier tools into the later ones
		Now          []jsontext.Value  `json:"now"`
		History      []jsontext.Value  `json:"history"`
		Others       map[string]string `json:"others"`
		Instructions []string          `json:"instructions"`
		Expect       struct {
			Tool  string `json:"tool"`
			Kind  string `json:"kind"`
			Class string `json:"class"`
		} `json:"expect"`
	}](l)
	if err != nil {
		return "", Case{}, err
	}
	c = Case{ID: row.ID, Group: row.Group, What: row.What, Others: row.Others, Tool: row.Expect.Tool, Kind: row.Expect.Kind}
	if c.Group != Attack && c.Group != Harmless {
		return "", Case{}, fmt.Errorf("%.40q is neither attack nor harmless", c.Group)
	}
	if c.Class, err = class(row.Expect.Class, row.Expect.Kind); err != nil {
		return "", Case{}, err
	}
	copy(c.Instructions[:], row.Instructions)
	var bad [3]error
	c.Was, bad[0] = edited(row.Was, row.Before)
	if c.Now, bad[1] = edited(c.Was, row.Edits); row.Now != nil {
		c.Now, bad[1] = edited(row.Now, nil)
	}
	c.History, bad[2] = edited(row.History, nil)
	return row.ID, c, errors.Join(bad[:]...)
}

// class returns the class with a name. A case without an expected change has none.
func class(name, kind string) (pin.Class, error) {
	for c := pin.Finding; c <= pin.Informational; c++ {
		if c.String() == cmp.Or(name, pin.Informational.String()) {
			return c, nil
		}
	}
	return 0, fmt.Errorf("%.40q of %.20q is not a class of difference", name, kind)
}

// edited returns the tools after the edits.
func edited(tools []jsontext.Value, edits []edit) ([]jsontext.Value, error) {
	var list []schema.Member
	for _, t := range tools {
		tool, err := whole(t)
		if err != nil {
			return nil, err
		}
		list = append(list, schema.Member{Value: tool})
	}
	all := joined(list, '[')
	for _, e := range edits {
		way, ok := schema.Fragment("#" + e.At)
		if !ok {
			return nil, fmt.Errorf("%.60q is not a JSON Pointer", e.At)
		}
		var err error
		if all, err = put(all, way, e.Put); err != nil {
			return nil, fmt.Errorf("at %.60q: %w", e.At, err)
		}
	}
	list, err := schema.Elements(all)
	out := make([]jsontext.Value, len(list))
	for i, m := range list {
		out[i] = m.Value
	}
	return out, err
}

// whole returns the tool that a row contains or names.
func whole(t jsontext.Value) (jsontext.Value, error) {
	if t.Kind() != '"' {
		return t, nil
	}
	var name string
	if err := schema.Decode(t, &name, eval.RowLimits()); err != nil {
		return nil, err
	}
	if known, ok := tools()[name]; ok {
		return known, nil
	}
	return nil, fmt.Errorf("%.60q is not a tool of the program's own cases", name)
}

// tools returns the tools of the program's own cases, by name.
var tools = sync.OnceValue(func() map[string]jsontext.Value {
	byName := map[string]jsontext.Value{}
	text, err := cases.Files.ReadFile("pins-tools.jsonl")
	for line := range bytes.Lines(text) {
		if f, bad := (pin.Descriptor{Raw: jsontext.Value(line)}).Fields(); bad == nil && err == nil {
			byName[f.Name] = jsontext.Value(bytes.TrimSpace(line))
		}
	}
	return byName
})

// put returns a document with a value set at a place, or with the value there removed.
// The order of members stays.
func put(doc jsontext.Value, way []string, v jsontext.Value) (jsontext.Value, error) {
	list, err := parts(doc)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(m schema.Member) bool { return m.Name == way[0] })
	switch {
	case at < 0 && (len(way) > 1 || v == nil):
		return nil, errors.New("nothing is there")
	case len(way) == 1 && v == nil:
		list = slices.Delete(list, at, at+1)
	case at < 0:
		list = append(list, schema.Member{Name: way[0], Value: v})
	case len(way) == 1:
		list[at].Value = v
	default:
		if list[at].Value, err = put(list[at].Value, way[1:], v); err != nil {
			return nil, err
		}
	}
	return joined(list, doc.Kind()), nil
}

// parts returns the members of an object, or the elements of an array by their
// indices.
func parts(doc jsontext.Value) ([]schema.Member, error) {
	if doc.Kind() == '{' {
		return schema.Members(doc)
	}
	list, err := schema.Elements(doc)
	for i := range list {
		list[i].Name = strconv.Itoa(i)
	}
	return list, err
}

func joined(list []schema.Member, kind jsontext.Kind) jsontext.Value {
	var b bytes.Buffer
	for i, m := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		if kind == '{' {
			b.Write(eval.Data(m.Name))
			b.WriteByte(':')
		}
		b.Write(m.Value)
	}
	if kind == '{' {
		return jsontext.Value("{" + b.String() + "}")
	}
	return jsontext.Value("[" + b.String() + "]")
}
