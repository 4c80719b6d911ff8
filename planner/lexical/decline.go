package lexical

import (
	"fmt"
	"strings"
)

// reason is why nothing was proposed.
type reason string

const (
	noTools     reason = "no_tools"
	noMatch     reason = "no_match"
	ambiguous   reason = "ambiguous"
	missing     reason = "missing_argument"
	otherAction reason = "other_action"
)

// question is what a declining planner asks. Tool names are plain by
// guard.Name; of strangers' text only the names of parameters are quoted, cut
// and escaped.
func (d decision) question() string {
	switch d.why {
	case noTools:
		return "No tool is allowed here. Which tools should be in the allowlist?"
	case ambiguous:
		return "Which tool is meant: " + d.names(" or ") + "? Name one, or say more of what it should do."
	case missing:
		return d.askMissing()
	case otherAction:
		return "No allowed tool does that. The nearest are " + d.names(", ") + ". What should be looked up instead?"
	}
	if len(d.candidates) == 0 {
		return "No allowed tool fits this question. What should be looked up, in other words?"
	}
	return "No allowed tool clearly fits this question; the nearest are " + d.names(", ") + ". What should be looked up, in other words?"
}

// names are those of the first three candidates.
func (d decision) names(sep string) string {
	var list []string
	for _, c := range d.candidates[:min(3, len(d.candidates))] {
		list = append(list, c.e.tool.Server()+"/"+c.e.tool.Name())
	}
	return strings.Join(list, sep)
}

func (d decision) askMissing() string {
	best := d.best()
	var list []string
	for _, i := range best.filling.missing[:min(4, len(best.filling.missing))] {
		s := &best.e.slots[i]
		list = append(list, quoted40(s.label())+s.form())
	}
	return fmt.Sprintf("%s/%s needs %s, which the question does not state. What should it be?",
		best.e.tool.Server(), best.e.tool.Name(), strings.Join(list, " and "))
}

// form says what a slot takes, in words of this package's own.
func (s *slot) form() string {
	switch {
	case s.kind == "boolean":
		return " (yes or no)"
	case s.kind == "integer" || s.kind == "number":
		return " (a number)"
	case s.wants.date:
		return " (a date)"
	case s.kind == "array":
		return " (a list)"
	}
	return ""
}

// quoted40 is a stranger's name in ASCII, quoted and cut: four of them and two
// tools fit a plan's answer.
func quoted40(s string) string {
	q := fmt.Sprintf("%+q", s)
	if len(q) > 42 {
		q = q[:41] + `"`
	}
	return q
}
