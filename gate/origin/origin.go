// Package origin gives each argument of a client's call its source in a conversation.
//
// A source is a message, a result of an earlier call, the tool's schema, or words that code
// recomputes. An argument without a source has none. The package compares texts and asks
// gate/intent to recompute the rest. It understands nothing.
//
// It does not vouch for a message: any program of the user can write one. So a source only
// narrows. It may ask for an approval or deny a call, and it allows none.
//
// It is pure: the same messages, results, schema and arguments give the same sources.
// host/proxy adds what a client said and what its calls returned, and asks for each call.
package origin

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/trace"
)

// The origins of an argument.
const (
	Stated  = "said"    // in a message, as the client's hook reported it
	Result  = "result"  // in the result of an earlier call
	Default = "default" // the schema's default, or its only value
	Enum    = "enum"    // a member of the schema's list
	Derived = "derived" // recomputed from a message or a result
	None    = "none"    // no known source
	Unknown = "unknown" // no hook informs, or the search ended at its limit
)

// Message is one message of a conversation. How is "typed", "pasted", "file", "command" or
// "subagent".
type Message struct {
	Text string
	How  string
}

// Answer is the result of an earlier call: its text, or its structured value.
type Answer struct {
	Run, Server, Tool string
	Open              bool // the tool reaches an open world
	Text              string
	Structured        jsontext.Value
}

// Talk is one conversation. Its zero value is empty. It is for one goroutine.
type Talk struct {
	Words bool // an origin in a message has its words, without secrets

	messages shelf
	how      []string
	results  shelf
	answers  []Answer
	open     bool              // a result reaches an open world
	values   map[string][]held // whole values of results, folded
}

// held is a value of a result.
type held struct {
	result  int
	pointer string
}

// maxMessages and maxResults bound a conversation. The oldest entries are kept: a later flood
// does not replace them.
const (
	maxMessages = 1000
	maxResults  = 1000
	maxText     = 4 << 20 // of one message or result
)

// Say adds a message.
func (t *Talk) Say(m Message) {
	if len(t.how) < maxMessages && len(m.Text) <= maxText {
		t.messages.add(newPassage(m.Text))
		t.how = append(t.how, m.How)
	}
}

// Return adds the result of a call.
func (t *Talk) Return(a Answer) {
	if len(t.answers) == maxResults || len(a.Text)+len(a.Structured) > maxText {
		return
	}
	if t.values == nil {
		t.values = map[string][]held{}
	}
	var p passage
	if a.Structured == nil && looksJSON(a.Text) {
		a.Structured = jsontext.Value(a.Text)
	}
	if a.Structured == nil || schema.Check(a.Structured, schema.ResultLimits) != nil {
		a.Structured = nil
		p = newPassage(a.Text)
	} else {
		p = t.index(a.Structured)
	}
	t.results.add(p)
	t.answers = append(t.answers, a)
	t.open = t.open || a.Open
}

// index notes the leaves of a structured result.
func (t *Talk) index(value jsontext.Value) (p passage) {
	n := len(t.answers)
	for l := range schema.Leaves(value) {
		isValue := l.Kind == '"' || l.Kind == '0'
		if l.Name || l.Text == "" || !isValue {
			continue
		}
		pointer := l.Pointer()
		p.parts = append(p.parts, part{len(p.text), pointer})
		p.text += l.Text + "\n"
		if len(l.Text) <= maxWhole {
			key := folded(l.Text)
			if all := t.values[key]; len(all) == 0 || all[len(all)-1].result != n {
				t.values[key] = append(all, held{n, pointer})
			}
		}
	}
	p.folded = folded(p.text)
	return p
}

// maxWhole is the length of the longest value that is found by its whole text.
const maxWhole = 512

// Call is a call whose arguments are to be traced.
type Call struct {
	Server, Tool string
	Schema       *schema.Node // of the arguments; nil is unknown
	Args         jsontext.Value
}

// Of gives the origin of every argument of a call, in the order of the arguments. It is nil if
// the arguments cannot be read; the gates refuse those.
func (t *Talk) Of(c Call) []trace.OriginBody {
	s := search{talk: t, work: maxWork}
	reports := t.compared(c)
	if reports == nil {
		return nil
	}
	base := reports[0].leaves
	all := make([]trace.OriginBody, 0, len(base))
	for i, l := range base {
		if l.Name {
			continue
		}
		var in []reported
		for _, r := range reports[1:] {
			in = append(in, reported{r.message, r.leaves[i]})
		}
		all = append(all, s.of(l, in))
	}
	return all
}

// compare is the report of the intent lock for one message.
type compare struct {
	message int
	leaves  []intent.Leaf
}

// reported is one leaf in the report about a message.
type reported struct {
	message int
	leaf    intent.Leaf
}

// The newest messages are compared by the intent lock, up to these bounds.
const (
	maxCompared = 8
	maxCompare  = 4 << 10
)

// compared has the intent lock compare the arguments with no message, and then with the newest
// messages, the newest first.
func (t *Talk) compared(c Call) (all []compare) {
	ask := func(text string) []intent.Leaf {
		r, err := intent.Compare(intent.Question{Text: text, Server: c.Server, Tool: c.Tool}, c.Schema, c.Args)
		if err != nil {
			return nil
		}
		return r.Leaves
	}
	base := ask(".")
	if base == nil {
		return nil
	}
	all = append(all, compare{-1, base})
	for i := len(t.how) - 1; i >= 0 && len(all) <= maxCompared; i-- {
		if text := t.messages.passages[i].text; len(text) <= maxCompare && text != "" {
			if leaves := ask(text); len(leaves) == len(base) {
				all = append(all, compare{i, leaves})
			}
		}
	}
	return all
}

// digest names a source's text in a trace, which does not have the words.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}
