package schema_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/schema"
)

// oracle compiles a document with santhosh-tekuri/jsonschema, which decides every
// required test of draft 2020-12 correctly. It gets the formats of this package.
func oracle(doc any) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	for _, name := range schema.FormatNames() {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(v any) error {
			if !schema.FitsFormat(name, v) {
				return errors.New("does not fit")
			}
			return nil
		}})
	}
	if err := c.AddResource("mem:///s", doc); err != nil {
		return nil, err
	}
	return c.Compile("mem:///s")
}

// agrees compares the first validator with the oracle on every form of an admitted
// schema. It returns how many values it compared, and how many of them both accept.
func agrees(t rapid.TB, raw []byte, values [][]byte) (compared, accepted int) {
	for _, role := range []schema.Role{schema.Output, schema.Input} {
		s, err := schema.Admit(raw, schema.Options{Role: role})
		if err != nil {
			continue
		}
		for i, doc := range s.Forms() {
			first, err := schema.FirstAccepts(doc)
			if err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
			other, err := oracle(doc)
			if err != nil {
				t.Fatalf("%s: the oracle: %v", raw, err)
			}
			for _, text := range values {
				value, err := schema.Any(text)
				if err != nil {
					continue
				}
				got, want := first(value), other.Validate(value)
				if compared++; got {
					accepted++
				}
				if got != (want == nil) {
					t.Errorf("%s, role %d, form %d, %s: the first says %v, the oracle %v", raw, role, i, text, got, want)
				}
			}
		}
	}
	return compared, accepted
}

// The first validator is this package's own. Another one, by other authors, judges the
// same documents: open and closed, of the public suite and made at random.
func TestTheFirstValidatorAgreesWithAnother(t *testing.T) {
	t.Parallel()
	compared, accepted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		whole := schemas(3).Draw(t, "schema").(object)
		whole["$defs"] = object{"a": object{"format": "date"}, "c": object{"properties": object{"$ref": object{"maximum": 1, "format": "int32"}}}, "tree": object{"additionalProperties": object{"$ref": "#/$defs/tree"}, "items": object{"$ref": "#"}}}
		whole["definitions"] = object{"b": object{"$ref": "#/$defs/a"}, "const": object{"minimum": 1}}
		var made [][]byte
		for range 8 {
			made = append(made, text(t, values(3).Draw(t, "value")))
		}
		n, yes := agrees(t, text(t, whole), made)
		compared, accepted = compared+n, accepted+yes
	})
	t.Logf("%d values, %d accepted", compared, accepted)
}

func TestTheFirstValidatorAgreesOnThePublicSuite(t *testing.T) {
	t.Parallel()
	dir := corpus.Schemas(t)
	for _, draft := range []string{"draft7", "draft2020-12"} {
		files, err := filepath.Glob(filepath.Join(dir, draft, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, f := range files {
			for _, g := range groups(t, f) {
				var all [][]byte
				for _, c := range g.Tests {
					all = append(all, c.Data)
				}
				n, _ := agrees(t, g.Schema, all)
				compared += n
			}
		}
		if compared < 1000 {
			t.Errorf("%s: only %d values were compared", draft, compared)
		}
		t.Logf("%s: %d values", draft, compared)
	}
}
