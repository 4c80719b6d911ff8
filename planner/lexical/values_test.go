package lexical_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
)

// one is a catalog's only tool: it has one required parameter.
func one(schema string) pin.Descriptor {
	return pin.Descriptor{Server: "s", Raw: jsontext.Value(`{"name":"get_thing","description":"Get the thing.","inputSchema":{"type":"object","required":["a"],"properties":{"a":` + schema + `}}}`)}
}

// A reference is read as the place of the schema that it leads to, wherever that is.
func TestAReferenceIsFollowed(t *testing.T) {
	t.Parallel()
	const defs = `"$defs":{"size":{"enum":["small","large"],"type":"string"},"again":{"$ref":"#/$defs/size"}}`
	for _, parameter := range []string{
		`{"$ref":"#/$defs/size"}`,
		`{"$ref":"#/$defs/again"}`,
		`{"$ref":"#/properties/b"}`,
		`{"anyOf":[{"$ref":"#/$defs/size"},{"type":"null"}]}`,
	} {
		d := pin.Descriptor{Server: "s", Raw: jsontext.Value(`{"name":"get_thing","description":"Get the thing.","inputSchema":{"type":"object","required":["a"],"properties":{"a":` +
			parameter + `,"b":{"enum":["small","large"],"type":"string"}},` + defs + `}}`)}
		got := planned(t, admit(t, d), "get the large thing", "")
		if want := `{"a":"large"`; !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", parameter, got, want)
		}
	}
}

// What a text says is read as the type that a parameter has, or not at all.
func TestWhatAValueIsReadAs(t *testing.T) {
	t.Parallel()
	const number, integer, day = `{"type":"number"}`, `{"type":"integer"}`, `{"type":"string","format":"date"}`
	for _, c := range []struct{ schema, words, want string }{
		{number, "get the thing 7", "7"},
		{number, "get the thing 7.25", "7.25"},
		{number, "get the thing -7", "-7"},
		{number, "get the thing 1,234.5", "1234.5"},
		{number, "get the thing 9007199254740993", "9007199254740993"},
		{number, "get the thing $20", "20"},
		{number, "get the thing 5%", "0.05"},
		{integer, "get the thing twenty one", "21"},
		{integer, "get the thing 2 million", "2000000"},
		{integer, "get the thing one", ""},
		{`{"type":"number","description":"The duration in minutes"}`, "get the thing 2 hours 30 minutes", "150"},
		{`{"type":"number","description":"The amount"}`, "get the thing 2 hours 30 minutes", ""},
		{`{"type":"number","description":"The price in euros"}`, "get the thing 5 dollars", ""},
		{integer, "get the thing #12", "12"},
		{integer, "get the thing 7.5", ""},
		{integer, "get the thing 7a9f2b", ""},
		{integer, "get the thing policy-002", ""},
		{integer, "get the thing 2026-03-05", ""},
		{integer, "get the thing 10:30", ""},
		{integer, "get the things 7 and 8", ""},
		{`{"type":"integer","maximum":5}`, "get the thing 7", ""},
		{`{"type":"number","description":"How far, in meters."}`, "get the thing 7 meters", "7"},
		{`{"type":"number","description":"How far, in meters."}`, "get the thing 7 miles", ""},
		{day, "get the thing of 2026-03-05", `"2026-03-05"`},
		{day, "get the thing of March 5, 2026", `"2026-03-05"`},
		{day, "get the thing of 5th of March 2026", `"2026-03-05"`},
		{day, "get the thing of 25/12/2026", `"2026-12-25"`},
		{day, "get the thing of 03/04/2026", ""},
		{day, "get the thing of 31 June 2026", ""},
		{day, "get the thing of March 2026", ""},
		{`{"type":"string","description":"The date, as MM/DD/YYYY."}`, "get the thing of March 5, 2026", `"03/05/2026"`},
		{`{"type":"string","format":"email"}`, "get the thing of ada@example.org", `"ada@example.org"`},
		{`{"type":"string","format":"email"}`, "get the thing of Ada", ""},
		{`{"type":"string","pattern":"^INC[0-9]{7}$"}`, "get the thing INC0010001", `"INC0010001"`},
		{`{"type":"string","pattern":"^INC[0-9]{7}$"}`, "get the thing INC001", ""},
		{`{"type":"string"}`, "get the thing 'of many words'", `"of many words"`},
		{`{"type":"string"}`, "get the thing octocat/hello-world", `"octocat/hello-world"`},
		{`{"type":"string"}`, "get the thing INC0010001's", `"INC0010001"`},
		{`{"type":"array","items":{"type":"integer"}}`, "get the things 7, 8 and 9", "[7,8,9]"},
		{`{"type":"array","items":{"type":"integer"}}`, "get the things [7, 8, 9]", "[7,8,9]"},
		{`{"enum":["red","dark blue"]}`, "get the dark blue thing", `"dark blue"`},
		{`{"enum":["red","blue"]}`, "get the red and blue thing", ""},
		{`{"type":"integer","default":3}`, "get the thing", "3"},
		{`{"const":"x"}`, "get the thing", `"x"`},
	} {
		got := planned(t, admit(t, one(c.schema)), c.words, "")
		want := fmt.Sprintf(`s/get_thing {"a":%s}`, c.want)
		if c.want == "" && !strings.HasPrefix(got, "? ") || c.want != "" && got != want {
			t.Errorf("%q as %s: %s, want %q", c.words, c.schema, got, c.want)
		}
	}
}

// Where two parameters could take a value, words beside it say which, or nothing
// is proposed.
func TestRolesAreTold(t *testing.T) {
	t.Parallel()
	c := admit(t, pin.Descriptor{Server: "s", Raw: jsontext.Value(`{"name":"compare_route","description":"Get a route.","inputSchema":{"type":"object","required":["origin","destination"],` +
		`"properties":{"origin":{"type":"string"},"destination":{"type":"string"},"limit":{"type":"integer"}}}}`)})
	const there = `s/compare_route {"origin":"Oslo","destination":"Bergen"}`
	for words, want := range map[string]string{
		"compare the route from Oslo to Bergen":                  there,
		"compare the route to Bergen from Oslo":                  there,
		"compare the route, destination: Bergen, origin: Oslo":   there,
		"compare the route between Oslo and Bergen":              there,
		"compare the route from Oslo to Bergen, at most 3":       `s/compare_route {"origin":"Oslo","destination":"Bergen","limit":3}`,
		"compare the route Oslo Bergen":                          "",
		"compare the route of Oslo and Bergen":                   "",
		"compare the route from Oslo to Bergen to Tromsø":        "",
		"compare the route from Oslo to Bergen, not by sea":      "",
		"compare the route from Oslo":                            "",
		"compare the origin and destination of Oslo and Bergen":  "",
		"compare the route from Oslo to Bergen with 7 suitcases": "",
	} {
		got := planned(t, c, words, "")
		if want == "" && !strings.HasPrefix(got, "? ") || want != "" && got != want {
			t.Errorf("%q: %s, want %q", words, got, want)
		}
	}
}
