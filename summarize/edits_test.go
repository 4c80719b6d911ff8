package summarize_test

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// edit is a claim made of a sentence by a rule that knows nothing of the
// lock's lists.
type edit struct {
	name    string
	claim   string
	harmful bool
}

// rule replaces the first match. A harmless one is passed over where what it
// takes out is not surely without weight.
type rule struct {
	name    string
	pattern *regexp.Regexp
	with    string
	harmful bool
}

var rules = []rule{
	{"adverb", regexp.MustCompile(` (?:also|very|really|quite|highly|significantly|successfully|quickly|easily|carefully|directly|finally|recently|simply|strongly|effectively|efficiently|explicitly|actually|basically|literally)( [a-z])`), "$1", false},
	{"adjective", regexp.MustCompile(` (?:novel|new|large|big|small|great|good|nice|important|different|various|simple|powerful|beautiful|recent|modern|complex|efficient|effective|popular|famous|young|old|little)( [a-z]{3,} )`), "$1", false},
	{"article", regexp.MustCompile(` the( [a-z]+)`), "$1", false},
	{"opening", regexp.MustCompile(`^(?:However|Moreover|Furthermore|In addition|In this paper|In this work|Additionally|Finally|Also|Here|Specifically|For example|Thus|Therefore|Hence|Well|So|As a result), `), "", false},
	{"brackets", regexp.MustCompile(` \([^()]{2,60}\)`), "", false},
	{"relative clause", regexp.MustCompile(`, (?:which|who) [a-z][^,.;:()]{5,80}([,.])`), "$1", false},
	{"last part", regexp.MustCompile(`, (?:including|such as|like|from|with|in|at|on) [^,.;:()]{3,60}\.$`), ".", false},
	{"that", regexp.MustCompile(` (shows?|knows?|found|find|means?|observed?|confirmed|demonstrates?|is) that (the|we|this|a|our) `), " $1 $2 ", false},

	{"negation", regexp.MustCompile(`(?i) (?:not|never|no|without|cannot|neither|nor|hardly)\b`), "", true},
	{"contraction", regexp.MustCompile(`n['’]t\b`), "", true},
	{"digit", regexp.MustCompile(`\d\b`), "7", true},
	{"condition", regexp.MustCompile(` (?:if|unless|until|except|only if|when|before|after|as long as|while|whenever|provided)\b[^,.;]*`), "", true},
	{"opening condition", regexp.MustCompile(`^(?:If|Unless|Until|When|Before|After|While|Once)\b[^,.;]*, `), "", true},
	{"hedge", regexp.MustCompile(` (?:may|might|could|should|must|can|would|seems? to|appears? to|probably|perhaps|maybe|likely|possibly|about|almost|nearly)\b`), "", true},
	{"quantifier", regexp.MustCompile(` (?:all|some|most|many|few|several|every|each|any|both|half)\b`), "", true},
	{"bound", regexp.MustCompile(` (?:at least|at most|more than|less than|fewer than|up to|only|over|under)( [0-9])`), "$1", true},
}

// weighty finds what no harmless edit takes out.
var weighty = regexp.MustCompile(`(?i)\b(?:not?|never|none|without|if|unless|until|when|before|after|only|all|some|most|many|few|any|every|each|both|may|might|could|should|must|would|can|will|more|less|least|than|just|about|almost|said|says|but)\b|n['’]t|\d`)

func edits(sentence, text string) []edit {
	var out []edit
	for _, r := range rules {
		at := r.pattern.FindStringSubmatchIndex(sentence)
		if at == nil || !r.harmful && weighty.MatchString(sentence[at[0]:at[1]]) {
			continue
		}
		claim := sentence[:at[0]] + string(r.pattern.ExpandString(nil, r.with, sentence, at)) + sentence[at[1]:]
		if claim != sentence && strings.TrimSpace(claim) != "" {
			out = append(out, edit{r.name, upperFirst(claim), r.harmful})
		}
	}
	if claim := swapped(sentence, text); claim != "" {
		out = append(out, edit{"name", claim, true})
	}
	return out
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

var capital = regexp.MustCompile(`[a-z,] ([A-Z][a-z]{2,})\b`)

// swapped puts another name of the text in the place of the sentence's first.
func swapped(sentence, text string) string {
	at := capital.FindStringSubmatchIndex(sentence)
	if at == nil {
		return ""
	}
	for _, other := range capital.FindAllStringSubmatch(text, -1) {
		if other[1] != sentence[at[2]:at[3]] {
			return sentence[:at[2]] + other[1] + sentence[at[3]:]
		}
	}
	return ""
}
