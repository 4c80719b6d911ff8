// Package origins measures the sources of arguments in whole conversations. It counts how many
// right calls have no mark, how many wrong arguments are named with their true source, and how
// many arguments that were copied from an injected result are shown as from that result.
//
// It vouches that every call sees the messages and results before it, and no later ones. It does
// not vouch that a user reads a mark.
//
// `ask eval origins` calls it.
package origins

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/cases"
	"github.com/onestep-run/onestep/gate/origin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/trace"
)

// Tool is a tool of a conversation.
type Tool struct {
	Server      string         `json:"server"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Schema      jsontext.Value `json:"inputSchema"`
	Open        bool           `json:"openWorld"` // it reaches an open world
}

// Event is a message, or a call with its result.
type Event struct {
	Message  *string `json:"said"`
	How      string  `json:"how"`
	Call     *Call   `json:"call"`
	Right    bool    `json:"right"`
	Result   *Answer `json:"result"`
	Injected bool    `json:"injected"` // the result has instructions that its author planted
	Leaves   []Leaf  `json:"leaves"`
}

// Call is a tool call.
type Call struct {
	Server    string         `json:"server"`
	Tool      string         `json:"tool"`
	Arguments jsontext.Value `json:"arguments"`
}

// Answer is the result of a call.
type Answer struct {
	Text       string         `json:"text"`
	Structured jsontext.Value `json:"structured"`
}

// Leaf is the true source of an argument. Message and Result are indexes of events.
type Leaf struct {
	Pointer string `json:"pointer"`
	Origin  string `json:"origin"`
	Message *int   `json:"message"`
	Result  *int   `json:"result"`
	At      string `json:"at"` // for readers: a value may be in a result several times
	Wrong   bool   `json:"wrong"`

	// Injected says that the value follows a planted instruction without being copied from it.
	Injected bool `json:"injected"`
}

// Case is a conversation.
type Case struct {
	ID     string  `json:"id"`
	Tools  []Tool  `json:"tools"`
	Events []Event `json:"events"`
}

// Read reads a file of conversations; docs/internals/evaluation.md has the form of a row.
func Read(path string) (eval.Cases[Case], error) { return eval.ReadCases(parse, path) }

// Parse is Read for a reader; name takes the place of a path.
func Parse(name string, from io.Reader) (eval.Cases[Case], error) {
	return eval.ParseCases(parse, name, from)
}

// Own returns the conversations that come with the program.
func Own() ([]Case, error) { return eval.OwnCases(parse, cases.Files, "talks-dev.jsonl") }

func parse(l *eval.Line) (id string, c Case, err error) {
	if c, err = eval.Decode[Case](l); err != nil {
		return "", Case{}, err
	}
	for i, e := range c.Events {
		if (e.Message == nil) == (e.Call == nil) {
			return "", Case{}, fmt.Errorf("event %d is neither a message nor a call", i)
		}
		for _, leaf := range e.Leaves {
			if err := c.refers(i, leaf); err != nil {
				return "", Case{}, err
			}
		}
	}
	return c.ID, c, nil
}

// refers checks that the source of an argument is an earlier event of its kind.
func (c Case) refers(at int, l Leaf) error {
	for _, to := range []*int{l.Message, l.Result} {
		if to != nil && (*to < 0 || *to >= at) {
			return fmt.Errorf("event %d: the source of %s is no earlier event", at, l.Pointer)
		}
	}
	switch {
	case l.Origin == origin.Stated && (l.Message == nil || c.Events[*l.Message].Message == nil):
		return errors.New("a said argument has no message")
	case l.Origin == origin.Result && (l.Result == nil || c.Events[*l.Result].Result == nil):
		return errors.New("an argument of a result has no result")
	}
	return nil
}

// The facts of a row.
const (
	rightUnmarked = "right_unmarked"
	wrongNamed    = "wrong_named"
	injectedShown = "injected_shown"

	injectedFollowed = "injected_followed"
)

var measures = []eval.Measure{
	{Name: rightUnmarked, Title: "right calls unmarked", Better: eval.Higher},
	{Name: wrongNamed, Title: "wrong arguments named with their source", Better: eval.Higher},
	{Name: injectedShown, Title: "copied from an injected result, shown so", Better: eval.Higher},
}

// followed is measured where a set has such values.
var followed = eval.Measure{Name: injectedFollowed, Title: "derived from an injected result, shown so", Better: eval.Higher}

// Suite traces the arguments of every call of the conversations.
func Suite(cases []Case) eval.Suite {
	s := eval.Suite{Name: "origins", Subject: "sources of arguments", Digest: eval.Digest(cases), Measures: measures, Clusters: "conversation"}
	for _, c := range cases {
		s.IDs = append(s.IDs, c.ID)
	}
	if slices.ContainsFunc(cases, Case.follows) {
		s.Measures = append(slices.Clone(measures), followed)
	}
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) { return cases[i].rows() }
	return s
}

// follows reports whether a value follows a planted instruction without being copied.
func (c Case) follows() bool {
	return slices.ContainsFunc(c.Events, func(e Event) bool {
		return slices.ContainsFunc(e.Leaves, func(l Leaf) bool { return l.Injected })
	})
}

// rows are one row a call, and one for each argument that is wrong or injected.
func (c Case) rows() (all []eval.Row, err error) {
	var t origin.Talk
	var messages, results []int // the events of the conversation's messages and results
	for i, e := range c.Events {
		if e.Message != nil {
			t.Say(origin.Message{Text: *e.Message, How: e.How})
			messages = append(messages, i)
			continue
		}
		root, err := c.root(e.Call)
		if err != nil {
			return nil, err
		}
		found := t.Of(origin.Call{Server: e.Call.Server, Tool: e.Call.Tool, Schema: root, Args: e.Call.Arguments})
		if e.Right {
			all = append(all, c.right(i, found))
		}
		for _, l := range e.Leaves {
			all = append(all, c.leaf(i, l, found, messages, results)...)
		}
		if e.Result != nil {
			open := slices.ContainsFunc(c.Tools, func(t Tool) bool { return t.Open && t.Server == e.Call.Server && t.Name == e.Call.Tool })
			t.Return(origin.Answer{Server: e.Call.Server, Tool: e.Call.Tool, Open: open, Text: e.Result.Text, Structured: e.Result.Structured})
			results = append(results, i)
		}
	}
	return all, nil
}

func (c Case) root(call *Call) (*schema.Node, error) {
	i := slices.IndexFunc(c.Tools, func(t Tool) bool { return t.Server == call.Server && t.Name == call.Tool })
	if i < 0 || c.Tools[i].Schema == nil {
		return nil, nil //nolint:nilnil // a tool without a schema
	}
	s, err := schema.Admit(c.Tools[i].Schema, schema.Options{Role: schema.Input})
	if err != nil {
		return nil, fmt.Errorf("%s/%s: %w", call.Server, call.Tool, err)
	}
	return s.Root(), nil
}

func (c Case) right(at int, found []trace.OriginBody) eval.Row {
	var marks []string
	for _, b := range found {
		if b.Marked {
			marks = append(marks, b.Pointer+" "+b.Origin)
		}
	}
	clean := len(marks) == 0
	return eval.Row{
		ID: fmt.Sprintf("%s/%d", c.ID, at), Group: "right call", Cluster: c.ID, Expected: "no mark", Observed: fmt.Sprintf("%d marks", len(marks)), Passed: clean,
		Detail: strings.Join(marks, ", "), Facts: map[string]int{rightUnmarked: eval.Fact(clean)},
	}
}

// leaf is the row of a wrong or injected argument.
func (c Case) leaf(at int, l Leaf, found []trace.OriginBody, messages, results []int) []eval.Row {
	injected := l.Origin == origin.Result && c.Events[*l.Result].Injected
	if !l.Wrong && !injected && !l.Injected {
		return nil
	}
	var b trace.OriginBody
	if i := slices.IndexFunc(found, func(b trace.OriginBody) bool { return b.Pointer == l.Pointer }); i >= 0 {
		b = found[i]
	}
	got, want := source(b.Origin, nth(messages, b.Message), nth(results, b.Result)), source(l.Origin, l.Message, l.Result)
	named := got == want || l.Origin == origin.Derived && b.Origin == origin.Derived
	row := eval.Row{ID: fmt.Sprintf("%s/%d%s", c.ID, at, l.Pointer), Group: l.Origin, Cluster: c.ID, Expected: want, Observed: got, Passed: named, Facts: map[string]int{}}
	if l.Wrong {
		row.Facts[wrongNamed] = eval.Fact(named)
	}
	if injected {
		row.Facts[injectedShown] = eval.Fact(shows(b, results, l.Result))
	} else if l.Injected {
		row.Facts[injectedFollowed] = eval.Fact(shows(b, results, l.Result))
	}
	return []eval.Row{row}
}

// shows reports whether a person sees that the value is in a result.
func shows(b trace.OriginBody, results []int, event *int) bool {
	is := func(n int) bool {
		at := nth(results, n)
		return at != nil && event != nil && *at == *event
	}
	return is(b.Result) || b.Also != nil && is(b.Also.Result)
}

// nth is the event of message or result n, counted from 1; nil for 0.
func nth(events []int, n int) *int {
	if n < 1 || n > len(events) {
		return nil
	}
	return &events[n-1]
}

// source is an origin with the event that it names.
func source(kind string, message, result *int) string {
	switch {
	case kind == origin.Stated && message != nil, kind == origin.Derived && message != nil:
		return fmt.Sprintf("%s, event %d", kind, *message)
	case result != nil:
		return fmt.Sprintf("%s, event %d", kind, *result)
	}
	return kind
}
