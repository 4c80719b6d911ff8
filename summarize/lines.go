package summarize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// marker is the length of the list marker that a line begins with, its blank
// included, or 0. A minus or a comparison before a digit is none.
func marker(s string) int {
	n := 0
	for _, bullet := range []string{"- ", "* ", "+ ", "• ", "– ", "◦ ", "▪ ", "‣ ", "> ", "# ", "## ", "### ", "#### ", "##### ", "###### "} {
		if strings.HasPrefix(s, bullet) {
			n = len(bullet)
		}
	}
	if n > 0 {
		if (s[0] == '-' || s[0] == '>' || strings.HasPrefix(s, "–")) && digitFollows(s[n:]) {
			return 0
		}
		return n
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits <= 3 && len(s) > digits+1 && (s[digits] == '.' || s[digits] == ')') && s[digits+1] == ' ' {
		return digits + 2
	}
	return 0
}

// item reports whether a line is a list item. A quoted line is none: quotations are wrapped too.
func item(s string) bool { return marker(s) > 0 && s[0] != '#' && s[0] != '>' }

// bold is the level of a title that is only set in bold, the lowest.
const bold = 7

// level is that of a heading, or of what a blank line and its look make one, or 0.
func (l line) level() int {
	if n := heading(l.text); n > 0 {
		return n
	}
	if marks := len(l.text) - len(strings.TrimLeft(l.text, "#")); l.blank && marks > 0 && marks < bold && rules(l.text) {
		return marks // without a blank behind the marks
	}
	inner := strings.TrimRight(strings.Trim(l.text, "*_"), ":")
	if l.blank && len(inner)+4 <= len(l.text) && (strings.HasPrefix(l.text, "**") || strings.HasPrefix(l.text, "__")) &&
		!strings.Contains(inner, "**") && !closed(inner) {
		return bold
	}
	return 0
}

// heading is the level of a Markdown or HTML heading, or 0.
func heading(s string) int {
	if len(s) > 8 && s[:2] == "<h" && s[2] >= '1' && s[2] <= '6' && strings.HasSuffix(s, "</h"+s[2:3]+">") {
		return int(s[2] - '0')
	}
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n == 0 || n > 6 || n == len(s) || s[n] != ' ' {
		return 0
	}
	return n
}

// label reports whether a line begins like "Review date: ".
func label(s string) bool {
	name, _, found := strings.Cut(s, ": ")
	if !found || name == "" || len(name) > 40 || !unicode.IsUpper([]rune(name)[0]) {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" -/&()", r) }) < 0
}

// rules reports whether a line holds a word that could rule what stands below
// it, or a sign that could, or nothing but signs.
func rules(s string) bool {
	ws := words(s)
	for _, w := range ws {
		if w.negates() || conditions()[w.key] || w.odd() || hides(w) || strings.ContainsAny(w.key, "❌🚫⛔✗✘✖🛑👎") {
			return true
		}
	}
	return len(ws) > 0 && !says(s)
}

// goesOn reports whether a line begins with a small letter.
func goesOn(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// closed reports whether a line ends like a sentence.
func closed(s string) bool {
	s = strings.TrimRight(s, "\"'”’»)]*_`」』）")
	return strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "..") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") ||
		strings.HasSuffix(s, "。") || strings.HasSuffix(s, "！") || strings.HasSuffix(s, "？")
}

// unfinished reports whether a line cannot be the end of anything.
func unfinished(s string) bool {
	if s = strings.TrimRight(s, "*_` "); strings.HasSuffix(s, ",") && len(s) < 48 && salutations()[firstWord(s)] {
		return false
	}
	for _, end := range []string{",", ";", ":", "-", "–", "—", "(", "[", "{", "/", "&", "，", "；", "：", "、", "…", ".."} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return dangling()[strings.ToLower(s[strings.LastIndexAny(s, " \t")+1:])]
}
