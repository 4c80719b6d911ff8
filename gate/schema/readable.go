package schema

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Readable returns a schema with the same meaning in which no property's schema is a
// boolean. It writes {} for true, and {"not":{}} for false. Some MCP clients refuse
// every tool of a server because of one boolean. All other bytes stay, also those of
// values such as const and default.
func Readable(raw jsontext.Value) jsontext.Value {
	if raw.Kind() != '{' {
		return raw
	}
	return rewritten(raw, func(m Member) jsontext.Value {
		held := holds(m.Name)
		switch {
		case m.Value.Kind() == '{' && (held == named || held == defs):
			return rewritten(m.Value, func(sub Member) jsontext.Value {
				return readable(sub.Value, m.Name == "properties")
			})
		case m.Value.Kind() == '[' && (held == list || m.Name == tupleKeyword):
			return rewritten(m.Value, func(sub Member) jsontext.Value { return Readable(sub.Value) })
		case held == one:
			return Readable(m.Value)
		}
		return m.Value
	})
}

// readable returns the readable form of a property's schema or of another schema.
func readable(raw jsontext.Value, property bool) jsontext.Value {
	switch kind := raw.Kind(); {
	case property && kind == 't':
		return jsontext.Value(`{}`)
	case property && kind == 'f':
		return jsontext.Value(`{"not":{}}`)
	}
	return Readable(raw)
}

// rewritten returns an object or an array with f applied to every value in it. It
// returns raw itself if f changes nothing, or if raw is neither.
func rewritten(raw jsontext.Value, f func(Member) jsontext.Value) jsontext.Value {
	if k := raw.Kind(); k != '{' && k != '[' {
		return raw
	}
	all, err := parts(raw)
	if err != nil {
		return raw
	}
	out, last := jsontext.Value(nil), 0
	for _, m := range all {
		now := f(m)
		if slices.Equal(now, m.Value) {
			continue
		}
		out = append(append(out, raw[last:m.At]...), now...)
		last = m.At + len(m.Value)
	}
	if last == 0 {
		return raw
	}
	return append(out, raw[last:]...)
}
