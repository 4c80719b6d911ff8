package pin_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// A difference inside one of several schemas, or of what a reference leads to, has a
// value that shows it: one of that alternative, whole.
func TestAWitnessIsFoundBehindAlternativesAndReferences(t *testing.T) {
	t.Parallel()
	const edit, edited = `{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer","maximum":9}},"required":["id"]}`,
		`{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer","maximum":5}},"required":["id"]}`
	for name, around := range map[string]string{
		"the first of anyOf":         `{"type":"object","properties":{"p":{"anyOf":[HERE,{"type":"string"}]}}}`,
		"the second of anyOf":        `{"type":"object","properties":{"p":{"anyOf":[{"type":"string"},HERE]}}}`,
		"the third of oneOf":         `{"type":"object","properties":{"p":{"oneOf":[{"type":"string"},{"type":"integer"},HERE]}}}`,
		"elements of the second":     `{"type":"object","properties":{"p":{"anyOf":[{"type":"null"},{"type":"array","items":HERE}]}},"required":["p"]}`,
		"anyOf within anyOf":         `{"type":"object","properties":{"p":{"anyOf":[{"type":"null"},{"anyOf":[{"type":"boolean"},HERE]}]}}}`,
		"what a reference leads to":  `{"type":"object","properties":{"p":{"$ref":"#/$defs/x"}},"$defs":{"x":HERE}}`,
		"a reference in anyOf":       `{"type":"object","properties":{"p":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/x"}]}},"$defs":{"x":HERE}}`,
		"two references":             `{"type":"object","properties":{"p":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/y"}]}},"$defs":{"x":HERE,"y":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/x"}]}}}`,
		"an object next to required": `{"type":"object","properties":{"a":{"type":"string"},"p":{"allOf":[HERE]}},"required":["a"]}`,
	} {
		for role, schemas := range map[schema.Role][2]string{
			schema.Input:  {`{"name":"get","inputSchema":SCHEMA}`, "/inputSchema"},
			schema.Output: {`{"name":"get","inputSchema":{"type":"object"},"outputSchema":SCHEMA}`, "/outputSchema"},
		} {
			said := func(part string) pin.Descriptor {
				return said(strings.Replace(schemas[0], "SCHEMA", strings.Replace(around, "HERE", part, 1), 1))
			}
			all := compare(t, said(edit), said(edited))
			if len(all) != 1 || !strings.HasPrefix(all[0].Path, schemas[1]+"/") || !strings.HasSuffix(all[0].Path, "/maximum") {
				t.Fatalf("%s: %s", name, told(all))
			}
			old, young := taken(t, said(edit), role), taken(t, said(edited), role)
			switch witness := all[0].Narrower; {
			case witness == nil:
				t.Errorf("%s, %s: no value shows that it takes less", name, schemas[1])
			case old.Check(witness) != nil || young.Check(witness) == nil:
				t.Errorf("%s, %s: %s shows nothing", name, schemas[1], witness)
			}
		}
	}
}

// taken is the validator of one schema of a tool.
func taken(t *testing.T, d pin.Descriptor, role schema.Role) schema.Validator {
	t.Helper()
	f, err := d.Fields()
	if err != nil {
		t.Fatal(err)
	}
	raw := f.InputSchema
	if role == schema.Output {
		raw = f.OutputSchema
	}
	s, err := schema.Admit(raw, schema.Options{Role: role})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return v
}
