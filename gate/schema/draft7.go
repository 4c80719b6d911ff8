package schema

import stdjson "encoding/json"

// draft7 is an admitted document as gojsonschema gets to see it: a copy,
// because it writes into what it compiles, and with three things said otherwise.
// What 2020-12 calls prefixItems and items are items and additionalItems. It compares const and enum by the nearest 64-bit floating point number, so
// that 9007199254740993 equals 9007199254740992; minimum and maximum it
// compares exactly, so a number becomes the range of itself. And it refuses to
// compile an enum of which two values round to the same.
func draft7(doc any) any {
	m, ok := doc.(map[string]any)
	if !ok {
		return doc
	}
	out := make(map[string]any, len(m))
	for name, v := range m {
		switch keywords[name].shape {
		case one:
			out[name] = draft7(v)
		case list:
			out[name] = draft7List(v.([]any))
		case named, defs:
			out[name] = each(v.(map[string]any), func(_ string, s any) any { return draft7(s) })
		default:
			out[name] = v
		}
	}
	if prefix, ok := out["prefixItems"]; ok {
		if rest, ok := out["items"]; ok {
			out["additionalItems"] = rest
		}
		out["items"] = prefix
		delete(out, "prefixItems")
	}
	if n, ok := m["const"].(stdjson.Number); ok {
		delete(out, "const")
		require(out, exactly(n))
	}
	if values, ok := m["enum"].([]any); ok {
		delete(out, "enum")
		require(out, among(values))
	}
	return out
}

func draft7List(list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = draft7(v)
	}
	return out
}

func require(schema map[string]any, s any) {
	all, _ := schema["allOf"].([]any)
	schema["allOf"] = append(all, s)
}

func exactly(n stdjson.Number) any {
	return map[string]any{"type": "number", "minimum": n, "maximum": n}
}

func among(values []any) any {
	var ranges, others []any
	for _, v := range values {
		if n, ok := v.(stdjson.Number); ok {
			ranges = append(ranges, exactly(n))
		} else {
			others = append(others, v)
		}
	}
	if others == nil {
		return map[string]any{"anyOf": ranges}
	}
	enum := map[string]any{"enum": unique(others, rounded)}
	if ranges == nil {
		return enum
	}
	return map[string]any{"anyOf": append(ranges, enum)}
}

// rounded is a text that values share if gojsonschema takes them for equal.
func rounded(v any) string {
	b, err := stdjson.Marshal(v)
	if err != nil {
		return identity(v)
	}
	var f any
	if stdjson.Unmarshal(b, &f) != nil {
		return identity(v)
	}
	b, _ = stdjson.Marshal(f)
	return string(b)
}
