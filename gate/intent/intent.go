// Package intent compares what a call would send with what the user said.
//
// A value is [Stated] where its bytes are whole literals or a run of whole words
// of the question, and [Derived] where code recomputes it from some: a date, a
// unit, a form of a word. It understands nothing: what it cannot tie or
// recompute it marks, and a person decides. No mark is not a pass: a stated
// value in the wrong parameter, and a tool that the question does not mean,
// carry none where no word before the value shows it (docs/intent.md).
//
// It is pure: the same question, schema and arguments make the same report. gate
// calls it for every plan, of any planner.
package intent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/speech"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Origin says where the bytes of an argument are found. Its zero value is
// nowhere. Where several fit, the first of this order is given: stated, schema,
// derived, default, respelled, part, context, unstated.
type Origin int

// The origins.
const (
	Unstated  Origin = iota
	Stated           // in the question: whole literals, a run of whole words, or an equal number
	Schema           // a const of the schema, or the only member of an enum
	Default          // the schema's default
	Respelled        // in the question, but for case and for white space, "_" and "-"
	Part             // a proper part of one literal of the question
	Context          // in the labelled context, whole or respelled
	Given            // of a plan that came without a question
	Derived          // recomputed from words of the question
	Client           // of a plan that an MCP client brought: its model wrote it
	Operator         // of a call that the person who was asked wrote in place of another
)

var names = [...]string{"unstated", "stated", "schema", "default", "respelled", "part", "context", "given", "derived", "client", "operator"}

func (o Origin) String() string {
	if o < 0 || int(o) >= len(names) {
		return names[Unstated]
	}
	return names[o]
}

// MarshalText gives the origin's name.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads an origin's name.
func (o *Origin) UnmarshalText(b []byte) error {
	i := slices.Index(names[:], string(b))
	if i < 0 {
		return fmt.Errorf("%.40q is not an origin", b)
	}
	*o = Origin(i)
	return nil
}

// Leaf is one string, number, boolean or null of the arguments, an empty object
// or array, or a member's name that the schema does not list.
type Leaf struct {
	Pointer  string `json:"pointer"`           // RFC 6901
	Name     bool   `json:"name,omitzero"`     // the member's name, not its value
	Value    string `json:"value"`             // a string decoded; else the literal
	Literal  bool   `json:"literal,omitzero"`  // the value is a literal: a number, true, null, {}
	Origin   Origin `json:"origin"`            //
	Span     *Span  `json:"span,omitempty"`    // where it was found
	Repeated bool   `json:"repeated,omitzero"` // another leaf has the same place already
	Listed   bool   `json:"listed,omitzero"`   // the schema's enum has the value as it is
	By       string `json:"by,omitzero"`       // how it was derived, or what differs
	Differs  string `json:"differs,omitzero"`  // what Source comes to; of a direction, the word before the value; of an order, the name of the other one
	Source   *Span  `json:"source,omitempty"`  // of what differs
	Before   string `json:"before,omitzero"`   // the word before it, where it is shown
}

// Span is a place in the question's text, or in the context's where the origin
// is that: from byte Start up to End of the text in Unicode's form NFC.
type Span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"` // what stands there
	// Aside says of an unused literal that it is a name of an argument, or what the
	// question leaves out: no mark where a person looks at the call.
	Aside bool `json:"aside,omitzero"`
}

// Report is what was found. Its zero value found nothing, and marks nothing.
type Report struct {
	Leaves []Leaf `json:"leaves"`
	Unused []Span `json:"unused"` // literals of the question that no leaf holds
	// NotAsked is why the question does not plainly ask for this change.
	NotAsked *Sign `json:"not_asked,omitempty"`
	// Client is set where no user said anything of the call, and a client's model
	// wrote all of it.
	Client bool `json:"client,omitzero"`
}

// Question is the text that a call is compared with.
type Question struct {
	Text    string // "" where a plan came without a question
	Context string
	Server  string // the chosen tool's, as the allowlist names it
	Tool    string
	Changes bool // the operator has not called the tool reading
	// Resource are the JSON Pointers of the arguments that name what the call is about.
	Resource []string
	Client   bool // the plan is an MCP client's, which shows no question
	Edited   bool // the plan is of the person who was asked, in place of another
}

// names are what a question may call the tool.
func (q Question) names() []string { return []string{q.Server, q.Tool, q.Server + "/" + q.Tool} }

// maxLeaves bounds the leaves of one call's arguments.
const maxLeaves = 1024

// Compare finds the origin of every leaf of the arguments, which fit the
// schema; nil says nothing of them. Its error is a plan.size denial.
func Compare(q Question, s *schema.Node, args jsontext.Value) (Report, error) {
	leaves, err := collect(s, args)
	if q.Client && err != nil {
		leaves, err = collapsed(args)
	}
	if err != nil {
		return Report{}, err
	}
	if q.Client {
		for i := range leaves {
			leaves[i].Origin = Client
		}
		r := report(leaves, []Span{})
		r.Client = true
		return r, nil
	}
	if q.Text == "" {
		from := Given
		if q.Edited {
			from = Operator
		}
		for i := range leaves {
			leaves[i].Origin = from
		}
		return report(leaves, []Span{}), nil
	}
	c := comparison{context: q.Context, changes: q.Changes, orders: speech.Verbs(speech.NameParts(q.Tool)), resource: q.Resource}
	c.question.cut(q.Text)
	c.question.index()
	c.place(leaves)
	r := report(leaves, c.question.unused(leaves, q.names()))
	if q.Changes {
		modes, held := r.held()
		r.NotAsked = c.question.against(q.Tool, modes, held)
	}
	return r, nil
}

// leaf is a leaf on its way to its origin.
type leaf struct {
	Leaf
	kind jsontext.Kind
	at   place // what the schema says of it
}

func (l *leaf) scalar() scalar { return scalar{l.kind, l.Value} }

// collect lists the leaves of the arguments with what the schema says of each.
func collect(s *schema.Node, args jsontext.Value) ([]leaf, error) {
	all, root := make([]leaf, 0, 8), whole(s)
	for l := range schema.Leaves(args) {
		way := l.Path()
		at := root.at(way)
		if l.Name && at.named || len(way) == 0 { // an empty object needs no statement
			continue
		}
		if len(all) == maxLeaves {
			return nil, verdict.Deny(verdict.PlanSize, "the arguments contain more than %d values", maxLeaves)
		}
		if l.Name {
			at = place{} // the schema speaks of the value
		}
		all = append(all, leaf{Leaf{Pointer: l.Pointer(), Name: l.Name, Value: l.Text, Literal: l.Kind != '"'}, l.Kind, at})
	}
	return all, nil
}

// collapsed are the arguments by the members of their object, each as one literal:
// a client may bring more values than anybody reads one by one.
func collapsed(args jsontext.Value) ([]leaf, error) {
	members, err := schema.Members(args)
	if err != nil || len(members) > maxLeaves {
		return nil, verdict.Deny(verdict.PlanSize, "the arguments have more than %d members", maxLeaves)
	}
	all := make([]leaf, len(members))
	for i, m := range members {
		pointer := string(jsontext.Pointer("").AppendToken(m.Name))
		all[i] = leaf{Leaf{Pointer: pointer, Value: string(m.Value), Literal: true}, m.Value.Kind(), place{}}
	}
	return all, nil
}

// moding are the last words of names of parameters that say what is done.
var moding = lex.Words(`action operation op command cmd mode method run verb`)

// held are the places of the values that the question says, and modes the values
// that say what the tool does: "restart", as the schema's enum of an action lists it.
func (r Report) held() (modes []string, all []Span) {
	for _, l := range r.Leaves {
		name := speech.Snake(l.Pointer[strings.LastIndexByte(l.Pointer, '/')+1:])
		if l.Listed && moding()[name[strings.LastIndexByte(name, '_')+1:]] && !l.Literal {
			modes = append(modes, l.Value)
			continue
		}
		if l.Span != nil && l.Origin != Context && l.By != byName {
			all = append(all, *l.Span)
		}
	}
	return modes, all
}

func report(leaves []leaf, unused []Span) Report {
	r := Report{Leaves: make([]Leaf, len(leaves)), Unused: unused}
	for i, l := range leaves {
		r.Leaves[i] = l.Leaf
	}
	return r
}
