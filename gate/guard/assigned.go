package guard

import (
	"bytes"
	"slices"
	"strings"
)

// assigned is the kind of a value that is a secret by its name alone.
const assigned = "assigned-secret"

// assignedNames are what the name of a secret has in it, in lower case.
var assignedNames = []string{
	"password", "passwd", "passphrase", "pwd", "secret", "api_key", "apikey", "api-key", "access_key", "accesskey", "private_key", "signing_key", "encryption_key", "token",
}

// assignedEnds are what it ends in, without _ and -.
var assignedEnds = []string{
	"password", "passwd", "passphrase", "pwd", "secret", "apikey", "secretkey", "accesskey", "privatekey", "signingkey", "encryptionkey",
	"accesstoken", "authtoken", "refreshtoken", "bearertoken", "sessiontoken", "apitoken", "bottoken", "deploytoken", "secrettoken", "privatetoken", "personaltoken",
	"oauthtoken", "githubtoken", "gitlabtoken", "npmtoken", "slacktoken", "vaulttoken", "hftoken",
}

// valueRead is the most that is read of a value before it is known for one.
const valueRead = 512

// assignedAt is the value of NAME=VALUE, NAME: VALUE, "NAME": "VALUE" and their like,
// where what a name has in it begins at i.
func assignedAt(text string, i int) (span, bool) {
	end := i + leading(text[i:min(len(text), i+leadMax)], &dashed)
	at := end + gap(text[end:])
	sep := leading(text[at:min(len(text), at+2)], &equals)
	if sep == 0 || text[at] == '>' {
		return span{}, false
	}
	at += sep + gap(text[at+sep:])
	start := i - trailing(text[:i], &dashed)
	if name := text[start:end]; !secretName(name) || !secretValue(name, value(text[at:])) {
		return span{}, false
	}
	n := len(value(text[at:]))
	if n == valueRead {
		n += leading(text[at+n:], &encoded)
	}
	return span{at, at + n, assigned}, true
}

// value is what the text begins with and can be a value, or the beginning of it.
func value(text string) string {
	n := 0
	for n < min(len(text), valueRead) && !ends.has(text[n]) {
		n++
	}
	return text[:n]
}

var (
	equals = classOf(":=>")
	blanks = classOf(" \t\"'`\\")
	ends   = classOf(" \t\r\n\"'`\\,;&<>(){}[]|")
)

// gap is how much a text has of what stands between a name and its value:
// quotes, escaped or not, and blanks.
func gap(text string) int { return leading(text[:min(len(text), 12)], &blanks) }

// secretName reports whether what is assigned to the name is a secret. A
// token that only says where a page begins is none: nextPageToken, csrf_token.
func secretName(name string) bool {
	bare := make([]byte, 0, 2*leadMax)
	for i := range len(name) {
		if c := name[i]; c != '_' && c != '-' {
			bare = append(bare, lower(c))
		}
	}
	return string(bare) == "token" || slices.ContainsFunc(assignedEnds, func(end string) bool { return bytes.HasSuffix(bare, []byte(end)) })
}

// secretValue reports whether the value can be one of that name, and is
// neither a word, nor a placeholder, nor where the secret is kept.
func secretValue(name, value string) bool {
	least := leastOf(name)
	if len(value) < least || elsewhere(value) {
		return false
	}
	return mixed(value) || least < 8 && len(value) >= 8 && strings.ContainsAny(value, "!@#$%^&*?")
}

// leastOf is how long a value of that name is at least: people choose passwords.
func leastOf(name string) int {
	if name = strings.ToLower(name); strings.Contains(name, "pass") || strings.HasSuffix(name, "pwd") {
		return 6
	}
	return 16
}

// elsewhere reports whether the value only says where the secret is kept, or holds
// its place; or is the address of a contract, which is public.
func elsewhere(value string) bool {
	folded := strings.ToLower(value)
	return value == "" || strings.IndexByte("$%*./~", value[0]) >= 0 || strings.Contains(value, "://") || strings.Contains(folded, "env.") ||
		strings.HasPrefix(folded, "xxxx") || strings.HasPrefix(folded, "arn:") || strings.HasPrefix(folded, "0x") && len(value) == len("0x")+40
}

// mixed reports whether the value has a letter and a digit.
func mixed(value string) bool {
	digit, letter := false, false
	for i := range len(value) {
		digit = digit || value[i] >= '0' && value[i] <= '9'
		letter = letter || lower(value[i]) >= 'a' && lower(value[i]) <= 'z'
	}
	return digit && letter
}

// secretMember reports whether the whole string of a member of that name is a
// secret. A password or a secret may be any words there; a token has no blanks.
func secretMember(name, text string) bool {
	folded := strings.ToLower(text)
	switch {
	case !secretName(name), elsewhere(text), strings.ContainsAny(text, "<>{}[]()"), slices.Contains(unsaid, folded):
		return false
	case leastOf(name) < 8, strings.HasSuffix(strings.ToLower(name), "secret"):
		return true
	}
	return len(text) >= leastOf(name) && !strings.ContainsAny(text, " \t\r\n") && !strings.Contains(folded, "your")
}

// unsaid is what stands for a password that is not told.
var unsaid = strings.Fields("string text password secret required optional none null true false yes no hidden masked redacted")
