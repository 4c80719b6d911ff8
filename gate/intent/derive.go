package intent

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/onestep-run/onestep/gate/lex"
)

// derive looks for what code can recompute a string from.
func (c *comparison) derive(l *leaf, v string) (match, bool) {
	if len(v) > maxDerived {
		return match{}, false
	}
	m, found := c.form(l, v)
	switch {
	case found:
	case len(v) == 2 && plain(v[1]) && v[0] > '9':
		m, found = c.country(l, v)
	case len(v) == 3:
		m, found = c.currency(v)
	case strings.ContainsAny(v, "0123456789"):
		m, found = c.amount(v)
	case strings.Contains(v, "/"):
		m, found = c.zone(v)
	}
	return m, found
}

// maxDerived is the length of the longest text that is recomputed.
const maxDerived = 64

// elsewise finds another text in the question, as the value derived in some way.
func (c *comparison) elsewise(text, by string) (match, bool) {
	if c.lower == "" {
		c.lower = strings.ToLower(c.question.all)
	}
	if !strings.Contains(c.lower, strings.ToLower(text)) {
		return match{}, false
	}
	c.other.cut(text)
	m, found := c.question.find(&c.other)
	m.by = by
	return m, found
}

// form finds the possessive of a value; of prose and of a kind also the singular
// or plural; of a member of an enum any word of its stem, a word that it shortens,
// and another name of its unit. A name has one spelling: the collection order is
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

// listedOtherwise reports whether the question says another member of the enum,
// in full, where this one would be a form of it: orders, where both are listed.
func (c *comparison) listedOtherwise(l *leaf, v string) bool {
	return slices.ContainsFunc(inflections(v), func(other string) bool {
		if other == v || !l.at.lists(scalar{'"', other}) {
			return false
		}
		_, said := c.elsewise(other, byForm)
		return said
	})
}

// inflects reports whether a plural says the same as the singular: in prose and in
// the kind of a thing, never in what names the thing that the call is about.
func (c *comparison) inflects(l *leaf, v string) bool {
	if strings.ContainsAny(v, "-_") || slices.Contains(c.resource, l.Pointer) {
		return false
	}
	name := snake(l.name())
	last := name[strings.LastIndexByte(name, '_')+1:]
	return prose()[last] || kinds()[last]
}

// member finds the words of which a member of an enum is a form.
func (c *comparison) member(v string) (match, bool) {
	name, measures := strings.FieldsFunc(snake(v), func(r rune) bool { return r == '_' || unicode.IsSpace(r) }), units()[v]
	for i := range c.question.tokens {
		word := strings.ToLower(c.question.word(int32(i)))
		if word == "" || len(name) == 0 || !c.question.spend(1) {
			continue
		}
		short := shortens(v, word) || shortens(word, v) || v == "daily" && word == "day"
		also := len(measures) > 0 && slices.ContainsFunc(units()[word], func(u unit) bool { return u.name == measures[0].name })
		if end := c.question.names(i, name); end > 0 {
			return match{start: c.question.tokens[i].start, end: c.question.tokens[end-1].end, by: byForm}, true
		} else if short || also {
			return c.at(i, byForm), true
		}
	}
	return match{}, false
}

// shortens reports whether a word is the beginning of another, as asc is of ascending.
func shortens(v, word string) bool {
	return len(v) >= 3 && len(v) <= 5 && len(word) >= len(v)+3 && strings.HasPrefix(word, v)
}

// at is token i as the source of a value. Words may be that of several.
func (c *comparison) at(i int, by string) match {
	k := c.question.tokens[i]
	return match{start: k.start, end: k.end, by: by}
}

// zones are the names of IANA's time zones (of go1.26's copy), a region a line.
//
//go:embed zones.txt
var zones string

// Zones are the names of the time zones whose last part is a city's name.
func Zones(city string) (all []string) {
	named := strings.ReplaceAll(unaccented(city), " ", "_")
	for line := range strings.Lines(zones) {
		fields := strings.Fields(line)
		for _, name := range fields[1:] {
			if last := name[strings.LastIndexByte(name, '/')+1:]; strings.EqualFold(last, named) {
				all = append(all, fields[0]+"/"+name)
			}
		}
	}
	return all
}

// zone finds the city that names a time zone: the last part of its name.
func (c *comparison) zone(v string) (match, bool) {
	region, city, _ := strings.Cut(v, "/")
	for line := range strings.Lines(zones) {
		if rest, is := strings.CutPrefix(line, region+" "); is && city != "" && slices.Contains(strings.Fields(rest), city) {
			return c.phrase(strings.Split(city[strings.LastIndexByte(city, '/')+1:], "_"), byZone)
		}
	}
	return match{}, false
}

// countries are the codes of ISO 3166-1 and English names; the two Congos have none.
//
//go:embed countries.txt
var countries string

// beyond are words before which a country's name is another place's: New Mexico.
var beyond = words(`new north northern south southern east eastern west western american british french equatorial papua`)

// country finds the name of the country whose code a value is.
func (c *comparison) country(l *leaf, v string) (match, bool) {
	if !slices.Contains(strings.Split(snake(l.name()), "_"), "country") {
		return match{}, false
	}
	for line := range strings.Lines(countries) {
		if name, is := strings.CutPrefix(strings.TrimSpace(line), strings.ToUpper(v)+" "); is {
			m, found := c.phrase(strings.Fields(unaccented(name)), byCountry)
			return m, found && !beyond()[c.question.label(c.question.tokenAt(int(m.start))-1)]
		}
	}
	return match{}, false
}

// phrase finds words one behind the other, without their accents.
func (c *comparison) phrase(name []string, by string) (match, bool) {
	t := &c.question
	for i := 0; i+len(name) <= len(t.tokens); i++ {
		is := t.spend(1)
		for k, w := range name {
			is = is && strings.EqualFold(unaccented(strings.TrimSuffix(t.word(int32(i+k)), "'s")), w)
		}
		if is {
			return match{start: t.tokens[i].start, end: t.tokens[i+len(name)-1].end, by: by}, true
		}
	}
	return match{}, false
}

func unaccented(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

// currencies are the words and signs of currencies. Behind a word of a country
// a word is that country's; else it is of the first here that has it.
var currencies = sync.OnceValue(func() [][]string {
	var all [][]string
	for _, line := range strings.Split(`USD us,u.s,american dollar dollars buck bucks $
EUR european euro euros €
GBP british,uk pound pounds sterling quid £
JPY japanese yen
CNY chinese yuan renminbi
INR indian rupee rupees ₹
CHF swiss franc francs
CAD canadian dollar dollars
AUD australian dollar dollars
NZD new-zealand,zealand dollar dollars
HKD hong-kong,kong dollar dollars
SGD singapore,singaporean dollar dollars
SEK swedish krona kronor
NOK norwegian krone kroner
DKK danish krone kroner
KRW korean won
PLN polish zloty
BRL brazilian real reais
MXN mexican peso pesos
TRY turkish lira
ILS israeli shekel shekels`, "\n") {
		all = append(all, strings.Fields(line))
	}
	return all
})

// currency finds the word or the sign of a currency.
func (c *comparison) currency(v string) (match, bool) {
	for _, of := range currencies() {
		if !strings.EqualFold(of[0], v) {
			continue
		}
		for _, word := range of[2:] {
			if at := strings.Index(c.question.all, word); at >= 0 && !plain(word[0]) {
				return match{start: int32(at), end: int32(at + len(word)), by: byCurrency}, true
			}
			for i := range c.question.tokens {
				if strings.EqualFold(c.question.word(int32(i)), word) && payer(word, strings.ToLower(c.question.word(int32(i)-1))) == of[0] {
					return c.at(i, byCurrency), true
				}
			}
		}
	}
	return match{}, false
}

// payer is the code of the currency that a word means behind another.
func payer(word, before string) string {
	first, several := "", false
	for _, of := range currencies() {
		if !slices.Contains(of[2:], word) {
			continue
		}
		if slices.Contains(strings.Split(of[1], ","), before) {
			return of[0]
		}
		several = several || first != "" && first != "USD"
		if first == "" {
			first = of[0]
		}
	}
	if several {
		return ""
	}
	return first
}

// lasting is a duration as ISO 8601 writes it, of one unit.
var lasting = lex.Pattern(`^PT?(\d+)([DHMSW])$`)

// amount finds a quantity that is written otherwise: "2h" and "PT2H" for "2 hours".
func (c *comparison) amount(v string) (match, bool) {
	if m := lasting().FindStringSubmatch(v); m != nil && !(m[2] == "M" && v[1] != 'T') {
		v = m[1] + map[string]string{"D": "d", "H": "h", "M": "min", "S": "s", "W": "weeks"}[m[2]]
	}
	c.other.cut(v)
	of := c.other.quantities()
	if len(of) != 1 || int(of[0].last) != len(c.other.tokens)-1 || of[0].first != 0 || len(of[0].units) == 0 {
		return match{}, false
	}
	have := of[0].value.rational()
	for i := range c.question.quantities() {
		q := &c.question.amounts[i]
		want, u := q.in(of[0].units)
		if same := want == nil && u.dimension == "" && len(q.units) > 0 && q.units[0].name == of[0].units[0].name && q.value == of[0].value; same || want != nil && have != nil && want.Cmp(have) == 0 {
			t := &c.question
			return match{start: t.tokens[q.first].start, end: t.tokens[q.last].end, by: byUnit, taken: t.used(q.first, q.first)}, true
		}
	}
	return match{}, false
}
