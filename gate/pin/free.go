package pin

import (
	"regexp"
	"slices"
)

// maxDepth and maxNodes bound how far a schema is followed, references too.
const (
	maxDepth = 64
	maxNodes = 20_000
)

// free tells whether a schema takes free text: a sentence, a path, an address.
// That is what a parameter has to take for data to leave through it.
type free struct {
	left      int // schemas to look at
	exhausted bool
}

// text reports whether free text fits somewhere in what s takes. What is not
// looked at any more counts as taking it.
func (t *free) text(f *form, s any) bool { return t.at(f, s, 0) }

func (t *free) at(f *form, s any, depth int) bool {
	if t.left--; t.left < 0 || depth > maxDepth {
		t.exhausted = true
		return true
	}
	m, ok := s.(map[string]any)
	if !ok {
		return s == true
	}
	if m["const"] != nil || m["enum"] != nil {
		return false
	}
	if ref, ok := m["$ref"].(string); ok {
		return t.at(f, f.target(ref), depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list, ok := m[keyword].([]any); ok {
			return slices.ContainsFunc(list, func(sub any) bool { return t.at(f, sub, depth+1) })
		}
	}
	if list, ok := m["allOf"].([]any); ok && slices.ContainsFunc(list, func(sub any) bool { return !t.at(f, sub, depth+1) }) {
		return false
	}
	types := m["type"]
	return takes(types, "string") && textual(m) || takes(types, "array") && t.items(f, m, depth) || takes(types, "object") && t.members(f, m, depth)
}

// takes reports whether a type keyword, or none, lets values of a type pass.
func takes(types any, name string) bool {
	return types == nil || slices.Contains(typeList(types), any(name))
}

func (t *free) items(f *form, m map[string]any, depth int) bool {
	if m["items"] == nil && m["prefixItems"] == nil {
		return m["type"] != nil
	}
	return m["items"] != nil && t.at(f, m["items"], depth+1) ||
		slices.ContainsFunc(listOf(m["prefixItems"]), func(sub any) bool { return t.at(f, sub, depth+1) })
}

func (t *free) members(f *form, m map[string]any, depth int) bool {
	for _, keyword := range []string{"properties", "patternProperties"} {
		named, _ := m[keyword].(map[string]any)
		for _, sub := range named {
			if t.at(f, sub, depth+1) {
				return true
			}
		}
	}
	others := m["additionalProperties"]
	return others != nil && t.at(f, others, depth+1)
}

// probes are free text: a sentence, a path and an address.
var probes = []string{"two words, and more", "/etc/passwd", "../../x", "https://a.example/b?c=d"}

// fixed are the formats that hold a text to a form with no room in it.
var fixed = map[string]bool{"date": true, "date-time": true, "uuid": true}

// textual reports whether a schema of strings takes free text. A pattern takes
// it if it takes a probe, or a probe before or after what it asks for.
func textual(m map[string]any) bool {
	if format, ok := m["format"].(string); ok && fixed[format] {
		return false
	}
	pattern, ok := m["pattern"].(string)
	if !ok {
		return true
	}
	re, err := regexp.Compile(pattern)
	if err != nil || len(pattern) > maxPattern {
		return true
	}
	sample := matching(pattern)
	return slices.ContainsFunc(probes, func(p string) bool {
		return re.MatchString(p) || re.MatchString(sample+" "+p) || re.MatchString(p+" "+sample)
	})
}
