package planning_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/plan"
)

const tools = `[{"server":"s","name":"t","inputSchema":{"type":"object"}},{"server":"s","name":"u","inputSchema":{"type":"object"}},{"server":"z","name":"v","inputSchema":{"type":"object"}}]`

func row(id, expect string) string {
	return fmt.Sprintf(`{"id":%q,"source":"made","query":"What?","tools":%s,"expect":%s}`, id, tools, expect)
}

// one reads the one case that a line holds.
func one(tb testing.TB, line string) planning.Case {
	tb.Helper()
	cases, err := planning.Parse("cases.jsonl", strings.NewReader(line))
	if err != nil || len(cases.List) != 1 {
		tb.Fatalf("%d cases, %v: %s", len(cases.List), err, line)
	}
	return cases.List[0]
}

func judge(tb testing.TB, expect string, said []byte) planning.Observed {
	tb.Helper()
	p, err := plan.Parse(said)
	if err != nil {
		tb.Fatalf("%v: %s", err, said)
	}
	return one(tb, row("r_1", expect)).Judge(p)
}

func TestArgumentsAreJudgedToTheByte(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, got string
		exact     bool
	}{
		{`{}`, `{}`, true},
		{`{}`, `{"a":1}`, false},
		{`{"a":[1]}`, `{}`, false},
		{`{"a":[1]}`, `{"a":1}`, true},
		{`{"a":[1]}`, `{"a":1,"b":2}`, false},
		{`{"a":[1]}`, `{"A":1}`, false},
		{`{"a":[1,2]}`, `{"a":2}`, true},
		{`{"a":[1,2]}`, `{"a":[1,2]}`, false},
		{`{"a":[1,2]}`, `{"a":3}`, false},

		// Left out, and must be left out.
		{`{"a":[1,""]}`, `{}`, true},
		{`{"a":[1,""]}`, `{"a":""}`, true},
		{`{"a":[1,""]}`, `{"a":null}`, false},
		{`{"a":[]}`, `{}`, true},
		{`{"a":[]}`, `{"a":1}`, false},
		{`{"a":[" "]}`, `{}`, false},
		{`{"a":[[""]]}`, `{}`, false},

		// Numbers by their value, to the last digit; no other type is a number.
		{`{"a":[5]}`, `{"a":5.0}`, true},
		{`{"a":[5]}`, `{"a":50e-1}`, true},
		{`{"a":[0]}`, `{"a":-0}`, true},
		{`{"a":[5]}`, `{"a":"5"}`, false},
		{`{"a":["5"]}`, `{"a":5}`, false},
		{`{"a":[9007199254740993]}`, `{"a":9007199254740992}`, false},
		{`{"a":[0.1]}`, `{"a":0.10000000000000001}`, false},
		{`{"a":[1]}`, `{"a":true}`, false},
		{`{"a":[0]}`, `{"a":null}`, false},
		{`{"a":[true]}`, `{"a":true}`, true},
		{`{"a":[true]}`, `{"a":false}`, false},
		{`{"a":[null]}`, `{"a":null}`, true},

		// Strings to the byte, whatever their spelling in JSON.
		{`{"a":["Oslo"]}`, `{"a":"\u004fslo"}`, true},
		{`{"a":["Oslo"]}`, `{"a":"oslo"}`, false},
		{`{"a":["Oslo"]}`, `{"a":"Oslo "}`, false},
		{`{"a":["Oslo"]}`, `{"a":"Osl\u043e"}`, false},
		{`{"a":["é"]}`, `{"a":"e\u0301"}`, false},

		// Lists in order.
		{`{"a":[[1,2]]}`, `{"a":[1,2.0]}`, true},
		{`{"a":[[1,2]]}`, `{"a":[2,1]}`, false},
		{`{"a":[[1,2]]}`, `{"a":[1]}`, false},
		{`{"a":[[1,2]]}`, `{"a":[1,2,3]}`, false},
		{`{"a":[[1]]}`, `{"a":1}`, false},
		{`{"a":[[]]}`, `{"a":[]}`, true},

		// Objects whose members are lists of acceptable values.
		{`{"a":[{"b":[1,2],"c":["x",""]}]}`, `{"a":{"b":2}}`, true},
		{`{"a":[{"b":[1,2],"c":["x",""]}]}`, `{"a":{"b":2,"c":"x"}}`, true},
		{`{"a":[{"b":[1,2],"c":["x",""]}]}`, `{"a":{"b":3}}`, false},
		{`{"a":[{"b":[1,2]}]}`, `{"a":{"b":1,"d":1}}`, false},
		{`{"a":[{"b":[1,2]}]}`, `{"a":{"b":[1,2]}}`, false},
		{`{"a":[[{"b":[1]}]]}`, `{"a":[{"b":1}]}`, true},
		{`{"a":[[{"b":[1]}]]}`, `{"a":{"b":1}}`, false},
		{`{"a":[{}]}`, `{"a":{}}`, true},
		{`{"a":[{}]}`, `{"a":{"b":1}}`, false},

		// Any other object is itself the value.
		{`{"a":[{"b":1,"c":[2]}]}`, `{"a":{"c":[2],"b":1.0}}`, true},
		{`{"a":[{"b":1,"c":[2]}]}`, `{"a":{"b":1,"c":2}}`, false},
		{`{"a":[{"b":1}]}`, `{"a":{}}`, false},
		{`{"a":[{"b":1}]}`, `{"a":{"b":1,"c":1}}`, false},
		{`{"a":[{"b":1}]}`, `{"a":{"c":1}}`, false},
		{`{"a":[{"b":null}]}`, `{"a":{"b":null}}`, true},
		{`{"a":[{"b":null}]}`, `{"a":{}}`, false},
	} {
		want := planning.WrongArguments
		if c.exact {
			want = planning.Exact
		}
		expect := `{"tool":"t","args":` + c.want + `}`
		if got := judge(t, expect, plan.Call("s", "t", jsontext.Value(c.got))); got != want {
			t.Errorf("%s for %s is judged %s", c.got, c.want, got)
		}
	}
}

func TestToolsAndDeclinesAreJudged(t *testing.T) {
	t.Parallel()
	call := func(server, tool string) []byte { return plan.Call(server, tool, jsontext.Value(`{}`)) }
	for name, c := range map[string]struct {
		expect string
		said   []byte
		want   planning.Observed
	}{
		"right":                      {`{"tool":"t","args":{}}`, call("s", "t"), planning.Exact},
		"another tool":               {`{"tool":"t","args":{}}`, call("s", "u"), planning.WrongTool},
		"another server":             {`{"tool":"t","args":{}}`, call("z", "t"), planning.WrongTool},
		"a server that is not there": {`{"tool":"t","args":{}}`, call("x", "t"), planning.WrongTool},
		"another case":               {`{"tool":"t","args":{}}`, call("s", "T"), planning.WrongTool},
		"a tool that is not there":   {`{"tool":"t","args":{}}`, call("s", "w"), planning.WrongTool},
		"declined":                   {`{"tool":"t","args":{}}`, plan.Decline("Which?"), planning.Declined},
		"rightly declined":           {`{"abstain":true}`, plan.Decline("Which?"), planning.Declined},
		"called where none is right": {`{"abstain":true}`, call("s", "t"), planning.WrongTool},
	} {
		if got := judge(t, c.expect, c.said); got != c.want {
			t.Errorf("%s: judged %s", name, got)
		}
	}
}

// FuzzJudge asserts that a value without objects is acceptable where it is
// what the row lists, and alone there.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{`1`, `"x"`, `[1,[2,"y"],null]`, `-0.0`, `1e300`, `""`, `[]`, `"\ud83d\ude00"`} {
		f.Add(seed, `2`)
	}
	f.Fuzz(func(t *testing.T, v, other string) {
		said := plan.Call("s", "t", jsontext.Value(`{"a":`+v+`}`))
		p, err := plan.Parse(said)
		if err != nil || bytes.ContainsAny([]byte(v), "{\n") || !jsontext.Value(other).IsValid() {
			return
		}
		cases, err := planning.Parse("x", strings.NewReader(row("r_1", `{"tool":"t","args":{"a":[`+v+`]}}`)))
		if err != nil {
			return // a pair of values, say
		}
		if got := cases.List[0].Judge(p); got != planning.Exact {
			t.Fatalf("%s is judged %s for itself", v, got)
		}
		cases, err = planning.Parse("x", strings.NewReader(row("r_1", `{"tool":"t","args":{"b":[""],"a":[`+v+`]}}`)))
		if err != nil || cases.List[0].Judge(p) != planning.Exact {
			t.Fatalf("%s is not exact beside what may be left out: %v", v, err)
		}
	})
}
