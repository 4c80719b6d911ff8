package lexical

import (
	"slices"
	"strings"
)

// maxValues bounds how many values of one question are weighed.
const maxValues = 64

// shape is the kind of a value, by its writing.
type shape int

const (
	plain      shape = iota // words that are values only by their place: namespace payments
	named                   // a name: Gibson Les Paul
	quotation               // 'Ticket to Ride'
	numeral                 // 5, five, 1,000, 5 km
	dated                   // 2026-03-05, tomorrow
	address                 // of a page
	mailbox                 //
	pathname                // /etc/hosts
	identifier              // INC0010001, web-1, octocat/hello-world
	listing                 // a, b and c
)

// value is a stretch of the question that may become an argument.
type value struct {
	shape    shape
	from, to int // words
	text     string
	num      number
	date     date
	items    []value
	only     int // for a plain value, the slot of its place
}

// suffixes are the suffixes of file names.
const suffixes = `txt|md|csv|json|ya?ml|toml|xml|html?|pdf|docx?|xlsx?|png|jpe?g|gif|svg|log|go|py|js|ts|sh|sql|zip|tar|gz|wav|mp[34]|ini|conf|cfg|db|env|lock|bak|pem|key|rs|java|rb|php|c|h`

// The forms of literals that are neither numbers nor dates.
var (
	urlForm  = pattern(`^(?:https?|ftp|wss?)://\S+$|^(?:[\w-]+\.)+(?:com|org|net|io|gov|edu|dev)(?:/\S*)?$`)
	mailForm = pattern(`^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$`)
	pathForm = pattern(`^(?:[A-Za-z]:[\\/]|~/|\.{1,2}/|/).*$|\*|^[\w.-]+(?:/[\w.-]+)*\.(?:` + suffixes + `)$|/$`)
	// ofAFile matches a path that ends in the name of a file, and not of a directory.
	ofAFile = pattern(`^[^*]*\w\.(?:` + suffixes + `)$`)
	// ofMedia matches the file of a picture or of sound.
	ofMedia  = pattern(`\.(?:png|jpe?g|gif|svg|wav|mp[34])$`)
	wordForm = pattern(`^[a-z]+(?:-[a-z]{2,})+$`) // single sign-on: a word with a hyphen
)

// values are the values in the question, in its order. They do not overlap.
func (t text) values() []value {
	var list []value
	for i := 0; i < len(t.words) && len(list) < maxValues; {
		v, ok := t.valueAt(i)
		if !ok {
			i++
			continue
		}
		list = append(list, v)
		i = v.to
	}
	return list
}

func (t text) valueAt(i int) (value, bool) {
	w := t.words[i]
	if w.quoted {
		return value{shape: quotation, from: i, to: i + 1, text: w.raw}, true
	}
	if t.statement(i) {
		return value{shape: quotation, from: i, to: len(t.words), text: strings.TrimRight(t.raw[w.start:], " \t\n.?!")}, true
	}
	if v, ok := t.dateAt(i); ok {
		return v, true
	}
	if n, to, ok := t.numberAt(i); ok {
		return value{shape: numeral, from: i, to: to, text: w.raw, num: n}, true
	}
	if end := t.nameEnd(i); end > i && literalShape(w) != pathname {
		return value{shape: named, from: i, to: end, text: t.span(i, end)}, true
	}
	if s := literalShape(w); s != plain {
		return value{shape: s, from: i, to: i + 1, text: w.raw}, true
	}
	return value{}, false
}

// literalShape is the shape of a literal that is neither a number nor a date.
func literalShape(w word) shape {
	switch {
	case !w.literal || wordForm().MatchString(w.raw):
		return plain
	case mailForm().MatchString(w.raw):
		return mailbox
	case urlForm().MatchString(w.raw):
		return address
	case pathForm().MatchString(w.raw):
		return pathname
	}
	return identifier
}

// nameEnd is the end of a run of capitalised words at word i, or i. The first word of a
// sentence always has a capital, so it is a name only before another one.
func (t text) nameEnd(i int) int {
	w := t.words[i]
	if !nameWord(w) || glue()[w.low] || objection(w.low) != "" {
		return i
	}
	alone := i+1 >= len(t.words) || !t.words[i+1].capital || !t.joined(i+1)
	if t.begun(i) && (alone || verb(w)) {
		if len(t.words) > 1 && !allCapitals(w.raw) {
			return i
		}
	}
	end := i + 1
	for end < len(t.words) && t.gap(end) == " " {
		switch next := t.words[end]; {
		case nameWord(next) && next.low != "i":
			end++
		case particles()[next.low] && t.names(end+1):
			end += 2
		default:
			return end
		}
	}
	return end
}

// names reports whether word i continues a name.
func (t text) names(i int) bool {
	return i < len(t.words) && nameWord(t.words[i]) && t.joined(i)
}

// particles may be inside a name.
var particles = set("of de del da di la van von")

// nameWord reports whether a word may be part of a name. It has a capital, and no digit or
// mark that makes it an identifier.
func nameWord(w word) bool {
	return w.capital && !w.quoted && !strings.ContainsAny(w.raw, "0123456789_/@:=")
}

func allCapitals(s string) bool { return len(s) > 1 && strings.ToUpper(s) == s }

func verb(w word) bool { return verbs(w.low) || weak()[w.stem] }

// grouped joins values of one shape into lists, if only commas and "and" separate them.
func (t text) grouped(vs []value) []value {
	var list []value
	for i := 0; i < len(vs); {
		end := i + 1
		for end < len(vs) && kin(vs[i], vs[end]) && t.enumerates(vs[end-1].to, vs[end].from) {
			end++
		}
		if end-i == 1 {
			list = append(list, vs[i])
		} else {
			list = append(list, value{shape: listing, from: vs[i].from, to: vs[end-1].to, items: vs[i:end]})
		}
		i = end
	}
	return list
}

func kin(a, b value) bool {
	return a.shape == b.shape || slices.Contains([]shape{identifier, named}, a.shape) && slices.Contains([]shape{identifier, named}, b.shape)
}

// enumerates reports whether only commas and "and" are between the words before to and
// from.
func (t text) enumerates(to, from int) bool {
	if strings.ContainsAny(t.raw[t.words[to-1].end:t.words[from].start], ";.!?:()") {
		return false
	}
	and := from > to
	for i := to; i < from; i++ {
		and = and && slices.Contains([]string{"and", "&", "the"}, t.low(i))
	}
	return and || from == to && strings.Contains(t.gap(from), ",")
}
