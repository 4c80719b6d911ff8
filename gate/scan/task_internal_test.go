package scan

import (
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

func TestEveryMatchOfTaskedHasOneOfItsWords(t *testing.T) {
	t.Parallel()
	tree, err := syntax.Parse(phrase("tasked").String(), syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	if !needsWord(tree, taskWords) {
		t.Error("a text without any of the words can match")
	}
	for i := range taskWords {
		if needsWord(tree, slices.Delete(slices.Clone(taskWords), i, i+1)) {
			t.Errorf("%q is not needed", taskWords[i])
		}
	}
}

// needsWord reports whether every text that matches has one of the words.
func needsWord(re *syntax.Regexp, words []string) bool {
	needs := func(sub *syntax.Regexp) bool { return needsWord(sub, words) }
	switch re.Op {
	case syntax.OpLiteral:
		text := string(re.Rune)
		return re.Flags&syntax.FoldCase == 0 && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	case syntax.OpConcat:
		return slices.ContainsFunc(re.Sub, needs)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !needs(sub) })
	case syntax.OpCapture, syntax.OpPlus:
		return needs(re.Sub[0])
	default:
		return false
	}
}
