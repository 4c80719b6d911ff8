package session

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
)

// given are the configured values and what they are called. Of the arguments
// and of the address's path it takes what is a key, and nothing else: a message
// may speak of the rest.
func (s Server) given() map[string][]string {
	all := map[string][]string{}
	for _, table := range []map[string]string{s.Env, s.Headers, s.Secrets} {
		for name, value := range table {
			all[name] = append(all[name], value)
		}
	}
	if s.OAuth.ClientSecret != "" {
		all["client_secret"] = append(all["client_secret"], s.OAuth.ClientSecret)
	}
	for name, value := range s.Headers {
		_, credentials, _ := strings.Cut(value, " ") // of "Bearer x", the x
		all[name] = append(all[name], credentials)
	}
	name := ""
	for _, arg := range s.Args { // --name=value, or --name value
		if option, value, ok := strings.Cut(arg, "="); ok {
			name, arg = option, value
		}
		if isKey(name, arg) {
			all[name] = append(all[name], arg)
		}
		name = arg
	}
	if u, err := url.Parse(s.Proxy); err == nil && u.User != nil {
		password, _ := u.User.Password()
		all["user"] = append(all["user"], u.User.Username())
		all["password"] = append(all["password"], password)
	}
	if u, err := url.Parse(s.URL); err == nil {
		all["query"] = append(all["query"], u.RawQuery)
		for name, values := range u.Query() {
			all[name] = append(all[name], values...)
		}
		for part := range strings.SplitSeq(u.Path, "/") {
			if isKey("", part) {
				all["path"] = append(all["path"], part)
			}
		}
	}
	return all
}

// secrets are the values that no message may quote: all of them. That hides
// words that are no secrets, and a message is none the worse for it.
func (s Server) secrets() []string {
	return slices.Concat(slices.Collect(maps.Values(s.given()))...)
}

// keys are the values that a result must not carry either: those that are a key
// by their name or by their looks. Most values are not: a region, a folder, a
// level of logging. Hiding these would spoil what the server has to say.
func (s Server) keys() []string {
	var all []string
	for name, values := range s.given() {
		for _, value := range values {
			for line := range strings.Lines(value) {
				if line = strings.TrimSpace(line); isKey(name, line) {
					all = append(all, line)
				}
			}
			if u, err := url.Parse(value); err == nil && u.User != nil {
				if password, _ := u.User.Password(); isKey("password", password) {
					all = append(all, password)
				}
			}
		}
	}
	return all
}

const (
	keyMin  = 8  // bytes of a key
	longMin = 16 // letters and digits in a row that tell one of any name
)

func isKey(name, value string) bool {
	if len(value) < keyMin || strings.Contains(value, "://") {
		return false
	}
	return secret.Named(name, secret.Setting) && kinds(value) > 1 || !strings.HasPrefix(value, "/") && looksRandom(value)
}

// kinds is how many of small letters, capitals, digits and others a value has,
// its first capital apart. One of a single kind is a word or a number that a
// result may hold by chance.
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

// clean is a result without the keys that the server was given, which a trace,
// a screen and a model must not get; and, where the result is an error, without
// any value, as in every other message. It is marked where it is not what the
// server wrote. One that cannot be read is not kept at all.
func (c *conn) clean(result []byte) gate.RawResult {
	hide := c.keys()
	if c.secrets().Holds(result) && isError(result) {
		hide = c.secrets()
	}
	if !hide.Holds(result) {
		return gate.RawResult{Body: result}
	}
	body, err := schema.Rewrite(result, hide.Strip)
	if err != nil || hide.Holds(body) {
		body = []byte(`"[redacted]"`)
	}
	return gate.RawResult{Body: body, Redacted: true}
}
