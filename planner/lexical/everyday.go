package lexical

import (
	"slices"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/speech"
)

// phrase is an everyday phrase, and the words of tools for it.
type phrase struct{ said, means []string }

// phrases are the everyday phrases by their first word. They find tools to suggest, and
// account for no word.
var everydayWords = sync.OnceValue(func() map[string][]phrase {
	m := map[string][]phrase{}
	for line := range strings.SplitSeq(lexicon()["phrases"], "|") {
		said, means, _ := strings.Cut(strings.TrimSpace(line), "=")
		p := phrase{said: strings.Fields(said), means: stemmer(nil).stems(strings.Fields(means))}
		m[p.said[0]] = append(m[p.said[0]], p)
	}
	return m
})

// means are the stems of the meanings of a text's everyday phrases. It omits stems that the
// text itself has.
func (t text) means() []string {
	var list []string
	for i := range t.words {
		for _, p := range everydayWords()[t.low(i)] {
			if t.begins(i, p.said) {
				list = append(list, p.means...)
			}
		}
		for _, p := range everydayWords()[strings.TrimSuffix(t.low(i), "s")] {
			if len(p.said) == 1 && p.said[0] != t.low(i) {
				list = append(list, p.means...)
			}
		}
		if making()[t.low(i)] && t.heads(i) && slices.Contains([]string{"a", "an"}, t.low(i+1)) {
			list = append(list, speech.Stem("create"))
		}
	}
	forms := t.forms()
	if len(forms) > 0 && forms[0] == fileStem { // the content of a file is not a directory's content
		list = slices.DeleteFunc(list, func(st string) bool { return folderNames()[st] })
	}
	return slices.DeleteFunc(append(list, forms...), t.has)
}

const fileStem = "file"

// forms are the stems of the kinds of a text's literals, by their form.
func (t text) forms() (list []string) {
	for i := range t.words {
		switch w := t.words[i]; {
		case w.quoted:
		case ofAFile().MatchString(w.raw) && literalShape(w) == pathname:
			list = append([]string{fileStem}, list...)
		case issueForm().MatchString(w.raw):
			list = append(list, speech.Stem("issue"))
		case t.statement(i):
			means := "sql query write"
			if w.raw == "SELECT" {
				means = "sql query read"
			}
			return stemmer(nil).stems(strings.Fields(means))
		}
	}
	return list
}

// statement reports whether a statement in SQL begins at word i. It continues to the end of
// the text.
func (t text) statement(i int) bool {
	w := &t.words[i]
	return !w.quoted && statementForm().MatchString(t.raw[w.start:])
}

var statementForm = pattern(`^(?:SELECT|INSERT\s+INTO|DELETE\s+FROM|(?:CREATE|ALTER|DROP)\s+TABLE|UPDATE\s+\S+\s+SET)\s+\S`)

// sql is the first word of the SQL statement in a text, or "".
func (t text) sql() string {
	for i := range t.words {
		if t.statement(i) {
			return t.words[i].raw
		}
	}
	return ""
}

var issueForm = pattern(`^[\w.-]+/[\w.-]+#\d+$`)

// foreign reports whether a text and its everyday phrases have no meaningful word of any
// tool's name or title. "PR" means a pull request, though each of these words alone means
// little.
func (x *index) foreign(t text) bool {
	topics := slices.DeleteFunc(t.topics(), func(st string) bool { return weak()[st] || glue()[st] })
	said := append(topics, t.means()...)
	return !slices.ContainsFunc(x.tools, func(e entry) bool {
		return slices.ContainsFunc(said, func(st string) bool { return e.words[st]&(inName|inTitle) != 0 })
	})
}

// excluded is "server/tool" of a tool that cannot be called here and that a text names. The
// text names it by all words of its name, or by the verb of a change.
func (t text) excluded(c catalog.Catalog) string {
	means := t.means()
	for _, e := range c.Excluded() {
		names := stemmer(nil).stems(speech.NameParts(e.Name))
		said := func(st string) bool { return t.has(st) || slices.Contains(means, st) }
		if len(names) == 0 {
			continue
		}
		all := !slices.ContainsFunc(names, func(st string) bool { return !said(st) })
		if all || Changes(e.Name) && said(names[0]) {
			return e.Server + "/" + e.Name
		}
	}
	return ""
}

// Concerns reports whether a question has a meaningful word of a tool's name. A common verb
// has no meaning, unless the name has no other word. It reports whether the tool could have
// been a candidate, without its description.
func Concerns(question, tool string) bool {
	m := stemmer(nil)
	t := m.read(question)
	said := func(st string) bool { return t.has(st) || slices.Contains(t.means(), st) }
	names := m.nouns(tool)
	if len(names) == 0 {
		names = m.stems(speech.NameParts(tool))
	}
	return slices.ContainsFunc(names, said)
}
