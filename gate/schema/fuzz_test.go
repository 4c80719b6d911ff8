package schema_test

import (
	"errors"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// No schema of a server and no arguments of a planner cause a panic. An admitted
// schema compiles, and errors have their types and bounds. If an input schema accepts
// a value, so does the same schema for an output, because closing only refuses.
func FuzzAdmit(f *testing.F) {
	for _, c := range closing {
		for _, value := range c.fits {
			f.Add([]byte(c.schema), []byte(value))
		}
		for value := range c.extra {
			f.Add([]byte(c.schema), []byte(value))
		}
	}
	for _, s := range []string{
		`{"items":{"$ref":"#"}}`, `{"$defs":{"a":{"contains":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}`, doubling(12), `{"maximum":4E400}`, `{"type":"object","default":{"$id":"n"}}`,
		`{"enum":[1,1.0,9007199254740993,[1]],"const":-0}`, `{"format":"uri","pattern":"^\\p{L}$","uniqueItems":true,"contains":{"const":null}}`, `{"definitions":{"a":true},"not":{"$ref":"#/definitions/a"}}`,
		`{"type":"object","patternProperties":{"^a":{"if":{"type":"null"},"then":false,"else":{"properties":{"b":{"multipleOf":1e-300}}}}}}`,
		`{"type":"object","properties":{"a":{"prefixItems":[{"$ref":"#/properties/b"},true],"items":{"$ref":"#/$defs/a~1b%20c/not"}},"b":{"type":"null"}},"$defs":{"a/b c":{"not":{}}}}`,
		`{"type":"object","properties":{"b":{"type":"string","x-mcp-header":"B"},"a":{"$defs":{"n":{"items":false}},"anyOf":[{"$ref":"#/properties/a/$defs/n"},true]}}}`,
	} {
		f.Add([]byte(s), []byte(`{"a":[1e308,9007199254740993,null,{"b":"x"}]}`))
	}
	f.Fuzz(func(t *testing.T, raw, value []byte) {
		var took, admitted [2]bool
		for _, role := range []schema.Role{schema.Input, schema.Output} {
			s, err := schema.Admit(raw, schema.Options{Role: role})
			if err != nil {
				var d *verdict.Denial
				if !errors.As(err, &d) || d.Code != verdict.SchemaUnenforceable || len(d.Reason) > 700 || s != (schema.Schema{}) {
					t.Fatalf("%s: %v", raw, err)
				}
				continue
			}
			admitted[role] = true
			v, err := s.Compile()
			if err != nil {
				t.Fatalf("%s: admitted, and does not compile: %v", raw, err)
			}
			err = v.Check(value)
			var m *schema.Mismatch
			if err != nil && (!errors.As(err, &m) || len(err.Error()) > 700) {
				t.Fatalf("%s: %s: %v", raw, value, err)
			}
			if err == nil && schema.Check(value, schema.ResultLimits) != nil && len(value) < 1000 {
				t.Fatalf("%s: accepts %q, which is not JSON", raw, value)
			}
			took[role] = err == nil
		}
		if took[schema.Input] && admitted[schema.Output] && !took[schema.Output] { // an output has no headers
			t.Fatalf("%s: closing opened it for %s", raw, value)
		}
	})
}
