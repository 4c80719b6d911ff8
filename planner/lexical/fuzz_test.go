package lexical_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/planner/lexical"
)

// FuzzPropose asserts that whatever is asked of whatever tool, the proposal
// is a plan, the same twice, and names the tool that is there.
func FuzzPropose(f *testing.F) {
	f.Add("Get ticket INC0010003 by 5ft 10in, 3.5% and -7", "", "Get one ticket.", `{"type":"object","required":["ticket_id"],"properties":{"ticket_id":{"type":"string","pattern":"^INC[0-9]{7}$"},"n":{"type":"number","description":"in km"}}}`)
	f.Add("list [1, 2, {'a': 3}] and 'x' “y” on March 17, 1915", "sp-001", "List things.", `{"type":"object","required":["l"],"properties":{"l":{"type":"array","items":{"type":"number"}},"d":{"type":"string","format":"date"},"o":{"type":"object","properties":{"p":{"type":"boolean"}}}}}`)
	f.Add("convert 500 US dollars to yen tomorrow at 3pm, two hundred million", "", "Convert money.", `{"type":"object","properties":{"from_currency":{"type":"string"},"to_unit":{"type":"string"},"when":{"type":"string","format":"date-time"},"e":{"enum":["a b",1,null]}}}`)
	f.Add("\u202eİ ß ﬁ ½ ² 1,2,3,4 1e9 0.1.2 --5 $-.5 '' \"\" [[{", "{{}}[", "é", `{"type":"object","properties":{"":{"type":["null","integer"],"minimum":3}}}`)
	f.Add("Get a ticket\n\u0301 of any kind, \"one", "", "Get one ticket.", `{"type":"object","required":["t"],"properties":{"t":{"type":"string"}}}`)
	for _, words := range []string{"Get the 'ticket\nvendor' data", "Get a ticket '\nnew' one", "Get a ticket\nvendor data", "Get a ticket '\n' data"} {
		f.Add(words, "", "Get one ticket.", `{"type":"object","required":["query"],"properties":{"query":{"type":"string"}}}`)
	}
	rules, err := input.ParseRules([]byte(`{"builtin":false,"rules":[{"id":"never","category":"none","pattern":"zzqxzzqx","reason":"matches nothing"}]}`))
	if err != nil {
		f.Fatal(err)
	}
	var allowed []catalog.Allowlist
	for _, effect := range []string{"write", "read"} {
		list, err := catalog.ParseAllowlist([]byte(`{"s":{"` + effect + `":["get_ticket"]}}`))
		if err != nil {
			f.Fatal(err)
		}
		allowed = append(allowed, list)
	}
	f.Fuzz(func(t *testing.T, words, around, description, schema string) {
		if !utf8.ValidString(description) || !jsontext.Value(schema).IsValid() {
			return
		}
		raw, err := json.Marshal(map[string]any{"name": "get_ticket", "description": description, "inputSchema": jsontext.Value(schema)})
		if err != nil {
			return
		}
		_, answer, _ := strings.Cut(words, "\n")
		q, err := input.Admit(input.Asked{Words: words, Context: around, Answer: answer}, rules)
		if err != nil {
			return
		}
		for _, allow := range allowed {
			c := catalog.Admit([]catalog.Listing{{Server: "s", Tools: []pin.Descriptor{{Server: "s", Raw: raw}}}}, allow, catalog.Options{})
			b := propose(t, lexical.New(noon), q, c)
			p, err := plan.Parse(b)
			if err != nil {
				t.Fatalf("%v: %s", err, b)
			}
			if !p.Declines() && (p.Server() != "s" || p.Tool() != "get_ticket") {
				t.Fatalf("another tool: %s", b)
			}
			if again := propose(t, lexical.New(noon), q, c); !bytes.Equal(b, again) {
				t.Fatalf("%s, then %s", b, again)
			}
		}
	})
}
