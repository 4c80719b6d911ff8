package input

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// expander puts lists and terms into patterns. A term may use lists, and terms
// that use lists only.
func (f *file) expander() *strings.Replacer {
	var parts []string
	for name, lines := range f.Words {
		list := strings.NewReplacer(", ", "|", "(", "(?:", ")", ")?", ".", `\.`).Replace(strings.Join(lines, ", "))
		parts = append(parts, "{{"+name+"}}", `\b(?:`+list+`)\b`)
	}
	for name, term := range f.Terms {
		parts = append(parts, "{{"+name+"}}", "(?:"+term+")")
	}
	return strings.NewReplacer(parts...)
}

func (r *rule) compile(parts *strings.Replacer) (err error) {
	if r.pattern, err = compile(r.Pattern, parts); err != nil {
		return fmt.Errorf("pattern: %w", err)
	}
	if r.Unless == "" {
		return nil
	}
	if r.unless, err = compile(r.Unless, parts); err != nil {
		return fmt.Errorf("unless: %w", err)
	}
	return nil
}

// compile compiles a pattern, and refuses one that matches every text. Text is
// matched in lower case, so a pattern with a capital would otherwise never
// match and never say so.
func compile(pattern string, parts *strings.Replacer) (*regexp.Regexp, error) {
	full := parts.Replace(parts.Replace(parts.Replace(pattern)))
	switch {
	case len(pattern) > maxPattern, len(full) > maxFull:
		return nil, fmt.Errorf("it is longer than %d bytes, or %d with its terms", maxPattern, maxFull)
	case !utf8.ValidString(full):
		return nil, errors.New("it is not UTF-8")
	case strings.Contains(full, "{{"):
		return nil, errors.New("it names a term, {{…}}, that the file does not define")
	case strings.ToLower(full) != full:
		full = "(?i)" + full
	}
	re, err := regexp.Compile(full)
	if err == nil && re.MatchString("") {
		err = errors.New("it matches the empty text, and so every text")
	}
	return re, err
}
