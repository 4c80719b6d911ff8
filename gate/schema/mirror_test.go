package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestAMarkThatIsNotAsTheProtocolSaysIsRefused(t *testing.T) {
	t.Parallel()
	in := func(property string) string { return `{"type":"object","properties":{"a":` + property + `}}` }
	for name, c := range map[string]struct{ schema, place, reason string }{
		"an empty name":         {in(`{"type":"string","x-mcp-header":""}`), "/properties/a/x-mcp-header: ", "does not name a header"},
		"a blank":               {in(`{"type":"string","x-mcp-header":"My Region"}`), "/properties/a/x-mcp-header: ", "does not name a header"},
		"a colon":               {in(`{"type":"string","x-mcp-header":"Region:Primary"}`), "/properties/a/x-mcp-header: ", "does not name a header"},
		"a letter beyond ASCII": {in(`{"type":"string","x-mcp-header":"Région"}`), "/properties/a/x-mcp-header: ", "does not name a header"},
		"a line":                {in(`{"type":"string","x-mcp-header":"A\r\nB"}`), "/properties/a/x-mcp-header: ", "does not name a header"},
		"a long name":           {in(`{"type":"string","x-mcp-header":"` + strings.Repeat("a", 129) + `"}`), "/properties/a/x-mcp-header: ", "does not name a header"},
		"no text":               {in(`{"type":"string","x-mcp-header":true}`), "/properties/a/x-mcp-header: ", "does not name a header"},
		"null":                  {in(`{"type":"string","x-mcp-header":null}`), "/properties/a/x-mcp-header: ", "does not name a header"},
		"another case":          {in(`{"type":"string","X-Mcp-Header":"A"}`), "/properties/a/X-Mcp-Header: ", "is not among those"},
		"a number":              {in(`{"type":"number","x-mcp-header":"A"}`), "/properties/a/x-mcp-header: ", "only a string"},
		"an object":             {in(`{"type":"object","x-mcp-header":"A"}`), "/properties/a/x-mcp-header: ", "only a string"},
		"an array":              {in(`{"type":"array","x-mcp-header":"A"}`), "/properties/a/x-mcp-header: ", "only a string"},
		"a null":                {in(`{"type":"null","x-mcp-header":"A"}`), "/properties/a/x-mcp-header: ", "only a string"},
		"two types":             {in(`{"type":["string","null"],"x-mcp-header":"A"}`), "/properties/a/x-mcp-header: ", "only a string"},
		"no type":               {in(`{"enum":["a"],"x-mcp-header":"A"}`), "/properties/a/x-mcp-header: ", "only a string"},
		"a reference":           {in(`{"$ref":"#/$defs/a","x-mcp-header":"A","$defs":{}}`), "/properties/a/x-mcp-header: ", "only a string"},
		"the whole":             {`{"type":"object","x-mcp-header":"A"}`, "/x-mcp-header: ", "only a property"},
		"an item":               {in(`{"items":{"type":"string","x-mcp-header":"A"}}`), "/properties/a/items/x-mcp-header: ", "only a property"},
		"a property of an item": {in(`{"items":{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}}`), "/properties/a/items/properties/b/x-mcp-header: ", "only a property"},
		"an alternative":        {in(`{"anyOf":[{"type":"string","x-mcp-header":"A"}]}`), "/properties/a/anyOf/0/x-mcp-header: ", "only a property"},
		"any other member":      {`{"type":"object","additionalProperties":{"type":"string","x-mcp-header":"A"}}`, "/additionalProperties/x-mcp-header: ", "only a property"},
		"members by a pattern":  {`{"type":"object","patternProperties":{"a":{"type":"string","x-mcp-header":"A"}}}`, "/patternProperties/a/x-mcp-header: ", "only a property"},
		"a definition":          {`{"type":"object","$defs":{"a":{"type":"string","x-mcp-header":"A"}}}`, "/$defs/a/x-mcp-header: ", "only a property"},
		"a condition":           {`{"type":"object","if":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}`, "/if/properties/a/x-mcp-header: ", "only a property"},
		"a name twice":          {`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"A"}}}`, "/properties/b/x-mcp-header: ", "another property"},
		"twice but for case": {
			`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"MyField"},"b":{"properties":{"c":{"type":"string","x-mcp-header":"myfield"}}}}}`,
			"/properties/b/properties/c/x-mcp-header: ", "another property",
		},
	} {
		_, err := schema.Admit([]byte(c.schema), schema.Options{Role: schema.Input})
		if verdict.CodeOf(err) != verdict.SchemaUnenforceable || !strings.Contains(err.Error(), c.place) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %s…%s", name, err, c.place, c.reason)
		}
	}
	_, err := schema.Admit([]byte(in(`{"type":"string","x-mcp-header":"A"}`)), schema.Options{Role: schema.Output})
	if verdict.CodeOf(err) != verdict.SchemaUnenforceable {
		t.Errorf("a mark in an output: %v", err)
	}
}

const marked = `{"type":"object","properties":{
	"region":{"type":"string","x-mcp-header":"Region"},"count":{"type":"integer","x-mcp-header":"!#$%&'*+-.^_` + "`" + `|~9"},
	"deep":{"type":"object","properties":{"sure":{"type":"boolean","x-mcp-header":"Sure"}}},"plain":{"type":"string"},
	"x-mcp-header":{"type":"string"}}}`

func TestMarkedArgumentsAreMirrored(t *testing.T) {
	t.Parallel()
	s, err := schema.Admit([]byte(marked), schema.Options{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Compile()
	if err != nil {
		t.Fatal(err)
	}
	const count = "Mcp-Param-!#$%&'*+-.^_`|~9"
	for args, want := range map[string]string{
		`{}`:                                      ``,
		`{"plain":"p","x-mcp-header":"Region"}`:   ``,
		`{"region":"us-west1"}`:                   `Mcp-Param-Region="us-west1"`,
		`{"region":""}`:                           `Mcp-Param-Region=""`,
		`{"region":"a\r\nX-Other: b"}`:            `Mcp-Param-Region="a\r\nX-Other: b"`,
		`{"count":0}`:                             count + `="0"`,
		`{"count":-42}`:                           count + `="-42"`,
		`{"count":42.0}`:                          count + `="42"`,
		`{"count":4.2e1}`:                         count + `="42"`,
		`{"count":9007199254740991}`:              count + `="9007199254740991"`,
		`{"deep":{"sure":false}}`:                 `Mcp-Param-Sure="false"`,
		`{"deep":{}}`:                             ``,
		`{"deep":{"sure":true},"region":"a"}`:     `Mcp-Param-Sure="true" Mcp-Param-Region="a"`,
		`{"count":9007199254740992}`:              "error at /count",
		`{"count":-9007199254740992}`:             "error at /count",
		`{"count":1e30,"region":"a","deep":null}`: "error at /count",
	} {
		if err := v.Check([]byte(args)); err != nil && !strings.Contains(args, "null") {
			t.Errorf("%s: %v", args, err)
		}
		all, err := s.Mirrored(jsontext.Value(args))
		var got []string
		for _, m := range all {
			got = append(got, fmt.Sprintf("%s=%q", m.Header, m.Value))
		}
		line := strings.Join(got, " ")
		if err != nil {
			line = "error " + strings.SplitN(err.Error(), ":", 2)[0]
		}
		if line != want {
			t.Errorf("%s: %s, want %s", args, line, want)
		}
	}
	if all, err := (schema.Schema{}).Mirrored(jsontext.Value(`{}`)); all != nil || err != nil {
		t.Errorf("of no schema: %v, %v", all, err)
	}
}

func TestHeadersRepeatTheArguments(t *testing.T) {
	t.Parallel()
	s, err := schema.Admit([]byte(marked), schema.Options{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	const count = "Mcp-Param-!#$%&'*+-.^_`|~9"
	for _, c := range []struct {
		args   string
		header string
		values []string
		wrong  string
	}{
		{`{}`, "", nil, ""},
		{`{"region":null,"plain":"p"}`, "", nil, ""},
		{`{"region":"a"}`, "Mcp-Param-Region", []string{"a"}, ""},
		{`{"region":""}`, "Mcp-Param-Region", []string{""}, ""},
		{`{"region":"ä"}`, "Mcp-Param-Region", []string{"=?base64?w6Q=?="}, ""},
		{`{"region":"=?base64?w6Q="}`, "Mcp-Param-Region", []string{"=?base64?w6Q="}, ""},
		{`{"region":"=?base64?="}`, "Mcp-Param-Region", []string{"=?base64?="}, ""},
		{`{"count":42}`, count, []string{"42.0"}, ""},
		{`{"deep":{"sure":true}}`, "Mcp-Param-Sure", []string{"true"}, ""},
		{`{"region":"a"}`, "Mcp-Param-Region", nil, "not repeated once"},
		{`{"region":"a"}`, "Mcp-Param-Region", []string{"a", "a"}, "not repeated once"},
		{`{"region":"a"}`, "Mcp-Param-Region", []string{"A"}, "does not repeat it"},
		{`{"region":"1"}`, "Mcp-Param-Region", []string{"1.0"}, "does not repeat it"},
		{`{"region":"ä"}`, "Mcp-Param-Region", []string{"=?base64?w6Q?="}, "does not repeat it"},
		{`{"region":"ä"}`, "Mcp-Param-Region", []string{"=?base64?w6R=?="}, "does not repeat it"},
		{`{"region":"ä"}`, "Mcp-Param-Region", []string{"=?base64?w6!Q=?="}, "does not repeat it"},
		{`{"count":42}`, count, []string{"42x"}, "does not repeat it"},
		{`{"count":42}`, count, []string{"1e999999999"}, "does not repeat it"},
		{`{"count":0}`, count, []string{"true"}, "does not repeat it"},
		{`{"deep":{"sure":true}}`, "Mcp-Param-Sure", []string{"false"}, "does not repeat it"},
		{`{}`, "Mcp-Param-Region", []string{""}, "does not have"},
		{`{"region":null}`, "Mcp-Param-Region", []string{"null"}, "does not have"},
		{`{"count":9007199254740993}`, count, []string{"9007199254740993"}, "from -(2^53-1)"},
	} {
		err := s.Repeated(jsontext.Value(c.args), func(header string) []string {
			if header == c.header {
				return c.values
			}
			return nil
		})
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s under %s %q: %v, want %q", c.args, c.header, c.values, err, c.wrong)
		}
	}
	if err := (schema.Schema{}).Repeated(jsontext.Value(`{}`), nil); err != nil {
		t.Error(err)
	}
}
