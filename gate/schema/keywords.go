package schema

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// shape is the kind of a keyword's value, and so how the admission walks it.
type shape int

const (
	note  shape = iota + 1 // describes; enforces nothing; not read
	mark                   // asks for something other than a check; see mirror
	value                  // no schema inside
	one                    // a schema
	list                   // an array of schemas
	named                  // an object of schemas
	defs                   // an object of schemas, which apply only where references lead to them
)

type keyword struct {
	shape shape
	check func(v any) (any, string) // returns the value as validators see it, or the fault in it
}

// number accepts any number.
var number = only[stdjson.Number]("is not a number")

var boolean = only[bool]("is not a boolean")

// keywords is the closed list. Both validators enforce each keyword, and each means
// the same in draft-07 and in 2020-12 as far as its check lets it pass. A keyword that
// one draft lacks is refused in that draft. A keyword outside the list is refused,
// never ignored, except for annotations (see keywordOf): ignoring a keyword would
// widen the schema.
var keywords = map[string]keyword{
	"$comment": {shape: note}, "title": {shape: note}, "description": {shape: note},
	"default": {shape: note}, "examples": {shape: note}, "deprecated": {shape: note},
	"readOnly": {shape: note}, "writeOnly": {shape: note}, "example": {shape: note},
	"contentEncoding": {shape: note}, "contentMediaType": {shape: note}, "contentSchema": {shape: note},
	"discriminator": {shape: note}, // of OpenAPI: says which alternative to try
	"$anchor":       {shape: note}, // references to an anchor are refused, and so is $dynamicRef

	mirrorKeyword: {shape: mark},

	"$schema": {value, dialect}, "$ref": {value, reference},
	"$defs": {shape: defs}, "definitions": {shape: defs},

	"type": {value, typeNames}, "enum": {value, enumeration}, "const": {value, anything},
	"format": {value, only[string]("is not a string")}, "pattern": {value, pattern},
	"minLength": {value, length}, "maxLength": {value, length},
	"minItems": {value, length}, "maxItems": {value, length},
	"minProperties": {value, length}, "maxProperties": {value, length},
	"minimum": {value, number}, "maximum": {value, number},
	"exclusiveMinimum": {value, number}, "exclusiveMaximum": {value, number},
	"multipleOf": {value, positive}, "uniqueItems": {value, boolean}, "nullable": {value, boolean}, "required": {value, names},

	"properties": {shape: named}, "patternProperties": {shape: named},
	"additionalProperties": {shape: one}, "propertyNames": {shape: one},
	"items": {shape: one}, "contains": {shape: one},
	"prefixItems": {shape: list}, // of 2020-12; draft-07 has other words for it, see draft7
	"allOf":       {shape: list}, "anyOf": {shape: list}, "oneOf": {shape: list},
	"not": {shape: one}, "if": {shape: one}, "then": {shape: one}, "else": {shape: one},
}

// annotation begins the names of annotating keywords. No validator enforces them,
// neither for arguments nor for results.
const annotation = "x-"

// keywordOf returns the entry of a keyword in the list. A keyword that begins with x-
// and is not in the list is a note. Any other keyword has no shape.
func keywordOf(name string) keyword {
	if k, listed := keywords[name]; listed || !strings.HasPrefix(name, annotation) {
		return k
	}
	return keyword{shape: note}
}

// Annotates reports whether a keyword only describes: title, default, x-order and so
// on.
func Annotates(keyword string) bool { return keywordOf(keyword).shape == note }

// Holds reports whether a keyword's value is or contains schemas. The name of a
// property, or text in a default or an enum, is never a keyword, even if it looks like
// one.
func Holds(keyword string) bool { return holds(keyword) >= one }

// holds returns the shape of a keyword in a schema as it was sent. In draft-07, items
// may be a list, and another keyword has the schema of the rest.
func holds(keyword string) shape {
	if keyword == restKeyword {
		return one
	}
	return keywords[keyword].shape
}

// Inside returns a keyword's value with f applied to every schema in it, as [Any]
// reads them.
func Inside(keyword string, v any, f func(any) any) any {
	held := holds(keyword)
	switch v := v.(type) {
	case map[string]any:
		if held == named || held == defs {
			return each(v, func(_ string, s any) any { return f(s) })
		}
	case []any:
		if held == list || keyword == tupleKeyword {
			return listed(v, func(_ int, s any) any { return f(s) })
		}
	}
	if held != one {
		return v
	}
	return f(v)
}

// ordered are pairs of keywords in which the first may not exceed the second, because
// gojsonschema does not compile such a schema.
var ordered = [][2]string{{"minLength", "maxLength"}, {"minProperties", "maxProperties"}}

var types = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

func anything(v any) (any, string) { return v, "" }

func dialect(v any) (any, string) {
	s, _ := v.(string)
	switch strings.TrimSuffix(s, "#") {
	case "https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema":
		return v, ""
	}
	return nil, "names a dialect other than 2020-12, 2019-09 and draft-07"
}

// olderDialect names a dialect from before prefixItems; it is "" for 2020-12.
func olderDialect(uri string) string {
	for _, name := range []string{"draft-07", "2019-09"} {
		if strings.Contains(uri, name) {
			return name
		}
	}
	return ""
}

// reference returns the pointer of a reference into the same document.
func reference(v any) (any, string) {
	s, _ := v.(string)
	pointer, ok := Fragment(s)
	if !ok {
		return nil, "does not refer to a place in this schema, #/…"
	}
	return pointer, ""
}

// only accepts the values of one type.
func only[T any](otherwise string) func(any) (any, string) {
	return func(v any) (any, string) {
		if _, ok := v.(T); !ok {
			return nil, otherwise
		}
		return v, ""
	}
}

func typeNames(v any) (any, string) {
	given, ok := v.([]any)
	if !ok {
		given = []any{v}
	}
	if !distinct(given) || len(given) == 0 {
		return nil, "is not a type or a list of different types"
	}
	for _, t := range given {
		if s, _ := t.(string); !slices.Contains(types, s) {
			return nil, "names no type of JSON Schema"
		}
	}
	return v, ""
}

func names(v any) (any, string) {
	given, ok := v.([]any)
	if !ok || !distinct(given) {
		return nil, "is not a list of different names"
	}
	if len(given) > maxNames {
		return nil, "lists more than 2000 names"
	}
	for _, n := range given {
		if _, ok := n.(string); !ok {
			return nil, "is not a list of different names"
		}
	}
	return v, ""
}

// distinct reports whether all strings of the list differ.
func distinct(list []any) bool {
	seen := map[string]bool{}
	for _, v := range list {
		s, ok := v.(string)
		if ok && seen[s] {
			return false
		}
		seen[s] = true
	}
	return true
}

// enumeration drops repeated values, which changes no verdict. gojsonschema does not
// compile an enum with repetitions.
func enumeration(v any) (any, string) {
	given, ok := v.([]any)
	if !ok || len(given) == 0 {
		return nil, "is not a list of values"
	}
	return unique(given, identity), ""
}

// unique returns the list without the values that equal an earlier one.
func unique(list []any, identity func(any) string) []any {
	var kept []any
	seen := map[string]bool{}
	for _, v := range list {
		if key := identity(v); !seen[key] {
			seen[key] = true
			kept = append(kept, v)
		}
	}
	return kept
}

// identity returns the same text for values that JSON Schema calls equal.
func identity(v any) string {
	switch v := v.(type) {
	case stdjson.Number:
		return rat(v).RatString()
	case []any:
		var b strings.Builder
		for _, e := range v {
			b.WriteString(identity(e) + ",")
		}
		return "[" + b.String() + "]"
	case map[string]any:
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(strconv.Quote(name) + ":" + identity(v[name]) + ",")
		}
		return "{" + b.String() + "}"
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(v) // null, true or false
}

func positive(v any) (any, string) {
	if n, ok := v.(stdjson.Number); !ok || rat(n).Sign() <= 0 {
		return nil, "is not a number above zero"
	}
	return v, ""
}

// length turns 2.0 into 2: JSON Schema takes both for an integer, gojsonschema does
// not.
func length(v any) (any, string) {
	n, ok := v.(stdjson.Number)
	inRange := ok && rat(n).Sign() >= 0 && rat(n).Cmp(big.NewRat(1<<31, 1)) < 0
	if !inRange || !rat(n).IsInt() {
		return nil, "is not an integer from 0 to 2147483647"
	}
	return stdjson.Number(rat(n).RatString()), ""
}

// rat converts a number that passed [Check], so its exponent is bounded.
func rat(n stdjson.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return new(big.Rat)
	}
	return r
}
