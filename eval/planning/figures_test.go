package planning_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/plan"
)

// readsAndWrites are a reading tool, a writing one, and one of unknown effect.
var readsAndWrites = tool("get", hintRead) + "," + tool("set", hintWrite) + "," + tool("silent", "")

// The share of wrong calls is a share of the calls with that effect. A tool that does
// not exist is not a reading tool.
func TestWrongCallsArePartedByTheEffectOfWhatIsCalled(t *testing.T) {
	t.Parallel()
	var lines []string
	var answers []func() ([]byte, error)
	for _, c := range []struct {
		expect string
		said   func() ([]byte, error)
	}{
		{`{"tool":"get","args":{"a":[1]}}`, call("get", `{"a":1}`)},
		{`{"tool":"get","args":{"a":[1]}}`, call("get", `{"a":2}`)},
		{`{"tool":"get","args":{}}`, call("set", `{}`)},
		{`{"tool":"set","args":{}}`, call("set", `{}`)},
		{`{"tool":"set","args":{}}`, call("get", `{}`)},
		{`{"tool":"silent","args":{}}`, call("silent", `{}`)},
		{`{"abstain":true}`, call("silent", `{}`)},
		{`{"abstain":true}`, call("nowhere", `{}`)},
		{`{"abstain":true}`, call("get", `{}`)},
		{`{"abstain":true}`, decline},
	} {
		lines = append(lines, with("r"+string(rune('a'+len(lines))), readsAndWrites, c.expect))
		answers = append(answers, c.said)
	}
	r, err := measure(t, &script{answers: answers}, lines...)
	if err != nil {
		t.Fatal(err)
	}
	got := figures(r)
	want := map[string]string{
		"made wrong": "6/9", "made wrong_read": "3/4", "made wrong_write": "3/5",
		"made write_unasked": "3/7", // of the rows that ask for no change: the fourth, fifth and sixth do
		"made exact":         "3/9", "made exact_lenient": "3/9", "made call_exact": "3/6", "made call_exact_lenient": "3/6",
		"made tool_right": "4/6", "made called_right": "4/6", "made declined_wrongly": "0/6", "made declined_rightly": "1/4",
		"made declined": "1/10", "made unusable": "0/10", "made not_asked": "0/10",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var faults []string
	for _, reason := range r.Reasons {
		faults = append(faults, reason.Code)
	}
	if d := cmp.Diff([]string{"a call where none is right", "another tool", "another value"}, faults); d != "" {
		t.Error(d)
	}
	if note := strings.Join(r.Notes, "\n"); !strings.Contains(note, "6 calls are wrong, by their gravest fault: 3 a call where none is right, 2 another tool, 1 another value.") {
		t.Error(note)
	}
}

func TestTheGravestFaultOfACallIsNamed(t *testing.T) {
	t.Parallel()
	const expect = `{"tool":"get","args":{"from":["a"],"to":["b"],"yes":[true],"n":[1,""],"gone":[]}}`
	for args, want := range map[string]string{
		`{"from":"b","to":"a","yes":true}`:                   "another argument's value",
		`{"from":"a","to":"b","yes":false}`:                  "a yes for a no, or a no for a yes",
		`{"from":"b","to":"a","yes":false}`:                  "a yes for a no, or a no for a yes",
		`{"from":"a","to":"c","yes":true}`:                   "another value",
		`{"from":"a","to":"c","yes":true,"x":1}`:             "another value",
		`{"from":"a","to":"b","yes":"true"}`:                 "another value",
		`{"from":"a","to":"b","yes":true,"x":1}`:             "an argument too many",
		`{"from":"a","to":"b","yes":true,"gone":1}`:          "an argument too many",
		`{"from":"a","to":"b","yes":true,"n":2}`:             "another value",
		`{"from":"a","yes":true}`:                            "an argument too few",
		`{}`:                                                 "an argument too few",
		`{"from":"a","to":"b","yes":true}`:                   "",
		`{"from":"a","to":"b","yes":true,"n":1}`:             "",
		`{"from":"a","to":"b","yes":true,"n":1,"N":1}`:       "an argument too many",
		`{"from":"a","to":"b","yes":false,"n":1,"other":[]}`: "a yes for a no, or a no for a yes",
	} {
		r, err := measure(t, &script{answers: []func() ([]byte, error){call("get", args)}}, with("r", readsAndWrites, expect))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(r.Reasons) > 0 {
			got = r.Reasons[0].Code
		}
		if got != want || r.Rows[0].Passed != (want == "") {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// The lenient judge forgives what the leaderboard's checker forgives in a
// string, and nothing else.
func TestTheLenientJudgeForgivesSpellingAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, got string
		exact     bool
	}{
		{`{"a":["April 1, 2024"]}`, `{"a":"april 1 2024"}`, true},
		{`{"a":["engine size"]}`, `{"a":"Engine_Size"}`, true},
		{`{"a":["2*x**2"]}`, `{"a":"2x^2"}`, true},
		{`{"a":["it's"]}`, `{"a":"it\"s"}`, true},
		{`{"a":["a/b-c.d"]}`, `{"a":"abcd"}`, true},
		{`{"a":[["New York","Rome"]]}`, `{"a":["new york","ROME"]}`, true},
		{`{"a":[{"b":["New York"]}]}`, `{"a":{"b":"new-york"}}`, true},
		{`{"a":[{"b":"New York"}]}`, `{"a":{"b":"newyork"}}`, true},
		{`{"a":["x",""]}`, `{"a":"-"}`, true}, // as there: what is nothing but punctuation is nothing

		{`{"a":["April 1, 2024"]}`, `{"a":"April 2, 2024"}`, false},
		{`{"a":["x"]}`, `{"a":"x!"}`, false},
		{`{"a":["x"]}`, `{"a":"x\ty"}`, false},
		{`{"a":["f(x)"]}`, `{"a":"fx"}`, false},
		{`{"a":["é"]}`, `{"a":"e"}`, false},
		{`{"a":["New York"]}`, `{"A":"New York"}`, false}, // names are to the letter
		{`{"a":[{"b c":["x"]}]}`, `{"a":{"bc":"x"}}`, false},
		{`{"a":["5"]}`, `{"a":5}`, false},
		{`{"a":[-5]}`, `{"a":5}`, false},
		{`{"a":[0.5]}`, `{"a":5}`, false},
		{`{"a":[true]}`, `{"a":"true"}`, false},
		{`{"a":[["x","y"]]}`, `{"a":["y","x"]}`, false},
		{`{"a":["x"]}`, `{}`, false},
		{`{"a":["x"]}`, `{"a":"x","b":""}`, false},
	} {
		p, err := plan.Parse(plan.Call("s", "t", jsontext.Value(c.got)))
		if err != nil {
			t.Fatal(err)
		}
		of := one(t, row("r_1", `{"tool":"t","args":`+c.want+`}`))
		if got := of.JudgeLeniently(p); (got == planning.Exact) != c.exact {
			t.Errorf("%s for %s is judged %s", c.got, c.want, got)
		}
		if of.Judge(p) == planning.Exact {
			t.Errorf("%s for %s is exact to the byte", c.got, c.want)
		}
	}
	other, err := plan.Parse(plan.Call("s", "T", jsontext.Value(`{}`)))
	if err != nil || one(t, row("r_1", `{"tool":"t","args":{}}`)).JudgeLeniently(other) != planning.WrongTool {
		t.Errorf("%v: a tool's name is no string to forgive", err)
	}
}
