package input

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// index finds out in one pass over a text which rules are worth trying: a
// pattern takes microseconds, and a set has many. It knows no more than that a
// rule needs one word of each list that stands at the top of its pattern,
// outside of all brackets. That costs a word list some thought and saves a
// second understanding of expressions; a rule without a list is always tried.
// FuzzTheIndexLosesNoMatch compares the two.
type index struct {
	rules  [][]int          // the lists that each rule needs
	lists  map[string]int   // their numbers, by name
	starts map[string][]int // the lists with a word that begins like this
	words  map[string][]int // the lists with this very word
}

const (
	shortest = 2 // bytes of a beginning
	longest  = 8 // bytes of it that are compared
)

func newIndex() index {
	return index{lists: map[string]int{}, starts: map[string][]int{}, words: map[string][]int{}}
}

// add takes the pattern of the next rule.
func (x *index) add(pattern string, t *terms) {
	var needs []int
	for _, name := range top(pattern) {
		if list := t.lists[name]; list != nil {
			needs = append(needs, x.number(name, list))
		}
	}
	x.rules = append(x.rules, needs)
}

func (x *index) number(name string, list []string) int {
	n, ok := x.lists[name]
	if ok {
		return n
	}
	n = len(x.lists)
	x.lists[name] = n
	for _, word := range list {
		start, _, open := strings.Cut(word, "(")
		in := x.words
		if open || len(start) > longest || strings.ContainsFunc(start, notWord) {
			in, start = x.starts, start[:min(longest, len(start))]
		}
		in[start] = append(in[start], n)
	}
	return n
}

// search tells which lists the text holds a word of.
func (x *index) search(text string) []bool {
	found := make([]bool, len(x.lists))
	mark := func(lists []int) {
		for _, n := range lists {
			found[n] = true
		}
	}
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && wordByte(text[i]) {
			i++
		}
		if i == from {
			continue
		}
		for n := shortest; n <= longest && from+n <= len(text); n++ {
			mark(x.starts[text[from:from+n]])
		}
		mark(x.words[text[from:i]])
	}
	return found
}

func (x *index) possible(rule int, found []bool) bool {
	return !slices.ContainsFunc(x.rules[rule], func(n int) bool { return !found[n] })
}

// top lists the names that every match of a pattern meets: {{name}} outside of
// all brackets, and not made optional by what follows. Of a pattern with
// anything unusual in it nothing is said.
func top(pattern string) (names []string) {
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch rest := pattern[i:]; {
		case strings.HasPrefix(rest, "{{") && depth == 0:
			name, behind, _ := strings.Cut(rest[2:], "}}")
			if !optional(behind) {
				names = append(names, name)
			}
			i += len(rest) - len(behind) - 1
		case rest[0] == '\\':
			if i++; i == len(pattern) || !strings.ContainsRune(`bwdsBWDS.?+*()[]{}|^$\`, rune(pattern[i])) {
				return nil
			}
		case rest[0] == '(':
			depth++
		case rest[0] == ')':
			depth--
		case rest[0] == '[':
			class := simpleClass().FindString(rest)
			if class == "" {
				return nil
			}
			i += len(class) - 1
		case rest[0] == '|' && depth == 0, depth < 0:
			return nil
		}
	}
	return names
}

var simpleClass = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[\^?(?:[^\[\]\\^]|\\[dsw.\[\]\\])+\]`)
})

func optional(behind string) bool {
	return behind != "" && (behind[0] == '?' || behind[0] == '*' || behind[0] == '{' && !strings.HasPrefix(behind, "{{"))
}

func notWord(r rune) bool { return r >= 0x80 || !wordByte(byte(r)) }

// wordByte is \w of the expression syntax, in which \b knows ASCII only.
func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}
