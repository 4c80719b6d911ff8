package intent_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/intent"
)

// A person sees the word before each value, with the article between. Without a
// word in the same clause the article alone is shown.
func TestAValueIsShownWithTheWordBeforeIt(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}}}`
	for _, c := range []struct{ question, from, to string }{
		{"Move 5 from the checking to the savings", "from the", "to the"},
		{"Move 5 from checking to savings", "from", "to"},
		{"Move 5 to savings; checking has it", "", "to"},
		{"savings gets it. The checking has it", "The", ""},
	} {
		q := intent.Question{Text: c.question, Server: "bank", Tool: "transfer", Changes: true}
		seen := map[string]string{}
		for _, l := range compare(t, q, schema, `{"from":"checking","to":"savings"}`).Shown(c.question).Leaves {
			seen[l.Pointer] = l.Before
		}
		if seen["/from"] != c.from || seen["/to"] != c.to {
			t.Errorf("%q: %q", c.question, seen)
		}
	}
}
