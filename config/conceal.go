package config

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/onestep-run/onestep/gate/secret"
)

// concealer removes the secrets from the texts of an entry, and remembers which names carried
// one. A literal that is a secret by its name or by its shape is replaced by its kind.
// Neither check is certain: a secret in lower-case letters or hexadecimal digits under a
// harmless name is missed.
type concealer struct{ carriers map[string]bool }

// Replacements of literals that only their place shows to be secrets. The kinds are those of
// [secret.Redact], which finds the other secrets.
const (
	byName = "[redacted:assigned-secret]" // by the name of its variable, option or parameter
	inURL  = "[redacted:url-password]"
	random = "[redacted:random]"
)

// loaders are variables by which a program loads code. They are never hidden.
var loaders = []string{"LD_", "DYLD_", "NODE_OPTIONS", "PYTHON"}

func (c *concealer) variable(name, value string) string {
	for _, l := range loaders {
		if strings.HasPrefix(name, l) {
			return value
		}
	}
	return c.value(name, value)
}

// args conceals the text after an option, an equals sign or a colon, by the name before it.
func (c *concealer) args(args []string) []string {
	out := make([]string, len(args))
	option := ""
	for i, arg := range args {
		if strings.HasPrefix(arg, "-") {
			option = ""
		}
		out[i] = c.value(option, arg)
		if option = ""; strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") {
			option = arg
		}
	}
	return out
}

var label = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^(-{0,2}[A-Za-z_][\w.-]*)(=|:[ \t]?)(.+)$`) })

// value conceals a text by its name, and by a name at its beginning: NAME=value, or "Name:
// value" as in a header.
func (c *concealer) value(name, text string) string {
	if secret.Named(name, secret.Setting) {
		c.carried(name, text)
		return eachLiteral(text, func(string) string { return byName })
	}
	if m := label().FindStringSubmatch(text); m != nil && (m[2] == "=" || secret.Named(m[1], secret.Setting)) {
		return m[1] + m[2] + c.value(m[1], m[3])
	}
	out := eachLiteral(text, shapeless)
	if out != text {
		c.carried(name, text)
	}
	return out
}

func (c *concealer) address(url string) string {
	for _, m := range parameter().FindAllStringSubmatch(url, -1) {
		if secret.Named(m[2], secret.Setting) {
			c.carried(m[2], m[3])
		}
	}
	return eachLiteral(url, shapeless)
}

// carried remembers a name that carries a credential, with the variables and inputs in its
// value.
func (c *concealer) carried(name, text string) {
	for _, m := range reference().FindAllStringSubmatch(text, -1) {
		if m[2] != "" { // the default is a literal
			m[0] = "${" + m[1] + "}"
		}
		name += " " + m[0]
	}
	if c.carriers == nil {
		c.carriers = map[string]bool{}
	}
	c.carriers[name] = true
}

// eachLiteral rewrites the text between references, and the defaults of references.
func eachLiteral(text string, rewrite func(string) string) string {
	var out strings.Builder
	some := func(s string) {
		if s != "" {
			out.WriteString(rewrite(s))
		}
	}
	at := 0
	for _, m := range reference().FindAllStringSubmatchIndex(text, -1) {
		some(text[at:m[0]])
		at = m[1]
		if m[6] < 0 {
			out.WriteString(text[m[0]:m[1]])
			continue
		}
		out.WriteString(text[m[0]:m[6]])
		some(text[m[6]:m[7]])
		out.WriteString("}")
	}
	some(text[at:])
	return out.String()
}

var (
	userinfo  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(://[^/?#\s:@]*:)[^/?#\s@]+@`) })
	parameter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([?&;])([^=&;#\s]+)=([^&;#\s]+)`) })
	run       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9_-]{24,}`) })
)

// shapeless replaces text that has the shape of a secret.
func shapeless(text string) string {
	text, _ = secret.Redact(text)
	text = userinfo().ReplaceAllString(text, "${1}"+inURL+"@")
	text = parameter().ReplaceAllStringFunc(text, func(p string) string {
		if name, _, _ := strings.Cut(p[1:], "="); secret.Named(name, secret.Setting) {
			return p[:1] + name + "=" + byName
		}
		return p
	})
	return run().ReplaceAllStringFunc(text, func(s string) string {
		if scattered(s) {
			return random
		}
		return s
	})
}

// scattered reports whether capitals, small letters and digits alternate as often as in a
// random text. Words, names, UUIDs and hexadecimal digests do not.
func scattered(s string) bool {
	changes, has := 0, map[int]bool{}
	for i := range len(s) {
		has[class(s[i])] = true
		if i > 0 && class(s[i]) != class(s[i-1]) {
			changes++
		}
	}
	mixed := has['A'] && has['a'] && has['0']
	return mixed && changes*9 >= len(s)*4
}

func class(c byte) int {
	switch {
	case unicode.IsUpper(rune(c)):
		return 'A'
	case unicode.IsLower(rune(c)):
		return 'a'
	case unicode.IsDigit(rune(c)):
		return '0'
	}
	return '-'
}
