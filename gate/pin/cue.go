package pin

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/guard"
)

// A cue is what makes words worth a second look: they name where data could
// go, name another tool, tell the model what to do, or hide. Honest
// descriptions have cues too, so only a new one counts, and it sorts a
// difference rather than deciding on it: any other wording waits for a person
// as well. What talks past the user or conceals is found by the rules of
// gate/guard; here is what a description has of its own: that a tool comes
// first, where something goes, and other tools.
//
// cue finds one kind. Where the expression has a group, the group is the cue.
type cue struct {
	kind string
	at   func() *regexp.Regexp
}

var cueKinds = []cue{
	{"names an address", expression(`(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s"'<>)\]]+|\b(?:mailto|data|javascript):[^\s"'<>)\]]+`)},
	{"names a mail address", expression(`[\w.%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)},
	{"names a host", expression(`(?i)\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9a-f:]*:[0-9a-f:]+\]`)},
	{"names a path", expression(`(?:^|[\s"'(=\x60])((?:~|\.{1,2})?/[\w.~-][^\s"'<>)\x60]*|[A-Za-z]:\\[^\s"'<>)]+)`)},

	{"instructs the model", expression(`(?i)\b(?:you|the (?:model|assistant|agent|ai|llm))\b.{0,24}\b(?:must|should|shall|have to|need to)\b`)},
	{"instructs the model", expression(`(?i)\b(?:always|never|first|immediately)\s+(?:use|call|invoke|run|execute|send|pass|include|prefer|read|answer|reply|respond)\b`)},
	{"instructs the model", expression(`(?i)(?:^|[\s.;>])(?:system|assistant|important|attention|note to (?:the )?(?:model|ai|assistant))\s*:`)},

	{"hides something in a comment", expression(`<!--`)},
	{"hides something below or beside", expression(`(?:\n[ \t\r]*){12,}|[ \t]{40,}`)},
}

// expression is compiled when a text is first compared, which most runs never do.
func expression(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

// fileLike ends what has the form of a host and is a file or a piece of code.
var fileLike = expression(`(?i)\.(?:js|ts|py|go|rs|sh|md|txt|json|jsonl|yaml|yml|toml|html|css|csv|xml|pdf|png|jpe?g|gif|svg|zip|gz|log)$|^(?:document|window|console|this|self|math|node)\.`)

// identifier is a word of the form that tools' names have: get_file, getFile.
var identifier = expression(`\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b|\b[a-z]+[0-9]*[A-Z][A-Za-z0-9]*\b`)

// mention is a word that is said to be a tool's, or is quoted.
var mention = expression("[`\"']([\\w.-]+)[`\"']|(?i)\\b(?:call|use|invoke|run|tool)\\s+([\\w.-]+)|\\b([\\w.-]+)\\s+tool\\b")

// words are what a comparison knows of the names in a text.
type words struct {
	own    func() map[string]bool // the tool's: its name and those of its parameters and values
	others map[string]bool        // of other tools, where they are known
}

// maxCues of one kind are looked at in one text.
const maxCues = 200

// cues are all that a text holds, each with its kind.
func (w words) cues(text string) map[string]bool {
	found := map[string]bool{}
	for _, c := range cueKinds {
		for _, m := range c.at().FindAllStringSubmatch(text, maxCues) {
			hit := m[len(m)-1]
			if c.kind != "names a host" || !fileLike().MatchString(hit) {
				found[c.kind+": "+strings.ToLower(strings.TrimSpace(hit))] = true
			}
		}
	}
	if hides(text) {
		found["hides something in characters that do not show"] = true
	}
	for _, f := range (guard.Rules{}).Scan("", []guard.Part{{Kind: "text", Text: text}}).Findings {
		found[f.Why+": "+f.Excerpt] = true
	}
	for _, name := range w.named(text) {
		found["names another tool: "+name] = true
	}
	return found
}

// named are the words of a text that are another tool's name, or of the form
// that such names have.
func (w words) named(text string) []string {
	own := w.own()
	all := slices.DeleteFunc(identifier().FindAllString(text, maxCues), func(word string) bool { return own[word] })
	for _, m := range mention().FindAllStringSubmatch(text, maxCues) {
		if name := strings.TrimRight(m[1]+m[2]+m[3], "."); w.others[name] && !own[name] { // a sentence may end with it
			all = append(all, name)
		}
	}
	return all
}

func hides(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && r != '\r' && !guard.Visible(r) })
}

// newCue is a cue that now has and was has not, the least of them so that it
// is always the same one, or "".
func (w words) newCue(was, now string) string {
	if now == "" || now == was {
		return ""
	}
	before, least := w.cues(was), ""
	for c := range w.cues(now) {
		if !before[c] && (least == "" || c < least) {
			least = c
		}
	}
	return guard.Line(least, 120)
}

// ownWords are the names and values that the tool's schemas have, before and
// after: a text that says them names no other tool.
func ownWords(sides ...said) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		own := map[string]bool{}
		for _, s := range sides {
			if name, ok := s.raw["name"].(string); ok {
				own[name] = true
			}
			collect(s.raw["inputSchema"], own)
			collect(s.raw["outputSchema"], own)
		}
		return own
	})
}

// collect takes the names of members and the values of enums. It looks into
// all of a schema and does not ask what is a keyword: more words only make
// fewer cues of names.
func collect(v any, own map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			own[name] = true
			if values, ok := e.([]any); ok && name == "enum" {
				for _, word := range values {
					if s, ok := word.(string); ok {
						own[s] = true
					}
				}
			}
			collect(e, own)
		}
	case []any:
		for _, e := range v {
			collect(e, own)
		}
	}
}
