package account

import (
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/host"
)

// maxValue is how much of one value is said, so that a long one hides no other.
const maxValue = 160

// Arguments are the arguments of a call, each with what the user wrote for it.
func Arguments(i *host.Intent) (all []string) {
	for _, l := range i.Leaves {
		if !l.Name {
			all = append(all, argument(l))
		}
	}
	return all
}

// argument is one argument with the user's own spelling, where that differs.
func argument(l intent.Leaf) string {
	text := Position(l.Pointer) + ": " + quoted(l)
	if l.Origin == intent.Respelled {
		text += " (you wrote " + quote(l.Span.Text) + ")"
	}
	return text
}

// Position is where an argument is. A name that is not plain is quoted: it could
// pose as a value otherwise.
func Position(pointer string) string {
	path := strings.TrimPrefix(pointer, "/")
	for name := range strings.SplitSeq(path, "/") {
		if !guard.Name(name) {
			return quote(path)
		}
	}
	return path
}

// quoted is a value as JSON spells it; a leaf keeps a string decoded.
func quoted(l intent.Leaf) string {
	if l.Literal {
		return guard.Line(l.Value, maxValue)
	}
	return quote(l.Value)
}

// quote is a stranger's text in quotes, cut.
func quote(s string) string { return guard.Line(strconv.Quote(s), maxValue) }

// Marks says what cannot be tied to the question, a line each.
func Marks(i *host.Intent) []string {
	var all []string
	for _, u := range i.Unused {
		all = append(all, "not used: "+quote(u.Text))
	}
	for _, l := range i.Marks(i.Effect == "read") {
		all = append(all, mark(l))
	}
	return all
}

func mark(l intent.Leaf) string {
	value := Position(l.Pointer) + " " + quoted(l)
	switch {
	case l.Name:
		return "not in your words: the name " + quote(l.Value)
	case l.Repeated:
		return "said once, sent twice: " + value
	case l.Origin == intent.Part:
		return "part of " + quote(l.Span.Text) + ": " + quoted(l)
	case l.Origin == intent.Context:
		return "from the context: " + value
	case l.Origin == intent.Respelled:
		return "respelled: " + value + ", where you wrote " + quote(l.Span.Text)
	}
	return "not in your words: " + value
}
