package lock

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/cases"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// Case is a question with a right and a wrong call, or with one call. The question
// plainly asks for that one call, or does not.
type Case struct {
	ID, Question, Kind string
	Server             string
	Tool               jsontext.Value // Tool object
	Reads              bool           // by the operator's setting
	Right, Wrong       jsontext.Value // arguments
	Plan               jsontext.Value // arguments of the one call
	Asked              bool
}

// Swap is a kind of fault with separate figures: two values of the question in each
// other's place.
const Swap = "swap"

// Read reads a file of lines such as
//
//	{"id":"a","question":"Close it in 2 hours","tool":"s/t","effect":"write","right":{"minutes":120},"wrong":{"minutes":2},"fault":{"pointer":"/minutes","kind":"unit"}}
//	{"id":"b","question":"Do not close INC1","tool":"s/t","effect":"write","plan":{"id":"INC1"},"asked":false,"kind":"negated"}
//
// A row may have the descriptor of its tool, a Tool object; else the tool is one of
// the program's own cases.
func Read(path string) (eval.Cases[Case], error) { return eval.ReadCases(parse, path) }

// Parse is Read for a reader; name takes the place of a path.
func Parse(name string, from io.Reader) (eval.Cases[Case], error) {
	return eval.ParseCases(parse, name, from)
}

// Own returns the cases that come with the program.
func Own() ([]Case, error) { return eval.OwnCases(parse, cases.Files, "lock.jsonl") }

func parse(l *eval.Line) (id string, c Case, err error) {
	row, err := eval.Decode[struct {
		ID         string         `json:"id"`
		Question   string         `json:"question"`
		Tool       string         `json:"tool"`
		Descriptor jsontext.Value `json:"descriptor"`
		Effect     string         `json:"effect"`
		Right      jsontext.Value `json:"right"`
		Wrong      jsontext.Value `json:"wrong"`
		Fault      struct {
			Pointer string `json:"pointer"` // for readers
			Kind    string `json:"kind"`
		} `json:"fault"`
		Plan  jsontext.Value `json:"plan"`
		Asked *bool          `json:"asked"`
		Kind  string         `json:"kind"`
	}](l)
	if err != nil {
		return "", Case{}, err
	}
	server, name, _ := strings.Cut(row.Tool, "/")
	c = Case{
		ID: row.ID, Question: row.Question, Kind: cmp.Or(row.Fault.Kind, row.Kind), Server: server, Tool: row.Descriptor, Reads: row.Effect == "read",
		Right: row.Right, Wrong: row.Wrong, Plan: row.Plan, Asked: row.Asked != nil && *row.Asked,
	}
	if c.Tool == nil {
		c.Tool = tools()[row.Tool]
	}
	about, err := pin.Descriptor{Raw: c.Tool}.Fields()
	_, refused := input.Admit(input.Asked{Words: c.Question}, input.BuiltIn())
	switch {
	case refused != nil:
		return "", Case{}, refused // no call of it reaches the lock
	case c.Tool == nil || err != nil || about.Name != name:
		return "", Case{}, fmt.Errorf("%.60q has no descriptor of that name", row.Tool)
	case !c.Reads && row.Effect != "write" && row.Effect != "change":
		return "", Case{}, fmt.Errorf("the effect %.20q is neither read, write nor change", row.Effect)
	case (c.Right == nil) != (c.Wrong == nil), (c.Right == nil) == (c.Plan == nil), (c.Plan == nil) != (row.Asked == nil):
		return "", Case{}, errors.New("a row has a right call and a wrong one, or a plan that is asked or not")
	}
	return row.ID, c, nil
}

// tools returns the tools of the program's own cases, by server and name.
var tools = sync.OnceValue(func() map[string]jsontext.Value {
	all := map[string]jsontext.Value{}
	b, err := cases.Files.ReadFile("asks-tools.json")
	var file struct {
		Servers map[string]struct {
			Tools []jsontext.Value `json:"tools"`
		} `json:"servers"`
	}
	if err != nil || schema.DecodeOpen(b, &file, eval.RowLimits()) != nil {
		return all
	}
	for server, listing := range file.Servers {
		for _, tool := range listing.Tools {
			if f, err := (pin.Descriptor{Raw: tool}).Fields(); err == nil {
				all[server+"/"+f.Name] = tool
			}
		}
	}
	return all
})
