package catalog_test

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
)

func TestWhatAToolDoesIsTheOperatorsWordAlone(t *testing.T) {
	t.Parallel()
	a, err := catalog.ParseAllowlist([]byte(`{"plain":["a",{"name":"b","output":"text","approval":"none"}],` +
		`"said":{"read":["r",{"name":"t","approval":"terminal"}],"write":["w",{"name":"n","approval":"none"}]},"half":{"read":["r"]},"empty":{},"none":null}`))
	if err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[[2]string]struct {
		effect string
		asks   bool
	}{
		{"plain", "a"}: {"write default needed", true}, {"plain", "b"}: {"write default none", false},
		{"said", "r"}: {"read operator needed", false}, {"said", "t"}: {"read operator terminal", true},
		{"said", "w"}: {"write operator needed", true}, {"said", "n"}: {"write operator none", false},
		{"said", "absent"}: {"write default needed", true}, {"absent", "r"}: {"write default needed", true},
	} {
		e := a.Effect(tool[0], tool[1])
		if got := e.String() + " " + e.By() + " " + e.Approval.String(); got != want.effect || e.Asks() != want.asks {
			t.Errorf("%s: %s, asks %v; want %+v", tool, got, e.Asks(), want)
		}
	}
	if got := a.Servers(); !slices.Equal(got, []string{"half", "plain", "said"}) {
		t.Errorf("%q", got)
	}
	if !(catalog.Effect{}).Asks() || (catalog.Tool{}).Effect().Reads {
		t.Error("the zero value is called reading, or needs no approval")
	}
}

// What is decided is decided by what the operator copies, and by nothing sooner.
func TestADecidedListKeepsWhatTheOperatorSaid(t *testing.T) {
	t.Parallel()
	a, err := catalog.ParseAllowlist([]byte(`{"p":["a","b",{"name":"c","output":"text"}],"s":{"write":["a"],"read":["z"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Undecided("p"); !slices.Equal(got, []string{"a", "b", "c"}) || len(a.Undecided("s")) > 0 {
		t.Errorf("%q, %q", got, a.Undecided("s"))
	}
	list := a.Decided(func(_, tool string) bool { return tool != "b" })
	want := `{"p":{"read":["a",{"name":"c","output":"text"}],"write":["b"]},"s":{"read":["z"],"write":["a"]}}`
	if string(list) != want {
		t.Errorf("%s", list)
	}
	b, err := catalog.ParseAllowlist(list)
	if err != nil || !b.Effect("p", "a").Reads || b.Effect("p", "b").Reads || b.Effect("s", "a").Reads || len(b.Undecided("p")) > 0 {
		t.Errorf("%v", err)
	}
}

func TestAToolThatIsSaidTwiceToDoSomethingAllowsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"s":{"read":["a"],"write":["a"]}}`, `{"s":{"read":["a","a"]}}`, `{"s":{"read":["a"],"write":[{"name":"a"}]}}`,
		`{"s":{"Read":["a"]}}`, `{"s":{"read":"a"}}`, `{"s":{"read":["a"],"other":[]}}`, `{"s":[{"name":"a","approval":"never"}]}`,
		`{"s":[{"name":"a","approval":"None"}]}`, `{"s":[{"name":"a","approval":null,"approval":"none"}]}`, `{"s":[{"name":"a","effect":"read"}]}`,
		`{"s":{"read":["a"]},"s":{"write":["a"]}}`, `{"s":true}`, `{"s":"a"}`,
	} {
		if a, err := catalog.ParseAllowlist([]byte(text)); err == nil || len(a.Servers()) > 0 || a.Refusal() == nil {
			t.Errorf("%s: %v, %q", text, err, a.Servers())
		}
	}
}

// A hint is untrusted. A server that calls its own tool reading has not made it so,
// whatever else it says about it.
func TestAHintMakesNoToolReading(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		`["wipe"]`: "write default", `{"write":["wipe"]}`: "write operator", `{"read":["wipe"]}`: "read operator",
	} {
		allow, err := catalog.ParseAllowlist([]byte(`{"kb":` + list + `}`))
		if err != nil {
			t.Fatal(err)
		}
		for _, hints := range []string{`{"readOnlyHint":true}`, `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true}`, `{"readOnlyHint":false}`, `{}`} {
			raw := `{"name":"wipe","annotations":` + hints + `,"inputSchema":{"type":"object"}}`
			c := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{{Server: "kb", Raw: jsontext.Value(raw)}}}}, allow, catalog.Options{})
			tool, err := c.Tool("kb", "wipe")
			if err != nil {
				t.Fatal(err)
			}
			if got := tool.Effect().String() + " " + tool.Effect().By(); got != want {
				t.Errorf("%s with the hints %s is %s, not %s", list, hints, got, want)
			}
		}
	}
}
