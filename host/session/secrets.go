package session

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
)

type setting struct{ name, value string }

// settings returns all values given to the server that may be a secret. It includes their
// parts: the password of an address, the credentials of a header.
func (s Server) settings() []setting {
	all := []setting{{"client_secret", s.OAuth.ClientSecret}}
	for _, table := range []map[string]string{s.Env, s.Secrets} {
		for name, value := range table {
			all = append(all, parts(name, value)...)
		}
	}
	for name, value := range s.Headers {
		all = append(all, header(name, value)...)
	}
	all = append(all, arguments(s.Args)...)
	all = append(all, parts("proxy", s.Proxy)...)
	all = append(all, parts("url", s.URL)...)
	if u, err := url.Parse(s.URL); err == nil {
		all = append(all, setting{"query", u.RawQuery})
		for part := range strings.SplitSeq(u.Path, "/") {
			all = append(all, setting{"path", part})
		}
	}
	return all
}

// parts returns a value and the parts of it that may be a secret. They are the password
// of an address or its query, NAME=VALUE of a connection string, a member of a document.
// In any text it finds what has the shape of a secret.
func parts(name, value string) []setting {
	all := append([]setting{{name, value}}, ofAddress(value)...)
	for _, found := range secret.Find(value) {
		all = append(all, setting{password, value[found[0]:found[1]]})
	}
	for pair := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("; &,", r) }) {
		if name, value, ok := strings.Cut(pair, "="); ok {
			all = append(all, setting{name, value})
		}
	}
	if strings.HasPrefix(strings.TrimSpace(value), "{") {
		_, _ = schema.Rewrite([]byte(value), func(at schema.Place, text string) (string, error) {
			if !at.Name && len(at.Path) > 0 {
				all = append(all, header(at.Path[len(at.Path)-1], text)...)
			}
			return text, nil
		}) // a text that is not JSON has no members
	}
	return all
}

// ofAddress returns the password or user of an address, and the values of its query.
func ofAddress(value string) (all []setting) {
	_, rest, is := strings.Cut(value, "://")
	if !is {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil { // for example, the password is not escaped
		for _, at := range []int{strings.IndexByte(rest, '@'), strings.LastIndexByte(rest, '@')} {
			_, word, _ := strings.Cut(rest[:max(at, 0)], ":")
			all = append(all, setting{password, word})
		}
		return all
	}
	word, apart := u.User.Password()
	if !apart {
		word = u.User.Username()
	}
	all = append(all, setting{password, word})
	for name, values := range u.Query() {
		for _, value := range values {
			all = append(all, setting{name, value})
		}
	}
	return all
}

// password is a name that marks a secret.
const password = "password"

// header returns a header's value and the credentials in it. These are the x of "Bearer
// x", the password that the x of "Basic x" encodes, and the value of each cookie.
func header(name, value string) []setting {
	scheme, credentials, _ := strings.Cut(value, " ")
	all := append(parts(name, value), setting{name, credentials})
	if strings.EqualFold(scheme, "basic") {
		pair, _ := base64.StdEncoding.DecodeString(credentials)
		_, word, _ := strings.Cut(string(pair), ":")
		all = append(all, setting{name, word})
	}
	for cookie := range strings.SplitSeq(value, ";") {
		_, crumb, _ := strings.Cut(cookie, "=")
		all = append(all, setting{name, crumb})
	}
	return all
}

// arguments returns the values of options, of NAME=value, and of texts like a header.
func arguments(args []string) (all []setting) {
	name := ""
	for _, arg := range args {
		all = append(all, parts("", arg)...)
		if strings.HasPrefix(name, "-") && !strings.HasPrefix(arg, "-") {
			all = append(all, setting{name, arg})
		}
		if option, value, ok := strings.Cut(arg, "="); ok {
			all = append(all, parts(option, value)...)
		}
		if field, value, ok := strings.Cut(arg, ":"); ok && !strings.HasPrefix(value, "//") {
			all = append(all, header(field, strings.TrimSpace(value))...)
		}
		name = arg
	}
	return all
}

// secrets returns the values that no message may quote. They are every key, and every
// value that is a secret by its role, at any length. A host, a folder or a level of
// logging is neither, and a message without it would not help.
func (s Server) secrets() []string {
	all := s.keys()
	for _, one := range s.settings() {
		if secret.Named(one.name, secret.Setting) {
			all = append(all, one.value)
		}
	}
	return all
}

// hidden returns the secrets in a form that messages are searched with.
func (s Server) hidden() secret.Values {
	all := s.secrets()
	return secret.ValuesOf(all...).Words(all...)
}

// keys returns the values that a result must not carry either: keys by their name or by
// their looks. Most values are not keys: a region, a folder, a level of logging.
// Redacting these would spoil the server's results.
func (s Server) keys() []string {
	var all []string
	for _, one := range s.settings() {
		for line := range strings.Lines(one.value) {
			if line = strings.TrimSpace(line); isKey(one.name, line) {
				all = append(all, line)
			}
		}
	}
	return all
}

const (
	keyMin  = 8  // bytes of a key
	longMin = 16 // letters and digits in a row that make a key under any name
)

func isKey(name, value string) bool {
	if len(value) < keyMin || strings.Contains(value, "://") {
		return false
	}
	if secret.Named(name, secret.Setting) && kinds(value) > 1 {
		return true
	}
	return !strings.HasPrefix(value, "/") && looksRandom(value)
}

// kinds counts the kinds of character in a value: small letters, capitals, digits and
// others. A capital at the beginning does not count. A value of a single kind is a word
// or a number that a result may contain by chance.
func kinds(value string) int {
	var kind [4]int
	for i, c := range []byte(value) {
		switch {
		case c >= 'a' && c <= 'z':
			kind[0] = 1
		case c >= 'A' && c <= 'Z':
			kind[1] = max(kind[1], min(i, 1))
		case c >= '0' && c <= '9':
			kind[2] = 1
		default:
			kind[3] = 1
		}
	}
	return kind[0] + kind[1] + kind[2] + kind[3]
}

func looksRandom(value string) bool {
	const digits, letters = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for run := range strings.FieldsFuncSeq(value, func(r rune) bool { return !strings.ContainsRune(digits+letters, r) }) {
		if len(run) >= longMin && strings.ContainsAny(run, digits) && strings.ContainsAny(run, letters) {
			return true
		}
	}
	return false
}
