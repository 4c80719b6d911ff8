package secret

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// hasUser reports whether the URL whose :// the text begins with names a user.
func hasUser(text string) bool {
	end := strings.IndexAny(text[3:], "/ \t\r\n\"'<>\\")
	if end < 0 {
		end = len(text) - 3
	}
	return strings.IndexByte(text[3:3+end], '@') >= 0
}

// trailing is how many bytes at the end of the text are of these, at most [leadMax].
func trailing(text string, of *lex.Class) int {
	n := 0
	for n < leadMax && n < len(text) && of.Has(text[len(text)-1-n]) {
		n++
	}
	return n
}

// escapes reports whether the text ends with an escape of a line break or a tab: its
// letter belongs to no word.
func escapes(text string) bool {
	n := len(text)
	return n > 1 && text[n-2] == '\\' && strings.IndexByte("nrt", text[n-1]) >= 0
}

// chosen reports whether a password is not the word that documentation has in its place.
func chosen(text string, s span) bool {
	return !placeholder(text[s.start:s.end]) && !slices.Contains(words, strings.ToLower(text[s.start:s.end]))
}

var words = []string{"pass", "pw", "pwd", "user"}

// exact reports whether a token ends where its pattern does: a longer run of letters
// and digits is something else.
func exact(text string, s span) bool { return s.end == len(text) || !word.Has(text[s.end]) }

// varied reports whether credentials are more than words: "Basic understanding".
func varied(text string, s span) bool { return mixed(text[s.start:s.end]) }

// lineBefore is the line before a secret, without what is behind a redaction in it.
func lineBefore(text string, s span) string {
	line := text[max(0, s.start-secretRead/8):s.start]
	return line[strings.LastIndexAny(line, "\n]")+1:]
}

// ofCurl reports whether -u is an option of curl, and what is behind it a password.
func ofCurl(text string, s span) bool {
	return strings.Contains(lineBefore(text, s), "curl") && chosen(text, s) && !strings.Contains(text[s.start:s.end], "://")
}

// ofLogin reports whether -p is an option of a program that takes a password there.
func ofLogin(text string, s span) bool {
	line := lineBefore(text, s)
	return (strings.Contains(line, "docker login") || strings.Contains(line, "podman login") || strings.Contains(line, "sshpass")) && chosen(text, s)
}

// tokenUser reports whether the user of a URL is a token: it has digits and no words.
func tokenUser(text string, s span) bool {
	user := text[s.start:s.end]
	return mixed(user) && !strings.ContainsAny(user, ".~-")
}

// quotedAgain reports whether a string of SQL ends behind the password.
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

// ownLine reports whether the fields of a pgpass file are a line for themselves.
func ownLine(text string, s span) bool {
	begin := text[max(0, s.start-secretRead/8):s.start]
	n := len(begin)
	for n > 0 && begin[n-1] > ' ' && begin[n-1] != ']' {
		n--
	}
	return (n == 0 && s.start <= len(begin) || n > 0 && begin[n-1] == '\n') && (s.end == len(text) || lineEnd(text[s.end:])) && chosen(text, s)
}

// endOfLines is the end of the lines of base64, of which the first ends at i, that
// a private key of PuTTY has.
func endOfLines(text string, i int) int {
	for i < len(text) {
		at := i + lineBreak(text[i:])
		n := base64ed.Leading(text[at:])
		n += padding.Leading(text[at+n : min(len(text), at+n+2)])
		if at == i || n == 0 || at+n < len(text) && !lineEnd(text[at+n:]) {
			break
		}
		i = at + n
	}
	return i
}

// lineBreak is how long the line break is that the text begins with, escaped or not.
func lineBreak(text string) int {
	for _, s := range []string{"\r\n", "\n", `\r\n`, `\n`} {
		if strings.HasPrefix(text, s) {
			return len(s)
		}
	}
	return 0
}

// keyRead is how far the end of a private key is looked for; one of RSA-4096
// takes 3.2 KiB.
const keyRead = 16 << 10

// endOfKey is the end of the key whose first line ends at i. A key without a
// last line ends where its base64 does.
func endOfKey(text string, i int) int {
	rest := text[i:min(len(text), i+keyRead)]
	if end := strings.Index(rest, "-----END "); end >= 0 {
		if last := strings.Index(rest[end+9:], "-----"); last >= 0 && last < 64 {
			return i + end + 9 + last + 5
		}
	}
	return i + armour.Leading(rest)
}

// endOfJWT is the end of the token that goes on at i, without the full stop of
// a sentence.
func endOfJWT(text string, i int) int {
	end := i + dotted.Leading(text[i:])
	for end > i && text[end-1] == '.' {
		end--
	}
	return end
}
