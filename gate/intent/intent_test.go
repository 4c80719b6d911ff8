package intent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

func compare(t testing.TB, q intent.Question, raw, args string) intent.Report {
	t.Helper()
	r, err := intent.Compare(q, root(t, raw), jsontext.Value(args))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func root(t testing.TB, raw string) *schema.Node {
	t.Helper()
	s, err := schema.Admit([]byte(raw), schema.Options{Role: schema.Output})
	if err != nil {
		t.Fatal(err)
	}
	return s.Root()
}

// origins writes a report in a line: "/id stated, /n default; not used: x".
func origins(r intent.Report) string {
	var all []string
	for _, l := range r.Leaves {
		word := l.Origin.String()
		if l.Repeated {
			word += " repeated"
		}
		if l.Name {
			word = "name " + word
		}
		all = append(all, l.Pointer+" "+word)
	}
	out := strings.Join(all, ", ")
	for _, u := range r.Unused {
		out += "; not used: " + u.Text
	}
	return out
}

func object(value any) string {
	b, err := json.Marshal(map[string]any{"a": value})
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestWhereAStringsBytesAre(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, value, want string }{
		// whole literals and runs of whole words
		{"Get ticket INC0010001", "INC0010001", "stated"},
		{"Get ticket INC0010001?", "INC0010001", "stated"},
		{"Get ticket (INC0010001).", "INC0010001", "stated"},
		{"Search for customer data please", "customer data", "stated"},
		{"Search for customer  data please", "customer data", "respelled"},
		{"Search for the PII logging policy", "PII logging policy", "stated"},
		{`Create "Fix the login page" now`, "Fix the login page", "stated"},
		{"Create „Anmeldung kaputt“ now", "Anmeldung kaputt", "stated"},
		{"add «fini» and stop", "fini", "stated"},
		{`set label="needs triage" now`, "needs triage", "stated"},
		{"Don't touch 'a b' at all", "a b", "stated"},
		{"Say it: done.", "done.", "stated"},
		{"read #123", "#123", "stated"},
		{"read #123", "123", "stated"},
		{"ask @alice", "alice", "stated"},
		{"open https://a.example/x?y=1", "https://a.example/x?y=1", "stated"},
		{"mail a.b@c.example, please", "a.b@c.example", "stated"},
		{"on 2026-03-05 at 10:30", "10:30", "stated"},
		{"caf\u0065\u0301 menu", "caf\u00e9", "stated"}, // NFC
		{"東京の天気を検索して", "東京", "stated"},
		{"東京の天気INC0010001を検索", "INC0010001", "stated"},
		{"ดูตั๋ว INC0010001", "INC0010001", "stated"},

		// case, white space, "_" and "-"
		{"Find High Priority ones", "high_priority", "respelled"},
		{"Find high-priority ones", "high priority", "respelled"},
		{"Find ORDERS", "orders", "respelled"},
		{"look at ΣΊΣΥΦΟΣ", "σίσυφος", "respelled"},

		// parts of one literal
		{"stars of octocat/hello-world", "octocat", "part"},
		{"stars of octocat/hello-world", "hello-world", "part"},
		{`find "needs triage"`, "triage", "part"},
		{"drop orders-test", "orders", "part"},
		{"read /srv/my-app", "/srv/my", "part"},
		{"Get INC0010001", "INC001000", "part"},
		{"Get policy-002", "2", "part"},

		// nowhere
		{"list my orders", "order", "unstated"},
		{"list my orders", "orders of mine", "unstated"},
		{"close it", "close it now", "unstated"},
		{"drop foo, bar", "foo bar", "unstated"},
		{"say yes", "", "unstated"},
		{"say yes?", "?", "unstated"},
		{"say yes", "-", "unstated"},
		{"data of customers", "customers data", "unstated"},
		{"Get INC0010001", "INC00100011", "unstated"},
		{"Who wrote a\u200bb?", "ab", "unstated"},
	} {
		got := compare(t, intent.Question{Text: c.question}, `{"type":"object","properties":{"a":{"type":"string"}}}`, object(c.value)).Leaves[0]
		if got.Origin.String() != c.want {
			t.Errorf("%q in %q is %s, want %s", c.value, c.question, got.Origin, c.want)
		}
		if (got.Span != nil) != (c.want != "unstated") {
			t.Errorf("%q in %q has the place %+v", c.value, c.question, got.Span)
		}
	}
}

func TestWhichNumbersAreSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, value, want string }{
		{"top 10 please", "10", "stated"},
		{"top 10 please", "10.0", "stated"},
		{"top 10.", "10", "stated"},
		{"set it to -5", "-5", "stated"},
		{"set it to −5", "-5", "stated"},
		{"set it to -5", "5", "unstated"},
		{"set it to 5", "-5", "unstated"},
		{"raise by 5%", "5", "stated"},
		{"raise by 5%", "0.05", "derived"},
		{"raise by 12.5%", "0.125", "derived"},
		{"wait 30s", "30", "stated"},
		{"wait 30min", "30", "stated"},
		{"read issue #123", "123", "stated"},
		{"pay $20", "20", "stated"},
		{"read 1,000 lines", "1000", "derived"},
		{"read 1000 lines", "1000", "stated"},
		{"read 1e3 lines", "1000", "stated"},
		{"get 9007199254740993", "9007199254740993", "stated"},
		{"get 9007199254740993", "9007199254740992", "unstated"},
		{"get policy-002", "2", "unstated"},
		{"get policy-002", "-2", "unstated"},
		{"read /var/log/5/a", "5", "unstated"},
		{"on 2026-03-05", "2026", "unstated"},
		{"on 2026-03-05", "5", "unstated"},
		{"at 10:30", "10", "unstated"},
		{"between 5-10", "5", "unstated"},
		{"for 1,00 euros", "100", "unstated"},
		{"five of them", "5", "derived"},
		{"zero or 0", "0", "stated"},
		{"top 10", "1e400", "unstated"},
	} {
		got := compare(t, intent.Question{Text: c.question}, `{"type":"object","properties":{"a":{"type":"number"}}}`, `{"a":`+c.value+`}`).Leaves[0]
		if got.Origin.String() != c.want {
			t.Errorf("%s in %q is %s, want %s", c.value, c.question, got.Origin, c.want)
		}
	}
}

const fields = `{"type":"object","properties":{
	"kind":{"const":"ticket"},"one":{"enum":["only"]},"two":{"enum":["low","HIGH"]},"limit":{"type":"integer","default":5},
	"tags":{"type":"array","items":{"type":"string"},"default":[]},"sure":{"type":"boolean","default":false},
	"maybe":{"anyOf":[{"$ref":"#/$defs/level"},{"type":"null"}],"default":null},
	"either":{"oneOf":[{"const":"x"},{"const":"y"}]},
	"labels":{"type":"object","additionalProperties":{"type":"string"}},
	"inner":{"$ref":"#/$defs/inner"},
	"again":{"$ref":"#/properties/kind"},"second":{"$ref":"#/properties/either/oneOf/1"},"odd":{"$ref":"#/$defs/a~1b%20c"},
	"pair":{"type":"array","prefixItems":[{"const":"k"},{"$ref":"#/properties/limit"}],"items":{"const":"rest"}}},
	"$defs":{"a/b c":{"const":"deep"},"level":{"const":"info"},"inner":{"type":"object","properties":{"id":{"type":"string","default":"x"}}}}}`

func TestWhatTheSchemaSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, args, want string }{
		{"go", `{"kind":"ticket"}`, "/kind schema"},
		{"the ticket", `{"kind":"ticket"}`, "/kind stated"},
		{"go", `{"one":"only"}`, "/one schema"},
		{"go", `{"two":"low"}`, "/two unstated"},
		{"a high one", `{"two":"HIGH"}`, "/two respelled"},
		{"go", `{"limit":5}`, "/limit default"},
		{"go", `{"limit":5.0}`, "/limit default"},
		{"top 5", `{"limit":5}`, "/limit stated"},
		{"go", `{"limit":6}`, "/limit unstated"},
		{"go", `{"tags":[]}`, "/tags default"},
		{"go", `{"labels":{}}`, "/labels unstated"},
		{"a true story", `{"sure":true}`, "/sure unstated"},
		{"it is false", `{"sure":false}`, "/sure default"},
		{"null it", `{"maybe":null}`, "/maybe default"},
		{"go", `{"maybe":"info"}`, "/maybe schema"},
		{"go", `{"either":"x"}`, "/either unstated"},
		{"go", `{"labels":{"team":"blue"}}`, "/labels/team name unstated, /labels/team unstated"},
		{"team blue", `{"labels":{"team":"blue"}}`, "/labels/team name stated, /labels/team stated"},
		{"go", `{"inner":{"id":"x"}}`, "/inner/id default"},
		{"go", `{"inner":{"id":"y"}}`, "/inner/id unstated"},
		{"go", `{"again":"ticket"}`, "/again schema"},
		{"go", `{"again":"Ticket"}`, "/again unstated"},
		{"go", `{"second":"y"}`, "/second schema"},
		{"go", `{"second":"x"}`, "/second unstated"},
		{"go", `{"odd":"deep"}`, "/odd schema"},
		{"go", `{"pair":["k",5,"rest","rest"]}`, "/pair/0 schema, /pair/1 default, /pair/2 schema, /pair/3 schema"},
		{"go", `{"pair":["rest",6,"k"]}`, "/pair/0 unstated, /pair/1 unstated, /pair/2 unstated"},
	} {
		if got := origins(compare(t, intent.Question{Text: c.question}, fields, c.args)); got != c.want {
			t.Errorf("%s for %q: %s, want %s", c.args, c.question, got, c.want)
		}
	}
}

func TestWhatIsMarked(t *testing.T) {
	t.Parallel()
	const ab = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"p":{"enum":["HIGH","LOW"]},"n":{"type":"integer"}}}`
	for _, c := range []struct{ question, context, args, want string }{
		{"Compare INC0010001 and INC0010002", "", `{"a":"INC0010001"}`, "/a stated; not used: INC0010002"},
		{"Use the GitHub tool get_issue on INC0010001", "", `{"a":"INC0010001"}`, "/a stated"},
		{"Get INC0010001", "", `{"a":"INC0010001","b":"INC0010001"}`, "/a stated, /b stated repeated"},
		{"Get INC0010001 INC0010001", "", `{"a":"INC0010001","b":"INC0010001"}`, "/a stated, /b stated"},
		{"move notes to old notes", "", `{"a":"notes","b":"old notes"}`, "/a stated, /b stated"},
		{"move notes to old notes", "", `{"a":"old notes","b":"notes"}`, "/a stated, /b stated"},
		{"Get the ticket of this mail", "It is about INC0010001.", `{"a":"INC0010001"}`, "/a context"},
		{"Get the ticket of this mail", "it is about inc0010001", `{"a":"INC0010001"}`, "/a context"},
		{"Count the tickets of this mail", "There are 12 of them.", `{"n":12}`, "/n context"},
		{"Count the tickets of this mail", "There are 12 of them.", `{"n":2}`, "/n unstated"},
		{"Get the ticket of this mail", "It is about INC0010001.", `{"a":"INC001"}`, "/a unstated"},
		{"", "", `{"a":"INC0010001","b":"x"}`, "/a given, /b given"},
	} {
		q := intent.Question{Text: c.question, Context: c.context, Server: "github", Tool: "get_issue"}
		if got := origins(compare(t, q, ab, c.args)); got != c.want {
			t.Errorf("%s for %q: %s, want %s", c.args, c.question, got, c.want)
		}
	}
	for _, c := range []struct {
		question, args string
		reads, writes  int
	}{
		{"Get INC0010001", `{"a":"INC0010001"}`, 0, 0},
		{"Get inc0010001", `{"a":"INC0010001"}`, 0, 1},
		{"a high one", `{"p":"HIGH"}`, 0, 0}, // the schema has it
		{"", `{"a":"x"}`, 0, 0},
		{"go", `{"a":"x","b":"y"}`, 2, 2},
	} {
		r := compare(t, intent.Question{Text: c.question}, ab, c.args)
		if reads, writes := len(r.Marks(true)), len(r.Marks(false)); reads != c.reads || writes != c.writes || r.Marked(true) != (c.reads > 0) {
			t.Errorf("%s for %q: %d and %d marks", c.args, c.question, reads, writes)
		}
	}
	if (intent.Report{Unused: []intent.Span{{}}}).Marked(true) == false {
		t.Error("an unused literal is no mark")
	}
}

// What the lock cannot see, said in docs/intent.md. A test that fails here is
// a page to be rewritten.
func TestWhatCarriesNoMark(t *testing.T) {
	t.Parallel()
	const transfer = `{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"},"note":{"type":"string"}}}`
	for name, c := range map[string][2]string{
		"two values that are not two ends":       {"Link a.txt, b.txt", `{"from":"b.txt","note":"a.txt"}`},
		"a stated value in the wrong parameter":  {"Note that a.txt is old", `{"to":"a.txt"}`},
		"a wrong tool":                           {"Show policy-002", `{"from":"policy-002"}`},
		"a prohibition of what a call reads":     {"Don't open policy-002", `{"from":"policy-002"}`},
		"a word of the request taken as a value": {"Which tickets are still closed", `{"note":"closed"}`},
	} {
		if r := compare(t, intent.Question{Text: c[0]}, transfer, c[1]); r.Marked(false) {
			t.Errorf("%s is marked now: %s", name, origins(r))
		}
	}
}

// Each mark that opens and each character is looked at once, not with all that
// is behind it: a context of strangers' text could take minutes.
func TestALongTextIsReadThroughOnce(t *testing.T) {
	t.Parallel()
	for of, want := range map[string]string{"'a ": "/a stated", "“a ‘a «a \"a ": "/a stated", "東京": "/a context", "x1 ": "/a context"} {
		around := strings.Repeat(of, 256<<10/len(of)) + "a"
		got := origins(compare(t, intent.Question{Text: of, Context: around}, `{"properties":{"a":{}}}`, `{"a":"a"}`))
		if got, _, _ = strings.Cut(got, ";"); got != want {
			t.Errorf("a in %q and many of it: %s, want %s", of, got, want)
		}
	}
}

func TestLeavesAreBounded(t *testing.T) {
	t.Parallel()
	args := `{"a":[` + strings.Repeat("1,", 1024) + `1]}`
	r, err := intent.Compare(intent.Question{Text: "1"}, nil, jsontext.Value(args))
	if verdict.CodeOf(err) != verdict.PlanSize || len(r.Leaves) != 0 {
		t.Errorf("%d leaves, %v", len(r.Leaves), err)
	}
}

func TestAReportSaysWhatStandsInThePlace(t *testing.T) {
	t.Parallel()
	r := compare(t, intent.Question{Text: "Rename café to bar-2, and 7 more"}, "{}", `{"x":"CAFÉ","y":"bar-2","z":7}`)
	var got []string
	for _, l := range r.Leaves {
		if l.Name {
			continue
		}
		got = append(got, fmt.Sprintf("%d-%d %s", l.Span.Start, l.Span.End, l.Span.Text))
	}
	if want := []string{"7-12 café", "16-21 bar-2", "27-28 7"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A person is not shown what names an argument, or what the question leaves out; a
// call that is not shown goes nowhere with it.
func TestALiteralThatIsLeftAsideIsNoMarkWhereAPersonLooks(t *testing.T) {
	t.Parallel()
	for question, want := range map[string][2]bool{
		"Close INC1, not INC2":        {false, false},
		"Close INC1 rather than INC2": {false, false},
		"Close INC1 and INC2":         {true, false},
		"Close the PR INC1":           {false, false},
		"Close INC1 by its incId":     {false, false},
		"Close INC1":                  {false, true},
	} {
		r := compare(t, intent.Question{Text: question, Tool: "close_pull_request"}, `{"properties":{"incId":{}}}`, `{"incId":"INC1"}`)
		if got := [2]bool{r.Marked(false), r.Certain(false)}; got != want {
			t.Errorf("%q: marked and certain %v, want %v: %s", question, got, want, origins(r))
		}
	}
}

// If no person reads a call, only some derived values are certain.
func TestWhatIsDerivedIsCertainOnlyInPart(t *testing.T) {
	t.Parallel()
	for by, want := range map[string]bool{"part": true, "number word": true, "date in words": true, "date or time": false, "unit": false, "magnitude": false, "percentage": false, "form": false, "zone": false, "currency": false, "name": false, "number": false, "": false} {
		r := intent.Report{Leaves: []intent.Leaf{{Origin: intent.Derived, By: by}}}
		if r.Certain(false) != want || r.Certain(true) != want || r.Marked(false) {
			t.Errorf("%q: %v", by, r.Certain(false))
		}
	}
	if (intent.Report{NotAsked: &intent.Sign{}}).Certain(false) || !(intent.Report{NotAsked: &intent.Sign{}}).Marked(true) {
		t.Error("what is not plainly asked is certain")
	}
}
