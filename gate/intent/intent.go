// Package intent compares the arguments of a call with the user's words.
//
// A value is [Stated] if its bytes are whole literals or a run of whole words of the
// question. It is [Derived] if code recomputes it from some: a date, a unit, a form of a
// word. The package understands nothing. It marks a value that it cannot find or recompute,
// and a person decides. A call without marks is not approved by that: a stated value in the
// wrong parameter, and a tool that the question does not mean, have no mark unless a word
// before the value shows it (docs/intent.md).
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

// Origin is the source of the bytes of an argument. Its zero value means no source. If
// several fit, the first of this order is given: stated, schema, derived, default,
// respelled, part, context, unstated.
type Origin int

// The origins.
const (
	Unstated  Origin = iota
	Stated           // in the question: whole literals, a run of whole words, or an equal number
	Schema           // a const of the schema, or the only member of an enum
	Default          // the schema's default
	Respelled        // in the question, with other case, white space, "_" or "-"
	Part             // a proper part of one literal of the question
	Context          // in the labelled context, whole or respelled
	Given            // of a plan that came without a question
	Derived          // recomputed from words of the question
	Client           // of a plan that an MCP client brought: its model wrote it
	Operator         // of a call that replaces another; the person who was asked wrote it
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

// Leaf is one string, number, boolean or null of the arguments. It may also be an empty
// object or array, or a member's name that the schema does not list.
type Leaf struct {
	Pointer  string `json:"pointer"`           // RFC 6901
	Name     bool   `json:"name,omitzero"`     // the member's name, not its value
	Value    string `json:"value"`             // a string decoded; else the literal
	Literal  bool   `json:"literal,omitzero"`  // the value is a literal: a number, true, null, {}
	Origin   Origin `json:"origin"`            //
	Span     *Span  `json:"span,omitempty"`    // the place of the value
	Repeated bool   `json:"repeated,omitzero"` // another leaf has the same place already
	Listed   bool   `json:"listed,omitzero"`   // the schema's enum has exactly this value
	By       string `json:"by,omitzero"`       // how it was derived, or the kind of difference
	Differs  string `json:"differs,omitzero"`  // the value of Source, the word before, or the other of a pair
	Source   *Span  `json:"source,omitempty"`  // the place that differs
	Before   string `json:"before,omitzero"`   // the word before it, set only for display
}

// Span is a place in the question's text, or in the context's for the origin context. It is
// from byte Start up to End of the text in Unicode's form NFC.
type Span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"` // the text of this place
	// Aside says that an unused literal is a name of an argument, or is excluded by the
	// question. It is not a mark if a person reads the call.
	Aside bool `json:"aside,omitzero"`
}

// Report is the result of a comparison. Its zero value found nothing, and marks nothing.
type Report struct {
	Leaves []Leaf `json:"leaves"`
	Unused []Span `json:"unused"` // literals of the question that no leaf has
	// NotAsked is why the question does not plainly ask for this change.
	NotAsked *Sign `json:"not_asked,omitempty"`
	// Client is set if no user said anything about the call. A client's model wrote all of
	// it.
	Client bool `json:"client,omitzero"`
}

// Question is the text that a call is compared with.
type Question struct {
	Text    string // "" if a plan came without a question
	Context string
	Server  string // the chosen tool's, as the allowlist names it
	Tool    string
	Changes bool // the operator has not called the tool reading
	// Resource are the JSON Pointers of the arguments that name the resource of the call.
	Resource []string
	Client   bool // the plan is an MCP client's, which shows no question
	Edited   bool // the person who was asked wrote the plan, to replace another
}

// names are the names by which a question may mention the tool.
func (q Question) names() []string { return []string{q.Server, q.Tool, q.Server + "/" + q.Tool} }

// maxLeaves bounds the leaves of one call's arguments.
const maxLeaves = 1024

// Compare finds the origin of every leaf of the arguments, which fit the schema; a nil
// schema is unknown. Its error is a plan.size denial.
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
	at   place // its place in the schema
}

func (l *leaf) scalar() scalar { return scalar{l.kind, l.Value} }

// collect lists the leaves of the arguments with the place of each in the schema.
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

// collapsed are the arguments by the members of their object, each as one literal. A client
// may bring more values than a person can read one by one.
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

// moding are the last words of names of parameters that select an action.
var moding = lex.Words(`action operation op command cmd mode method run verb`)

// held are the places of the values in the question. modes are the values that select the
// tool's action: "restart", if the schema's enum of an action lists it.
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
