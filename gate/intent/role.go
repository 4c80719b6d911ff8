package intent

import (
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/speech"
)

// side is the end of a way that a word or a name means.
type side int

const (
	fromSide side = iota + 1
	toSide
)

// sides are the words before a value.
var sides = map[string]side{
	"from": fromSide, "replace": fromSide, "replacing": fromSide, "since": fromSide, "starting": fromSide, "between": fromSide,
	"to": toSide, "into": toSide, "onto": toSide, "until": toSide, "till": toSide, "through": toSide, "->": toSide, "→": toSide,
}

// named are the words of names of parameters. A weak one is, for example, the start of a
// meeting that is moved to three. The word before its value counts only if a value of the
// other side lacks its own word.
var named = map[string]struct {
	side
	weak bool
}{
	"from": {fromSide, false}, "source": {fromSide, false}, "src": {fromSide, false}, "origin": {fromSide, false},
	"to": {toSide, false}, "destination": {toSide, false}, "dest": {toSide, false},
	"start": {fromSide, true}, "begin": {fromSide, true}, "head": {fromSide, true}, "old": {fromSide, true}, "departure": {fromSide, true}, "sender": {fromSide, true},
	"end": {toSide, true}, "base": {toSide, true}, "new": {toSide, true}, "target": {toSide, true}, "arrival": {toSide, true}, "recipient": {toSide, true}, "until": {toSide, true},
}

// sideOf is the side that a parameter's name means, 0 if it names no side or both.
func sideOf(name string) (at side, weak bool) {
	for part := range strings.SplitSeq(speech.Snake(name), "_") {
		if n := named[part]; n.side != 0 && at != 0 && n.side != at {
			return 0, false
		} else if n.side != 0 {
			at, weak = n.side, n.weak
		}
	}
	return at, weak
}

// outer and inner are names of the first and the second part of a/b.
var (
	outer = lex.Words("owner org organization organisation namespace group user username workspace account host")
	inner = lex.Words("repo repository project package port")
)

// swapped reports whether two names show that the second one's value comes first.
func swapped(first, second string) bool {
	a, _ := sideOf(first)
	b, _ := sideOf(second)
	if a == toSide && b == fromSide {
		return true
	}
	return inner()[speech.Snake(first)] && outer()[speech.Snake(second)]
}

// name is the name of the member that contains a leaf.
func (l *leaf) name() string {
	parts := strings.Split(l.Pointer, "/")
	for i := len(parts) - 1; i > 0; i-- {
		if strings.Trim(parts[i], "0123456789") != "" {
			return parts[i]
		}
	}
	return ""
}

// array is the place of the array that has a leaf as an element, or "".
func (l *leaf) array() string {
	if at := strings.LastIndexByte(l.Pointer, '/'); strings.Trim(l.Pointer[at+1:], "0123456789") == "" {
		return l.Pointer[:at]
	}
	return ""
}

func (l *leaf) number() int {
	n, _ := strconv.Atoi(l.Pointer[strings.LastIndexByte(l.Pointer, '/')+1:])
	return n
}
