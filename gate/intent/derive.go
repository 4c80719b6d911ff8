package intent

import (
	"slices"
	"strings"
	"unicode"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/speech"
)

// How a value was derived.
const (
	byPart       = "part"
	byAddress    = "address" // a part of an address; the host is left over
	byNumber     = speech.Respelled
	byNumberWord = speech.InWords
	byMagnitude  = speech.Magnified
	byPercentage = speech.Percentage
	byUnit       = speech.InUnit
	byDateWords  = "date in words"
	byDate       = "date or time"
	byForm       = "form" // of a word
	byZone       = "zone"
	byCurrency   = "currency"
	byCountry    = "country"
	byName       = "name"      // of the parameter, in the question
	byDirection  = "direction" // the word before a value
	byOrder      = "order"     // of the two values of a pair, without a word that distinguishes them
)

// derive looks for words in the question from which code can recompute a string.
func (c *comparison) derive(l *leaf, v string) (match, bool) {
	if len(v) > maxDerived {
		return match{}, false
	}
	m, found := c.form(l, v)
	switch {
	case found:
	case len(v) == 2 && speech.Alphanumeric(v[1]) && v[0] > '9':
		m, found = c.country(l, v)
	case len(v) == 3:
		m, found = c.currency(v)
	case strings.Contains(v, "/"):
		m, found = c.zone(v)
	}
	return m, found
}

// maxDerived is the length of the longest text that is recomputed.
const maxDerived = 64

// elsewise finds another text in the question, from which the value is derived.
func (c *comparison) elsewise(text, by string) (match, bool) {
	if c.lower == "" {
		c.lower = strings.ToLower(c.question.NFC)
	}
	if !strings.Contains(c.lower, strings.ToLower(text)) {
		return match{}, false
	}
	c.other.cut(text)
	m, found := c.question.find(&c.other)
	m.by = by
	return m, found
}

// form finds another form of a value. That is its possessive, and for prose and kinds its
// singular or plural. A member of an enum also has words of its stem, words that it
// shortens, and other names of its unit. A name has one spelling: the collection order is
// not the collection orders, so a name has no plural here.
func (c *comparison) form(l *leaf, v string) (match, bool) {
	others := []string{v + "'s", v + "’s"}
	switch {
	case l.Listed && !c.listedOtherwise(l, v), !l.Listed && c.inflects(l, v):
		others = append(others, inflections(v)...)
	case l.Listed:
		return match{}, false
	}
	for _, other := range others {
		if other == v || other == "" {
			continue
		}
		if m, found := c.elsewise(other, byForm); found {
			return m, true
		}
	}
	if !l.Listed {
		return match{}, false
	}
	return c.member(strings.ToLower(v))
}

// inflections are the plurals and singulars of a word.
func inflections(v string) (all []string) {
	if !strings.ContainsAny(v, "0123456789/@.:") {
		all = append(all, v+"s", v+"es", strings.TrimSuffix(v, "y")+"ies", strings.TrimSuffix(v, "s"), strings.TrimSuffix(v, "es"))
	}
	if stem, plural := strings.CutSuffix(v, "ies"); plural {
		all = append(all, stem+"y")
	}
	return all
}

// listedOtherwise reports whether the question has another member of the enum in full. This
// one would then be a form of it: orders, if order is listed too.
func (c *comparison) listedOtherwise(l *leaf, v string) bool {
	return slices.ContainsFunc(inflections(v), func(other string) bool {
		if other == v || !l.at.lists(scalar{'"', other}) {
			return false
		}
		_, said := c.elsewise(other, byForm)
		return said
	})
}

// prose are the last words of names of parameters that take text to read or to search.
// kinds are those of parameters that take the kind of a thing, not its name.
var (
	prose = lex.Words(`text texts query queries q search keyword keywords term terms phrase question prompt subject message messages body content
		description summary comment note notes title topic topics sentence input`)
	kinds = lex.Words(`kind kinds type types category categories`)
)

// inflects reports whether a plural means the same as the singular. It does in prose and in
// the kind of a thing, never in the name of the thing that the call is about.
func (c *comparison) inflects(l *leaf, v string) bool {
	if strings.ContainsAny(v, "-_") || slices.Contains(c.resource, l.Pointer) {
		return false
	}
	name := speech.Snake(l.name())
	last := name[strings.LastIndexByte(name, '_')+1:]
	return prose()[last] || kinds()[last]
}

// member finds words that are forms of a member of an enum.
func (c *comparison) member(v string) (match, bool) {
	t, measures := &c.question, speech.Units(v)
	name := speech.NameParts(v)
	if strings.ContainsFunc(v, func(r rune) bool { return !joins(r) && !wordly(r) }) { // c++ is not c
		name = []string{v}
	}
	if len(name) == 0 {
		return match{}, false
	}
	for i := range t.Tokens {
		word := t.Low(i)
		if word == "" || !t.spend(1) {
			continue
		}
		if end := t.names(i, name); end > 0 {
			return t.tokens(i, end-1, byForm), true
		}
		switch {
		case shortens(v, word), shortens(word, v), v == "daily" && word == "day", measure(word, measures):
			return t.tokens(i, i, byForm), true
		}
	}
	return match{}, false
}

// wordly reports whether a character is a letter or a digit.
func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// measure reports whether a word is another name of a unit.
func measure(word string, of []speech.Unit) bool {
	return len(of) > 0 && slices.ContainsFunc(speech.Units(word), func(u speech.Unit) bool { return u.Name == of[0].Name })
}

// shortens reports whether a word is the beginning of another, as asc is of ascending.
func shortens(v, word string) bool {
	if len(v) < 3 || len(v) > 5 {
		return false
	}
	return len(word) >= len(v)+3 && strings.HasPrefix(word, v)
}

// zone finds the city that names a time zone: the last part of its name.
func (c *comparison) zone(v string) (match, bool) {
	city := speech.City(v)
	if city == nil {
		return match{}, false
	}
	return c.phrase(city, byZone)
}

// country finds the name of a country from its code.
func (c *comparison) country(l *leaf, v string) (match, bool) {
	name := speech.Country(v)
	if len(name) == 0 || !slices.Contains(strings.Split(speech.Snake(l.name()), "_"), "country") {
		return match{}, false
	}
	m, found := c.phrase(name, byCountry)
	return m, found && !speech.Beyond()[c.question.Label(c.question.At(m.start)-1)]
}

// phrase finds consecutive words, without their accents.
func (c *comparison) phrase(name []string, by string) (match, bool) {
	t := &c.question
	for i := 0; i+len(name) <= len(t.Tokens); i++ {
		is := t.spend(1)
		for k, w := range name {
			is = is && strings.EqualFold(speech.Unaccented(strings.TrimSuffix(t.Word(i+k), "'s")), w)
		}
		if is {
			return t.tokens(i, i+len(name)-1, by), true
		}
	}
	return match{}, false
}

// currency finds the word or the sign of a currency.
func (c *comparison) currency(v string) (match, bool) {
	t := &c.question
	for _, word := range speech.Money(v) {
		at := strings.Index(t.NFC, word)
		if at >= 0 && !speech.Alphanumeric(word[0]) {
			return match{start: at, end: at + len(word), by: byCurrency}, true
		}
		for i := range t.Tokens {
			if t.Low(i) == word && strings.EqualFold(speech.Currency(word, t.Low(i-1)), v) {
				return t.tokens(i, i, byCurrency), true
			}
		}
	}
	return match{}, false
}
