package guard

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// errNoJSON is the error of [RedactJSON]. It quotes nothing.
var errNoJSON = errors.New("no JSON document to redact")

// RedactJSON is [Redact] for every string and every member name of a JSON
// document, as they decode. A string is a secret as well where its member's
// name says so: "password", "api_key". Numbers, order and white space stay, and
// a document without a secret comes back as the same bytes.
//
// A redacted name is followed by how many there are before it, so that an
// object of two keys does not get one name twice. What is not one JSON value is an
// error, and nothing comes back: there is no telling where its strings end.
func RedactJSON(doc []byte) ([]byte, []Redaction, error) {
	if !jsontext.Value(doc).IsValid() {
		return nil, nil, errNoJSON
	}
	r := redactor{doc: doc}
	for r.at < len(doc) {
		n := bytes.IndexByte(doc[r.at:], '"')
		if n < 0 {
			break
		}
		r.at += n
		if err := r.literal(); err != nil {
			return nil, nil, err
		}
	}
	if r.kept == 0 {
		return doc, nil, nil
	}
	r.out.Write(doc[r.kept:])
	return r.out.Bytes(), Counted(r.found), nil
}

// redactor goes through a document from string to string.
type redactor struct {
	doc   []byte
	at    int    // where it is
	kept  int    // how much of the document is in out
	name  string // of the member whose value comes next; "" of an item
	names int    // of members, that were redacted
	out   bytes.Buffer
	found []Redaction
}

// literal reads the string that begins at r.at, and writes it anew where it
// holds a secret.
func (r *redactor) literal() error {
	start, end := r.at, r.at+literal(r.doc[r.at:])
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
	rest := bytes.TrimLeft(r.doc[end:], " \t\r\n")
	isName := len(rest) > 0 && rest[0] == ':'
	said, found := r.redact(text, isName)
	if r.name = ""; isName {
		r.name = text
	}
	if len(found) == 0 {
		return nil
	}
	quoted, err := jsontext.AppendQuote(nil, said)
	if err != nil {
		return errNoJSON
	}
	r.found = append(r.found, found...)
	r.out.Write(r.doc[r.kept:start])
	r.out.Write(quoted)
	r.kept = end
	return nil
}

func (r *redactor) redact(text string, isName bool) (string, []Redaction) {
	if !isName && r.name != "" && secretMember(r.name, text) {
		return "[redacted:" + assigned + "]", []Redaction{{assigned, 1}}
	}
	said, found := Redact(text)
	if isName && len(found) > 0 {
		if r.names > 0 {
			said += " " + strconv.Itoa(r.names)
		}
		r.names++
	}
	return said, found
}
