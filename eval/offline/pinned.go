package offline

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"

	"pgregory.net/rapid"
)

// pinned is a value and a schema that only this value fits. In a plan with such
// arguments, every change either keeps the meaning or is an error. So an oracle that
// knows nothing of schemas can decide.
type pinned struct{ value, schema *tree }

// keywords returns a schema from pairs of name and value.
func keywords(pairs ...string) *tree {
	s := object()
	for pair := range slices.Chunk(pairs, 2) {
		s.members = append(s.members, member{quoted(pair[0]), scalar(pair[1])})
	}
	return s
}

func pinAny(t *rapid.T, depth int) pinned {
	kinds := []func(*rapid.T) pinned{pinString, pinString, pinInteger, pinInteger, pinNumber, pinBoolean, pinNull}
	if depth > 0 {
		kinds = append(kinds,
			func(t *rapid.T) pinned { return pinObject(t, depth-1) },
			func(t *rapid.T) pinned { return pinArray(t, depth-1) })
	}
	return rapid.SampledFrom(kinds).Draw(t, "kind")(t)
}

// exactly returns one of the ways in which a schema of any type pins a value.
func exactly(t *rapid.T, typeName, value string) *tree {
	typeName = quoted(typeName)
	return rapid.SampledFrom([]*tree{
		keywords("const", value),
		keywords("enum", "["+value+"]"),
		keywords("type", typeName, "const", value),
		keywords("type", typeName, "enum", `["never said",`+value+"]"),
		keywords("anyOf", `[{"const":`+value+`},{"const":"never said"}]`),
		keywords("oneOf", `[{"const":"never said"},{"enum":[`+value+`]}]`),
		keywords("allOf", `[{"type":`+typeName+`},{"const":`+value+`}]`),
		keywords("if", `{"const":`+value+`}`, "then", "true", "else", "false"),
		keywords("not", `{"not":{"const":`+value+`}}`),
	}).Draw(t, "pin")
}

var sayings = []string{"vendor data", "INC0010001", "2026-03-05", "a/b_c-d", "Größe", "日本", "on", "null", "12", "", "two\nlines", "\"quoted\"", "👍", "é"}

func pinString(t *rapid.T) pinned {
	value := rapid.OneOf(rapid.SampledFrom(sayings), rapid.StringMatching(`[a-zA-Z][a-z0-9 _.-]{1,14}`)).Draw(t, "string")
	text := quoted(value)
	if rapid.Bool().Draw(t, "by pattern") {
		return pinned{scalar(text), keywords("type", `"string"`, "pattern", quoted("^"+regexp.QuoteMeta(value)+"$"))}
	}
	return pinned{scalar(text), exactly(t, "string", text)}
}

func pinInteger(t *rapid.T) pinned {
	n := rapid.OneOf(
		rapid.Int64Range(-999, 9999), rapid.SampledFrom([]int64{0, 1 << 31, 1<<53 + 1, -1<<53 - 1, 1<<63 - 1}),
	).Draw(t, "integer")
	at := func(by int64) string { return new(big.Int).Add(big.NewInt(n), big.NewInt(by)).String() }
	value := at(0)
	return pinned{scalar(value), rapid.SampledFrom([]*tree{
		exactly(t, "integer", value),
		keywords("type", `"integer"`, "minimum", value, "maximum", value),
		keywords("type", `"integer"`, "exclusiveMinimum", at(-1), "exclusiveMaximum", at(1)),
		keywords("type", `"integer"`, "minimum", value, "exclusiveMaximum", at(1)),
		keywords("type", `"integer"`, "allOf", fmt.Sprintf(`[{"minimum":%s},{"maximum":%s}]`, value, value)),
	}).Draw(t, "integer's pin")}
}

func pinNumber(t *rapid.T) pinned {
	value := strconv.Itoa(rapid.IntRange(-400, 400).Draw(t, "number")) + rapid.SampledFrom([]string{".5", ".25", ".10", "e2", ".0"}).Draw(t, "rest")
	return pinned{scalar(value), rapid.SampledFrom([]*tree{
		exactly(t, "number", value),
		keywords("type", `"number"`, "minimum", value, "maximum", value),
	}).Draw(t, "number's pin")}
}

func pinBoolean(t *rapid.T) pinned {
	yes := rapid.Bool().Draw(t, "boolean")
	value := strconv.FormatBool(yes)
	return pinned{scalar(value), rapid.SampledFrom([]*tree{
		exactly(t, "boolean", value),
		keywords("type", `"boolean"`, "not", fmt.Sprintf(`{"const":%t}`, !yes)),
	}).Draw(t, "boolean's pin")}
}

func pinNull(*rapid.T) pinned { return pinned{scalar("null"), keywords("type", `"null"`)} }

func pinArray(t *rapid.T, depth int) pinned {
	it := pinAny(t, depth)
	n := rapid.IntRange(1, 3).Draw(t, "items")
	count := strconv.Itoa(n)
	return pinned{
		array(slices.Repeat([]*tree{it.value}, n)...).clone(),
		keywords("type", `"array"`, "items", it.schema.String(), "minItems", count, "maxItems", count),
	}
}

var names = []string{"id", "name", "limit", "filter", "to", "Straße", "a/b", "x-1", "type"}

// pinObject leaves it to the gate to close the object in half of the cases.
func pinObject(t *rapid.T, depth int) pinned {
	value, properties := object(), object()
	required := array()
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 4, rapid.ID).Draw(t, "members") {
		p := pinAny(t, depth)
		value.members = append(value.members, member{quoted(name), p.value})
		properties.members = append(properties.members, member{quoted(name), p.schema})
		required.members = append(required.members, member{"", scalar(quoted(name))})
	}
	schema := keywords("type", `"object"`, "properties", properties.String(), "required", required.String())
	if rapid.Bool().Draw(t, "closed") {
		schema.members = append(schema.members, member{`"additionalProperties"`, scalar("false")})
	}
	return pinned{value, schema}
}
