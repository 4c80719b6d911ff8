package schema_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

func TestNoPropertyIsABoolean(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"properties":{"a":true,"b":false}}`:                                                                        `{"properties":{"a":{},"b":{"not":{}}}}`,
		`{ "properties" : { "a" : true , "b":{"type" : "x"} }}`:                                                      `{ "properties" : { "a" : {} , "b":{"type" : "x"} }}`,
		`{"properties":{"properties":true,"const":{"properties":{"a":true}}}}`:                                       `{"properties":{"properties":{},"const":{"properties":{"a":{}}}}}`,
		`{"items":{"properties":{"a":true}}}`:                                                                        `{"items":{"properties":{"a":{}}}}`,
		`{"items":[{"properties":{"a":true}},true],"additionalItems":{"properties":{"a":false}}}`:                    `{"items":[{"properties":{"a":{}}},true],"additionalItems":{"properties":{"a":{"not":{}}}}}`,
		`{"anyOf":[true,{"properties":{"a":true}}]}`:                                                                 `{"anyOf":[true,{"properties":{"a":{}}}]}`,
		`{"$defs":{"properties":{"properties":{"a":true}},"b":true}}`:                                                `{"$defs":{"properties":{"properties":{"a":{}}},"b":true}}`,
		`{"patternProperties":{"^a":true,"^b":{"properties":{"c":true}}}}`:                                           `{"patternProperties":{"^a":true,"^b":{"properties":{"c":{}}}}}`,
		`{"not":{"properties":{"a":false}},"properties":{"n":{"maximum":9007199254740993,"properties":{"a":true}}}}`: `{"not":{"properties":{"a":{"not":{}}}},"properties":{"n":{"maximum":9007199254740993,"properties":{"a":{}}}}}`,

		`{"additionalProperties":true,"unevaluatedProperties":false}`:                                                  "",
		`{"const":{"properties":{"a":true}},"enum":[{"properties":{"a":true}}]}`:                                       "",
		`{"default":{"properties":{"a":true}},"examples":[{"properties":{"a":true}}],"x-a":{"properties":{"a":true}}}`: "",
		`{"properties":[true],"required":true,"items":true,"not":false}`:                                               "",
		`{"title":"properties","$ref":"#/properties/a"}`:                                                               "",
		`true`: "", `[{"properties":{"a":true}}]`: "", `null`: "", `{`: "", ``: "",
	} {
		if want == "" {
			want = raw
		}
		if got := schema.Readable([]byte(raw)); string(got) != want {
			t.Errorf("%s is shown as %s, want %s", raw, got, want)
		}
	}
}
