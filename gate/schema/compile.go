package schema

import (
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/xeipuuv/gojsonschema"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Validator checks values against one schema. Its zero value refuses all. It
// is safe for concurrent use.
type Validator struct{ v *validator }

type validator struct {
	first  *jsonschema.Schema
	second *gojsonschema.Schema
	closed *jsonschema.Schema // of an input
	doc    any                // what the meter reads
	// programs are the sizes of the patterns in doc.
	programs map[string]int
}

// Compile makes the schema's validator. Its error is a *verdict.Denial of
// code schema.unenforceable; for a schema that was admitted none is known to
// occur.
func (s Schema) Compile() (Validator, error) {
	if s.s == nil {
		return Validator{}, verdict.Deny(verdict.SchemaUnenforceable, "the schema was never admitted")
	}
	v := &validator{doc: s.s.doc, programs: programs(s.s.doc, map[string]int{})}
	err := guarded(func() (err error) {
		if v.first, err = compileFirst(s.s.doc); err != nil {
			return err
		}
		if s.s.role == Input {
			if v.closed, err = compileFirst(closed(s.s.doc)); err != nil {
				return err
			}
		}
		v.second, err = compileSecond(s.s.doc)
		return err
	})
	if err != nil {
		return Validator{}, verdict.Deny(verdict.SchemaUnenforceable, "a validator does not compile it: %s", cut(err.Error(), 200))
	}
	return Validator{v}, nil
}

// guarded turns a panic of a validator into an error: a validator that breaks
// has not said yes.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %s", cut(fmt.Sprint(p), 100))
		}
	}()
	return f()
}

var errSealed = errors.New("a schema refers to nothing outside itself")

// where both validators are told that a schema stands; nothing is read there.
const where = "mem:///schema"

// compileFirst compiles with santhosh-tekuri/jsonschema, which gives every
// verdict of draft 2020-12 right.
func compileFirst(doc any) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(sealedURLs{}) // the default opens files
	c.AssertFormat()          // 2020-12 takes formats for notes unless told otherwise
	for name := range formats {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: firstFormat(name)})
	}
	if err := c.AddResource(where, doc); err != nil {
		return nil, err
	}
	return c.Compile(where)
}

func firstFormat(name string) func(any) error {
	return func(v any) error {
		if !fitsFormat(name, v) {
			return errors.New("does not fit")
		}
		return nil
	}
}

type sealedURLs struct{}

func (sealedURLs) Load(string) (any, error) { return nil, errSealed }

// compileSecond compiles with xeipuuv/gojsonschema.
func compileSecond(doc any) (*gojsonschema.Schema, error) {
	l := gojsonschema.NewSchemaLoader()
	l.AutoDetect = false // a $schema in the document chooses nothing
	l.Validate = false   // [Admit] did; and it would fetch the metaschema through the loader
	l.Draft = gojsonschema.Draft7
	return l.Compile(sealed{gojsonschema.NewRawLoader(draft7(doc))})
}

// sealed is a loader with nothing beside its one document: gojsonschema's own
// loaders fetch http: and open file: references.
type sealed struct{ gojsonschema.JSONLoader }

func (sealed) LoaderFactory() gojsonschema.JSONLoaderFactory { return sealedFactory{} }

type sealedFactory struct{}

func (sealedFactory) New(string) gojsonschema.JSONLoader {
	return nothing{sealed{gojsonschema.NewRawLoader(nil)}}
}

type nothing struct{ sealed }

func (nothing) LoadJSON() (any, error) { return nil, errSealed }
