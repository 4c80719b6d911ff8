package rest

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/onestep-run/onestep/gate/schema"
)

// types makes the schemas of Go types. A type with a name is one component of the
// document, wherever it is used.
type types struct {
	schemas map[reflect.Type]*jsonschema.Schema
	named   map[string]shape
}

// shape is the schema of a Go type, and how the document writes it.
type shape struct {
	schema *jsonschema.Schema
	text   jsontext.Value // the schema, or a reference to the component
	of     reflect.Type
}

func newTypes(more map[reflect.Type]*jsonschema.Schema) *types {
	schemas := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[jsontext.Value](): {}, // any value
		reflect.TypeFor[time.Time]():      {Type: "string", Format: "date-time"},
		reflect.TypeFor[[]byte]():         {Type: "string", ContentEncoding: "base64"},
	}
	maps.Copy(schemas, more)
	return &types{schemas, map[string]shape{}}
}

// of returns the schema of a type, as package json writes its values.
func (t *types) of(of reflect.Type) (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(of, &jsonschema.ForOptions{TypeSchemas: t.schemas})
	if err != nil {
		return nil, err
	}
	notNull(s)
	return s, nil
}

// notNull takes null out of the types of arrays, because a nil slice is written as [].
func notNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Type, s.Types = "array", nil
	}
	for _, p := range s.Properties {
		notNull(p)
	}
	notNull(s.Items)
	notNull(s.AdditionalProperties)
}

// componentName is the form of a name in the document's components.
var componentName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// shape returns the schema of a type. Two types of one name are an error.
func (t *types) shape(of reflect.Type) (shape, error) {
	s, err := t.of(of)
	if err != nil {
		return shape{}, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return shape{}, err
	}
	out := shape{s, text, of}
	name := of.Name()
	if of.PkgPath() == "" || !componentName.MatchString(name) {
		return out, nil
	}
	if other, is := t.named[name]; is && other.of != of {
		return shape{}, fmt.Errorf("two types are called %s", name)
	}
	t.named[name] = out
	return shape{s, reference("schemas", name), of}, nil
}

// compiled returns the validator of a schema.
func compiled(s *jsonschema.Schema) (*schema.Validator, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	admitted, err := schema.Admit(text, schema.Options{Role: schema.Input, StrictFormats: true})
	if err != nil {
		return nil, err
	}
	v, err := admitted.Compile()
	return &v, err
}
