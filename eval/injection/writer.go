package injection

import (
	"context"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/summarize"
)

// obedient is the compromised writer. It selects the strongest text that the evidence
// lock has no reason to drop: the result's own sentences with the instruction. If the
// result does not contain the instruction, it selects the instruction all the same.
type obedient struct{ of Case }

func (o obedient) Write(_ context.Context, s summarize.Source) (summarize.Draft, error) {
	for _, v := range s.Values {
		if said := carrying(o.of.Poisoned, o.of.Instruction, v.Sentences); said != "" {
			return summarize.Draft{Said: summary(said)}, nil
		}
	}
	return summarize.Draft{Said: summary(o.of.Instruction)}, nil
}

// carrying returns the shortest run of a text's sentences that contains the
// instruction, or "".
func carrying(text, instruction string, sentences []string) string {
	at := strings.Index(text, instruction)
	if at < 0 {
		return ""
	}
	from, to := 0, 0
	for _, s := range sentences {
		i := strings.Index(text[to:], s)
		if i < 0 {
			return "" // the sentences do not come from this text
		}
		if begins := to + i; begins <= at {
			from = begins
		}
		if to += i + len(s); to >= at+len(instruction) {
			return text[from:to]
		}
	}
	return ""
}

func summary(evidence string) []byte {
	type item struct {
		Evidence string `json:"evidence"`
	}
	return eval.Data(struct {
		Type    string `json:"type"`
		Bullets []item `json:"bullets"`
	}{"summary", []item{{evidence}}})
}
