package lexical

import (
	"slices"
	"strings"
	"sync"
)

// placeNouns go with the name before them: Mississippi river, Chicago area.
var placeNouns = set("river rainforest county park street road avenue university school college forest ocean lake sea mountain island province valley airport museum")

// names finds proper names: runs of capitalised words, with the "of" and the
// numbers inside them. A name with a comma gives itself and its two parts.
func (t text) names(taken []bool) []value {
	var vs []value
	for i := 0; i < len(t.toks); i++ {
		if taken[i] || !t.nameStart(i) {
			continue
		}
		end := t.nameEnd(i, taken)
		first := t.name(i, end)
		if rest := t.nameTail(end, taken); rest > end {
			vs = append(vs, value{shape: proper, from: i, to: rest, text: t.wording(i, rest), tail: end})
			vs = append(vs, first, t.name(end, rest))
			end = rest
		} else {
			vs = append(vs, first)
		}
		i = end - 1
	}
	return vs
}

func (t text) name(from, to int) value {
	return value{shape: proper, from: from, to: to, text: t.wording(from, to)}
}

// wording is the text of a name: with the point of an abbreviation at its end,
// without the mark of a possessive before another word.
func (t text) wording(from, to int) string {
	s := t.span(from, to)
	last := t.toks[to-1]
	if last.end < len(t.raw) && t.raw[last.end] == '.' && (strings.Contains(last.raw, ".") || last.upper && to < len(t.toks) && !t.toks[to].upper && t.gap(to) == ". ") {
		return s + "." // D.C., Bros.
	}
	if to < len(t.toks) && t.joined(to) && !t.toks[to].upper && !t.toks[to].stop {
		return strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "’s")
	}
	return s
}

// nameStart reports whether a name may begin at token i. The first word of a
// sentence is capitalised in any case: alone, it must not be a common one.
func (t text) nameStart(i int) bool {
	tok := t.toks[i]
	if !tok.upper || tok.stop && tok.word != "the" || len(tok.raw) == 1 && tok.word == "i" {
		return false
	}
	if i > 0 && !strings.ContainsAny(t.gap(i), ".!?:\n") {
		return !tok.stop || i+1 < len(t.toks) && t.toks[i+1].upper && t.joined(i+1)
	}
	common := tok.stop || modifiers()[tok.word] || actions()[tok.stem] || weakStems()[tok.stem]
	return !common && (i > 0 || len(t.toks) == 1 || t.sentenceName(i))
}

// sentenceName reports whether the first word of the question is a name: two
// capitalised words in a row, or one that is no verb, as what follows shows.
func (t text) sentenceName(i int) bool {
	if i+1 >= len(t.toks) {
		return true
	}
	next := t.toks[i+1]
	return next.upper && t.joined(i+1) && !prepositions()[next.word] && len(t.toks[i].raw) > 1 && !groupWords()[t.toks[i].word]
}

// groupWords are the words that stand in groups: verbs, most of them.
var groupWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range groups() {
		m[w] = true
	}
	return m
})

func (t text) nameEnd(i int, taken []bool) int {
	end := i + 1
	for end < len(t.toks) && !taken[end] && t.nameGap(end) {
		tok := t.toks[end]
		switch {
		case tok.upper && tok.word != "i":
			end++
		case placeNouns()[tok.word]:
			return end + 1
		case tok.digit && len(tok.raw) <= 4 && !yearLike(tok.raw) && tok.word == strings.TrimLeft(tok.word, "$-+") && !t.unitAt(end+1):
			return end + 1
		case t.connects(end, taken):
			end += 2
			if t.toks[end-1].word == "the" {
				end++
			}
		default:
			return end
		}
	}
	return end
}

// nameGap reports whether a name can go on at token i.
func (t text) nameGap(i int) bool {
	g := t.gap(i)
	return g == " " || g == "-" || g == ". " && len(t.toks[i-1].raw) <= 3 && !modifiers()[t.toks[i].word] || g == ": " && t.toks[i].upper && t.toks[i-1].upper
}

// connects reports whether "of" or the like at token i leads on to a
// capitalised word.
func (t text) connects(i int, taken []bool) bool {
	if w := t.toks[i].word; w != "of" && w != "de" && w != "v" && w != "vs" && w != "&" {
		return false
	}
	j := i + 1
	if j < len(t.toks) && t.toks[j].word == "the" && t.toks[i].word == "of" {
		j++
	}
	return j < len(t.toks) && t.toks[j].upper && !taken[j] && (t.joined(j) || t.toks[i].word[0] == 'v' && t.gap(j) == ". ")
}

func (t text) unitAt(i int) bool {
	if i >= len(t.toks) || !t.joined(i) {
		return false
	}
	_, ok := units()[t.toks[i].word]
	return ok
}

func yearLike(s string) bool {
	return len(s) == 4 && (s[0] == '1' || s[:2] == "20") && strings.Trim(s, "0123456789") == ""
}

// nameTail is where the second part of "Boston, MA" or "Paris, France" ends,
// or end where a list goes on instead.
func (t text) nameTail(end int, taken []bool) int {
	if end >= len(t.toks) || taken[end] || t.gap(end) != ", " || !t.toks[end].upper || t.toks[end].stop || t.toks[end].digit {
		return end
	}
	rest := t.nameEnd(end, taken)
	if initials(t.toks[end].raw) || rest >= len(t.toks) {
		return rest
	}
	listed := strings.HasPrefix(t.gap(rest), ",") && t.toks[rest].upper || t.toks[rest].word == "and" || t.toks[rest].word == "or"
	if listed || rest-end > 3 {
		return end
	}
	return rest
}

// initials are MA, USA and D.C.
func initials(s string) bool {
	return len(s) <= 4 && strings.ToUpper(s) == s
}

// phrases finds runs of words that mean something and are no names, and
// those that "of" joins.
func (t text) phrases(taken []bool, names []value) []value {
	named := make([]bool, len(t.toks)+1)
	for _, n := range names {
		for i := n.from; i < n.to; i++ {
			named[i] = true
		}
	}
	var vs []value
	for i := 0; i < len(t.toks); i++ {
		if !t.common(i, taken) || named[i] {
			continue
		}
		end := i + 1
		for end < len(t.toks) && t.common(end, taken) && !named[end] && t.joined(end) {
			end++
		}
		from := i
		for from < end-1 && modifiers()[t.toks[from].word] {
			from++
		}
		vs = append(vs, value{shape: phrase, from: from, to: end, text: t.span(from, end)})
		if k := len(vs); k > 1 && vs[k-2].to == i-1 && t.toks[i-1].word == "of" && vs[k-2].shape == phrase {
			vs = append(vs, value{shape: phrase, from: vs[k-2].from, to: end, text: t.span(vs[k-2].from, end), of: i})
		}
		i = end - 1
	}
	return vs
}

// common reports whether token i is a word of a phrase.
func (t text) common(i int, taken []bool) bool {
	tok := t.toks[i]
	if taken[i] || tok.stop {
		return false
	}
	if i > 0 && relative()[t.toks[i-1].word] || t.participle(i) || t.imperative(i) {
		return false
	}
	_, number := numberWords[tok.word]
	return !number && (!tok.digit || !strings.ContainsAny(tok.word[:1], "0123456789$-+."))
}

// imperative reports whether token i is the verb of an order: "Design a logo".
func (t text) imperative(i int) bool {
	return (i == 0 || t.stops(i)) && i+1 < len(t.toks) && determiners()[t.toks[i+1].word]
}

var determiners = set("a an the my me us some this these all")

// relative words are followed by a verb: "that offers", "who tweets".
var relative = set("that which who to")

var irregular = set("made written held given taken sold built won born sung shown known found")

// participle reports whether token i is a verb that leads on: "filed against",
// ", selling tomatoes", "starting from".
func (t text) participle(i int) bool {
	word := t.toks[i].word
	switch {
	case irregular()[word]:
		return true
	case len(word) < 5 || !strings.HasSuffix(word, "ing") && !strings.HasSuffix(word, "ed"):
		return false
	case t.listed(i + 1):
		return false // organized, camping and hiking
	case strings.Contains(t.gap(i), ","):
		return true
	case i+1 >= len(t.toks) || !t.joined(i+1):
		return strings.HasSuffix(word, "ed")
	}
	next := t.toks[i+1]
	return next.stop || next.upper || next.digit || i > 0 && strings.HasSuffix(word, "ing") && prepositions()[t.toks[i-1].word]
}

// listed reports whether a list goes on at token i.
func (t text) listed(i int) bool {
	return i < len(t.toks) && (strings.Contains(t.gap(i), ",") || t.toks[i].word == "and" || t.toks[i].word == "or")
}

// lists joins values that commas, "and" and "or" join: a, b and c.
func (t text) lists(vs []value) []value {
	ordered := slices.DeleteFunc(slices.Clone(vs), func(v value) bool { return v.of > 0 })
	slices.SortStableFunc(ordered, func(a, b value) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	var out []value
	for i := 0; i < len(ordered); {
		run := []value{ordered[i]}
		next := i + 1
		for j := i + 1; j < len(ordered); j++ {
			last := run[len(run)-1]
			if ordered[j].from < last.to {
				continue
			}
			if !t.joinsList(last, ordered[j]) {
				break
			}
			run = append(run, ordered[j])
			next = j + 1
		}
		if len(run) > 1 {
			out = append(out, value{shape: listing, from: run[0].from, to: run[len(run)-1].to, items: run, prep: run[0].prep})
		}
		i = next
	}
	return out
}

// joinsList reports whether b follows a in a list.
func (t text) joinsList(a, b value) bool {
	if (a.shape == numeral) != (b.shape == numeral) || (a.shape == dated) != (b.shape == dated) || b.shape == literal || a.shape == literal || (a.shape == quoted) != (b.shape == quoted) {
		return false
	}
	comma, and := strings.Contains(t.gap(a.to), ","), false
	for k := a.to; k < b.from; k++ {
		switch t.toks[k].word {
		case "and", "or", "&":
			and = true
		case "the", "a", "an", "also":
		default:
			return false
		}
		if k > a.to && strings.ContainsAny(t.gap(k), ".;:!?()") {
			return false
		}
	}
	return (comma || and) && !strings.ContainsAny(t.gap(a.to)+t.gap(b.from), ".;:!?()[]")
}
