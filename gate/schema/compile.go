package schema

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/xeipuuv/gojsonschema"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Validator checks values against one schema. Its zero value refuses every value. It
// is safe for concurrent use.
type Validator struct{ v *validator }

type validator struct {
	first  *checker
	second *gojsonschema.Schema
	closed *checker // of an input only
	root   *Node    // for the meter
	// programs are the sizes of the patterns in root.
	programs map[string]int

	// unzoned compiles, once, an output's validator with the format [unzoned] in place
	// of date-time. It is nil if the schema has no date-time.
	unzoned func() (*validator, error)
}

// Compile returns the schema's validator. Its error is a *verdict.Denial with the code
// schema.unenforceable. No admitted schema is known to cause one.
func (s Schema) Compile() (Validator, error) {
	if s.s == nil {
		return Validator{}, verdict.Deny(verdict.SchemaUnenforceable, "the schema was never admitted")
	}
	v, err := s.s.compile(s.s.doc)
	if err != nil {
		return Validator{}, err
	}
	if loose, has := withoutOffsets(s.s.doc); has && s.s.role == Output {
		v.unzoned = sync.OnceValues(func() (*validator, error) { return s.s.compile(loose) })
	}
	return Validator{v}, nil
}

// compile makes the validators of the admitted schema's document, or of another form
// of the document.
func (s *admitted) compile(doc any) (*validator, error) {
	v := &validator{root: s.root, programs: programs(s.root, map[string]int{})}
	err := guarded(func() (err error) {
		if v.first, err = compileFirst(doc); err != nil {
			return err
		}
		if s.role == Input {
			if v.closed, err = compileFirst(closed(s.root, s.defs)); err != nil {
				return err
			}
		}
		v.second, err = compileSecond(doc)
		return err
	})
	if err != nil {
		return nil, verdict.Deny(verdict.SchemaUnenforceable, "a validator does not compile it: %s", verdict.Cut(err.Error(), 200))
	}
	return v, nil
}

// withoutOffsets returns a document in which a date-time may lack its offset from UTC.
// has reports whether the document has a date-time at all.
func withoutOffsets(doc any) (loose any, has bool) {
	m, ok := doc.(map[string]any)
	if !ok {
		return doc, false
	}
	out := make(map[string]any, len(m))
	for name, v := range m {
		out[name] = Inside(name, v, func(sub any) any {
			s, inside := withoutOffsets(sub)
			has = has || inside
			return s
		})
	}
	if m["format"] == "date-time" {
		out["format"], has = unzoned, true
	}
	return out, has
}

// guarded turns a panic of a validator into an error: a validator that panics has not
// accepted the value.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %s", verdict.Cut(fmt.Sprint(p), 100))
		}
	}()
	return f()
}

var errSealed = errors.New("a schema refers to nothing outside itself")

// compileSecond compiles with xeipuuv/gojsonschema.
func compileSecond(doc any) (*gojsonschema.Schema, error) {
	l := gojsonschema.NewSchemaLoader()
	l.AutoDetect = false // a $schema in the document chooses nothing
	l.Validate = false   // [Admit] validated it; and this would fetch the metaschema through the loader
	l.Draft = gojsonschema.Draft7
	return l.Compile(sealed{gojsonschema.NewRawLoader(draft7(doc))})
}

// sealed is a loader of its one document and nothing else: gojsonschema's own loaders
// fetch http: and open file: references.
type sealed struct{ gojsonschema.JSONLoader }

func (sealed) LoaderFactory() gojsonschema.JSONLoaderFactory { return sealedFactory{} }

type sealedFactory struct{}

func (sealedFactory) New(string) gojsonschema.JSONLoader {
	return nothing{sealed{gojsonschema.NewRawLoader(nil)}}
}

type nothing struct{ sealed }

func (nothing) LoadJSON() (any, error) { return nil, errSealed }

// draft7 returns an admitted document for gojsonschema. It is a copy, because
// gojsonschema writes into the documents that it compiles. Three things differ. The
// prefixItems and items of 2020-12 become items and additionalItems. A number in const
// or enum becomes a range of that one number: gojsonschema compares const and enum as
// 64-bit floating point, so that 9007199254740993 equals 9007199254740992, but
// compares minimum and maximum exactly. Of several values in an enum that gojsonschema
// takes for equal, only one remains, because it refuses to compile such an enum.
func draft7(doc any) any {
	m, ok := doc.(map[string]any)
	if !ok {
		return doc
	}
	out := make(map[string]any, len(m))
	for name, v := range m {
		out[name] = Inside(name, v, draft7)
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

// rounded returns the same text for values that gojsonschema takes for equal.
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
