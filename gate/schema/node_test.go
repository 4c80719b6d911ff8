package schema_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/schema"
)

const nodes = `{"type":"object","$defs":{"id":{"type":"string","default":"a"},"either":{"anyOf":[{"$ref":"#/$defs/id"},{"type":"null"}]}},
	"properties":{"b":{"$ref":"#/properties/a"},"a":{"$ref":"#/$defs/either"},"never":false,"any":true,
		"list":{"prefixItems":[{"const":"x"}],"items":{"$ref":"#/properties/list/prefixItems/0"}},
		"default":{"default":{"properties":{"no":{}}},"examples":[{"$ref":"#"}],"description":"said"}},
	"patternProperties":{"^x":{"enum":[1,1.0]}},"additionalProperties":{"type":"number"}}`

func TestANodeHasTheSchemasInsideItByTheirRole(t *testing.T) {
	t.Parallel()
	s, err := schema.Admit([]byte(nodes), schema.Options{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	root := s.Root()
	properties := root.Named("properties")
	if d := cmp.Diff([]string{"a", "any", "b", "default", "list", "never"}, slices.Sorted(maps.Keys(properties))); d != "" {
		t.Error(d)
	}
	value := func(n *schema.Node, keyword string) any {
		v, _ := n.Value(keyword)
		return v
	}
	list := properties["list"]
	got := map[string]any{
		"a reference":                     properties["a"].Ref() == root.Named("$defs")["either"],
		"a reference to a reference":      properties["b"].Ref() == properties["a"],
		"a reference to an item":          list.One("items").Ref() == list.List("prefixItems")[0],
		"what a reference leads to":       value(properties["a"].Ref().List("anyOf")[0].Ref(), "default"),
		"the schema of a pattern":         len(value(root.Named("patternProperties")["^x"], "enum").([]any)),
		"the schema of other members":     value(root.One("additionalProperties"), "type"),
		"a note":                          value(properties["default"], "description"),
		"what looks like one in a note":   len(properties["default"].Named("properties")),
		"false":                           properties["never"].Never(),
		"true":                            properties["any"].Never(),
		"no such keyword":                 root.One("items") == nil && root.List("items") == nil && root.Named("items") == nil,
		"one keyword asked for as a list": root.List("additionalProperties") == nil,
	}
	want := map[string]any{
		"a reference": true, "a reference to a reference": true, "a reference to an item": true, "what a reference leads to": "a",
		"the schema of a pattern": 2, "the schema of other members": "number", "a note": "said", "what looks like one in a note": 0,
		"false": true, "true": false, "no such keyword": true, "one keyword asked for as a list": true,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestASchemaThatWasNeverAdmittedSaysNothing(t *testing.T) {
	t.Parallel()
	root := schema.Schema{}.Root()
	_, said := root.Value("type")
	if d := cmp.Diff([]bool{true, true, true, true, false, false}, []bool{root == nil, root.Ref() == nil, root.One("items") == nil, root.Named("properties") == nil, root.Never(), said}); d != "" {
		t.Error(d)
	}
}

// A reference into a list names an item as JSON Pointer does, or leads nowhere.
func TestAReferenceIntoAListNamesAnItem(t *testing.T) {
	t.Parallel()
	for place, ok := range map[string]bool{"anyOf/1": true, "anyOf/01": false, "anyOf/2": false, "anyOf/-1": false, "anyOf/+1": false, "anyOf": false, "anyOf/": false, "anyOf/1/0": false} {
		raw := `{"properties":{"a":{"anyOf":[{"type":"null"},{"type":"string"}]},"b":{"$ref":"#/properties/a/` + place + `"}}}`
		if _, err := schema.Admit([]byte(raw), schema.Options{Role: schema.Output}); (err == nil) != ok {
			t.Errorf("%s: %v", place, err)
		}
	}
}
