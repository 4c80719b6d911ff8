package session

import (
	"strings"

	"github.com/onestep-run/onestep/gate/guard"
)

// challenge is one login that a server would take, as WWW-Authenticate names it
// (RFC 9110, section 11.6.1). Of its parameters it has those that tell a person
// what to get, in the server's words.
type challenge struct {
	scheme string
	params []param
}

type param struct{ name, value string }

const (
	maxChallenges = 4
	maxParam      = 200 // bytes shown of one
	maxLogin      = 700 // and of all
)

// telling are the parameters that are shown: which login (RFC 9110, RFC 6750),
// where to get it (RFC 9728), and what is wrong with the one that was sent.
var telling = []string{"realm", "resource_metadata", "scope", "error", "error_description"}

// challenges reads the header's values. What does not keep to the grammar ends
// the reading: it is for a person, and nothing here logs in.
func challenges(headers []string) []challenge {
	var all []challenge
	for _, rest := range headers {
		for first := true; rest != ""; first = false {
			var word string
			trimmed := strings.TrimLeft(rest, " \t,")
			separate := first || strings.Contains(rest[:len(rest)-len(trimmed)], ",")
			word, rest = token(trimmed)
			after, assigned := strings.CutPrefix(strings.TrimLeft(rest, " \t"), "=")
			switch {
			case word == "":
				rest = ""
			case assigned && len(all) > 0:
				var value string
				value, rest = paramValue(after)
				all[len(all)-1].add(word, value)
			case separate && len(all) == maxChallenges:
				return all
			case separate:
				all = append(all, challenge{scheme: word})
			}
		}
	}
	return all
}

func (c *challenge) add(name, value string) {
	name = strings.ToLower(name)
	for _, known := range telling {
		if name == known && value != "" && len(c.params) < len(telling) {
			c.params = append(c.params, param{name, value})
		}
	}
}

// token is the token that s begins with, "" where there is none, and the rest.
func token(s string) (word, rest string) {
	end := strings.IndexFunc(s, func(r rune) bool { return r > '~' || !isToken(byte(r)) })
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:]
}

// paramValue is a token or a quoted string, unquoted, and the rest.
func paramValue(s string) (value, rest string) {
	s = strings.TrimLeft(s, " \t")
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, " \t,")
		if end < 0 {
			end = len(s)
		}
		return s[:end], s[end:]
	}
	var out strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return out.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String(), ""
}

// login words what login a server wants, "" where it does not say.
func (c *conn) login(all []challenge) string {
	var said []string
	for _, one := range all {
		text := guard.Line(one.scheme, maxParam) // no secret, though a header may begin with it
		if len(one.params) > 0 {
			text += " (" + strings.Join(c.params(one), ", ") + ")"
		}
		said = append(said, text)
	}
	if len(said) == 0 {
		return ""
	}
	return "; it takes " + guard.Line(strings.Join(said, " or "), maxLogin) + " for a login"
}

func (c *conn) params(one challenge) (all []string) {
	for _, p := range one.params {
		all = append(all, p.name+" "+c.line(p.value, maxParam))
	}
	return all
}
