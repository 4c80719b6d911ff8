package pin_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// A difference inside one of several schemas, or behind a reference, has a value that shows
// it: one of that alternative, whole.
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

// A schema that adds null takes more, and null shows it; where an enum has none, it
// takes as much as before.
func TestNullBesideATypeIsAWidening(t *testing.T) {
	t.Parallel()
	for enum, want := range map[string]string{``: `{"n":null}`, `,"enum":["a",null]`: `{"n":null}`, `,"enum":["a"]`: ``} {
		of := func(more string) pin.Descriptor {
			return said(`{"name":"get","inputSchema":{"type":"object","properties":{"n":{"type":"string"` + enum + more + `}}}}`)
		}
		all := compare(t, of(``), of(`,"nullable":true`))
		if len(all) != 1 || all[0].Class != pin.Contract || string(all[0].Wider) != want || all[0].Narrower != nil {
			t.Errorf("%s: %s, wider %s, narrower %s", enum, told(all), all[0].Wider, all[0].Narrower)
		}
	}
}

// A schema within itself is compared in full, and its work is bounded.
func TestASchemaWithinItselfIsCompared(t *testing.T) {
	t.Parallel()
	const of = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer","maximum":9},"next":{"$ref":"#"},"all":{"type":"array","items":{"$ref":"#/properties/pair"}},"pair":{"type":"object","additionalProperties":{"$ref":"#/properties/all"}}}}}`
	for name, c := range map[string]struct{ from, to, want string }{
		"nothing":        {`9`, `9`, ""},
		"a bound":        {`9`, `5`, "contract /properties/id/maximum"},
		"free text":      {`"type":"integer","maximum":9`, `"type":"string"`, "safety-lowering /properties/id/maximum, contract /properties/id/type"},
		"another target": {`"#"`, `"#/properties/pair"`, "contract /properties/next/$ref"},
	} {
		all := compare(t, said(of), said(strings.Replace(of, c.from, c.to, 1)))
		if got := told(all); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if name == "a bound" && all[0].Narrower == nil {
			t.Error("no value shows that it takes less")
		}
	}
	wide := func(n string) pin.Descriptor {
		return said(`{"name":"get","inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":` + n + `},` +
			`"a":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]},"b":{"allOf":[{"$ref":"#"},{"$ref":"#"}]},"c":{"items":{"$ref":"#"}}}}}`)
	}
	if all := compare(t, wide("9"), wide("99")); told(all) != "contract /properties/n/maximum" {
		t.Error(told(all))
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
