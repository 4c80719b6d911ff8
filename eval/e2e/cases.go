package e2e

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/eval/cases"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Case is one question, its attack, and the right result. Only ID and Query are
// required.
type Case struct {
	ID      string  `json:"id"`
	Query   string  `json:"query"`
	Context string  `json:"context,omitzero"`
	Group   string  `json:"group,omitzero"`
	Seed    []Entry `json:"seed,omitzero"`   // added to the demo's stores
	Lies    []Lie   `json:"lies,omitzero"`   // false answers of a demo server
	Attack  *Attack `json:"attack,omitzero"` // what a compromised planner and writer say
	Expect  *Expect `json:"expect,omitzero"`
	// Allow is the operator's allowlist in this case; if absent, the run's.
	Allow jsontext.Value `json:"allow,omitzero"`

	wanted *Expect // Expect without the attack, if there is an attack
}

// Entry is a document, a ticket or a policy, according to its id. An existing entry
// gets this text and, if it is given, this title.
type Entry struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitzero"`
	Text   string `json:"text"`
	Repeat int    `json:"repeat,omitzero"` // how often the text is repeated; 0: once
}

// Lie is a tool's answer that fits no schema.
type Lie struct {
	Server     string         `json:"server"`
	Tool       string         `json:"tool"`
	Text       string         `json:"text"`
	Repeat     int            `json:"repeat,omitzero"`
	Structured jsontext.Value `json:"structured,omitzero"` // an object
	Into       string         `json:"into,omitzero"`       // the member of it that contains the text
}

// Attack is what a compromised planner and writer say, and the right result then; if
// absent, the case's.
type Attack struct {
	agents.Attack
	Expect *Expect `json:"expect,omitzero"`
}

// Expect is the right result. Type and code belong to an outcome, which only onestep
// has; other agents are judged by what they show and call.
type Expect struct {
	Type        string         `json:"type,omitzero"`
	Code        verdict.Code   `json:"code,omitzero"`          // the deciding code
	Server      string         `json:"server,omitzero"`        // the server that a call reaches
	Tool        string         `json:"tool,omitzero"`          // "server/tool", or a tool of that server
	Args        jsontext.Value `json:"args,omitzero"`          // its arguments, all of them
	Answer      string         `json:"answer,omitzero"`        // a text that must be shown
	MustNotCall []string       `json:"must_not_call,omitzero"` // "server/tool", in addition to the tools outside the allowlist
}

// Read reads a file of cases, one JSON object a line.
func Read(path string) (eval.Cases[Case], error) { return eval.ReadCases(parse, path) }

// Embedded is the name of the cases that come with the program.
const Embedded = "eval/cases/e2e.jsonl"

// Ours returns the cases that come with the program, over the demo servers.
func Ours() ([]Case, error) {
	return eval.OwnCases(parse, cases.Files, "e2e.jsonl")
}

func parse(l *eval.Line) (id string, c Case, err error) {
	if c, err = eval.Decode[Case](l); err != nil {
		return "", Case{}, err
	}
	return c.ID, c, c.check()
}

// types returns the types that an outcome can have.
func types() []string {
	all := []string{host.Failed.String()}
	for t := host.Failed + 1; t.String() != host.Failed.String(); t++ {
		all = append(all, t.String())
	}
	return all
}

// maxRepeat bounds the length of a repeated text.
const maxRepeat = 1 << 20

// check refuses rows that cannot be judged.
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
		switch {
		case l.Repeat < 0, l.Repeat > maxRepeat, l.Server == "", l.Tool == "", l.Into != "" && l.Structured == nil:
			return fmt.Errorf("a lie needs server, tool and a text, repeated at most %d times", maxRepeat)
		}
	}
	if c.Allow != nil {
		if _, err := catalog.ParseAllowlist(c.Allow); err != nil {
			return err
		}
	}
	if c.Attack != nil && c.Attack.Expect != nil {
		if err := c.Attack.Expect.check(); err != nil {
			return err
		}
	}
	if c.Expect == nil {
		return nil
	}
	return c.Expect.check()
}

// attacked returns the case with its attack.
func (c Case) attacked() Case {
	c.wanted = c.Expect
	if c.Attack != nil && c.Attack.Expect != nil {
		c.Expect = c.Attack.Expect
	}
	return c
}

func (e *Expect) check() error {
	if e.Type != "" && !slices.Contains(types(), e.Type) {
		return fmt.Errorf("expect.type is %.60q, none of %s", e.Type, strings.Join(types(), ", "))
	}
	if e.Code != "" && !slices.ContainsFunc(verdict.Entries(), func(d verdict.Entry) bool { return d.Code == e.Code }) {
		return fmt.Errorf("expect.code is %.60q, which is not a code of docs/codes.md", e.Code)
	}
	for _, name := range append([]string{e.call()}, e.MustNotCall...) {
		if name != "" && strings.Count(name, "/") != 1 {
			return fmt.Errorf("expect names %.100q, which is not server/tool", name)
		}
	}
	switch {
	case e.Type != "" && !e.result() && (e.call()+e.Server+e.Answer) != "":
		return fmt.Errorf("expect has a call or an answer, and the type %s", e.Type)
	case e.Server != "" && e.Tool != "" && !strings.HasPrefix(e.call(), e.Server+"/"):
		return fmt.Errorf("expect.tool is %.100q, which is not a tool of the server %.60q", e.Tool, e.Server)
	case e.Args != nil && (e.Tool == "" || e.Args.Kind() != '{'):
		return errors.New("expect.args is an object, and goes with expect.tool")
	}
	return nil
}

// call returns the expected call as "server/tool", or "".
func (e *Expect) call() string {
	if e == nil {
		return ""
	}
	if e.Server != "" && e.Tool != "" && !strings.Contains(e.Tool, "/") {
		return e.Server + "/" + e.Tool
	}
	return e.Tool
}

// own returns the case's own call, which the approver approves: what the user wants,
// even under attack. A call without stated arguments cannot be approved.
func (c Case) own() *agents.Call {
	e := c.Expect
	if e == nil || e.Args == nil {
		return nil
	}
	server, tool, _ := strings.Cut(e.call(), "/")
	return &agents.Call{Server: server, Tool: tool, Args: e.Args}
}

// result reports whether the expected type has a result.
func (e *Expect) result() bool {
	return e.Type == host.ToolResult.String() || e.Type == host.ToolResultWithSummary.String()
}

// answer reports whether the case expects an answer.
func (c Case) answer() bool {
	e := c.Expect
	if e == nil {
		return false
	}
	onlyCall := e.Type == "" && e.Code == "" && (e.Server+e.Tool) != ""
	return e.result() || e.Answer != "" || onlyCall
}

// declines reports whether the case expects a question to the user.
func (c Case) declines() bool { return c.Expect != nil && c.Expect.Type == "final_answer" }

// summary reports whether the question asks for a summary. The rule is the same for
// all agents.
func (c Case) summary() bool {
	q := strings.ToLower(c.Query)
	return strings.Contains(q, "summarize") || strings.Contains(q, "summarise")
}

// ForDemo reports whether the case needs the demo, because it changes the stores or
// the answers of its servers.
func (c Case) ForDemo() bool { return len(c.Seed)+len(c.Lies) > 0 }

// group returns the group in which the case is counted.
func (c Case) group() string {
	if c.Group == "" {
		return "ungrouped"
	}
	return c.Group
}
