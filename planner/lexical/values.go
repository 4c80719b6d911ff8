package lexical

import (
	"regexp"
	"slices"
	"strings"
)

// maxValues bounds how many values of one question are weighed.
const maxValues = 96

// shape of a value: what its writing says of it.
type shape int

const (
	phrase shape = iota // words that mean something: green bird
	proper              // a name: Gibson Les Paul
	quoted              // 'Ticket to Ride'
	numeral
	dated
	clocked    // 3pm
	identifier // INC0010003, rs6034464, snake_case
	pathname
	formula // 3x^2 + 2x - 1
	address // of a page
	mailbox
	listing // a, b and c
	literal // JSON: [1, 2] or {"a": 1}
)

// value is a stretch of a text that may become an argument.
type value struct {
	shape    shape
	from, to int // tokens
	text     string
	num      number
	date     date
	items    []value
	prep     string // the preposition that leads to it
	of       int    // of a phrase that "of" joins, the token after it: grams of salt
	tail     int    // of a name with a comma, the token after which the second part begins: Boston, MA
}

var (
	urlForm  = pattern(`\bhttps?://[^\s"'<>]+[^\s"'<>.,;:!?)\]}]|\b(?:[\w-]+\.)+(?:com|org|net|io|gov|edu|dev|app|ai|co\.uk)(?:/[\w./-]*\w)?\b`)
	mailForm = pattern(`\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b`)
	pathForm = pattern(`(?:^|[\s"'(=])((?:[A-Za-z]:[\\/]|~/|\.{1,2}/|/)[^\s"'<>|,;?]*[^\s"'<>|,;?.!)]|[\w.-]+(?:/[\w.-]+)*/[\w-]+\.[A-Za-z0-9]{1,5}|[\w-]+\.(?:txt|md|csv|json|ya?ml|toml|xml|html?|pdf|docx?|xlsx?|png|jpe?g|gif|svg|log|go|py|js|ts|sh|sql|zip|tar|gz|wav|mp[34]|ini|conf|cfg|java|rs|c|h|cpp))\b`)
	// A formula begins with a term in x, y, z or t and goes on with operators, or has a power.
	formulaForm = pattern(`\b(?:[0-9.]*[xyzt](?:(?:\^|\*\*)\d+)?(?:\s*[-+*/]\s*(?:[0-9.]*[xyzt](?:(?:\^|\*\*)\d+)?|\d+(?:\.\d+)?))+|[0-9.]*[xyzt](?:\^|\*\*)\d+)\b`)
	globForm    = pattern(`(?:^|\s)([\w./-]*\*[\w./*-]*)`)
	idForm      = pattern(`^(?:[A-Za-z]+[-_/.]?\d[\w./-]*|\d+[A-Za-z-/_][\w./-]*|[A-Za-z]+(?:_[A-Za-z0-9]+)+|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[A-Z]+-\d+|#\w+|[a-z]+[A-Z]\w*)$`)
	clockForm   = pattern(`^(?:[01]?\d|2[0-3])(?::[0-5]\d)?(?:am|pm)$|^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$`)
)

var (
	quoteMarks = []string{`"`, "“", "‘", "`"}
	quoteForms = []func() *regexp.Regexp{
		pattern(`"([^"]+)"`), pattern(`“([^”]+)”`), pattern(`‘([^’]+)’`), pattern("`([^`]+)`"),
	}
)

// values are the stretches of t that may become arguments, in the order in
// which they stand. Some overlap: an assignment takes one of those that do.
func (t text) values() []value {
	var vs []value
	taken := make([]bool, len(t.toks)+1)
	add := func(s shape, begin, end int, inner string) {
		from, to := t.tokensIn(begin, end)
		if from < to && !taken[from] && !taken[to-1] && strings.TrimSpace(inner) != "" {
			for i := from; i < to; i++ {
				taken[i] = true
			}
			vs = append(vs, value{shape: s, from: from, to: to, text: inner})
		}
	}
	t.marked(add)
	dates := t.dates(taken)
	vs = append(vs, dates...)
	numbers := t.single(taken)
	vs = append(vs, numbers...)
	names := t.names(taken)
	vs = append(vs, names...)
	vs = append(vs, t.phrases(taken, slices.Concat(numbers, names))...)
	if len(vs) > maxValues {
		vs = vs[:maxValues]
	}
	for i := range vs {
		vs[i].prep = t.prepBefore(vs[i].from)
	}
	inheritYear(vs)
	vs = append(vs, t.lists(vs)...)
	return vs
}

// inheritYear gives "to April 8th" the year of the date before it, and a date
// before all years that of the first.
func inheritYear(vs []value) {
	year := 0
	for i := range vs {
		if vs[i].date.year > 0 {
			year = vs[i].date.year
			break
		}
	}
	for i := range vs {
		if d := &vs[i].date; vs[i].shape == dated && !d.relative {
			if d.year == 0 {
				d.year = year
			}
			year = d.year
		}
	}
}

// marked finds what its marks or its form set apart from the words around.
func (t text) marked(add func(s shape, begin, end int, inner string)) {
	// Each form has a mark that it cannot do without; most questions have none.
	find := func(mark string, s shape, f func() *regexp.Regexp, group int) {
		if !strings.ContainsAny(t.raw, mark) {
			return
		}
		for _, m := range f().FindAllStringSubmatchIndex(t.raw, maxValues) {
			add(s, m[2*group], m[2*group+1], t.raw[m[2*group]:m[2*group+1]])
		}
	}
	find("@", mailbox, mailForm, 0)
	find("/.", address, urlForm, 0)
	for _, m := range t.brackets() {
		add(literal, m[0], m[1], t.raw[m[0]:m[1]])
	}
	for i, f := range quoteForms {
		find(quoteMarks[i], quoted, f, 1)
	}
	for _, m := range t.singleQuotes() {
		add(quoted, m[0], m[1], t.raw[m[0]:m[1]])
	}
	find("+-*/^", formula, formulaForm, 0)
	find("*", pathname, globForm, 1)
	find("/\\.", pathname, pathForm, 1)
}

// singleQuotes are stretches between ' marks that are not apostrophes: the
// first stands after a space, the last before one.
func (t text) singleQuotes() [][2]int {
	var found [][2]int
	open := -1
	for i := 0; i < len(t.raw); i++ {
		if t.raw[i] != '\'' {
			continue
		}
		before := i == 0 || strings.IndexByte(" \t\n([{=:,\"", t.raw[i-1]) >= 0
		after := i+1 == len(t.raw) || strings.IndexByte(" \t\n)]},.;:?!\"", t.raw[i+1]) >= 0
		switch {
		case open < 0 && before && !after:
			open = i + 1
		case open >= 0 && after:
			if i > open && i-open < 4000 {
				found = append(found, [2]int{open, i})
			}
			open = -1
		}
	}
	// A question that is quoted as a whole quotes nothing.
	if len(found) == 1 && found[0][1]-found[0][0] >= len(t.raw)-3 {
		return nil
	}
	return found
}

// brackets are balanced [...] and {...} stretches.
func (t text) brackets() [][2]int {
	var found [][2]int
	depth, open := 0, 0
	for i := 0; i < len(t.raw); i++ {
		switch t.raw[i] {
		case '[', '{':
			if depth == 0 {
				open = i
			}
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				found = append(found, [2]int{open, i + 1})
			}
			depth = max(depth, 0)
		}
	}
	return found
}

// tokensIn are the tokens that lie within bytes [begin, end).
func (t text) tokensIn(begin, end int) (from, to int) {
	for from < len(t.toks) && t.toks[from].start < begin {
		from++
	}
	for to = from; to < len(t.toks) && t.toks[to].end <= end; to++ {
	}
	return from, to
}

// single finds numbers, times and identifiers.
func (t text) single(taken []bool) []value {
	var vs []value
	for i := 0; i < len(t.toks); i++ {
		tok := t.toks[i]
		if taken[i] {
			continue
		}
		if used := t.clock(i); used > 0 {
			vs = append(vs, value{shape: clocked, from: i, to: i + used, text: t.wording(i, i+used)})
			i += used - 1
			continue
		}
		if n, used, ok := t.numberAt(i); ok {
			vs = append(vs, value{shape: numeral, from: i, to: i + used, text: t.span(i, i+used), num: n})
			if !n.plain && tok.digit && idForm().MatchString(tok.raw) && !n.unit.known() && !n.percent {
				vs = append(vs, value{shape: identifier, from: i, to: i + 1, text: tok.raw})
			}
			i += used - 1
			continue
		}
		if (tok.digit || len(tok.stems) > 1) && idForm().MatchString(tok.raw) {
			vs = append(vs, value{shape: identifier, from: i, to: i + 1, text: tok.raw})
		}
	}
	return vs
}

// clock says how many tokens a time of day takes at token i: 15:30, 3pm, 7:30 pm.
func (t text) clock(i int) int {
	switch half := t.wordAt(i + 1); {
	case !t.toks[i].digit:
		return 0
	case (half == "am" || half == "pm" || half == "a.m" || half == "p.m") && clockForm().MatchString(t.toks[i].word+half[:1]+"m"):
		return 2
	case clockForm().MatchString(t.toks[i].word):
		return 1
	}
	return 0
}

// prepBefore is the preposition that leads to token i: "in" of "in the city
// of Oslo", "" where another clause stands between.
func (t text) prepBefore(i int) string {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if t.breaks(j+1) || strings.Contains(t.gap(j+1), ",") {
			return ""
		}
		if prepositions()[t.toks[j].word] {
			return t.toks[j].word
		}
		if tok := t.toks[j]; !tok.stop && (tok.upper || tok.digit) {
			return "" // the preposition leads to another value
		}
	}
	return ""
}
