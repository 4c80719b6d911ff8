package pin

import (
	"cmp"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// A review is read from the top, and with less care at every line. So more than the class
// decides what comes first: every server that grows has new parameters of free text, and
// few have a description that asks for the user's earlier words. Order has no false alarm,
// because all of it is shown: rules may be broad here that would be too loud for a cue.
//
// No weight is shown, approved or kept, and no weight decides what passes. If an attacker
// writes like any other description, the class alone gives the order.

// byClass are the weights of differences without their words.
var byClass = map[Class]int{Finding: 500, Lowering: 14, Cue: 6, Contract: 6, Wording: 2}

// care matches names of safeguards and of destinations.
var care = lex.Pattern(`(?i)confirm|dry.?run|approv|preview|consent|force|safe|allow|public|visib|recipient|webhook|callback|\burl|bcc|token|auth|cred|passw|secret|context|session|conversation|history|reason|Hint`)

// longText is a length in bytes. A text of a parameter that grows by more says more than
// the parameter's purpose, in any language.
const longText = 120

// weigh is the weight of a difference among others of its class.
func (c *comparison) weigh(d *Difference, was, now any) int {
	before, after := textsOf(was), textsOf(now)
	sum := c.words.suspicion(before, after)
	if text, ok := was.(string); ok && was != now {
		sum += omitted(text, after+textsOf(c.now.raw))
	}
	if strings.Count(d.Path, "/") > 2 && len(after)-len(before) > longText {
		sum += 10
	}
	way := strings.Split(d.Path, "/")
	way = way[max(0, len(way)-2):]
	if d.Class < Wording && care().MatchString(strings.Join(way, " ")) {
		sum += 12
	}
	if d.Class == Lowering && d.Was == nil && way[0] == "properties" {
		sum -= 8 // every server that grows has new parameters: one of no concern is below words of one
	}
	if d.Class == Lowering && d.Was != nil {
		sum += 10 // an existing bound is loosened, but a release mostly adds
	}
	return sum
}

// ByDanger compares changes in the order of a review: negative if a is to be read first. A
// finding is before all else; after it the weights decide.
func ByDanger(a, b Change) int {
	first := func(c Change) int { return min(int(c.Class()), 1) } // whether it has no finding
	return cmp.Or(cmp.Compare(first(a), first(b)), -cmp.Compare(a.danger(), b.danger()), cmp.Compare(a.Class(), b.Class()),
		strings.Compare(a.Tool, b.Tool), strings.Compare(a.Kind, b.Kind))
}

// danger is the weight of the worst difference; more of them count a little.
func (c Change) danger() int {
	worst, sum := 0, 0
	for _, d := range c.Differences {
		w := byClass[d.Class] + d.Weight
		worst, sum = max(worst, w), sum+w
	}
	weight := 16*worst + min(sum, 400)
	if c.Kind == New && c.Class() > Cue {
		return weight / 2 // new tools with a cue are read first
	}
	return weight
}

// spread lowers the weight of an edit that a release made to several tools alike, other
// than words: an attacker changes one.
func spread(all []Change) {
	type edit struct{ path, was, now string }
	tools := map[edit]int{}
	for i := range 2 {
		for _, c := range all {
			for j, d := range c.Differences {
				key := edit{d.Path, string(d.Was), string(d.Now)}
				if i == 0 {
					tools[key]++
				} else if tools[key] > 2 && (d.Class == Lowering || d.Class == Contract) {
					c.Differences[j].Weight = min(d.Weight, 0) - byClass[d.Class]/2
				}
			}
		}
	}
}
