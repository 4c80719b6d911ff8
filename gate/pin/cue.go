package pin

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/publicsuffix"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/scan"
)

// A cue is a reason to read words a second time. They name a place that data could go to,
// name another tool, instruct the model, or hide. Honest descriptions have cues too, so
// only a new one counts. A cue sorts a difference and does not decide on it: any other
// wording waits for a person as well. The rules of gate/scan find words that deceive the
// user. The cues here are special to descriptions: that a tool comes first, a destination,
// and other tools.
//
// cue finds one kind. If the expression has a group, the group is the cue.
type cue struct {
	kind   string
	weight int // as of [Difference]
	at     func() *regexp.Regexp
}

var cueKinds = []cue{
	{"names an address", 14, lex.Pattern(`(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s"'<>)\]]+|\b(?:mailto|data|javascript):[^\s"'<>)\]]+`)},
	{"names a mail address", 24, lex.Pattern(`[\w.%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)},
	{"names a host", 14, lex.Pattern(`(?i)\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9a-f:]*:[0-9a-f:]+\]`)},
	{"names a path", 12, lex.Pattern(`(?:^|[\s"'(=\x60])((?:~/|\.{1,2}/|/(?:bin|boot|data|dev|etc|home|lib|media|mnt|opt|private|proc|root|run|sbin|srv|sys|tmp|usr|var|Users|Library|Volumes|Applications)(?:/|\b))[^\s"'<>)\x60]*|[A-Za-z]:\\[^\s"'<>)]+|\\\\[\w.-]+\\[^\s"'<>)]+)`)},
	{"instructs the model", 10, lex.Pattern(`(?i)\b(?:you|the (?:model|assistant|agent|ai|llm))\b.{0,24}\b(?:must|should|shall|have to|need to)\b`)},
	{"instructs the model", 10, lex.Pattern(`(?i)\b(?:always|never|first|immediately)\s+(?:use|call|invoke|run|execute|send|pass|include|prefer|read|answer|reply|respond)\b`)},
	{"instructs the model", 10, lex.Pattern(`(?i)(?:^|[\s.;>])(?:system|assistant|important|attention|note to (?:the )?(?:model|ai|assistant))\s*:`)},

	{"poses as somebody else", 60, lex.Pattern(`(?i)</?\|?(?:system|im_start|im_end|tool_result|assistant|user|important|instructions?)\b|"role"\s*:\s*"`)},
	{"asks for another call", 24, lex.Pattern(`(?i)\b(?:then|also|afterwards|next|and|before that)\s+(?:call|invoke|run|execute)\s+(?:the\s+)?[\x60"'\w]`)},
	{"says where something goes", 24, lex.Pattern(`(?i)\b(?:results?|output|response|answers?|texts?|contents?|cop(?:y|ies)|data|everything)\b(?:\s+\w+){0,3}?\s+(?:goes|go|sent|forwarded|mirrored|copied|posted|uploaded|shared|written|pushed|relayed)\s+(?:in)?to\b`)},

	{"hides something in a comment", 40, lex.Pattern(`<!--`)},
	{"hides something below or beside", 40, lex.Pattern(`(?:\n[ \t\r]*){12,}|[ \t]{40,}`)},
}

// reserved are the names that no registry gives out (RFC 2606, 6761, 6762, and ICANN's
// .internal). An attacker's proof of concept has one, and so has a private network.
var reserved = []string{"example", "test", "local", "internal", "localhost", "onion", "lan", "corp", "home"}

// fieldLike matches texts in the form of a host that are files or members of a value.
// README.md and metadata.name end with a registered suffix, too.
var fieldLike = lex.Pattern(`(?i)\.(?:js|ts|tsx|jsx|py|go|rs|rb|sh|md|txt|json|jsonl|yaml|yml|toml|html|css|csv|xml|pdf|png|jpe?g|gif|svg|zip|gz|log)$|^(?:asp|ado|vb|ml)\.net$|^(?:document|window|console|this|self|math|node|process|object|array|json)\.[a-z]+$|^[a-z_]+\.(?:name|id|date|info|page|link|zone|map|report|security|size|do|is|in|it|as|at|be|no|so|to|by|us|call|box|rest|now|ok)$`)

// host reports whether a text of the form of a host can be one. Its suffix is registered or
// reserved, and it does not read as a field or a file.
func host(name string) bool {
	if strings.Trim(name, "0123456789.") == "" || strings.HasPrefix(name, "[") { // an address in numbers
		return true
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if fieldLike().MatchString(name) || last != strings.ToLower(last) && name != strings.ToUpper(name) { // a sentence without a blank after its dot
		return false
	}
	suffix, registered := publicsuffix.PublicSuffix(strings.ToLower(name))
	return registered || strings.Contains(suffix, ".") || slices.Contains(reserved, strings.ToLower(last))
}

// warning matches words that make a person or a model take care.
var warning = lex.Pattern(`(?i)\b(?:warning|caution|careful(?:ly)?|permanent(?:ly)?|irreversibl[ey]|irrevocabl[ey]|(?:cannot|can't|can not|not) be (?:undone|reversed|recovered|restored|reverted)|destructive|dangerous|confirm(?:ed|ation|s)?|(?:ask|asks|asking|consult|warn|tell|inform) (?:the|a|your) (?:user|owner|person|human|operator)|consent|approval|do not|don't|never|must not|should not|not for|only (?:if|when|after|within|works|for|with|on|in)|read-only|production|sandbox(?:ed)?|sensitive|at your own risk|charged|billed|overwrit(?:e|es|ing)|delet(?:e|es|ing|ed) (?:all|every))\b`)

// warningGone is a warning that was has and now has not, if now has fewer of them. A
// reworded warning does not count as gone.
func warningGone(was, now string) string {
	before, after := warning().FindAllString(strings.ToLower(was), maxCues), warning().FindAllString(strings.ToLower(now), maxCues)
	if len(after) >= len(before) {
		return ""
	}
	for _, phrase := range before {
		if !slices.Contains(after, phrase) {
			return "a warning was removed: " + phrase
		}
	}
	return ""
}

// identifier is a word of the form that tools' names have: get_file, getFile.
var identifier = lex.Pattern(`\b[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+\b|\b[a-z]+[0-9]*[A-Z][A-Za-z0-9]*\b`)

// mention is a word that the text calls a tool's, or quotes.
var mention = lex.Pattern("[`\"']([\\w.-]+)[`\"']|(?i)\\b(?:call|use|invoke|run|tool)\\s+([\\w.-]+)|\\b([\\w.-]+)\\s+tool\\b")

// words are the names that a comparison knows.
type words struct {
	own    func() map[string]bool // the tool's: its name and those of its parameters and values
	others map[string]bool        // known names of other tools: whether another server has it
	server Own
	read   map[string]map[string]sign // the cues of texts that were read already
}

// maxCues bounds the cues of one kind that are read in one text.
const maxCues = 200

// sign is the class and the weight that a cue gives to a text.
type sign struct {
	class  Class
	weight int
}

// cues are all cues of a text, each with its kind.
func (w words) cues(text string) map[string]sign {
	found, known := w.read[text]
	if known {
		return found
	}
	found = map[string]sign{}
	w.read[text] = found
	for _, c := range cueKinds {
		for _, m := range c.at().FindAllStringSubmatchIndex(text, maxCues) {
			at, end := m[len(m)-2], m[len(m)-1]
			if hit := text[max(at, 0):max(end, 0)]; w.counts(c.kind, text, hit, at) {
				found[c.kind+": "+strings.ToLower(strings.TrimSpace(hit))] = sign{Cue, c.weight}
			}
		}
	}
	if hides(text) {
		found["hides something in characters that do not show"] = sign{Cue, 60}
	}
	for _, f := range (scan.Rules{}).Scan("", []scan.Part{{Kind: "text", Text: text}, {Kind: "description", Text: text}}).Findings {
		is := sign{Cue, 30}
		if f.Tier == scan.Hard {
			is = sign{Finding, 500}
		}
		found[f.Why+": "+f.Excerpt] = is
	}
	for _, name := range w.named(text) {
		is := sign{Cue, 6}
		if w.others[name] {
			is.weight = 40
		}
		found["names another tool: "+name] = is
	}
	return found
}

// counts reports whether a text in the form of a cue is one, at its place.
func (w words) counts(kind, text, hit string, at int) bool {
	switch kind {
	case "names a host":
		if !host(hit) || apiGroup(text, hit) {
			return false
		}
		return !w.server.has(hit) || sentTo(text, at)
	case "names an address":
		return !w.server.address(hit) || sentTo(text, at)
	}
	return true
}

// named are the names of other tools in a text, of this server and of the other servers of
// the file. A name in plain form counts if the text calls it a tool's, or quotes it.
func (w words) named(text string) (all []string) {
	if len(w.others) == 0 {
		return nil
	}
	own := w.own()
	candidates := identifier().FindAllString(text, maxCues)
	for _, m := range mention().FindAllStringSubmatch(text, maxCues) {
		candidates = append(candidates, strings.TrimRight(m[1]+m[2]+m[3], ".")) // a sentence may end with it
	}
	for _, name := range candidates {
		if _, known := w.others[name]; known && !own[name] {
			all = append(all, name)
		}
	}
	return all
}

// hides reports whether a text has invisible characters. A variation selector after an
// emoji or a sign hides nothing.
func hides(text string) bool {
	last := ' '
	return strings.ContainsFunc(text, func(r rune) bool {
		selector := r == '\uFE0E' || r == '\uFE0F'
		selects := selector && (unicode.In(last, unicode.So, unicode.Sm) || strings.ContainsRune("0123456789#*‼⁉", last))
		last = r
		return !selects && !strings.ContainsRune("\n\t\r", r) && !escape.Visible(r)
	})
}

// newCue is a cue that now has and was has not, or "". It is the worst, then the first in
// order, so that the result is always the same.
func (w words) newCue(was, now string) (cue string, class Class) {
	if now == was || now == "" {
		return "", 0
	}
	before, after := w.cues(was), w.cues(now)
	for _, c := range slices.Sorted(maps.Keys(after)) {
		if _, had := before[c]; !had && (cue == "" || after[c].class < class) {
			cue, class = c, after[c].class
		}
	}
	return escape.Line(cue, 120), class
}

// ownWords are the names and values in the tool's schemas, before and after. They do not
// count as names of other tools.
func ownWords(sides ...parsed) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		own := map[string]bool{}
		for _, s := range sides {
			collect(s.raw["name"], true, own)
			collect(s.raw["inputSchema"], false, own)
			collect(s.raw["outputSchema"], false, own)
		}
		return own
	})
}

// collect takes the names of members and the values of enums. It reads all of a schema, not
// only keywords: more words only make fewer cues of names.
func collect(v any, listed bool, own map[string]bool) {
	switch v := v.(type) {
	case string:
		own[v] = own[v] || listed
	case []any:
		for _, e := range v {
			collect(e, listed, own)
		}
	case map[string]any:
		for name, e := range v {
			own[name] = true
			collect(e, name == "enum" && listOf(e) != nil, own)
		}
	}
}
