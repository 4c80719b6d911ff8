package input

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// rule is one entry of a rules file: words to find, or a pattern. Its compiled tests
// have no JSON names; excused is nil without an exception.
type rule struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	Says     string `json:"says,omitempty"`
	Pattern  string `json:"pattern,omitempty"`
	Unless   string `json:"unless,omitempty"`
	Reason   string `json:"reason,omitempty"`

	said, excused test
}

// test finds the words or the pattern of a rule.
type test interface{ in(*text) bool }

func (r *rule) check(seen map[string]bool) error {
	switch {
	case !escape.Name(r.ID):
		return errors.New("the id must be 1 to 128 characters of A-Z a-z 0-9 _ . -")
	case seen[r.ID]:
		return errors.New("the id is taken by an earlier rule")
	case !escape.Name(r.Category):
		return errors.New("the category must be 1 to 128 characters of A-Z a-z 0-9 _ . -")
	case (r.Says == "") == (r.Pattern == ""):
		return errors.New("it needs either says or a pattern")
	case strings.TrimSpace(r.Reason) == "", len(r.Reason) > maxReason:
		return fmt.Errorf("the reason, its own or that of its category, must be 1 to %d bytes", maxReason)
	}
	return nil
}

// read makes the tests of a rule; as reads phrases or patterns.
func (r *rule) read(field string, as func(string) (test, error)) (err error) {
	if r.said, err = as(r.Says + r.Pattern); err != nil {
		return fmt.Errorf("%s: %w", field, err)
	}
	if r.Unless != "" {
		if r.excused, err = as(r.Unless); err != nil {
			return fmt.Errorf("unless: %w", err)
		}
	}
	return nil
}

func (r *rule) isExcused(t *text) bool { return r.excused != nil && r.excused.in(t) }

func (r *rule) denial(field string) *verdict.Denial {
	d := verdict.Deny(verdict.InputRule, "%s matches the rule %s of the category %s: %s", field, r.ID, r.Category, r.Reason)
	d.Rules = []string{r.ID}
	return d
}

// The pattern limits keep one compiled set under a few megabytes.
const (
	maxPattern = 4 << 10  // bytes of a pattern or a term as written
	maxFull    = 32 << 10 // bytes of a pattern with its terms put in
)

// parts puts lists and terms into patterns. A term may use lists, and terms that use
// only lists. Parts longer than a pattern may be are cut. They stay too long, and no
// pattern that repeats them grows beyond megabytes.
func (s set) parts() *strings.Replacer {
	parts := s.terms("{{", "}}", "(?:", ")")
	for name, lines := range s.Words {
		list := strings.NewReplacer(", ", "|", "(", "(?:", ")", ")?", ".", `\.`).Replace(strings.Join(lines, ", "))
		parts = append(parts, "{{"+name+"}}", `\b(?:`+list+`)\b`)
	}
	for i, part := range parts {
		parts[i] = part[:min(len(part), maxFull+1)]
	}
	return strings.NewReplacer(parts...)
}

// terms returns the names of the terms, each with its replacement.
func (s set) terms(open, end, before, behind string) (parts []string) {
	for name, term := range s.Terms {
		parts = append(parts, open+name+end, before+term+behind)
	}
	return parts
}

// pattern compiles a pattern, and refuses a pattern that matches every text. Text is
// matched in lower case, so a pattern with a capital is refused, too: it would never
// match, without any notice.
func pattern(written string, parts *strings.Replacer) (test, error) {
	full := written
	for deep := 0; deep < 3 && len(written) <= maxPattern && len(full) <= maxFull; deep++ {
		full = parts.Replace(full)
	}
	switch {
	case len(written) > maxPattern, len(full) > maxFull:
		return nil, fmt.Errorf("it is longer than %d bytes, or %d with its terms", maxPattern, maxFull)
	case strings.Contains(full, "{{"):
		return nil, errors.New("it names a term, {{…}}, that the file does not define")
	case strings.ToLower(full) != full:
		full = "(?i)" + full
	}
	re, err := regexp.Compile(full)
	if err == nil && re.MatchString("") {
		err = errors.New("it matches the empty text, and so every text")
	}
	return matching{re}, err
}

// matching finds a pattern.
type matching struct{ pattern *regexp.Regexp }

func (m matching) in(t *text) bool { return m.pattern.MatchString(t.view) }
