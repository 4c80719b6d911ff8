package pin

import (
	"regexp"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/speech"
)

// An honest description may be long, and has many of the words that an attacker needs. A
// poisoned one has several of them in one sentence: private data, a destination, and that
// the user is not asked. So sentences are weighed, and the worst one counts for the text. A
// sentence that has the user asked, or that forbids, weighs less: an attacker who adds it
// to an attack reveals or weakens the attack.
//
// Most of the words are English. In other languages a few plain phrases are known. Omitted
// words, and a script that is new to a tool, count in any language.

// concerns are the subjects of words, each with the weight of a sentence about it.
var concerns = []cue{
	{"conceals", 20, lex.Pattern(`(?i)\b(?:do not|don't|never|not be|not to be|need not|no need to)\s+(?:be\s+)?(?:\w+\s+){0,2}(?:mention|tell|show|reveal|display|inform|report|disclose|notify|surface|shown|told|informed|asked)\w*|\b(?:without|do not|don't|no need to|need not|not)\s+(?:\w+\s+){0,2}(?:ask(?:ing)?|mentioning|telling|showing|informing|notice|permission|confirmation|a further question)\b|\b(?:keep|leave|omit)s?\s+(?:\w+\s+){1,4}(?:out of|from)\b|\b(?:silent|quiet|secretly|discreet|invisibl|covert|unnotic)\w*|` +
		`nicht (?:zu )?(?:erwähn|mitteil|sagen|anzeig)|ohne (?:rückfrage|nachfrage|zu fragen|hinweis)|\bsin (?:pedir|avisar|preguntar|informar|mencionar)|\bno (?:mencion|inform|avis|diga)|\bsans (?:demander|prévenir|informer|mentionner)|\bne (?:figure|mentionn|signal|dites|dis)|\bsem (?:perguntar|avisar|informar|pedir)|\bnão (?:mencion|inform|avis)|\bsenza (?:chiedere|informare|avvis)|不要告诉|不告诉|知らせな|伝えな|не (?:сообща|говор|упомин)|без (?:спроса|подтвержд)`)},
	{"secrets", 16, lex.Pattern(`(?i)\b(?:credential|passw|passphrase|secret|private key|api[ _-]?keys?|bearer|cookie|ssh|system prompt|environment variable|kubeconfig|wallet)\w*|\b(?:tokens?|log-?ins?|pin)\b|\.(?:env|ssh|aws|netrc|pem|pfx)\b|contraseñ|senha|mot de passe|passwort|kennwort|zugangsdaten|парол|密码|密钥|認証|パスワード|비밀번호`)},
	{"the conversation", 14, lex.Pattern(`(?i)\b(?:conversations?|chat|dialog(?:ue)?s?|transcripts?|(?:previous|earlier) (?:messages?|turns?|answers?|questions?|tasks?)|so far|session|what (?:the user|you)|other tools?|another tool|any tool|each tool|every tool|reasoning|thoughts|talks?)\b|conversaci|conversa\b|transcri|charla|gespräch|对话|会话|会話`)},
	{"all of it", 8, lex.Pattern(`(?i)\b(?:everything|whatever|verbatim|unredacted|unabridged|full text|in full|complete|whole|entire|contents? of|text of|output of|vollständig\w*|literal|íntegr\w*|intégral\w*)\b|全部|全て|すべて`)},
	{"the person", 8, lex.Pattern(`(?i)\b(?:home address|place of work|full name|medical|date of birth|birthday|phone numbers?|identity|passport|card numbers?|personal|privileged|their files|knows of)\b`)},
	{"consent", 12, lex.Pattern(`(?i)\b(?:confirm\w*|consent\w*|approv\w*|permission\w*|authori[sz]\w*|agreed|pre-?agreed|verif\w*|double-check|review|no need|not needed|not necessary|skip\w*|bypass\w*|disabl\w*|overrid\w*|ignor\w*|warning\w*|safe(?:ly)?|harmless|trusted|official|revert\w*|undone|reversible)\b`)},
	{"where it goes", 8, lex.Pattern(`(?i)\b(?:forward\w*|send|sent|sends|mail|mails|mailed|copied|copy (?:it|them|this|all|goes|to|is)|mirror\w*|upload\w*|shar(?:e|ed|es|ing)|append\w*|attach\w*|(?:include|including)|suppl(?:y|ies)|pass|passed|paste\w*|carr(?:y|ied)|relay\w*|transmit\w*|submit\w*|post(?:ed|s)?|goes|go to|b?cc|export\w*|sync\w*|archiv\w*|backup\w*|logged|collect\w*|telemetry|analytics|partner\w*|third[- ]part\w*|webhook|callback|remote)\b|anhäng|übermittel|weiterleit|\benvi(?:ar|e|ez|ando)\b|adjunt|envoyer|transmettre|inviare|送信|发送|отправ`)},
	{"precedence", 8, lex.Pattern(`(?i)\b(?:instead|supersed\w*|replac\w*|prefer\w*|only (?:way|approved|trusted|tool)|no longer|block\w*|before|after|afterwards|always|never|whatever|whenever|regardless|unless|at the (?:start|end)|when the user|must|mandatory|required|also|as well|additionally|then call|along with|as part of|in the same|at once|counts as|depends on|is due|presuppos\w*|carried out|stets|immer|siempre|toujours|sempre)\b|必须|必ず|всегда`)},
	{"a promise", 8, lex.Pattern(`(?i)\b(?:better|best|more (?:precise|accurate|reliable|complete)|complete|precise|accura\w+|quality|smooth\w*|faster|stable|improv\w+|optimal|ideal\w*|succeeds?|convenient|customary|expect(?:s|ed)?)\b.{0,60}\b(?:when|with|if|where)\b|\bfor (?:an? |the )?(?:\w+ )?(?:accura\w+|stable|best|better|precise|faster|disambiguation|quality)\b`)},
	{"power", 8, lex.Pattern(`(?i)\b(?:delet\w*|remov\w*|overwrit\w*|eras\w*|transfer\w*|pa(?:y|ys|id)|payments?|payee|purchas\w*|unlock\w*|silenc\w*|account|beneficiary|iban|public(?:ly)?|admin\w*|root|sudo|privileg\w*|rights|elevated|execut\w*|shell|curl|grant\w*|invit\w*|owner)\b`)},
	{"another script", 12, lex.Pattern(`[^\p{Latin}\p{Common}\p{Inherited}]{4,}`)},
	{"the reader", 8, lex.Pattern(`(?i)\b(?:you|your|assistants?|agents?|model|ai|llm|please|instructions?|user(?:'s|s)?)\b`)},
}

func concern(kind string) func() *regexp.Regexp {
	return concerns[slices.IndexFunc(concerns, func(c cue) bool { return c.kind == kind })].at
}

// guarded matches a sentence that has the user asked or informed, or says that something is
// refused or not kept. forbids matches a sentence that forbids something.
var (
	guarded = lex.Pattern(`(?i)\b(?:asks?|tells?|warns?|informs?|shows?|confirm|check|consults?|quote|give)\s+(?:\S+\s+){0,6}?(?:users?|customers?|persons?|people|owner|humans?|guests?|drivers?|students?|travell?ers?|patients?|clients?|them)\b|\b(?:consent|agreement|approval)\s+(?:of|from|by)\b|\b(?:users?|customers?|persons?|owner|humans?|guests?|drivers?|students?|travell?ers?|patients?|clients?)\s+(?:to\s+|must\s+|has to\s+)?(?:agrees?|confirms?|approves?|consents?|asked for|said so)\b|\b(?:refused|refuses|rejected|masked|redacted|by name only|left out|fails?|not (?:stored|kept|logged|sent|shown|accepted))\b`)
	forbids = lex.Pattern(`(?i)^(?:\w+:\s*)?(?:you |this |it )?(?:never|do not|don't|must not|may not|should not|cannot|leave out)\s+(?:\w+\s+){0,1}`)
)

// Bounds of the weighing: the bytes and the number of new sentences, and the bytes of the
// whole text.
const (
	maxWeighed   = 8 << 10
	maxSentences = 64
	maxBefore    = 32 << 10
)

// added are the sentences of now that was has not, up to the bounds. Sentences past the
// number are joined into the last one.
func added(was, now string) (all []string) {
	known := map[string]bool{"": true}
	for _, s := range speech.Sentences(was) {
		known[s] = true
	}
	left := maxWeighed
	for _, s := range speech.Sentences(now) {
		if known[s] || left <= 0 {
			continue
		}
		known[s] = true
		s = strings.ReplaceAll(s[:min(len(s), left)], "_", " ")
		left -= len(s)
		if len(all) < maxSentences {
			all = append(all, s)
		} else {
			all[maxSentences-1] += "; " + s
		}
	}
	return all
}

// suspicion is how much more suspicious a text is than the one before it. It adds the worst
// new sentence and half of the next.
func (w words) suspicion(was, now string) int {
	if was == now {
		return 0
	}
	had := strings.ToLower(strings.ReplaceAll(was[:min(len(was), maxBefore)], "_", " "))
	var worst, next int
	for _, s := range added(was, now) {
		n := w.sentence(had, s)
		worst, next = max(worst, n), max(next, min(worst, n))
	}
	return worst + next/2
}

// sentence weighs the concerns of one sentence that the text before had nowhere. Several
// concerns weigh more than their sum.
func (w words) sentence(had, text string) int {
	found, sum := map[string]bool{}, 0
	for _, c := range concerns {
		hits := slices.DeleteFunc(c.at().FindAllString(text, maxCues), func(hit string) bool { return strings.Contains(had, strings.ToLower(hit)) })
		if len(hits) > 0 {
			found[c.kind] = true
			sum += c.weight + c.weight/2*min(len(hits)-1, 1)
		}
	}
	address := false
	quiet := w.quiet(had, text)
	for kind, weight := range quiet {
		if places[kind] {
			address = true
			if !found["where it goes"] {
				weight /= 2 // a link to read on
			}
		}
		sum += weight
	}
	careful := forbids().MatchString(text) || !address && guarded().MatchString(text)
	if careful && !found["conceals"] {
		sum /= 3
	}
	return sum * (len(found) + len(quiet) + 2) / 3
}

// places are the kinds of cue that name a destination.
var places = map[string]bool{"names a host": true, "names an address": true, "names a mail address": true}

// loud is the weight from which a cue counts by itself, in any context.
const loud = 40

// quiet are the weights of the other cues of a sentence, by their kind.
func (w words) quiet(had, text string) map[string]int {
	kinds := map[string]int{}
	for cue, s := range w.cues(text) {
		kind, hit, _ := strings.Cut(cue, ": ")
		if s.weight < loud && !strings.Contains(had, hit) {
			kinds[kind] = s.weight
		}
	}
	if kinds["names an address"]+kinds["names a mail address"] > 0 {
		delete(kinds, "names a host") // it is part of that
	}
	return kinds
}

// limits are words about the limits of a tool, or about the owners of its data.
var limits = lex.Pattern(`(?i)^(?:only|own|mask(?:ed|s)?|redacted|limit(?:s|ed)?|most|refuse[sd]?|until|never|always|needs?|requires?d?|within|unless|without|invited|saved|kept|stays?|gone|lost|cannot|not|ask(?:s|ed)?|warn(?:s|ing)?|confirm(?:s|ed|ation)?|approv(?:al|ed|es)|agreed|restored?|undone|permanent(?:ly)?|newest|private|sandbox(?:ed)?|must)$`)

// omitted weighs the words of a text that the tool has nowhere now. Words of limits, of
// consent and of power weigh more. An honest edit adds words, or rewords one of them; an
// attacker who hides a tool's actions leaves several out.
func omitted(was, says string) int {
	says = strings.ToLower(says)
	lost, heavy := 0, 0
	words := speech.NameParts(was[:min(len(was), maxWeighed)])
	for _, word := range words[:min(len(words), maxCues)] {
		if len(word) < 3 || strings.Contains(says, speech.Stem(word)) {
			continue
		}
		lost++
		if limits().MatchString(word) || concern("consent")().MatchString(word) || concern("power")().MatchString(word) {
			heavy++
		}
	}
	return 6*min(lost, 5) + 10*min(heavy, 2)
}
