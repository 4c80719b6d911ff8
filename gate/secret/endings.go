package secret

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// hasUser reports whether the URL names a user. The text begins at the URL's ://.
func hasUser(text string) bool {
	end := strings.IndexAny(text[3:], "/ \t\r\n\"'<>\\")
	if end < 0 {
		end = len(text) - 3
	}
	return strings.IndexByte(text[3:3+end], '@') >= 0
}

// trailing counts the bytes of the class at the end of the text, at most [leadMax].
func trailing(text string, of *lex.Class) int {
	n := 0
	for n < leadMax && n < len(text) && of.Has(text[len(text)-1-n]) {
		n++
	}
	return n
}

// escapes reports whether the text ends with an escape of a line break or a tab. The
// letter of an escape belongs to no word.
func escapes(text string) bool {
	n := len(text)
	return n > 1 && text[n-2] == '\\' && strings.IndexByte("nrt", text[n-1]) >= 0
}

// chosen reports whether a password differs from the words that documentation uses
// instead of one.
func chosen(text string, s span) bool {
	return !placeholder(text[s.start:s.end]) && !slices.Contains(words, strings.ToLower(text[s.start:s.end]))
}

var words = []string{"pass", "pw", "pwd", "user"}

// exact reports whether a token ends where its pattern ends. A longer run of letters
// and digits is not a token.
func exact(text string, s span) bool { return s.end == len(text) || !word.Has(text[s.end]) }

// varied reports whether credentials are more than words, unlike those in "Basic
// understanding".
func varied(text string, s span) bool { return mixed(text[s.start:s.end]) }

// lineBefore returns the line before a secret, from the last redaction in it.
func lineBefore(text string, s span) string {
	line := text[max(0, s.start-secretRead/8):s.start]
	return line[strings.LastIndexAny(line, "\n]")+1:]
}

// ofCurl reports whether -u is an option of curl, followed by a password.
func ofCurl(text string, s span) bool {
	return strings.Contains(lineBefore(text, s), "curl") && chosen(text, s) && !strings.Contains(text[s.start:s.end], "://")
}

// ofLogin reports whether -p is an option of a program that takes a password with it.
func ofLogin(text string, s span) bool {
	line := lineBefore(text, s)
	login := strings.Contains(line, "docker login") || strings.Contains(line, "podman login")
	return (login || strings.Contains(line, "sshpass")) && chosen(text, s)
}

// tokenUser reports whether the user in a URL is a token: it has digits and no words.
func tokenUser(text string, s span) bool {
	user := text[s.start:s.end]
	return mixed(user) && !strings.ContainsAny(user, ".~-")
}

// quotedAgain reports whether a string of SQL ends after the password.
func quotedAgain(text string, s span) bool {
	return strings.HasPrefix(text[s.end:], "'") && chosen(text, s)
}

// fiveFields reports whether a line has the fields of a pgpass file.
func fiveFields(text string) bool {
	line := text
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		line = text[:end]
	}
	return strings.Count(line, ":") == 4
}

// ownLine reports whether the fields of a pgpass file are a whole line.
func ownLine(text string, s span) bool {
	begin := text[max(0, s.start-secretRead/8):s.start]
	n := len(begin)
	for n > 0 && begin[n-1] > ' ' && begin[n-1] != ']' {
		n--
	}
	first := s.start <= len(begin)
	if n > 0 {
		first = begin[n-1] == '\n'
	}
	last := s.end == len(text) || lineEnd(text[s.end:])
	return first && last && chosen(text, s)
}

// endOfLines returns the end of the lines of base64 in a private key of PuTTY. The
// first line ends at i.
func endOfLines(text string, i int) int {
	for i < len(text) {
		at := i + lineBreak(text[i:])
		n := base64ed.Leading(text[at:])
		n += padding.Leading(text[at+n : min(len(text), at+n+2)])
		if at == i || n == 0 {
			break
		}
		if at+n < len(text) && !lineEnd(text[at+n:]) {
			break
		}
		i = at + n
	}
	return i
}

// lineBreak returns the length of the line break, escaped or not, at the beginning of
// the text.
func lineBreak(text string) int {
	for _, s := range []string{"\r\n", "\n", `\r\n`, `\n`} {
		if strings.HasPrefix(text, s) {
			return len(s)
		}
	}
	return 0
}

// keyRead bounds the search for the end of a private key, in bytes; a key of RSA-4096
// takes 3.2 KiB.
const keyRead = 16 << 10

// endOfKey returns the end of the key with a first line that ends at i. A key without
// a last line ends where its base64 ends.
func endOfKey(text string, i int) int {
	rest := text[i:min(len(text), i+keyRead)]
	if end := strings.Index(rest, "-----END "); end >= 0 {
		if last := strings.Index(rest[end+9:], "-----"); last >= 0 && last < 64 {
			return i + end + 9 + last + 5
		}
	}
	return i + armour.Leading(rest)
}

// endOfJWT returns the end of the token that continues at i, without the full stop of
// a sentence.
func endOfJWT(text string, i int) int {
	end := i + dotted.Leading(text[i:])
	for end > i && text[end-1] == '.' {
		end--
	}
	return end
}
