package secret

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/lex"
)

// errNoJSON is the error of [RedactJSON]. It quotes nothing.
var errNoJSON = errors.New("no JSON document to redact")

// RedactJSON is [Redact] for every string and every member name of a JSON document, as
// decoded. A string is also a secret if its member's name says so: "password",
// "api_key". A string that is a document is also redacted as a document. Numbers,
// order, white space and [Attached] bytes stay. A document without a secret comes back
// as the same bytes.
//
// A redacted name ends with the number of redacted names before it, so that an object
// with two keys does not get one name twice. Anything but one JSON value is an error,
// without any output, because it is unknown where its strings end.
func RedactJSON(doc []byte) ([]byte, []Redaction, error) {
	if !jsontext.Value(doc).IsValid() {
		return nil, nil, errNoJSON
	}
	r := redactor{doc: doc}
	for r.at < len(doc) {
		if doc[r.at] != '"' {
			r.step(doc[r.at])
			r.at++
		} else if err := r.literal(); err != nil {
			return nil, nil, err
		}
	}
	if r.copied == 0 {
		return doc, nil, nil
	}
	r.out.Write(doc[r.copied:])
	return r.out.Bytes(), counted(r.found), nil
}

// Attached reports whether the text at a place of an MCP result is bytes that the
// result attaches. That is /content/N/data or /content/N/resource/blob, in base64.
// These bytes are not text: nothing is redacted in them, and no rule reads them. The
// place is a list of member names, "" for an item.
func Attached(place []string, text string) bool {
	switch {
	case len(place) < 3 || place[0] != "content" || place[1] != "":
		return false
	case slices.Equal(place[2:], []string{"data"}), slices.Equal(place[2:], []string{"resource", "blob"}):
		return inBase64(text)
	}
	return false
}

// inBase64 reports whether the whole text is the standard base64 of RFC 4648.
func inBase64(text string) bool {
	bare := strings.TrimRight(text, "=")
	return len(text)%4 == 0 && len(text)-len(bare) <= 2 && base64ed.Leading(bare) == len(bare)
}

// redactor walks the strings of a document.
type redactor struct {
	doc    []byte
	at     int      // the current offset
	copied int      // how much of the document is in out
	way    []string // the names of the members around; "" for an item
	labels []string // for each object around: the value of its member "name" or "key"
	names  int      // number of redacted member names
	out    bytes.Buffer
	found  []Redaction
}

// step handles a byte between strings.
func (r *redactor) step(c byte) {
	switch c {
	case '{', '[':
		r.way, r.labels = append(r.way, ""), append(r.labels, "")
	case '}', ']':
		r.way, r.labels = r.way[:len(r.way)-1], r.labels[:len(r.labels)-1]
	}
}

// literal reads the string that begins at r.at, and rewrites it if it contains a
// secret.
func (r *redactor) literal() error {
	start, end := r.at, r.at+lex.StringLen(r.doc[r.at:])
	r.at = end
	raw := r.doc[start:end]
	text := string(raw[1 : len(raw)-1])
	if bytes.IndexByte(raw, '\\') >= 0 {
		decoded, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return errNoJSON
		}
		text = string(decoded)
	}
	clean, found := r.redact(text)
	if len(found) == 0 {
		return nil
	}
	quoted, err := jsontext.AppendQuote(nil, clean)
	if err != nil {
		return errNoJSON
	}
	r.found = append(r.found, found...)
	r.out.Write(r.doc[r.copied:start])
	r.out.Write(quoted)
	r.copied = end
	return nil
}

// redact returns a string of the document without its secrets.
func (r *redactor) redact(text string) (string, []Redaction) {
	if r.named() {
		return r.rename(text)
	}
	if secretMember(r.member(text), text) {
		return mark + assigned + "]", []Redaction{{assigned, 1}}
	}
	if Attached(r.way, text) {
		return text, nil
	}
	var cookies []Redaction
	if strings.HasSuffix(strings.ToLower(r.member(text)), "cookie") {
		text, cookies = without(text, sessionsIn(text, 0))
	}
	return redactText(text, cookies)
}

// redactText redacts a text, also as a document, until nothing more is found. A text
// may become a document only when a secret in it is gone.
func redactText(text string, all []Redaction) (string, []Redaction) {
	for {
		clean, within := redactWithin(text)
		clean, found := Redact(clean)
		if len(within)+len(found) == 0 {
			return text, all
		}
		text, all = clean, slices.Concat(all, within, found)
	}
}

// member returns the name for the string that ends here. The name may be next to it:
// {"name": "DB_PASSWORD", "value": "…"}.
func (r *redactor) member(text string) string {
	last := len(r.way) - 1
	if last < 0 {
		return ""
	}
	name := r.way[last]
	switch strings.ToLower(name) {
	case "name", "key":
		r.labels[last] = text
	case "value":
		if r.labels[last] != "" {
			return r.labels[last]
		}
	}
	return name
}

// redactWithin redacts a text that is itself a document, as a tool's answer often is.
// Such a document has a second level of escapes, and names of members.
func redactWithin(text string) (string, []Redaction) {
	if begin := strings.TrimLeft(text, " \t\r\n"); begin == "" || begin[0] != '{' && begin[0] != '[' {
		return text, nil
	}
	clean, found, err := RedactJSON([]byte(text))
	if err != nil || len(found) == 0 {
		return text, nil
	}
	return string(clean), found
}

// named reports whether the string that ends here is the name of a member.
func (r *redactor) named() bool {
	rest := bytes.TrimLeft(r.doc[r.at:], " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

// rename returns the name of the member that begins here, without its secrets.
func (r *redactor) rename(name string) (string, []Redaction) {
	r.way[len(r.way)-1] = name
	clean, found := Redact(name)
	if len(found) > 0 {
		if r.names > 0 {
			clean += " " + strconv.Itoa(r.names)
		}
		r.names++
	}
	return clean, found
}
