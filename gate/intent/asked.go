package intent

import (
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
)

// Sign is what in a question speaks against a change, and where.
type Sign struct {
	Kind string `json:"kind"` // "forbidden", "asked about", "quoted", "conditional" or "reported"
	Span
}

// The kinds of signs.
const (
	forbidden   = "forbidden"
	askedAbout  = "asked about"
	quotedOnly  = "quoted"
	conditional = "conditional"
	reported    = "reported"
)

// Against is the sign that a question does not plainly ask for a change by the
// tool of that name, or nil. Words that the call holds as values, and quoted
// ones, are no signs: a title may say "do not". It reads English words by lists
// and positions, so nil is not a request: what it cannot read carries no sign.
func Against(question, tool string, values ...Span) *Sign {
	var t text
	t.cut(question)
	return t.against(tool, nil, values)
}

// What is read of a question: its first tokens, and of a sentence without an end the first ones at a time.
const (
	maxRead     = 2048
	maxSentence = 96
)

func (t *text) against(tool string, modes []string, values []Span) *Sign {
	r := request{t: t, values: values, verbs: map[string]bool{}, nouns: map[string]bool{}, free: true, lows: make([]string, min(maxRead, len(t.tokens)))}
	for i := range r.lows {
		if k := t.tokens[i]; !r.held(i) {
			r.lows[i] = strings.ReplaceAll(strings.ToLower(t.all[k.start:k.end]), "’", "'")
		}
	}
	parts := nameParts(tool)
	for _, name := range verbsOf(parts) {
		r.verbs[english.Stem(name, true)] = true
	}
	for _, name := range parts {
		r.nouns[english.Stem(name, true)] = !r.verbs[english.Stem(name, true)]
	}
	for i, name := range parts {
		r.sends = r.sends || sending()[name]
		opens := name == "open" && len(parts) == 1 // a page, a file: nothing is made
		r.free = r.free && (i == 0 && reading()[name] || !changes()[name] || i > 0 && things()[name] || name == "run" || opens)
	}
	for _, mode := range modes {
		if name, _, _ := strings.Cut(strings.ReplaceAll(snake(mode), " ", "_"), "_"); changes()[name] {
			r.verbs[english.Stem(name, true)], r.free = true, false
		}
	}
	for from := 0; from < len(r.lows); {
		to := r.sentence(from)
		r.read(from, to)
		from = to
	}
	if r.own.ordered {
		r.any = r.own
	}
	switch {
	case r.barred != nil:
		return r.barred
	case r.any.plain || r.any.sign == nil && (r.free || !r.quoted):
		return nil
	case r.any.sign != nil:
		return r.any.sign
	}
	return r.sign(quotedOnly, 0, len(r.lows))
}

// nameParts are the words of a tool's name.
func nameParts(tool string) []string {
	return strings.FieldsFunc(snake(tool), func(r rune) bool { return r == '_' || r == '.' || r == '/' })
}

// verbsOf are the words of a tool's name that say what it does. The others name
// what it does that to: pod orders nothing in "I deleted pod x". Where no word is a
// verb that is known, each but a plural may be one.
func verbsOf(parts []string) (verbs []string) {
	for i, name := range parts {
		thing := i > 0 && things()[name]
		if sending()[name] || !thing && known(name) {
			verbs = append(verbs, name)
		}
	}
	if len(verbs) > 0 {
		return verbs
	}
	return slices.DeleteFunc(slices.Clone(parts), func(name string) bool {
		return len(parts) > 1 && strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss")
	})
}

// known reports whether a word is a verb that the lists have.
func known(name string) bool { return changes()[name] || reading()[name] || acts()[name] }

// request is a question that is read for signs.
type request struct {
	t      *text
	values []Span
	lows   []string
	verbs  map[string]bool // stems of the verbs of the tool's name
	nouns  map[string]bool // stems of its other words, which order nothing
	free   bool            // the tool's name says no change
	sends  bool            // it says that the tool sends something

	own, any orders // with a verb of the tool's name, and with any
	quoted   bool   // a quotation has the verb of a change
	barred   *Sign  // against a value of the call, whatever else is ordered
}

// orders are what was found of orders.
type orders struct {
	ordered bool
	plain   bool  // one is without a sign
	sign    *Sign // the first
}

func (o *orders) add(s *Sign) {
	o.ordered = true
	o.plain = o.plain || s == nil
	if o.sign == nil {
		o.sign = s
	}
}

// low is token i in lower case, "" where it is held.
func (r *request) low(i int) string {
	if i < 0 || i >= len(r.lows) {
		return ""
	}
	return r.lows[i]
}

// held reports whether token i is quoted, or part of a value.
func (r *request) held(i int) bool {
	k := r.t.tokens[i]
	return k.quoted || slices.ContainsFunc(r.values, func(v Span) bool { return int(k.start) >= v.Start && int(k.end) <= v.End })
}

func (r *request) gap(i int) string {
	if i <= 0 || i >= len(r.t.tokens) {
		return "\n"
	}
	return r.t.all[r.t.tokens[i-1].end:r.t.tokens[i].start]
}

// sentence is the token after the sentence that begins at from. A colon ends
// one, for what follows it has its own verb.
func (r *request) sentence(from int) int {
	for i := from + 1; i < len(r.lows); i++ {
		if g := r.gap(i); strings.ContainsAny(g, "!?;:\n") || strings.Contains(g, ". ") || strings.Trim(r.low(i-1), "-–—") == "" && r.low(i-1) != "" || i-from == maxSentence {
			return i
		}
	}
	return len(r.lows)
}

// read takes up the orders of one sentence.
func (r *request) read(from, to int) {
	head := from
	for openers()[r.low(head)] && head+1 < to {
		head++
	}
	if r.leaves(head, to) {
		r.any.add(r.sign(forbidden, from, to))
		return
	}
	asking, ordered := r.inquires(head, to), false
	for i := from; i < to; i++ {
		switch {
		case r.low(i) == "":
			r.quoted = r.quoted || r.t.tokens[i].quoted && r.quotes(i)
		case r.orders(i) && (i == head || !r.seeks(head) || r.joined(head, i)):
			ordered = true
			s := r.signAt(from, i, to, asking)
			r.any.add(s)
			if r.names(i) {
				r.own.add(s)
			}
		case r.thing(i) && (i == head || !r.seeks(head) || r.joined(head, i)):
			if s := r.signAt(from, i, to, asking); s != nil { // no new pull request
				ordered = true
				r.any.add(s)
				r.own.add(s)
			}
		}
	}
	switch {
	case ordered || r.any.sign != nil:
	case !r.free && (asking || r.seeks(head) || r.seeks(head+2) && polite()[r.low(head)]):
		r.any.sign = r.sign(askedAbout, from, to)
	case r.past(from, to):
		r.any.sign = r.sign(reported, from, to)
	}
}

// seeks reports whether token i is a verb that asks to be told something.
func (r *request) seeks(i int) bool {
	next := r.low(i + 1)
	return reading()[r.low(i)] && next != "rid" && (r.low(i) != "tell" || next == "me" || next == "us")
}

// inquires reports whether a sentence asks something, and is not an order that is put as a question.
func (r *request) inquires(head, to int) bool {
	end := len(r.t.all)
	if to < len(r.t.tokens) {
		end = int(r.t.tokens[to].start)
	}
	mark := strings.Contains(r.t.all[r.t.tokens[to-1].end:end], "?")
	you := r.low(head + 1)
	requests := r.begs(head, to) || polite()[r.low(head)] && (you == "please" || you == "someone") ||
		slices.ContainsFunc([]string{"mind", "please"}, func(w string) bool { return r.has(head, to, w) >= 0 && !how()[r.low(head)] }) || r.low(head) == "why" && (you == "not" || you == "don't")
	return !requests && (mark || asks()[r.low(head)] && !(r.low(head) == "do" && !personal()[you] && you != "you" && you != "they") && r.low(head) != "have" && r.low(head) != "when" && r.low(head) != "will")
}

// begs reports whether a sentence has "can you" and the like: "any chance you could …?"
func (r *request) begs(head, to int) bool {
	for i := head; i < to && !how()[r.low(head)] && r.low(head) != "why" && r.low(head) != "when" && r.low(head) != "which"; i++ {
		for _, you := range []string{r.low(i + 1), r.low(i - 1)} {
			if polite()[r.low(i)] && (you == "you" || you == "we" && r.low(i) != "would" && r.low(i) != "will" && i == head || you == "u") && r.low(i+2) != "ever" {
				return true
			}
		}
	}
	return false
}

func (r *request) has(from, to int, word string) int {
	for i := from; i < to; i++ {
		if r.low(i) == word {
			return i
		}
	}
	return -1
}

// orders reports whether token i is the plain form of a verb that changes
// something, or a verb of the tool's name.
func (r *request) orders(i int) bool {
	low := r.low(i)
	if changes()[low] && !r.free || low == "tell" && r.sends && !r.seeks(i) {
		return !r.noun(i)
	}
	return r.names(i) && !inflected(low) && !r.noun(i)
}

// names reports whether token i is a verb of the tool's name.
func (r *request) names(i int) bool { return r.low(i) != "" && r.verbs[english.Stem(r.low(i), true)] }

// thing reports whether token i is another word of the tool's name. It orders nothing,
// and what speaks against it speaks against the call.
func (r *request) thing(i int) bool {
	low := r.low(i)
	return low != "" && r.nouns[english.Stem(low, true)] && !inflected(low) && !r.noun(i)
}

// noun reports whether the word before token i makes it a thing: "the update".
func (r *request) noun(i int) bool {
	return naming()[r.low(i-1)] && r.gap(i) == " "
}

// joined reports whether an "and" or "then" makes token i an order of its own.
func (r *request) joined(from, i int) bool {
	for ; i > from; i-- {
		if w := r.low(i - 1); w == "and" || w == "then" || strings.Contains(r.gap(i), ",") {
			return true
		} else if !openers()[w] {
			return false
		}
	}
	return false
}

// signAt is what speaks against the order at token i.
func (r *request) signAt(from, i, to int, asking bool) *Sign {
	clause := i
	for clause > from && !strings.Contains(r.gap(clause), ",") && r.low(clause-1) != "but" {
		clause--
	}
	end := i + 1
	for end < to && !strings.Contains(r.gap(end), ",") && r.low(end) != "but" && !sub()[r.low(end)] {
		end++
	}
	if k := r.negation(clause, i, end); k >= 0 {
		if bars()[r.low(k)] {
			r.bar(k, end)
		}
		return r.sign(forbidden, k, end)
	}
	for k := i + 1; k < to; k++ {
		if r.excepts(k) {
			r.bar(k, to)
		}
	}
	if asking {
		return r.sign(askedAbout, from, to)
	}
	for k := from; k < to && (k <= i || !sub()[r.low(k)]); k++ {
		if r.conditions(k, from, to, i) {
			return r.sign(conditional, k, to)
		}
		near := k >= clause-1 && k < i || r.low(k) == "according"
		if (near || r.low(k) == "maybe" || r.low(k) == "perhaps") && r.reports(k) {
			return r.sign(reported, k, to)
		}
	}
	if from > 0 && strings.Contains(r.gap(from), ":") && r.reports(from-1) {
		return r.sign(reported, from-1, to)
	}
	return nil
}

// reports reports whether token k says that what follows is another's word, or no more than a thought.
func (r *request) reports(k int) bool {
	low, before, next := r.low(k), r.low(k-1), r.low(k+1)
	switch {
	case low == "will" || low == "going":
		return next != "need" && before != "you" && !personal()[before] && r.low(k-2) != "you" && !personal()[r.low(k-2)] && next != "you" && k > 0
	case low == "would":
		return next != "you" && next != "like" && !personal()[before]
	case low == "plan" || low == "idea" || low == "intention":
		return next == "is" || next == "was"
	case before == "was" || before == "were" || before == "been":
		return reports()[low]
	}
	return reports()[low] && !personal()[before] && !personal()[r.low(k-2)]
}

// excepts reports whether what follows token k is not meant.
func (r *request) excepts(k int) bool {
	switch r.low(k) {
	case "except", "excepting", "excluding", "not":
		return true
	case "than":
		return r.low(k-1) == "other" || r.low(k-1) == "rather"
	case "from":
		return r.low(k-1) == "apart" || r.low(k-1) == "aside"
	case "of":
		return r.low(k-1) == "instead"
	case "but":
		return r.low(k-1) == "all" || r.low(k-1) == "everything" || r.low(k-2) == "all" || r.low(k-2) == "every"
	}
	return false
}

// bar notes that a value of the call is in what is forbidden, from token k up to end.
func (r *request) bar(k, end int) {
	from, to := int(r.t.tokens[k].end), int(r.t.tokens[end-1].outerEnd)
	if r.barred == nil && slices.ContainsFunc(r.values, func(v Span) bool { return v.Start > from && v.End <= to }) {
		r.barred = r.sign(forbidden, k, end)
	}
}

// negation is the token that takes back the order at i, or -1.
func (r *request) negation(clause, i, end int) int {
	for k := clause; k < i; k++ {
		low := r.low(k)
		no := negations()[low] || low == "no" && (r.low(k+1) == "need" || r.low(k+1) == "reason") || low == "instead" && r.low(k+1) == "of" || low == "rather" && r.low(k+1) == "than"
		if no && !taken()[r.low(k+1)] && !taken()[r.low(k+2)] && r.low(k-1) != "why" {
			return k
		}
	}
	for k := i + 1; k < end; k++ {
		if low := r.low(k); low == "nothing" || low == "none" || low == "never" || low == "not" && k == end-1 || low == "no" && k == i+1 {
			return k
		}
	}
	if f := r.low(i - 2); taken()[f] && !negations()[r.low(i-3)] && !negations()[r.low(i-4)] { // forget to delete it
		return i - 2
	}
	return -1
}

// conditions reports whether a condition of the order at i begins at token k.
func (r *request) conditions(k, from, to, i int) bool {
	before, next := r.low(k-1), r.low(k+1)
	switch low := r.low(k); {
	case conditions()[low]:
		courtesy := needless()[next] || next == "you" && (k+3 >= to || r.low(k+2) == "don't" || r.low(k+2) == "can" || r.low(k+2) == "could")
		return !courtesy && before != "know" && before != "see" && before != "check" && before != "me"
	case low == "once":
		return next != "a" && next != "per" && next != "every" && next != "more" && next != "" || k == from
	case times()[low]:
		return k == from && k < i && r.low(k+1) != "" || before == "only" || low == "when" && k > i && (before == "" || before == "it")
	case low == "case" && before == "in", low == "soon" && before == "as", low == "long" && before == "as" && next == "as":
		return true
	}
	return false
}

// leaves reports whether a sentence asks that nothing be done: leave it alone.
func (r *request) leaves(from, to int) bool {
	return (r.low(from) == "leave" || r.low(from) == "keep" || r.low(from) == "do") && (r.has(from, to, "alone") > 0 || r.has(from, to, "nothing") > 0 || r.has(from, to, "untouched") > 0) ||
		negations()[r.low(from)] && r.has(from, to, "touch") > 0
}

// quotes reports whether the quotation at token i has a verb of a change, and is not a value.
func (r *request) quotes(i int) bool {
	k := r.t.tokens[i]
	var inner text
	inner.cut(r.t.all[k.start:k.end])
	in := request{t: &inner, verbs: r.verbs}
	return slices.ContainsFunc(inner.tokens[:min(maxSentence, len(inner.tokens))], func(k token) bool {
		in.lows = []string{strings.ToLower(inner.all[k.start:k.end])}
		return in.orders(0)
	})
}

func (r *request) sign(kind string, from, to int) *Sign {
	a, b := r.t.tokens[from].start, r.t.tokens[max(from, to-1)].end
	return &Sign{kind, r.t.span(a, b)}
}
