package intent_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/intent"
)

// What a person has to look at hangs on where a value is from, and on whether
// the call may change something. Nothing that the user did not write whole is
// skipped.
func TestWhatIsAMark(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		leaf          intent.Leaf
		reads, writes bool // whether it is a mark of a reading call, and of a writing one
	}{
		"unstated":                    {intent.Leaf{Origin: intent.Unstated}, true, true},
		"stated":                      {intent.Leaf{Origin: intent.Stated}, false, false},
		"of the schema":               {intent.Leaf{Origin: intent.Schema}, false, false},
		"a default":                   {intent.Leaf{Origin: intent.Default}, false, false},
		"given":                       {intent.Leaf{Origin: intent.Given}, false, false},
		"respelled":                   {intent.Leaf{Origin: intent.Respelled}, false, true},
		"respelled, and listed":       {intent.Leaf{Origin: intent.Respelled, Listed: true}, false, false},
		"a part":                      {intent.Leaf{Origin: intent.Part}, true, true},
		"a part, and listed":          {intent.Leaf{Origin: intent.Part, Listed: true}, true, true},
		"of the context":              {intent.Leaf{Origin: intent.Context}, true, true},
		"of the context, and listed":  {intent.Leaf{Origin: intent.Context, Listed: true}, true, true},
		"stated, and repeated":        {intent.Leaf{Origin: intent.Stated, Repeated: true}, true, true},
		"respelled, and repeated":     {intent.Leaf{Origin: intent.Respelled, Listed: true, Repeated: true}, true, true},
		"derived":                     {intent.Leaf{Origin: intent.Derived, By: "unit"}, false, false},
		"of a client's model":         {intent.Leaf{Origin: intent.Client}, false, false},
		"derived, and repeated":       {intent.Leaf{Origin: intent.Derived, By: "unit", Repeated: true}, true, true},
		"stated, and it differs":      {intent.Leaf{Origin: intent.Stated, Differs: "5000"}, true, true},
		"of the person who was asked": {intent.Leaf{Origin: intent.Operator}, false, false},
		"of no origin that there is":  {intent.Leaf{Origin: intent.Operator + 1}, true, true},
		"of an origin below all":      {intent.Leaf{Origin: -1}, true, true},
		"a name that nobody listed":   {intent.Leaf{Name: true}, true, true},
		"a literal that nobody wrote": {intent.Leaf{Literal: true, Value: "true"}, true, true},
	} {
		r := intent.Report{Leaves: []intent.Leaf{{Origin: intent.Stated}, c.leaf, {Origin: intent.Given}}}
		for reads, want := range map[bool]bool{true: c.reads, false: c.writes} {
			marks := r.Marks(reads)
			if r.Marked(reads) != want || len(marks) > 1 || (len(marks) == 1) != want {
				t.Errorf("%s, reading %v: %+v", name, reads, marks)
			}
		}
	}
	unused := intent.Report{Leaves: []intent.Leaf{{Origin: intent.Stated}}, Unused: []intent.Span{{Text: "INC2"}}}
	if !unused.Marked(true) || !unused.Marked(false) || (intent.Report{}).Marked(false) {
		t.Error("what the user said and the call does not hold is no mark, or nothing is one")
	}
}
