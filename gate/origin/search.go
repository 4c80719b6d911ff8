package origin

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/trace"
)

// maxWork bounds the bytes that are searched for one call: about ten milliseconds. An argument
// that is not found by then is unknown.
const maxWork = 32 << 20

// search finds the arguments of one call.
type search struct {
	talk *Talk
	work int
}

func (s *search) spend(n int) bool {
	s.work -= n
	return s.work > 0
}

// of is the origin of one argument. It is the first of this order: a message's words, words from
// which code recomputes it, the schema, a result, a part of any of them, and none.
func (s *search) of(l intent.Leaf, in []reported) trace.OriginBody {
	b := trace.OriginBody{Pointer: l.Pointer, Origin: None}
	scalar := l.Literal && strings.Trim(l.Value, "-+.eE0123456789") != "" // true, null, {}
	key := folded(strings.TrimSpace(l.Value))
	switch {
	case s.stated(&b, l, in, key, scalar), s.recomputed(&b, in, surely):
	case l.Origin == intent.Schema, l.Origin == intent.Default:
		b.Origin = Default
	case l.Listed && s.ordered(&b, key):
	case l.Listed:
		b.Origin = Enum
	case s.recomputed(&b, in, loosely):
	case scalar, key == "":
	case s.returned(&b, l, key), s.within(&b, l, key), s.composed(&b, l):
	case s.relative(&b, l), s.quoted(&b, l), l.Literal && s.inResults(&b, l, key, true):
	case s.work <= 0:
		b.Origin = Unknown
	default:
		b.Marked = designates(l)
	}
	byChance := l.Literal && len(key) < shortNumber && b.Origin != Result
	if !scalar && !byChance {
		b.Also = s.also(b, key)
	}
	return b
}

// also finds a sentence of another result that has the value of a result or of the schema. A
// result that reaches an open world is first, and then the newest.
func (s *search) also(b trace.OriginBody, key string) (is *trace.AlsoBody) {
	switch b.Origin {
	case Result, Default, Enum:
	default:
		return nil
	}
	for i, p := range s.talk.results.with(key) {
		at, found := p.find(key, s)
		if !found || i == b.Result-1 || !at.ordering() {
			continue
		}
		a := s.talk.answers[i]
		if is == nil || a.Open {
			is = &trace.AlsoBody{Result: i + 1, Run: a.Run, Server: a.Server, Tool: a.Tool, At: p.pointer(at.start), Open: a.Open}
		}
		if a.Open {
			break
		}
	}
	return is
}

// stated finds a value in a message, the newest first.
func (s *search) stated(b *trace.OriginBody, l intent.Leaf, in []reported, key string, scalar bool) bool {
	for _, r := range in {
		if r.leaf.Span != nil && (r.leaf.Origin == intent.Stated || r.leaf.Origin == intent.Respelled) {
			s.message(b, Stated, r.message, r.leaf.Span.Start, r.leaf.Span.End)
			return true
		}
	}
	byChance := l.Literal && len(key) < shortNumber
	if scalar || byChance || key == "" {
		return false
	}
	for i, p := range s.talk.messages.with(key) {
		if at, found := p.find(key, s); found && at.whole {
			s.message(b, Stated, i, at.start, at.end)
			return true
		}
	}
	return false
}

// shortNumber is the length of a number that is found in texts by chance.
const shortNumber = 3

// message fills an origin in a message. The trace has the place and a digest of the words.
func (s *search) message(b *trace.OriginBody, origin string, n, start, end int) {
	b.Origin, b.Message, b.How, b.Start, b.End = origin, n+1, s.talk.how[n], start, end
	if text := s.talk.messages.passages[n].text; end <= len(text) && start < end {
		b.Digest = digest(text[start:end])
		if s.talk.Words {
			b.Words = around(text, start, text[start:end])
		}
	}
}

func surely(l intent.Leaf) bool { return l.Origin == intent.Derived && l.Differs == "" }

func loosely(l intent.Leaf) bool { return l.Origin == intent.Derived || l.Origin == intent.Part }

// recomputed finds words of a message from which code recomputes the value.
func (s *search) recomputed(b *trace.OriginBody, in []reported, fits func(intent.Leaf) bool) bool {
	for _, r := range in {
		if fits(r.leaf) && r.leaf.Span != nil {
			s.message(b, Derived, r.message, r.leaf.Span.Start, r.leaf.Span.End)
			b.By = r.leaf.By
			if b.By == "" {
				b.By = r.leaf.Origin.String()
				b.Marked = address(r.leaf.Value) // a part of another address
			}
			return true
		}
	}
	return false
}

// returned finds a value in the results. A result of an open world is first, then a whole value
// before words of a text, and then the newest.
func (s *search) returned(b *trace.OriginBody, l intent.Leaf, key string) bool {
	keys := []string{key}
	if l.Literal {
		keys = spellings(key)
	}
	for _, key := range keys {
		if s.wholeValue(b, l, key) {
			break
		}
	}
	if b.Open || b.Origin == Result && !s.talk.open {
		return true
	}
	for _, key := range keys {
		if l.Literal && len(key) < shortNumber {
			continue
		}
		in := *b
		if s.inResults(&in, l, key, true) && better(in, *b) {
			*b = in
			return true
		}
	}
	return b.Origin == Result
}

// better reports whether a place in a text is shown instead of a whole value that was found.
func better(in, whole trace.OriginBody) bool { return in.Open || whole.Origin == None }

// wholeValue finds a value that is all of a value of a result.
func (s *search) wholeValue(b *trace.OriginBody, l intent.Leaf, key string) bool {
	all := s.talk.values[key]
	if len(all) == 0 || len(key) > maxWhole {
		return false
	}
	from := all[len(all)-1]
	for _, h := range slices.Backward(all) {
		if s.talk.answers[h.result].Open {
			from = h
			break
		}
	}
	s.result(b, Result, from.result, from.pointer, l.Value)
	return true
}

// spellings are the ways in which a text writes a number: 480.5 is 480.50 in a price.
func spellings(number string) []string {
	all := []string{number}
	whole, fraction, _ := strings.Cut(number, ".")
	switch len(fraction) {
	case 0:
		all = append(all, whole+".00", whole+".0")
	case 1:
		all = append(all, number+"0")
	}
	if len(whole) > 3 && strings.Trim(whole, "0123456789") == "" {
		grouped := whole[:len(whole)-3] + "," + whole[len(whole)-3:]
		for _, n := range all[:len(all):len(all)] {
			all = append(all, grouped+strings.TrimPrefix(n, whole))
		}
	}
	return all
}

// ordered finds a member of a list within a sentence of a result, which may be an order to the model.
func (s *search) ordered(b *trace.OriginBody, key string) bool {
	for i, p := range s.talk.results.with(key) {
		if at, found := p.find(key, s); found && at.ordering() {
			s.result(b, Result, i, p.pointer(at.start), p.text[at.start:at.end])
			return true
		}
	}
	return false
}

// inResults finds a value in the texts of results: the newest that reaches an open world, else the
// newest.
func (s *search) inResults(b *trace.OriginBody, l intent.Leaf, key string, whole bool) bool {
	from, place := -1, place{}
	for i, p := range s.talk.results.with(key) {
		open := s.talk.answers[i].Open
		if from >= 0 && !open {
			continue
		}
		if at, found := p.find(key, s); found && (at.whole || !whole) {
			from, place = i, at
			if open || !s.talk.open {
				break
			}
		}
	}
	if from < 0 {
		return false
	}
	p := &s.talk.results.passages[from]
	origin := Result
	if !whole {
		origin = Derived
		b.By = "part"
	}
	s.result(b, origin, from, p.pointer(place.start), p.text[place.start:place.end])
	b.Start, b.End = place.start, place.end
	if p.parts != nil {
		b.Start, b.End = 0, 0
	}
	b.Marked = !place.alone && address(l.Value) && !s.named(l.Value)
	return true
}

func (s *search) result(b *trace.OriginBody, origin string, n int, pointer, text string) {
	a := s.talk.answers[n]
	b.Origin, b.Run, b.Server, b.Tool, b.At, b.Open, b.Digest = origin, a.Run, a.Server, a.Tool, pointer, a.Open, digest(text)
	b.Result = n + 1
}

// within finds a value as a part of a longer literal, in messages and then in results.
func (s *search) within(b *trace.OriginBody, l intent.Leaf, key string) bool {
	if len(key) < shortNumber {
		return false
	}
	for i, p := range s.talk.messages.with(key) {
		if at, found := p.find(key, s); found {
			s.message(b, Derived, i, at.start, at.end)
			b.By, b.Marked = "part", address(l.Value)
			return true
		}
	}
	return s.inResults(b, l, key, false)
}
