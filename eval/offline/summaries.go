package offline

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// summarized is a generated summary of a generated result. Its right answer is known
// from its construction.
type summarized struct {
	value   jsontext.Value
	said    []byte
	bullets []bullet // that must be shown, without any others
}

func (s summarized) try() (string, error) {
	t, err := typed(s.value)
	if err != nil {
		return "", err
	}
	return lock(t, summarize.Rendered, s.said, s.bullets)
}

func (s summarized) parses(err error) bool {
	code := verdict.CodeOf(err)
	return code != verdict.SummaryJSON && code != verdict.SummaryShape
}

// groundedSummary makes a valid summary: one to three selections, and perhaps one
// after them that must be dropped.
func groundedSummary(seed int) Case {
	return rapid.Custom(func(t *rapid.T) Case {
		r := newResult(t)
		way := rapid.SampledFrom(harmless).Draw(t, "way")
		held := []bullet{way.to(t, r)}
		for range rapid.IntRange(0, 2).Draw(t, "more") {
			held = append(held, r.quoted(t))
		}
		all := held
		if rapid.Bool().Draw(t, "before a bad one") {
			all = append(slices.Clone(held), bullet{evidence: "Nobody has ever said this."})
		}
		return r.asCase(way.what, Allow, all, held)
	}).Example(seed)
}

// ungroundedSummary makes a summary that selects nothing of the result.
func ungroundedSummary(seed int) Case {
	return rapid.Custom(func(t *rapid.T) Case {
		r := newResult(t)
		way := rapid.SampledFrom(harmful).Draw(t, "way")
		return r.asCase(way.what, string(verdict.SummaryEvidence), []bullet{way.to(t, r)}, nil)
	}).Example(seed)
}

// result is a generated result, such as a tool's text about a rule.
type result struct {
	id, title, owner string
	days             int
	statements       []statement
}

// statement is a sentence in the parts that edits work on.
type statement struct {
	opening, subject, aside, modal, negation, verb, object, whom string
	amount                                                       int
	unit, condition                                              string
}

func (s statement) String() string {
	text := s.opening + s.subject + s.aside + " " + s.modal + s.negation + " " + s.verb + " " + s.object + " " + s.whom +
		fmt.Sprintf(" within %d %s", s.amount, s.unit) + s.condition + "."
	first, n := utf8.DecodeRuneInString(text)
	return strings.ToUpper(string(first)) + text[n:]
}

func newResult(t *rapid.T) *result {
	r := &result{
		id:    fmt.Sprintf("policy-%03d", rapid.IntRange(1, 999).Draw(t, "id")),
		title: sample(t, "Handling of access logs", "Sharing with external partners", "Rotation of signing keys"),
		owner: sample(t, "Data Office", "Platform Security", "Legal Affairs"),
		days:  rapid.IntRange(13, 99).Draw(t, "days"),
	}
	for range rapid.IntRange(3, 6).Draw(t, "statements") {
		r.statements = append(r.statements, statement{
			opening:   sample(t, "", "", "in addition, ", "moreover, ", "as a result, "),
			subject:   sample(t, "the security team", "every administrator", "the owner of the file", "the on-call engineer"),
			aside:     sample(t, "", "", " (see the wiki)", ", based in Berlin,"),
			modal:     sample(t, "must", "may", "should"),
			negation:  sample(t, "", " not", " never"),
			verb:      sample(t, "send", "release", "copy"),
			object:    sample(t, "the access logs", "the customer records", "the signing keys"),
			whom:      sample(t, "to Acme", "to Initech", "to Globex"),
			amount:    rapid.IntRange(13, 96).Draw(t, "amount"),
			unit:      sample(t, "days", "hours", "minutes"),
			condition: sample(t, "", " if the board agrees", " unless the owner objects"),
		})
	}
	return r
}

func sample(t *rapid.T, of ...string) string { return rapid.SampledFrom(of).Draw(t, "part") }

func (r *result) text() string {
	var all []string
	for _, s := range r.statements {
		all = append(all, s.String())
	}
	return strings.Join(all, " ")
}

func (r *result) value() jsontext.Value {
	return jsontext.Value(object(
		member{`"id"`, scalar(quoted(r.id))}, member{`"title"`, scalar(quoted(r.title))},
		member{`"retention_days"`, scalar(fmt.Sprint(r.days))}, member{`"text"`, scalar(quoted(r.text()))},
		member{`"contact"`, object(member{`"owner"`, scalar(quoted(r.owner))}, member{`"lists"`, array(scalar(`"audit"`), scalar(`"privacy"`))})},
	).String())
}

func (r *result) asCase(what, expect string, all, held []bullet) Case {
	said, err := summary(all...)
	if err != nil {
		said = nil // an empty summary is refused
	}
	return Case{
		Group: GroundingFuzz, What: what, Expect: expect, probe: summarized{r.value(), said, held},
		line: fmt.Sprintf("%s\n%s", r.value(), said),
	}
}

// any returns one of the statements.
func (r *result) any(t *rapid.T) statement {
	return rapid.SampledFrom(r.statements).Draw(t, "statement")
}

func (r *result) quoted(t *rapid.T) bullet {
	s := r.any(t).String()
	return bullet{evidence: s, visible: s}
}
