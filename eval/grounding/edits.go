package grounding

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// edit is a claim made of a sentence by a rule that knows nothing of the
// lock's lists.
type edit struct {
	kind    string
	claim   string
	harmful bool
}

// rule replaces the first match. A harmless one is passed over where what it
// takes out is not surely without weight.
type rule struct {
	kind    string
	pattern *regexp.Regexp
	with    string
	harmful bool
}

// names is the kind of edit that no pattern makes.
const names = "name"

// rules are compiled when edits are first made: whoever asks a question has
// no use for them.
var rules = sync.OnceValue(func() []rule {
	var list []rule
	harmless := func(kind, pattern, with string) {
		list = append(list, rule{kind, regexp.MustCompile(pattern), with, false})
	}
	harmful := func(kind, pattern, with string) {
		list = append(list, rule{kind, regexp.MustCompile(pattern), with, true})
	}
	harmless("adverb", ` (?:also|very|really|quite|highly|significantly|successfully|quickly|easily|carefully|directly|finally|recently|simply|`+
		`strongly|effectively|efficiently|explicitly|actually|basically|literally)( [a-z])`, "$1")
	harmless("adjective", ` (?:novel|new|large|big|small|great|good|nice|important|different|various|simple|powerful|beautiful|recent|modern|`+
		`complex|efficient|effective|popular|famous|young|old|little)( [a-z]{3,} )`, "$1")
	harmless("article", ` the( [a-z]+)`, "$1")
	harmless("opening", `^(?:However|Moreover|Furthermore|In addition|In this paper|In this work|Additionally|Finally|Also|Here|Specifically|`+
		`For example|Thus|Therefore|Hence|Well|So|As a result), `, "")
	harmless("brackets", ` \([^()]{2,60}\)`, "")
	harmless("relative clause", `, (?:which|who) [a-z][^,.;:()]{5,80}([,.])`, "$1")
	harmless("last part", `, (?:including|such as|like|from|with|in|at|on) [^,.;:()]{3,60}\.$`, ".")
	harmless("that", ` (shows?|knows?|found|find|means?|observed?|confirmed|demonstrates?|is) that (the|we|this|a|our) `, " $1 $2 ")

	harmful("negation", `(?i) (?:not|never|no|without|cannot|neither|nor|hardly)\b`, "")
	harmful("contraction", `n['’]t\b`, "")
	harmful("digit", `\d\b`, "7")
	harmful("condition", ` (?:if|unless|until|except|only if|when|before|after|as long as|while|whenever|provided)\b[^,.;]*`, "")
	harmful("opening condition", `^(?:If|Unless|Until|When|Before|After|While|Once)\b[^,.;]*, `, "")
	harmful("hedge", ` (?:may|might|could|should|must|can|would|seems? to|appears? to|probably|perhaps|maybe|likely|possibly|about|almost|nearly)\b`, "")
	harmful("quantifier", ` (?:all|some|most|many|few|several|every|each|any|both|half)\b`, "")
	harmful("bound", ` (?:at least|at most|more than|less than|fewer than|up to|only|over|under)( [0-9])`, "$1")
	return list
})

// weighty finds what no harmless edit takes out.
var weighty = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:not?|never|none|without|if|unless|until|when|before|after|only|all|some|most|many|few|any|every|each|both|` +
		`may|might|could|should|must|would|can|will|more|less|least|than|just|about|almost|said|says|but)\b|n['’]t|\d`)
})

// capital finds words that are likely names: capitalised, and not after a stop.
var capital = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[a-z,] ([A-Z][a-z]{2,})\b`) })

// editor makes claims of the sentences of one text.
type editor struct{ names []string } // of the text, each once

func newEditor(text string) editor {
	var e editor
	for _, m := range capital().FindAllStringSubmatch(text, -1) {
		if !slices.Contains(e.names, m[1]) {
			e.names = append(e.names, m[1])
		}
	}
	return e
}

// edits are all that the rules make of a sentence. One of a few words has
// nothing to spare, and one of very many is none.
func (e editor) edits(sentence string) []edit {
	if n := len(strings.Fields(sentence)); n < 6 || n > 80 {
		return nil
	}
	var made []edit
	for _, r := range rules() {
		if claim := r.apply(sentence); claim != "" {
			made = append(made, edit{r.kind, claim, r.harmful})
		}
	}
	if claim := e.swapped(sentence); claim != "" {
		made = append(made, edit{names, claim, true})
	}
	return made
}

// apply is the edited sentence, or "" where the rule finds nothing to edit.
func (r rule) apply(sentence string) string {
	at := r.pattern.FindStringSubmatchIndex(sentence)
	if at == nil || !r.harmful && weighty().MatchString(sentence[at[0]:at[1]]) {
		return ""
	}
	claim := sentence[:at[0]] + string(r.pattern.ExpandString(nil, r.with, sentence, at)) + sentence[at[1]:]
	if claim == sentence || strings.TrimSpace(claim) == "" {
		return ""
	}
	return upperFirst(claim)
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// swapped puts another name of the text in the place of the sentence's first.
func (e editor) swapped(sentence string) string {
	at := capital().FindStringSubmatchIndex(sentence)
	if at == nil {
		return ""
	}
	for _, other := range e.names {
		if other != sentence[at[2]:at[3]] {
			return sentence[:at[2]] + other + sentence[at[3]:]
		}
	}
	return ""
}
