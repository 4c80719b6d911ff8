package secret

import (
	"slices"
	"strings"
)

// Where is the place where a name was found.
type Where int

const (
	// Setting is a configuration: a variable, an option, a header or a parameter. If
	// in doubt, its value is hidden.
	Setting Where = iota
	// Text is free text, where "key", "token" and "pass" often name nothing secret.
	// There, these words need another word that says what they are for. The names of
	// variables, in capitals, need less.
	Text
)

// nameMax bounds a name, in bytes. A longer text is a sentence.
const nameMax = 96

// Named reports whether the value for a name is a secret. A name that ends with a word
// such as "file", "url" or "id" says something about a secret. A token for a page
// (nextPageToken) or against forgery (csrf_token) is not a secret.
func Named(name string, where Where) bool {
	if len(name) > nameMax {
		return false
	}
	words := wordsOf(name)
	if len(words) == 0 || slices.Contains(harmless, words[len(words)-1]) {
		return false
	}
	if where == Setting {
		return inSetting(words)
	}
	return inText(name, words)
}

// inSetting reports whether a word of the name means a secret anywhere, or as the last
// word.
func inSetting(words []string) bool {
	before := ""
	for _, w := range words {
		opened := w != singular(w) && slices.Contains(open, before)
		if slices.Contains(opening, singular(w)) && !opened || ends(w) {
			return true
		}
		before = w
	}
	last := words[len(words)-1]
	return slices.Contains(lastWords, last) || slices.Contains(headers, last)
}

// inText reports whether the last word of the name means a secret, together with the
// word before it if necessary.
func inText(name string, words []string) bool {
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch {
	case slices.Contains(headers, last):
		return true
	case last == "token" && before == "", last == "data" && before == "key":
		return true
	case last == "token", last == "key", last == "salt":
		if slices.Contains(kinds[last], before) {
			return true
		}
		return before != "" && constant(name) && !slices.Contains(open, before)
	case ends(last):
		return !opensNothing(last)
	case slices.Contains(alone, last):
		return true
	}
	if last == "auth" || last == "bearer" {
		return false
	}
	return before != "" && slices.Contains(lastWords, last)
}

// ends reports whether a word ends with a word for a secret: dbpassword, clientsecret.
func ends(word string) bool {
	return slices.ContainsFunc(wordEnds, func(end string) bool { return strings.HasSuffix(word, end) })
}

// opensNothing reports whether a word is a token that is not a secret: nextpagetoken,
// csrftoken.
func opensNothing(word string) bool {
	kind, is := strings.CutSuffix(word, "token")
	return is && slices.ContainsFunc(open, func(w string) bool { return strings.HasSuffix(kind, w) })
}

func singular(word string) string { return strings.TrimSuffix(word, "s") }

// constant reports whether a name is in capitals, like a variable of the environment.
func constant(name string) bool { return name == strings.ToUpper(name) && strings.Contains(name, "_") }

var (
	wordEnds = strings.Fields("token secret password passwd passphrase passcode pwd apikey accesskey secretkey privatekey signingkey encryptionkey masterkey")

	// opening words mean a secret anywhere in the name of a setting, in the plural
	// too.
	opening = strings.Fields("key token secret password credential cred")

	// lastWords mean a secret at the end of a setting's name. The words of alone do so
	// in a text, too, without another word before them.
	lastWords = strings.Fields("auth pass pwd pat psk dsn jwt bearer creds credentials salt")
	alone     = strings.Fields("jwt psk dsn creds credentials dbpass userpass smtppass adminpass rootpass")

	// headers carry credentials, and redaction has separate rules for their values.
	headers = strings.Fields("authorization cookie")

	// kinds are the words before a word that make it mean a secret.
	kinds = map[string][]string{
		"key":   strings.Fields("api access secret private signing sign encryption master auth storage client shared session webhook deploy subscription"),
		"token": strings.Fields("access auth refresh bearer session api bot deploy secret private personal oauth id app admin user client service github gitlab npm slack vault hf"),
	}

	// open words before key or token mean that it is not a secret.
	open = strings.Fields("public pub partition sort primary foreign cache idempotency row group hash range object index routing message translation registry dedup " +
		"page next prev previous csrf xsrf continuation sync cursor max min stop start end pad eos bos unk mask sep special")

	// harmless words end the name of something about a secret.
	harmless = strings.Fields("file path dir url uri endpoint name id type limit ttl timeout store count max min size length expiry env command cmd helper provider")
)

// wordsOf returns the words of a name in lower case, without digits and signs:
// "apiKey2" has "api" and "key". Capitals in a row form one word with the letters
// after them, so "APIKey" is one word.
func wordsOf(name string) []string {
	var all []string
	for i := 0; i < len(name); {
		start := i
		for i < len(name) && name[i] >= 'A' && name[i] <= 'Z' {
			i++
		}
		for i < len(name) && name[i] >= 'a' && name[i] <= 'z' {
			i++
		}
		if i > start {
			all = append(all, strings.ToLower(name[start:i]))
		} else {
			i++
		}
	}
	return all
}
