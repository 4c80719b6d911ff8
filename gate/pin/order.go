package pin

import (
	"cmp"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/speech"
)

// Some servers print a set, a Go map or one of Python, into a description, a title or a
// default. The names come in another order at every start. The order of words can be their
// meaning ("never ask, always delete"). So a text counts as the same words in another order
// only if names change places inside a list of names. It passes only if a person accepted
// that for the tool (see [Descriptor.OrderAt]).
//
// This leaves open: a list with a meaningful order, such as "latitude, longitude", is a
// list of names as well. The planner reads the approved text, in the order that was
// reviewed, not in the server's order.

// inAnyOrder reports whether two different texts are the same except for the order of the
// names in their lists.
func inAnyOrder(was, now string) bool {
	return was != now && len(was) == len(now) && sortedLists(was) == sortedLists(now)
}

// sameInAnyOrder does the same for two texts, or for two JSON lists of names, which a
// default can be.
func sameInAnyOrder(was, now any) bool {
	before, text := was.(string)
	after, too := now.(string)
	if text && too {
		return inAnyOrder(before, after)
	}
	a, b := namesOf(was), namesOf(now)
	if a == nil || slices.Equal(a, b) {
		return false
	}
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// namesOf are the elements of a list of names alone, or nil.
func namesOf(v any) (names []string) {
	list, _ := v.([]any)
	if len(list) > maxListed {
		return nil
	}
	for _, e := range list {
		switch name, is := e.(string); {
		case !is, len(name) > 64, strings.Contains(name, "\n"), holds(turning, name):
			return nil
		default:
			names = append(names, name)
		}
	}
	return names
}

// sortedLists is a text with the names of every list in it sorted.
func sortedLists(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = sortedLine(lines[i])
	}
	for i := 0; i < len(lines); {
		n := bulleted(lines[i:])
		slices.Sort(lines[i : i+n])
		i += max(n, 1)
	}
	return strings.Join(lines, "\n")
}

// The parts of a list of names. A name is one word, or a quoted text. A list begins after a
// colon, an equals sign, an opening bracket, "of" or "are", or with its line. It ends with
// its sentence, its brackets or its line. Anything less sure is prose, and the order of
// prose is never free.
var (
	nameInList = lex.Pattern(`^(?:'[^'\n]{1,64}'|"[^"\n]{1,64}"|\x60[^\x60\n]{1,64}\x60|[\pL\pN_](?:[\pL\pN_.\-/@+*#]{0,62}[\pL\pN_+*#])?)`)
	beforeList = lex.Pattern(`(?:^|[:=(\[{]|\b(?:of|are))[ \t]*`)
	afterList  = lex.Pattern(`^(?:$|[)\]};]|\.(?:\s|$))`)
	lastInList = lex.Pattern(`^,? (?:and|or) `)
	bullet     = lex.Pattern(`^([ \t]*[-*•] )(\S+?)(?:(?::| [-–—]) (.*))?$`)
)

// separators are between the names of one list; each list has one of them. A blank is one
// only inside square brackets.
var separators = []string{", ", ",", "; ", " | ", "|", " "}

// turning are words that no list of names has. A text with one of them is a sentence, or
// speaks of its neighbours.
var turning = lex.Words(`no not never none nor neither cannot don't without except only always all any must should may if else
	then when while until unless but instead and or of are is to from as by follow follows forbidden denied allowed permitted ignore skip avoid stop`)

// pointing are words by which a line of a list speaks of the lines around it.
var pointing = lex.Words(`following follow follows above below before after previous next first second last finally then other others rest these those remaining except`)

// holds reports whether one of the words is in a text.
func holds(words func() map[string]bool, text string) bool {
	text = strings.NewReplacer(".", " ", ":", " ").Replace(strings.ToLower(text))
	for w := range speech.Words(text) {
		if words()[text[w.Start:w.End]] {
			return true
		}
	}
	return false
}

// maxListed bounds the names of one list.
const maxListed = 500

func sortedLine(line string) string {
	var b strings.Builder
	done := 0
	for _, at := range beforeList().FindAllStringIndex(line, -1) {
		if at[0] < done && at[0] > 0 {
			continue // inside a list
		}
		open := strings.HasSuffix(strings.TrimRight(line[at[0]:at[1]], " \t"), "[")
		if list := sortedList(line[at[1]:], open); list != "" {
			b.WriteString(line[done:at[1]] + list)
			done = at[1] + len(list)
		}
	}
	return b.String() + line[done:]
}

// sortedList is the list that a text begins with, its names sorted, or "". It has the
// length of the list.
func sortedList(text string, brackets bool) string {
	for _, separator := range separators {
		if separator == " " && !brackets {
			continue
		}
		names, between, rest := splitList(text, separator)
		if len(names) < 2 || !afterList().MatchString(rest) || slices.ContainsFunc(names, func(name string) bool { return holds(turning, name) }) {
			continue
		}
		slices.Sort(names)
		var b strings.Builder
		for i, name := range names {
			b.WriteString(name + between[i])
		}
		return b.String()
	}
	return ""
}

// splitList takes apart the list that a text begins with: its names, the text between each
// and the next, and the rest.
func splitList(text, separator string) (names, between []string, rest string) {
	for last := false; len(names) < maxListed; {
		name := nameInList().FindString(text)
		if name == "" {
			return nil, nil, ""
		}
		names, text = append(names, name), text[len(name):]
		next := lastInList().FindString(text)
		switch {
		case last || next == "" && !strings.HasPrefix(text, separator):
			return names, append(between, ""), text
		case next == "":
			next = separator
		default:
			last = true
		}
		between, text = append(between, next), text[len(next):]
	}
	return nil, nil, ""
}

// bulleted is how many of the first lines are one list. Each has the same mark, a name, and
// perhaps an explanation on the same line.
func bulleted(lines []string) int {
	mark, n := "", 0
	for ; n < min(len(lines), maxListed); n++ {
		m := bullet().FindStringSubmatch(lines[n])
		if m == nil || holds(turning, m[2]) || holds(pointing, m[3]) {
			break
		}
		if mark = cmp.Or(mark, m[1]); m[1] != mark || strings.HasSuffix(lines[n], ":") {
			break
		}
	}
	return n
}
