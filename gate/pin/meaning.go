package pin

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/onestep-run/onestep/gate/schema"
)

// Meaning is the digest that two descriptors share if they say the same. The server's name
// does not count. Neither does the order of members, of required names, of an enum's values
// or of a list of types: no such order changes which call is taken, and a model always
// reads the approved text. Defaults of MCP's annotations count as stated. Numbers keep
// every digit.
func (d Descriptor) Meaning() (Digest, error) {
	s, err := parse(d)
	if err != nil {
		return Digest{}, err
	}
	return s.meaning(), nil
}

// parsed is a descriptor that was read.
type parsed struct {
	raw          map[string]any
	normal       map[string]any // with defaults stated, and lists that are sets in order
	instructions string
}

func parse(d Descriptor) (parsed, error) {
	if err := schema.Check(d.Raw, schema.DescriptorLimits); err != nil {
		return parsed{}, fmt.Errorf("the descriptor has %w", err)
	}
	if n := len(d.Instructions); n > schema.DescriptorLimits.Bytes {
		return parsed{}, fmt.Errorf("the server's instructions have %d bytes, over the limit of %d", n, schema.DescriptorLimits.Bytes)
	}
	tree, err := schema.Any(d.Raw)
	if err != nil {
		return parsed{}, fmt.Errorf("the descriptor has %w", err)
	}
	raw, ok := present(tree).(map[string]any)
	if !ok {
		return parsed{}, errors.New("the descriptor is not an object")
	}
	return parsed{raw, normal(raw), d.Instructions}, nil
}

// null is JSON's null in a read value, so that nil means absent.
type null struct{}

func present(v any) any {
	switch v := v.(type) {
	case nil:
		return null{}
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

func (s parsed) meaning() Digest {
	h := sha256.New()
	h.Write(schema.Literal(s.normal))
	fmt.Fprintf(h, "%d:%s", len(s.instructions), s.instructions)
	return Digest(h.Sum(nil))
}

// hints are the annotations that MCP has a default for.
var hints = map[string]any{"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true}

// noTasks is the default of execution.taskSupport.
const noTasks = "forbidden"

// sets are the keywords with a list in which the order means nothing.
var sets = []string{"required", "enum", "type"}

func normal(tool map[string]any) map[string]any {
	out := maps.Clone(tool)
	out["annotations"] = withDefaults(tool["annotations"], hints)
	out["execution"] = withDefaults(tool["execution"], map[string]any{"taskSupport": noTasks})
	for _, name := range []string{"inputSchema", "outputSchema"} {
		if s, ok := tool[name]; ok {
			text := schema.Literal(s)
			short := !bytes.Contains(text, []byte("/anyOf")) && !bytes.Contains(text, []byte(`/properties"`))
			out[name] = ordered(s, short) // short if no reference leads into the parts that it removes
		}
	}
	return out
}

// withDefaults fills in a copy of an object, or a new one if it is absent. It leaves any
// other value, which violates the specification, unchanged.
func withDefaults(v any, defaults map[string]any) any {
	m, ok := v.(map[string]any)
	if v != nil && !ok {
		return v
	}
	out := maps.Clone(defaults)
	maps.Copy(out, m)
	return out
}

// ordered is a schema in which lists that are sets are sorted. An empty required says
// nothing, and true is the schema {}. A short one has no empty properties, and a list of
// types in place of an anyOf of types alone.
func ordered(s any, short bool) any {
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
		case isList && slices.Contains(sets, keyword):
			if len(list) > 0 || keyword != "required" {
				out[keyword] = sorted(list)
			}
		default:
			out[keyword] = schema.Inside(keyword, v, func(sub any) any { return ordered(sub, short) })
		}
	}
	if !short {
		return out
	}
	if none, ok := out["properties"].(map[string]any); ok && len(none) == 0 {
		delete(out, "properties")
	}
	if types := alternatives(out); types != nil {
		delete(out, "anyOf")
		out["type"] = types
	}
	return out
}

// alternatives are the types of an anyOf that has only types, if the schema has no other
// types. Generators write one form for the other.
func alternatives(s map[string]any) any {
	list := listOf(s["anyOf"])
	if len(list) == 0 || s["type"] != nil {
		return nil
	}
	var types []any
	for _, e := range list {
		one, _ := e.(map[string]any)
		name, ok := one["type"].(string)
		if !ok || len(one) != 1 {
			return nil
		}
		types = append(types, name)
	}
	types = slices.CompactFunc(sorted(types), func(a, b any) bool { return a == b })
	if len(types) == 1 {
		return types[0]
	}
	return types
}

func sorted(list []any) []any {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b any) int { return bytes.Compare(schema.Literal(a), schema.Literal(b)) })
	return out
}
