package schema

import (
	stdjson "encoding/json"
	"math/big"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// mirrorKeyword marks a property of a tool's input whose value a client repeats
// in the header Mcp-Param-NAME of the HTTP request: version 2026-07-28 of the
// Model Context Protocol, transports, custom headers from tool parameters.
const mirrorKeyword = "x-mcp-header"

// headerPrefix begins the name of every such header.
const headerPrefix = "Mcp-Param-"

// Mirrored is an argument that is repeated in a header.
type Mirrored struct {
	Header string // its whole name
	Value  string // in plain: a header of HTTP does not take every text as it is
}

// mirror is where such an argument is.
type mirror struct {
	header string
	path   []string // names of members
}

// mirror admits the mark of the schema m, which is being walked. A mark that is
// not as the protocol says takes the tool out, as the protocol says.
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
	a.mirrors = append(a.mirrors, mirror{headerPrefix + name, path})
	return nil
}

// maxHeader bounds a header's name, in bytes.
const maxHeader = 128

// token reports whether s is one of RFC 9110, section 5.6.2.
func token(s string) bool {
	return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~") == ""
}

// path is the way to a property through properties alone; nil of anything else.
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

// Mirrored are the arguments, which fit the schema, that its marks have
// repeated in headers. One that is absent or null has no header. An integer
// beyond 2^53-1 is a [*Mismatch]: servers read it from the body as another.
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

// inside is the member of members that a path leads to, or nil.
func inside(v any, path []string) any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// plainText is a scalar as a header has it; nil of what has none.
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
