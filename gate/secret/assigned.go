package secret

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/lex"
)

// assigned is the kind of a value that is a secret because of its name alone.
const assigned = "assigned-secret"

// assignedNames are texts that the names of secrets contain, in lower case. [Named]
// decides whether a name with one of them is the name of a secret.
var assignedNames = strings.Fields("pass pwd secret key token psk jwt pat dsn salt credential creds auth")

// valueRead bounds how much of a value is read, in bytes.
const valueRead = 512

// mark begins the text that a redaction puts in place of a secret.
const mark = "[redacted:"

// label is the place of a name in a text that may assign a value to it.
type label struct {
	text       string
	start, end int // of the name
}

func (l label) name() string { return l.text[l.start:l.end] }

// assignedAt returns the value that belongs to a name. One of assignedNames begins at
// i, within the name.
func assignedAt(text string, i int) []span {
	l := label{text, i - trailing(text[:i], &dashed), i + dashed.Leading(text[i:min(len(text), i+leadMax)])}
	if !l.assigns() {
		return nil
	}
	if escapes(text[:l.start+1]) {
		l.start++ // the letter belongs to an escape
	}
	named := secretName(l.name())
	if !named && !strings.HasSuffix(strings.ToLower(l.name()), "auth") {
		return nil
	}
	for _, form := range forms {
		if from, to, ok := form(l); ok && !strings.HasPrefix(text[to:], mark) {
			return []span{{from, to, assigned}}
		}
	}
	return nil
}

// secretName reports whether a value assigned to the name is a secret. Headers have
// separate rules, because a scheme and a language are not secrets.
func secretName(name string) bool {
	folded := strings.ToLower(name)
	switch {
	case strings.Contains(name, mark), strings.HasSuffix(folded, "authorization"), strings.HasSuffix(folded, "cookie"):
		return false
	}
	return Named(name, Text)
}

// assigns reports whether a value may follow the name. It is false for most names in
// prose.
func (l label) assigns() bool {
	at := l.end + gap(l.text[l.end:])
	if at >= len(l.text) {
		return false
	}
	return l.opens() || behind.Has(l.text[at]) || strings.HasPrefix(l.name(), "--")
}

// forms are the ways in which a text gives a value to a name.
var forms = [...]func(label) (from, to int, ok bool){label.element, label.content, label.option, label.constant, label.entry, label.block, label.assignment}

// assignment finds the value of NAME=VALUE, NAME: VALUE, "NAME": "VALUE" and the like.
func (l label) assignment() (from, to int, ok bool) {
	at := l.end + gap(l.text[l.end:])
	sep := equals.Leading(l.text[at:min(len(l.text), at+2)])
	if sep == 0 || l.text[at] == '>' {
		return 0, 0, false
	}
	from = at + sep + gap(l.text[at+sep:])
	if tag := "!!str "; strings.HasPrefix(l.text[from:], tag) {
		from += len(tag)
	}
	return l.valueAt(from, l.text[at:at+sep] == ":")
}

// valueAt returns the value that begins at i. In quotes that is the whole string, and
// in a line of YAML the rest of the line. Otherwise it ends at the first byte that no
// value has.
func (l label) valueAt(i int, colon bool) (from, to int, ok bool) {
	if to, ok := quotedAt(l.text, i); ok && secretString(l.name(), l.text[i:to]) {
		return i, to, true
	}
	if to, ok := l.endOfWord(i); ok && colon && secretLine(l.name(), l.text[i:to]) {
		return i, to, true
	}
	v := value(l.text[i:])
	if !secretValue(l.name(), v) || strings.HasPrefix(l.text[i+len(v):], "(") { // a function call
		return 0, 0, false
	}
	if to = i + len(v); len(v) == valueRead {
		to += encoded.Leading(l.text[to:])
	}
	return i, to, true
}

// value returns the longest beginning of the text that can be a value, or part of one.
func value(text string) string {
	n := 0
	for n < min(len(text), valueRead) && !valueEnds.Has(text[n]) {
		n++
	}
	return text[:n]
}

var (
	equals    = lex.ClassOf(":=>")
	behind    = lex.ClassOf(":=>,vV\r\n") // after a name: a separator, or the beginning of "value"
	blanks    = lex.ClassOf(" \t\"'`\\")
	valueEnds = lex.ClassOf(" \t\r\n\"'`\\,;&<>(){}[]|")
)

// gap returns the length of the separators at the beginning of a text: quotes, escaped
// or not, and blanks.
func gap(text string) int { return blanks.Leading(text[:min(len(text), 12)]) }

// secretValue reports whether the value can be a secret for that name. A word, a
// placeholder and the place of a secret are not secrets.
func secretValue(name, value string) bool {
	if strings.HasSuffix(strings.ToLower(name), "auth") {
		return credentialPair(value)
	}
	least := leastOf(name)
	if len(value) < least || elsewhere(value) || placeholder(value) {
		return false
	}
	if mixed(value) {
		return true
	}
	return least < 8 && len(value) >= 8 && strings.ContainsAny(value, "!@#$%^&*?")
}

// leastOf returns the least length of a secret with that name. Passwords are shorter,
// because people choose them.
func leastOf(name string) int {
	if name = strings.ToLower(name); strings.Contains(name, "pass") || strings.HasSuffix(name, "pwd") || strings.HasSuffix(name, "psk") {
		return 6
	}
	return 16
}

// elsewhere reports whether the value only says where the secret is, or replaces it in
// a display. The address of a contract counts, too, because it is public.
func elsewhere(value string) bool {
	folded := strings.ToLower(value)
	switch {
	case value == "", strings.IndexByte("$%*./~", value[0]) >= 0:
		return true
	case strings.Contains(value, "://"), strings.Contains(folded, "env."):
		return true
	case strings.HasPrefix(folded, "xxxx"), strings.HasPrefix(value, "•"), strings.HasPrefix(folded, "arn:"):
		return true
	}
	return strings.HasPrefix(folded, "0x") && len(value) == len("0x")+40
}

// placeholders are words that replace a password in documentation, or that a log reports
// about one.
var placeholders = strings.Fields("string text password passwd secret token required optional none null nil true false yes no hidden masked redacted " +
	"default disabled enabled unset empty unknown prompt vault bytes boolean object varchar integer expected incorrect invalid wrong expired missing " +
	"failed valid accepted rejected denied changed updated mismatch correct changeme change-me example placeholder forbidden unchanged")

// placeholder reports whether a value is a word instead of a secret.
func placeholder(value string) bool {
	folded := strings.ToLower(value)
	switch {
	case slices.Contains(placeholders, folded), strings.HasPrefix(folded, "your"), strings.HasPrefix(folded, "required|"):
		return true
	}
	return strings.Contains(folded, "your_") || strings.Contains(folded, "your-")
}

// mixed reports whether the value has a letter and a digit.
func mixed(value string) bool {
	return strings.ContainsAny(value, lex.WordBytes[:52]) && strings.ContainsAny(value, lex.WordBytes[52:62])
}

// drawn reports whether a value changes between capitals and small letters as often as
// a random value does.
func drawn(value string) bool {
	changes := 0
	for i := 1; i < len(value); i++ {
		a, b := value[i-1], value[i]
		if lex.Letter(a) && lex.Letter(b) && (a&0x20) != (b&0x20) {
			changes++
		}
	}
	return changes*4 >= len(value)
}

// secretMember reports whether the whole string of a JSON member with that name is a
// secret. A password or a secret may consist of any words; a token has no blanks.
func secretMember(name, text string) bool {
	switch {
	case strings.HasSuffix(strings.ToLower(name), "auth"):
		return credentialPair(text)
	case !secretName(name), elsewhere(text), placeholder(text), bracketed(text):
		return false
	case leastOf(name) < 8, strings.HasSuffix(strings.ToLower(name), "secret"):
		return true
	}
	return len(text) >= leastOf(name) && !strings.ContainsAny(text, " \t\r\n")
}

// bracketed reports whether a text is a placeholder in brackets or a call, or contains
// a redaction.
func bracketed(text string) bool {
	if strings.IndexByte("<{[(", text[0]) >= 0 || strings.Contains(text, mark) {
		return true
	}
	return strings.Contains(text, "()") || strings.Contains(text, "{{") || strings.Contains(text, "${")
}

// secretString is [secretMember] for a string in quotes. Prose and code more often
// quote harmless strings than JSON does, such as a sentence of four words or a key
// made of words.
func secretString(name, text string) bool {
	if text == "" || !secretMember(name, text) {
		return false
	}
	if leastOf(name) > 6 {
		return mixed(text) || drawn(text)
	}
	return len(text) >= 6 && strings.Count(text, " ") <= 2
}

// secretLine is [secretMember] for the unquoted text after a name in a line of YAML. A
// value that ends like a line of a program, or that names a variable, is not a secret.
func secretLine(name, text string) bool {
	if len(text) < leastOf(name) || !secretMember(name, text) {
		return false
	}
	if strings.IndexByte("!&*|>@%`", text[0]) >= 0 || valueEnds.Has(text[len(text)-1]) {
		return false
	}
	if leastOf(name) > 6 {
		return mixed(text) || drawn(text)
	}
	if mixed(text) {
		return true
	}
	folded := strings.ToLower(text)
	return !strings.Contains(text, ".") && !strings.Contains(folded, "pass") && !strings.Contains(folded, "secret")
}

// credentialPair reports whether a value is NAME:PASSWORD in base64, as in
// configurations of docker and npm.
func credentialPair(value string) bool {
	b, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(value, "=")))
	if err != nil || !utf8.Valid(b) {
		return false
	}
	name, password, found := strings.Cut(string(b), ":")
	return found && name != "" && password != ""
}
