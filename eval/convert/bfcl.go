package convert

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// question is a row of `ask eval planner`.
type question struct {
	ID     string         `json:"id"`
	Source string         `json:"source"`
	Query  string         `json:"query"`
	Tools  []tool         `json:"tools"`
	Expect jsontext.Value `json:"expect"`
}

type tool struct {
	Server      string         `json:"server"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	InputSchema jsontext.Value `json:"inputSchema"`
}

// published is a line of BFCL_v4_*.json.
type published struct {
	ID       string   `json:"id"`
	Question [][]turn `json:"question"`
	Function []struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Parameters  jsontext.Value `json:"parameters"`
	} `json:"function"`
}

type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// bfcl reads questions of one user turn, and the one call that answers each. The
// questions of an irrelevance file have no call.
func bfcl(file string, text []byte, f Files) ([]jsontext.Value, error) {
	name := base(file)
	answers := map[string]jsontext.Value{}
	if !strings.Contains(name, "irrelevance") {
		if f.Answers == "" {
			f.Answers = filepath.Join(filepath.Dir(file), "possible_answer", filepath.Base(file))
		}
		var err error
		if answers, err = bfclAnswers(f.Answers); err != nil {
			return nil, err
		}
	}
	source := strings.Replace(strings.Replace(name, "BFCL_", "BFCL ", 1), "_", " ", 1) // BFCL v4 simple_python
	var rows []jsontext.Value
	for i, line := range lines(text) {
		var p published
		if err := schema.DecodeOpen(line, &p, limits); err != nil {
			return nil, entry(fmt.Sprintf("line %d", i+1), err)
		}
		q, err := p.asked()
		if err != nil {
			return nil, entry(p.ID, err)
		}
		q.Source, q.Expect = source, jsontext.Value(`{"abstain":true}`)
		if len(answers) > 0 {
			if q.Expect = answers[p.ID]; q.Expect == nil {
				return nil, entry(p.ID, errors.New("the answers have none for it"))
			}
		}
		rows = append(rows, row(q))
	}
	return rows, nil
}

// lines returns the lines that are not blank.
func lines(text []byte) [][]byte {
	var all [][]byte
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			all = append(all, line)
		}
	}
	return all
}

func (p published) asked() (question, error) {
	if len(p.Question) != 1 || len(p.Question[0]) != 1 || p.Question[0][0].Role != "user" {
		return question{}, errors.New("the question is not one turn of the user's")
	}
	q := question{ID: p.ID, Query: p.Question[0][0].Content}
	for _, f := range p.Function {
		in, err := jsonSchema(f.Parameters)
		if err != nil {
			return question{}, entry(f.Name, err)
		}
		q.Tools = append(q.Tools, tool{"bfcl", f.Name, f.Description, in})
	}
	return q, nil
}

// bfclAnswers returns the expectations of a file of answers, by id.
func bfclAnswers(file string) (map[string]jsontext.Value, error) {
	text, err := read(file)
	if err != nil {
		return nil, err
	}
	answers := map[string]jsontext.Value{}
	for i, line := range lines(text) {
		var a struct {
			ID    string                      `json:"id"`
			Truth []map[string]jsontext.Value `json:"ground_truth"`
		}
		if err := schema.DecodeOpen(line, &a, limits); err != nil {
			return nil, wrong(file, entry(fmt.Sprintf("line %d", i+1), err))
		}
		if len(a.Truth) != 1 || len(a.Truth[0]) != 1 {
			return nil, wrong(file, entry(a.ID, errors.New("the answer is not one call")))
		}
		for name, args := range a.Truth[0] {
			answers[a.ID] = row(struct {
				Tool string         `json:"tool"`
				Args jsontext.Value `json:"args"`
			}{name, args})
		}
	}
	return answers, nil
}

// types are the types of BFCL's Python functions, with their names in JSON Schema;
// "any" has none.
var types = map[string]string{
	"dict": "object", "float": "number", "tuple": "array", "any": "",
	"object": "object", "number": "number", "array": "array", "string": "string", "integer": "integer", "boolean": "boolean",
}

// jsonSchema returns a function's parameters as a JSON Schema. It uses the schema's
// names of types, and drops "optional", which is not a keyword of JSON Schema. The
// rest stays unchanged and in order.
func jsonSchema(in jsontext.Value) (jsontext.Value, error) {
	members, err := schema.Members(in)
	if err != nil {
		return nil, err
	}
	return object(members, func(m schema.Member) (jsontext.Value, error) {
		switch m.Name {
		case "optional":
			return nil, nil
		case "type":
			return typeName(m.Value)
		case "items":
			return jsonSchema(m.Value)
		case "properties":
			properties, err := schema.Members(m.Value)
			if err != nil {
				return nil, err
			}
			return object(properties, func(p schema.Member) (jsontext.Value, error) { return jsonSchema(p.Value) })
		}
		return m.Value, nil
	})
}

func typeName(v jsontext.Value) (jsontext.Value, error) {
	var name string
	if err := schema.Decode(v, &name, limits); err != nil {
		return nil, err
	}
	to, known := types[name]
	switch {
	case !known:
		return nil, fmt.Errorf("the type %.40q is not known", name)
	case to == "":
		return nil, nil
	}
	return row(to), nil
}

// object writes the members of an object again, each as become returns it, and omits
// none.
func object(members []schema.Member, become func(schema.Member) (jsontext.Value, error)) (jsontext.Value, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, m := range members {
		v, err := become(m)
		if err != nil {
			return nil, entry(m.Name, err)
		}
		if v == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(row(m.Name))
		b.WriteByte(':')
		b.Write(v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
