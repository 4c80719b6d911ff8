package scan

import (
	"regexp"
	"strings"
	"sync"
)

// The parser finds verbs; expressions read what is around them. They are RE2,
// which reads in linear time, and they meet a few words at a time.

// around is a window of the sentence as expressions read it: small letters,
// without what hides them, a comma before each clause, ">" before the word at i.
func (s *sentence) around(i, before, after int) string {
	var b strings.Builder
	for j := max(0, i-before); j < min(len(s.tokens), i+after+1); j++ {
		if b.Len() > 0 && s.tokens[j].clause {
			b.WriteByte(',')
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if j == i {
			b.WriteByte('>')
		}
		b.WriteString(unmasked(s.word(j)))
	}
	return b.String()
}

// expression compiles a pattern when it is first used. Words in capitals are
// lists of words, and a space may have a comma before it.
func expression(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.ReplaceAll(lists.Replace(pattern), " ", ",? "))
	})
}

// verbatim compiles a pattern as it is when it is first used.
func verbatim(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var lists = strings.NewReplacer(
	"NOT", `(?:not|nicht|don't|dont|never|without|avoid|no|mustn't|can't|cannot|won't|needn't|shouldn't)`,
	"EARLIER", `(?:previous|previously|prior|earlier|preceding|above|former|foregoing|past|your|bisherigen|vorherigen|vorigen|obigen|précédentes|précédents|anteriores|anterior|previas|precedenti|предыдущие|прежние)`,
	"TAUGHT", `(?:instructions?|directions|directives?|guidelines|prompts?|guardrails|safeguards|programming|told|anweisung(?:en)?|instruktionen|vorgaben|consignes|instrucciones|istruzioni|instruções|инструкции|указания)`,
	"LAW", `(?:rules?|commands|orders|constraints|restrictions|policies|tasks?|training|guidance|context|messages|regeln|règles|reglas|regole|regras|правила)`,
	"ALL", `(?:everything|anything|whatever|all|any|every|other|current|existing|original|initial|alles|tout|todo|tutto)`,
	"USER", `(?:users?|humans?|operator)`,
	"ANYONE", `(?:anyone|anybody|nobody|someone|them)`,
	"THIS", `(?:this|that|it|these|anything|step)`,
)

var (
	// overriding is to drop what was said before, of the verb at ">".
	overriding = expression(`>\S+ (?:.* )?(?:EARLIER (?:.* )?(?:TAUGHT|LAW)|(?:TAUGHT|LAW) (?:.* )?EARLIER)(?: |$)|` +
		`>\S+ (?:.* )?ALL (?:\S+ ){0,4}(?:above|before|told|far|TAUGHT)(?: |$)`)
	// dropping are other words for to ignore; nouns are no verbs.
	dropping = expression(`\b(?:no >attention|(?:set|setting|put) >aside|NOT >(?:follow|obey)|stop >(?:following|obeying))`)
	aNoun    = expression(`\b(?:THIS|the|an) >`)

	// conceal is to keep something from the user, conceals from anybody.
	conceal = expression(`\bNOT (?:\S+ (?:to )?)?>\S+ (?:(?:\S+ ){0,4}THIS (?:\S+ ){0,4}USER\b|(?:\S+ ){0,5}USER (?:about|that)\b)|` +
		`\bwithout >\S+ (?:\S+ ){0,5}USER\b|\bUSER (?:.* )?(?:never|(?:must|should|shall|needs?|has|have) \S+) >(?:find|know|learn)\b`)
	conceals = expression(`\bNOT (?:\S+ (?:to )?)?>\S+ (?:\S+ ){0,5}ANYONE\b|\bANYONE (?:.* )?never >(?:find|know|learn)\b`)

	// speaking is to address a model, the one at ">".
	speaking = expression(`(?:^|, )(?:(?:ai|llm|language) )?>[^ ,]+,|\b(?:dear|attention|hey) >|\b(?:to|dear) (?:ai|llm|language) >|\bif you(?:'re| are) (?:\S+ ){0,3}>|` +
		`(?:^|, )as an? >|>\S+ (?:\S+ )?(?:must|should)\b|>\S+ has to\b`)
)

// overrides is where the sentence tells somebody to drop what he was told
// before, or -1; and whether it says so as an order.
func (s *sentence) overrides() (at int, order bool) {
	at = -1
	for i := range s.tokens {
		if !s.is(i, drops|heeds) || s.is(i, drops) && aNoun().MatchString(s.around(i, 1, 0)) || s.is(i, heeds) && !dropping().MatchString(s.around(i, 1, 0)) {
			continue
		}
		const reach = 8
		if !overriding().MatchString(s.around(i, 0, reach)) {
			continue
		}
		if s.commands(i) {
			return i, true
		}
		at = i
	}
	return at, false
}

// conceals reports whether the sentence wants something kept from somebody, and
// whether that is the user.
func (s *sentence) conceals() (some, fromUser bool) {
	for i := range s.tokens {
		if s.is(i, informs) && s.any(negates) {
			said := s.around(i, 12, 7)
			some, fromUser = some || conceals().MatchString(said), fromUser || conceal().MatchString(said)
		}
	}
	return some || fromUser, fromUser
}

// speaksToModel reports whether the sentence is addressed to a model.
func (s *sentence) speaksToModel() bool {
	for i := range s.tokens {
		if s.is(i, model) && speaking().MatchString(s.around(i, 5, 3)) {
			return true
		}
	}
	return false
}

// A description may speak of tools and of keys, and has no use for these.
var (
	// credential is a place where keys are, the keys of somebody, or a shell that
	// runs what it loads.
	credential = verbatim(`(?i)(?:~|\$HOME|/home/\w+|/root)/\.\w|\.(?:ssh|aws|kube|gnupg|netrc|pgpass|git-credentials)\b|\bid_(?:rsa|ed25519|dsa|ecdsa)\b|(?:^|[\s'"(/\x60])\.env\b|` +
		`/etc/(?:passwd|shadow|sudoers)\b|\bmcp\.json\b|\b(?:user'?s|users'|their|his|all|any|every|stored|saved|contents? of|values? of)\s(?:\S+\s){0,3}(?:(?:private|ssh|api|secret|access) keys?|passwords?|credentials?|` +
		`(?:access|auth|session|bearer) tokens?|environment variables?|keychain|secrets|\w+_(?:TOKEN|KEY|SECRET|PASSWORD))\b|\b(?:api keys?|passwords?|credentials|tokens)\s(?:\S+\s)?(?:from|found in|stored in|saved in)\b|\b(?:curl|wget)\b.{1,200}\|\s*(?:sudo )?(?:ba|z)?sh\b|\brm -rf?\b|\bchmod \+x\b|\b(?:ba)?sh -c\b`)
	// entire is what a model knows of the user.
	entire = verbatim(`(?i)\b(?:whole|full|entire|complete|all|previous)\s(?:\S+\s){0,2}(?:conversation|chat|transcript|history|context|prompt)\b`)
	// bids are the orders that are made without a verb's own form.
	bids = verbatim(`(?i)\b(?:must|should|shall|please|always|never|make sure|need to|have to|has to|be sure to|cat|append|attach|include|pass|send|upload|copy|paste|post)\b`)
	// unseen is where a reader does not look: a comment, far below or beside the
	// rest, in letters apart, in elements that are not shown, in a terminal's codes.
	unseen = verbatim(`<!--|\[//\]: ?#|(?:\n[ \t\r]*){12,}|[ \t]{40,}|(?:\b\w[ ._-]){10,}|<[^>]{0,200}(?:display:\s*none|visibility:\s*hidden|font-size:\s*0)|[\x08\x1b]`)
	// undue is secrecy, precedence over other tools, and an end of confirmations.
	undue = expression(`\b(?:NOT (?:\S+ )?(?:tell|inform|notify|alert|warn|telling|informing|notifying|alerting|asking) (?:\S+ ){0,2}USER|NOT (?:\S+ )?(?:mention|mentioning|disclose|reveal) THIS|` +
		`(?:hide|conceal|keep) (?:\S+ ){0,5}from (?:\S+ )?USER|USER (?:(?:must|should|does|do|need|needs) NOT|is unaware|never) (?:\S+ ){0,3}(?:know|see|notice|learn|find|aware)|` +
		`(?:before|prior to|instead of|over) (?:using |calling |invoking )?(?:any|every|each|all)(?: of the)?(?: other| others?)? (?:tools?|functions?|tool calls?)|` +
		`(?:skip|bypass|without (?:asking|waiting|user)|NOT ask for|NOT ask (?:\S+ )?USER for|NOT wait for) (?:\S+ ){0,3}(?:confirmation|approval|permission|consent))\b`)
)

// undueMin is how many words an undue sentence has: fewer are the name of an
// option, such as skip_confirmation.
const undueMin = 4

// poisons reports whether the sentence of a description is of no use to whoever
// uses the tool.
func (s *sentence) poisons() bool {
	const pipe = len(" | sudo bash") // a sentence ends at a bar, as the cell of a table does
	said := s.text[s.hit().start:min(len(s.text), s.hit().end+pipe)]
	return (len(s.verbs) > 0 || bids().MatchString(said)) && credential().MatchString(said) || s.orderOf(carries) && entire().MatchString(said) ||
		len(s.tokens) >= undueMin && undue().MatchString(s.around(0, 0, sentenceMax))
}
