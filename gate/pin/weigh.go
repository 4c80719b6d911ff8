package pin

import (
	"cmp"
	"strings"
)

// A review is read from the top, and less with every line. What comes first in
// it is therefore decided by more than a class: every server that grows has new
// parameters of free text, and few have a description that asks for what the
// user said before. Order has no false alarm, since all of it is shown: rules
// may be broad here that would be too loud for a cue.
//
// No weight is shown, approved or kept, and none decides what passes. It knows
// English alone, and what an attacker writes in the words of any other
// description comes where its class puts it.

// byClass are the weights of differences whatever their words.
var byClass = map[Class]int{Finding: 500, Lowering: 14, Cue: 6, Contract: 6, Wording: 2}

// care is a name of what makes a call safer, or says where it goes.
var care = expression(`(?i)confirm|dry.?run|approv|preview|consent|force|safe|allow|public|visib|recipient|webhook|callback|\burl|bcc|token|auth|cred|passw|secret|context|session|conversation|history|reason|Hint`)

// weigh is what a difference of these words weighs next to others of its class.
func weigh(d *Difference, was, now string) int {
	sum := suspicion(was, now)
	if d.Was == nil && d.Class < Wording {
		sum /= 2 // what is new as a whole has more words than an edit, and each says less
	}
	way := strings.Split(d.Path, "/")
	way = way[max(0, len(way)-2):]
	if d.Class < Wording && care().MatchString(strings.Join(way, " ")) {
		sum += 12
	}
	if d.Class == Lowering && d.Was == nil && way[0] == "properties" {
		sum -= 4 // every server that grows has new parameters: one of no concern is below words of one
	}
	if d.Class == Lowering && d.Was != nil {
		sum += 10 // something that was there is loosened, where a release mostly adds
	}
	return sum
}

// concerns are what words can be about, each with what one more of it weighs.
var concerns = []cue{
	{"conceals", 30, expression(`(?i)\b(?:do not|don't|never|no need to|without|not be|need not)\s+(?:\w+\s+){0,2}(?:mention|tell|show|reveal|display|inform|report|disclose|notify|ask|check|surface|repeat|shown|told)\w*|\b(?:silent|quiet|hidden|secret|discreet|invisibl|covert)\w*`)},
	{"secrets", 16, expression(`(?i)\b(?:credential|passw|passphrase|secret|private key|api[ _-]?keys?|bearer|cookie|ssh|system prompt|environment variable)\w*|\btokens?\b|\.(?:env|ssh|aws|netrc)\b`)},
	{"the conversation", 14, expression(`(?i)\b(?:conversation|chat|dialog\w*|transcript|history|memory|earlier|previous(?:ly)?|so far|session|everything|verbatim|full text|what (?:the|you)|other tools?|another tool|any tool|each tool|every tool|reasoning|thoughts|notes)\b`)},
	{"consent", 14, expression(`(?i)\b(?:confirm\w*|consent\w*|approv\w*|permission\w*|authori[sz]\w*|agreed|pre-?agreed|verif\w*|double-check|review|no need|not needed|not necessary|skip\w*|bypass\w*|disabl\w*|overrid\w*|ignor\w*|warning\w*|safe(?:ly)?|harmless|trusted|official|revert\w*|undone|reversible)\b`)},
	{"where it goes", 9, expression(`(?i)\b(?:forward\w*|send|sent|sends|cop(?:y|ies|ied)|mirror\w*|upload\w*|shar(?:e|ed|es|ing)|append\w*|attach\w*|(?:include|including)|suppl(?:y|ies)|pass|passed|paste\w*|carry|relay\w*|transmit\w*|submit\w*|post(?:ed|s)?|goes|go to|b?cc|export\w*|sync\w*|archiv\w*|backup\w*|logged|collect\w*|telemetry|analytics|partner\w*|third[- ]part\w*|webhook|callback|remote)\b`)},
	{"precedence", 9, expression(`(?i)\b(?:instead|supersed\w*|replac\w*|prefer\w*|only (?:way|approved|trusted|tool)|no longer|block\w*|first|before|after (?:each|every|any|this|all)|(?:each|every|all) (?:call|request|question|answer|task|time|conversation)s?|always|never|whatever|whenever|regardless|unless|at the (?:start|end)|when the user|must|mandatory|required|also|as well|additionally|then call)\b`)},
	{"power", 9, expression(`(?i)\b(?:delet\w*|remov\w*|overwrit\w*|eras\w*|transfer\w*|pay(?:s|ment|ments|ee)?|account|beneficiary|iban|public(?:ly)?|admin\w*|root|sudo|privileg\w*|rights|elevated|execut\w*|shell|curl|grant\w*|invit\w*|owner)\b`)},
	{"the reader", 7, expression(`(?i)\b(?:you|your|assistant|agent|model|ai|llm|please|instructions?|user(?:'s|s)?)\b`)},
}

// maxWeighed is how much of a text is weighed, in bytes of what is not as it was.
const maxWeighed = 8 << 10

// suspicion is how much more of what concerns a reader a text says than one did,
// and how much less of what a tool can do and of what it asks first: an attacker
// adds the one and leaves out the other.
func suspicion(was, now string) (sum int) {
	for was != "" && now != "" && was[0] == now[0] {
		was, now = was[1:], now[1:]
	}
	was, now = was[:min(len(was), maxWeighed)], now[:min(len(now), maxWeighed)]
	was, now = strings.ReplaceAll(was, "_", " "), strings.ReplaceAll(now, "_", " ")
	for _, c := range concerns {
		more := len(c.at().FindAllString(now, maxCues)) - len(c.at().FindAllString(was, maxCues))
		if c.kind == "power" || c.kind == "consent" {
			more = max(more, -more)
		}
		sum += c.weight * min(max(more, 0), 2)
	}
	return sum
}

// ByDanger compares changes in the order of a review: negative where a is to be
// read first. A finding is before all else; after it the weights decide.
func ByDanger(a, b Change) int {
	first := func(c Change) int { return min(int(c.Class()), 1) } // whether it has no finding
	return cmp.Or(cmp.Compare(first(a), first(b)), -cmp.Compare(a.danger(), b.danger()), cmp.Compare(a.Class(), b.Class()),
		strings.Compare(a.Tool, b.Tool), strings.Compare(a.Kind, b.Kind))
}

// danger is the weight of the worst difference; more of them count a little.
func (c Change) danger() int {
	worst, sum := 0, 0
	for _, d := range c.Differences {
		w := byClass[d.Class] + d.Weight
		worst, sum = max(worst, w), sum+w
	}
	return 16*worst + min(sum, 400)
}

// spread lightens what a release did to several tools alike, other than words:
// an attacker changes one.
func spread(all []Change) {
	type edit struct{ path, was, now string }
	tools := map[edit]int{}
	for i := range 2 {
		for _, c := range all {
			for j, d := range c.Differences {
				key := edit{d.Path, string(d.Was), string(d.Now)}
				if i == 0 {
					tools[key]++
				} else if tools[key] > 2 && (d.Class == Lowering || d.Class == Contract) {
					c.Differences[j].Weight = -byClass[d.Class] / 2
				}
			}
		}
	}
}
