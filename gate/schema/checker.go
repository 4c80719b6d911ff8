package schema

import (
	stdjson "encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// checker is the first validator: one compiled schema. It decides exactly the keywords
// that [Admit] admits, as draft 2020-12 defines them, and unevaluatedProperties:false,
// which [closed] sets. Its zero value accepts every value, so only [compileFirst] makes
// one. It is safe for concurrent use, because nothing writes to it later.
type checker struct {
	never bool // the schema false

	types    []string
	constant []any           // the one value, if there is one
	choices  []any           // of an enum
	among    map[string]bool // the identities of choices
	format   string

	minLength, maxLength *int
	pattern              *regexp.Regexp

	minimum, maximum, above, below, multipleOf *big.Rat

	minItems, maxItems *int
	unique             bool
	prefix             []*checker
	items, contains    *checker

	minMembers, maxMembers *int
	required               []string
	properties             map[string]*checker
	patterns               []patterned
	rest, names            *checker
	closes                 bool // unevaluatedProperties is false

	ref                     *checker
	allOf, anyOf, oneOf     []*checker
	not, when, then, orElse *checker
}

// patterned is the schema of the members whose names match a pattern.
type patterned struct {
	name   *regexp.Regexp
	member *checker
}

// compiler compiles one document.
type compiler struct {
	defs map[string]*checker
	err  error // the first fault
}

// compileFirst compiles an admitted document. It refuses a keyword that it does not
// know, and a reference to anything but a definition of the document.
func compileFirst(doc any) (*checker, error) {
	c := &compiler{defs: map[string]*checker{}}
	m, _ := doc.(map[string]any)
	defs, _ := m["$defs"].(map[string]any)
	for name := range defs {
		c.defs[name] = &checker{}
	}
	for name, def := range defs {
		c.into(c.defs[name], def)
	}
	top := c.one(doc)
	return top, c.err
}

func (c *compiler) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *compiler) one(doc any) *checker {
	s := &checker{}
	c.into(s, doc)
	return s
}

// into compiles a schema into s. Definitions have a place before they are compiled,
// because they may refer to each other.
func (c *compiler) into(s *checker, doc any) {
	switch doc := doc.(type) {
	case bool:
		s.never = !doc
	case map[string]any:
		for name, v := range doc {
			if !c.value(s, name, v) && !c.schemas(s, name, v) {
				c.fail("keyword %q is not known", name)
			}
		}
	default:
		c.fail("a schema is neither an object nor a boolean")
	}
}

// value compiles a keyword without schemas inside. It reports whether name is one.
func (c *compiler) value(s *checker, name string, v any) bool {
	switch name {
	case "type":
		s.types = texts(v)
	case "const":
		s.constant = []any{v}
	case "enum":
		s.choices, s.among = v.([]any), map[string]bool{}
		for _, choice := range s.choices {
			s.among[identity(choice)] = true
		}
	case "format":
		if s.format = v.(string); checked(s.format) == nil {
			c.fail("format %q is not known", s.format)
		}
	case "pattern":
		s.pattern = c.expression(v.(string))
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		*s.size(name) = whole(v)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		*s.bound(name) = rat(v.(stdjson.Number))
	case "uniqueItems":
		s.unique = v.(bool)
	case "required":
		s.required = texts(v)
	case "unevaluatedProperties":
		if s.closes = v == false; !s.closes {
			c.fail("unevaluatedProperties is not false")
		}
	case "$ref":
		ref, _ := v.(string)
		if s.ref = c.defs[strings.TrimPrefix(ref, definition)]; s.ref == nil || !strings.HasPrefix(ref, definition) {
			c.fail("$ref leads to no definition")
		}
	case "$defs": // compiled before
	default:
		return false
	}
	return true
}

// definition begins every reference of a document that validators see.
const definition = "#/$defs/"

func (s *checker) size(name string) **int {
	return map[string]**int{
		"minLength": &s.minLength, "maxLength": &s.maxLength, "minItems": &s.minItems,
		"maxItems": &s.maxItems, "minProperties": &s.minMembers, "maxProperties": &s.maxMembers,
	}[name]
}

func (s *checker) bound(name string) **big.Rat {
	return map[string]**big.Rat{
		"minimum": &s.minimum, "maximum": &s.maximum, "exclusiveMinimum": &s.above,
		"exclusiveMaximum": &s.below, "multipleOf": &s.multipleOf,
	}[name]
}

// schemas compiles a keyword with schemas inside. It reports whether name is one.
func (c *compiler) schemas(s *checker, name string, v any) bool {
	switch name {
	case "properties":
		s.properties = map[string]*checker{}
		for member, sub := range v.(map[string]any) {
			s.properties[member] = c.one(sub)
		}
	case "patternProperties":
		for p, sub := range v.(map[string]any) {
			s.patterns = append(s.patterns, patterned{c.expression(p), c.one(sub)})
		}
	case "additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else":
		*s.single(name) = c.one(v)
	case "prefixItems", "allOf", "anyOf", "oneOf":
		for _, sub := range v.([]any) {
			*s.several(name) = append(*s.several(name), c.one(sub))
		}
	default:
		return false
	}
	return true
}

func (s *checker) single(name string) **checker {
	return map[string]**checker{
		"additionalProperties": &s.rest, "propertyNames": &s.names, "items": &s.items, "contains": &s.contains,
		"not": &s.not, "if": &s.when, "then": &s.then, "else": &s.orElse,
	}[name]
}

func (s *checker) several(name string) *[]*checker {
	return map[string]*[]*checker{"prefixItems": &s.prefix, "allOf": &s.allOf, "anyOf": &s.anyOf, "oneOf": &s.oneOf}[name]
}

func (c *compiler) expression(p string) *regexp.Regexp {
	re, err := regexp.Compile(p)
	if err != nil {
		c.fail("%w", err)
	}
	return re
}

// texts returns a text or a list of texts as a list.
func texts(v any) []string {
	given, ok := v.([]any)
	if !ok {
		given = []any{v}
	}
	all := make([]string, len(given))
	for i, t := range given {
		all[i] = t.(string)
	}
	return all
}

// whole returns a length, which the admission wrote as an integer below 2³¹.
func whole(v any) *int {
	n := int(rat(v.(stdjson.Number)).Num().Int64())
	return &n
}
