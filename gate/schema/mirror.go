package schema

import (
	"encoding/base64"
	stdjson "encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// mirrorKeyword marks a property of a tool's input that clients repeat in an HTTP
// header, Mcp-Param-NAME. It is in version 2026-07-28 of the Model Context Protocol,
// transports, custom headers from tool parameters.
const mirrorKeyword = "x-mcp-header"

// headerPrefix begins the name of every such header.
const headerPrefix = "Mcp-Param-"

// Mirrored is an argument that the client repeats in a header.
type Mirrored struct {
	Header string // its whole name
	Value  string // not encoded: an HTTP header does not accept every text
}

// mirror is the place of such an argument.
type mirror struct {
	header  string
	path    []string // names of members
	integer bool
}

// mirror admits the mark of the current schema m. As the protocol requires, a
// malformed mark takes the tool out of use.
func (a *admission) mirror(at string, v any, m map[string]any) error {
	name, _ := v.(string)
	path := a.in.path()
	switch {
	case a.opt.Role != Input || path == nil:
		return refuse(at, "only a property of an input, and none of an item, an alternative or a definition, can be repeated in a header")
	case m["type"] != "string" && m["type"] != "integer" && m["type"] != "boolean":
		return refuse(at, "only a string, an integer or a boolean can be repeated in a header")
	case !token(name) || len(name) > maxHeader:
		return refuse(at, "it does not name a header: 1 to %d of A-Z a-z 0-9 and !#$%%&'*+-.^_`|~", maxHeader)
	}
	for _, other := range a.mirrors {
		if strings.EqualFold(other.header, headerPrefix+name) {
			return refuse(at, "another property is repeated in the header %s", headerPrefix+name)
		}
	}
	a.mirrors = append(a.mirrors, mirror{headerPrefix + name, path, m["type"] == "integer"})
	return nil
}

// maxHeader bounds a header's name, in bytes.
const maxHeader = 128

// token reports whether s is a token of RFC 9110, section 5.6.2.
func token(s string) bool {
	return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~") == ""
}

// path returns the property names that lead to n through properties alone, or nil if
// other keywords are on the way.
func (n *Node) path() []string {
	var path []string
	for ; n.above != nil; n = n.above {
		if n.keyword != "properties" {
			return nil
		}
		path = append([]string{n.name}, path...)
	}
	return path
}

// Mirrored returns the arguments that the schema's marks repeat in headers. The
// arguments must fit the schema. An absent or null argument has no header. An integer
// beyond 2^53-1 is a [*Mismatch], because servers would read another number from the
// body.
func (s Schema) Mirrored(args jsontext.Value) ([]Mirrored, error) {
	if s.s == nil || len(s.s.mirrors) == 0 {
		return nil, nil
	}
	root, err := parse(args, valueLimits)
	if err != nil {
		return nil, &Mismatch{Detail: "the value has " + err.Error()}
	}
	var all []Mirrored
	for _, m := range s.s.mirrors {
		value, ok := plainText(inside(root, m.path))
		switch {
		case !ok:
			return nil, &Mismatch{Pointer: verdict.Cut(pointer(m.path), 200), place: verdict.Cut(pointer(m.path), 200), Detail: "it is repeated in the header " + m.header + ", which takes integers from -(2^53-1) to 2^53-1 alone"}
		case value != nil:
			all = append(all, Mirrored{m.header, *value})
		}
	}
	return all, nil
}

// Repeated compares the headers of a call with the arguments that they repeat. values
// returns all values of a header. The error is about the first header that is missing,
// differs, or repeats nothing.
func (s Schema) Repeated(args jsontext.Value, values func(header string) []string) error {
	want, err := s.Mirrored(args)
	if err != nil || s.s == nil {
		return err
	}
	for _, m := range s.s.mirrors {
		sent, i := values(m.header), slices.IndexFunc(want, func(w Mirrored) bool { return w.Header == m.header })
		detail := ""
		switch {
		case i < 0 && len(sent) > 0:
			detail = "the header " + m.header + " repeats an argument that the call does not have"
		case i < 0:
		case len(sent) != 1:
			detail = "it is not repeated once in the header " + m.header
		case m.decoded(sent[0]) == nil || *m.decoded(sent[0]) != want[i].Value:
			detail = "the header " + m.header + " does not repeat it"
		}
		if detail != "" {
			place := verdict.Cut(pointer(m.path), 200)
			return &Mismatch{Pointer: place, place: place, Detail: detail}
		}
	}
	return nil
}

// decoded returns the text of a header's value, as [Mirrored] has it, or nil.
func (m mirror) decoded(value string) *string {
	if looksEncoded(value) {
		b, err := base64.StdEncoding.Strict().DecodeString(value[len(encodedPrefix) : len(value)-len(encodedSuffix)])
		if value = string(b); err != nil {
			return nil
		}
	}
	if !m.integer {
		return &value
	}
	v, err := parse([]byte(value), valueLimits)
	number, is := v.(stdjson.Number) // 42.0 and 42 are the same
	if err != nil || !is {
		return nil
	}
	text, _ := plainText(number)
	return text
}

const (
	encodedPrefix = "=?base64?"
	encodedSuffix = "?="
)

func looksEncoded(text string) bool {
	return len(text) >= len(encodedPrefix+encodedSuffix) && strings.HasPrefix(text, encodedPrefix) && strings.HasSuffix(text, encodedSuffix)
}

// Encoded is the value for the header. A text that a header cannot contain literally is in
// base64, and so is a text that looks encoded: version 2026-07-28 of the protocol,
// transports, value encoding.
func (m Mirrored) Encoded() string {
	hidden := strings.ContainsFunc(m.Value, func(r rune) bool { return r < ' ' || r > '~' })
	if hidden || looksEncoded(m.Value) || m.Value != strings.TrimSpace(m.Value) {
		return encodedPrefix + base64.StdEncoding.EncodeToString([]byte(m.Value)) + encodedSuffix
	}
	return m.Value
}

// inside returns the member that a path leads to, or nil.
func inside(v any, path []string) any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// plainText returns a scalar as the text of a header. It is nil for null.
func plainText(v any) (text *string, ok bool) {
	var s string
	switch v := v.(type) {
	case nil:
		return nil, true
	case string:
		s = v
	case bool:
		s = map[bool]string{true: "true", false: "false"}[v]
	case stdjson.Number:
		r := rat(v)
		if !r.IsInt() || r.Num().CmpAbs(big.NewInt(1<<53-1)) > 0 {
			return nil, false
		}
		s = r.Num().String()
	default:
		return nil, false
	}
	return &s, true
}
