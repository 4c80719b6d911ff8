package pin

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// Meaning is the digest that two descriptors share if they say the same. The
// server's name does not count, nor does the order of members, of required
// names, of an enum's values or of a list of types: none of them changes which
// call is taken, and what a model reads is always the approved text. Defaults
// of MCP's annotations count as said. Numbers keep every digit.
func (d Descriptor) Meaning() (Digest, error) {
	s, err := read(d)
	if err != nil {
		return Digest{}, err
	}
	return s.meaning(), nil
}

// said is a descriptor that was read.
type said struct {
	raw          map[string]any
	normal       map[string]any // with defaults said, and lists that are sets in order
	instructions string
}

func read(d Descriptor) (said, error) {
	if err := schema.Check(d.Raw, schema.DescriptorLimits); err != nil {
		return said{}, fmt.Errorf("the descriptor has %w", err)
	}
	if n := len(d.Instructions); n > schema.DescriptorLimits.Bytes {
		return said{}, fmt.Errorf("the server's instructions have %d bytes, over the limit of %d", n, schema.DescriptorLimits.Bytes)
	}
	tree, err := schema.Any(d.Raw)
	if err != nil {
		return said{}, fmt.Errorf("the descriptor has %w", err)
	}
	raw, ok := present(tree).(map[string]any)
	if !ok {
		return said{}, errors.New("the descriptor is not an object")
	}
	return said{raw, normal(raw), d.Instructions}, nil
}

// null is JSON's null in what was read, so that nil is what is absent, and
// numeral is a number as it was written.
type (
	null    struct{}
	numeral string
)

func present(v any) any {
	switch v := v.(type) {
	case nil:
		return null{}
	case fmt.Stringer: // a number
		return numeral(v.String())
	case []any:
		for i := range v {
			v[i] = present(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = present(v[name])
		}
	}
	return v
}

func (s said) meaning() Digest {
	h := sha256.New()
	h.Write(literal(s.normal))
	fmt.Fprintf(h, "%d:%s", len(s.instructions), s.instructions)
	return Digest(h.Sum(nil))
}

// hints are the annotations that MCP has a default for.
var hints = map[string]bool{"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true}

// noTasks is the default of execution.taskSupport.
const noTasks = "forbidden"

func normal(tool map[string]any) map[string]any {
	out := maps.Clone(tool)
	out["annotations"] = withDefaults(tool["annotations"], func(said map[string]any) {
		for name, def := range hints {
			if _, ok := said[name]; !ok {
				said[name] = def
			}
		}
	})
	out["execution"] = withDefaults(tool["execution"], func(said map[string]any) {
		if _, ok := said["taskSupport"]; !ok {
			said["taskSupport"] = noTasks
		}
	})
	for _, name := range []string{"inputSchema", "outputSchema"} {
		if s, ok := tool[name]; ok {
			out[name] = ordered(s)
		}
	}
	return out
}

// withDefaults fills in a copy of an object, or one that is absent. Anything
// else stays as it is: it is not what the specification says.
func withDefaults(v any, fill func(map[string]any)) any {
	m, ok := v.(map[string]any)
	if v != nil && !ok {
		return v
	}
	out := make(map[string]any, len(m)+len(hints))
	maps.Copy(out, m)
	fill(out)
	return out
}

// ordered is a schema in which lists that are sets are sorted. An empty
// required says nothing, and true is the schema {}.
func ordered(s any) any {
	if s == true {
		return map[string]any{}
	}
	m, ok := s.(map[string]any)
	if !ok {
		return s
	}
	out := make(map[string]any, len(m))
	for keyword, v := range m {
		switch list, isList := v.([]any); {
		case isList && (keyword == "required" || keyword == "enum" || keyword == "type"):
			if len(list) > 0 || keyword != "required" {
				out[keyword] = sorted(list)
			}
		default:
			out[keyword] = inside(keyword, v, ordered)
		}
	}
	return out
}

// inside is a keyword's value with f of every schema in it.
func inside(keyword string, v any, f func(any) any) any {
	switch held := schema.Holds(keyword); v := v.(type) {
	case map[string]any:
		if held == schema.HoldsNamed {
			out := make(map[string]any, len(v))
			for name, s := range v {
				out[name] = f(s)
			}
			return out
		}
		if held == schema.HoldsOne {
			return f(v)
		}
	case []any:
		if held == schema.HoldsList {
			out := make([]any, len(v))
			for i, s := range v {
				out[i] = f(s)
			}
			return out
		}
	case bool:
		if held == schema.HoldsOne {
			return f(v)
		}
	}
	return v
}

func sorted(list []any) []any {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b any) int { return bytes.Compare(literal(a), literal(b)) })
	return out
}

// literal writes a value that was read: members sorted by their bytes, numbers
// as they were written.
func literal(v any) jsontext.Value { return appendValue(nil, v) }

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(b, v)
	case numeral:
		return append(b, v...)
	case string:
		b, _ = jsontext.AppendQuote(b, v) // what was read is valid UTF-8
		return b
	case []any:
		return appendList(b, v)
	case map[string]any:
		return appendObject(b, v)
	}
	return append(b, "null"...)
}

func appendList(b []byte, list []any) []byte {
	b = append(b, '[')
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, e)
	}
	return append(b, ']')
}

func appendObject(b []byte, m map[string]any) []byte {
	b = append(b, '{')
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendValue(b, name), ':')
		b = appendValue(b, m[name])
	}
	return append(b, '}')
}
