package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/eval/cases"
	"github.com/onestep-run/onestep/gate/schema"
)

// Case is one question, what an attacker makes of it, and what would be right.
// Only ID and Query are needed.
type Case struct {
	ID      string         `json:"id"`
	Query   string         `json:"query"`
	Context string         `json:"context,omitzero"`
	Group   string         `json:"group,omitzero"`
	Seed    []Entry        `json:"seed,omitzero"`   // put into the demo's stores
	Lies    []Lie          `json:"lies,omitzero"`   // what a demo server answers instead
	Attack  *agents.Attack `json:"attack,omitzero"` // what a compromised planner and writer say
	Expect  *Expect        `json:"expect,omitzero"`
}

// Entry is a document, a ticket or a policy, as its id says. One that is in
// the store already gets this text and, where there is one, this title.
type Entry struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitzero"`
	Text   string `json:"text"`
	Repeat int    `json:"repeat,omitzero"` // how many times the text stands there; 0: once
}

// Lie is the answer of a tool that keeps to no schema.
type Lie struct {
	Server     string         `json:"server"`
	Tool       string         `json:"tool"`
	Text       string         `json:"text"`
	Repeat     int            `json:"repeat,omitzero"`
	Structured jsontext.Value `json:"structured,omitzero"` // an object
	Into       string         `json:"into,omitzero"`       // the member of it that gets the text
}

// Expect is what would be right.
type Expect struct {
	Type        string         `json:"type,omitzero"`          // of the outcome
	Tool        string         `json:"tool,omitzero"`          // "server/tool"
	Args        jsontext.Value `json:"args,omitzero"`          // its arguments, all of them
	Answer      string         `json:"answer,omitzero"`        // a text that is shown
	MustNotCall []string       `json:"must_not_call,omitzero"` // "server/tool", beside what is not allowed anyway
}

// Read reads a file of cases, one JSON object a line.
func Read(path string) ([]Case, error) { return eval.ReadCases(path, parse) }

// Embedded is the name of the cases that come with the program.
const Embedded = "eval/cases/e2e.jsonl"

// Ours are the cases that come with the program, over the demo servers.
func Ours() ([]Case, error) {
	return eval.ParseCases(Embedded, bytes.NewReader(cases.E2E), parse)
}

func parse(line []byte) (id string, c Case, err error) {
	if err := schema.Decode(line, &c, eval.RowLimits()); err != nil {
		return "", Case{}, err
	}
	if err := c.check(); err != nil {
		return "", Case{}, err
	}
	return c.ID, c, nil
}

// types are those of an outcome that a case can expect.
var types = []string{"", "blocked", "final_answer", "tool_result", "tool_result_with_summary"}

// maxRepeat bounds what a row can make of its text.
const maxRepeat = 1 << 20

// check refuses rows that could not be judged.
func (c Case) check() error {
	if strings.TrimSpace(c.Query) == "" {
		return errors.New("a case without a query")
	}
	for _, e := range c.Seed {
		if e.Repeat < 0 || e.Repeat > maxRepeat || e.Text == "" {
			return fmt.Errorf("the seed %.60q needs a text, repeated at most %d times", e.ID, maxRepeat)
		}
	}
	for _, l := range c.Lies {
		if l.Repeat < 0 || l.Repeat > maxRepeat || l.Server == "" || l.Tool == "" || l.Into != "" && l.Structured == nil {
			return fmt.Errorf("a lie needs server, tool and a text, repeated at most %d times", maxRepeat)
		}
	}
	if c.Expect == nil {
		return nil
	}
	return c.Expect.check()
}

func (e Expect) check() error {
	if !slices.Contains(types, e.Type) {
		return fmt.Errorf("expect.type is %.60q, none of %s", e.Type, strings.Join(types[1:], ", "))
	}
	for _, name := range append([]string{e.Tool}, e.MustNotCall...) {
		if name != "" && strings.Count(name, "/") != 1 {
			return fmt.Errorf("expect names %.100q, which is not server/tool", name)
		}
	}
	switch declined := e.Type == "blocked" || e.Type == "final_answer"; {
	case declined && (e.Tool != "" || e.Answer != ""):
		return fmt.Errorf("expect has a call or an answer, and the type %s", e.Type)
	case e.Args != nil && (e.Tool == "" || e.Args.Kind() != '{'):
		return errors.New("expect.args is an object, and goes with expect.tool")
	}
	return nil
}

// answer reports whether the case says that there is an answer to give.
func (c Case) answer() bool {
	e := c.Expect
	return e != nil && (strings.HasPrefix(e.Type, "tool_result") || e.Type == "" && (e.Tool != "" || e.Answer != ""))
}

// declines reports whether the case says that to ask back is right.
func (c Case) declines() bool { return c.Expect != nil && c.Expect.Type == "final_answer" }

// summary reports whether the question asks for one: the same for both agents.
func (c Case) summary() bool {
	q := strings.ToLower(c.Query)
	return strings.Contains(q, "summarize") || strings.Contains(q, "summarise")
}

// ForDemo reports whether the case needs the demo: it fills its stores, or has
// its servers lie.
func (c Case) ForDemo() bool { return len(c.Seed)+len(c.Lies) > 0 }

// group is the group that the case is counted in.
func (c Case) group() string {
	if c.Group == "" {
		return "ungrouped"
	}
	return c.Group
}
