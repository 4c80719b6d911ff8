package planning_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/verdict"
)

// good is a row of the documented shape.
var good = row("good_1", `{"tool":"t","args":{"a":[1]}}`)

func TestARowThatCannotBeJudgedIsNotAsked(t *testing.T) {
	t.Parallel()
	swap := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("%s is not in %s", from, good)
		}
		return strings.Replace(good, from, to, 1)
	}
	for name, c := range map[string]struct{ line, want string }{
		"no query":            {swap(`What?`, ``), "input.empty"},
		"a control character": {swap(`What?`, `\u001b`), "input.control"},
		"too long a query":    {swap(`What?`, strings.Repeat("x", 40<<10)), "input.too_long"},
		"no tools":            {swap(`"tools":`+tools+`,`, ``), "without tools"},
		"null for tools":      {swap(tools, `null`), "without tools"},
		"a tool's name alone": {swap(tools, `["t"]`), "a tool is"},
		"a tool of no server": {swap(`"server":"s",`, ``), "server"},
		"an odd server":       {swap(`"server":"s"`, `"server":"a b"`), "server"},

		"no expectation":          {swap(`,"expect":{"tool":"t","args":{"a":[1]}}`, ``), "expect is neither"},
		"no arguments":            {swap(`,"args":{"a":[1]}`, ``), "expect is neither"},
		"null for arguments":      {swap(`{"a":[1]}`, `null`), "expect is neither"},
		"no tool":                 {swap(`"tool":"t",`, ``), "expect is neither"},
		"abstain false":           {row("a", `{"abstain":false}`), "expect is neither"},
		"both":                    {swap(`"args"`, `"abstain":true,"args"`), "both"},
		"abstain and arguments":   {row("a", `{"abstain":true,"args":{}}`), "both"},
		"a value without a list":  {swap(`[1]`, `1`), "expected at /expect/args/a"},
		"null for a list":         {swap(`[1]`, `null`), "no values"},
		"a tool that is not here": {swap(`"tool":"t"`, `"tool":"T"`), "none of the tools"},
		"a tool of two servers":   {swap(`"name":"v"`, `"name":"t"`), "2 of the tools are called (s, z)"},
		"a server with abstain":   {row("a", `{"abstain":true,"server":"s"}`), "both"},
		"another server's tool":   {swap(`"tool":"t"`, `"server":"z","tool":"t"`), "none of the tools"},
		"a server alone":          {row("a", `{"server":"s"}`), "expect is neither"},
		"an odd effect":           {swap(`"name":"t"`, `"effect":"","name":"t"`), "neither read nor write"},
		"an odd allowlist":        {swap(`"source"`, `"allowlist":{"s":["t","t"]},"source"`), "allow.invalid"},
	} {
		cases, err := planning.Parse("c", strings.NewReader(row("first_1", `{"abstain":true}`)+"\n"+c.line))
		if err != nil || len(cases.List) != 1 || len(cases.Unasked) != 1 || !strings.Contains(cases.Unasked[0].Reason, c.want) {
			t.Errorf("%s: %v, %+v", name, err, cases.Reading)
		}
	}
}

func TestRowsAreReadWhole(t *testing.T) {
	t.Parallel()
	cases, err := planning.Parse("c", strings.NewReader(row("a_10", `{"abstain":true}`)+"\r\n"+row("b", `{"tool":"v","args":{}}`)))
	if err != nil || len(cases.List) != 2 {
		t.Fatal(len(cases.List), err)
	}
	if c := cases.List[0]; c.ID != "a_10" || c.Query != "What?" || len(c.Tools) != 3 || c.Tools[2].Server != "z" || !c.Expect.Abstain {
		t.Errorf("%+v", c)
	}
	if cases.List[1].Expect.Tool != "v" {
		t.Errorf("%+v", cases.List[1])
	}
}

// Tools that no run could call are out of the case's catalog as well.
func TestACaseAdmitsItsToolsAsARunWould(t *testing.T) {
	t.Parallel()
	line := strings.Replace(good, tools, `[
		{"server":"s","name":"t","inputSchema":{"type":"object"}},
		{"server":"s","name":"odd name","inputSchema":{"type":"object"}},
		{"server":"s","name":"remote","inputSchema":{"$ref":"http://127.0.0.1/x"}},
		{"server":"s","name":"twice","inputSchema":{"type":"object"}},
		{"server":"s","name":"twice","inputSchema":{"type":"object"}},
		{"server":"s","inputSchema":{"type":"object"}},
		{"server":"z","name":"t2","inputSchema":{"type":"object"},"title":7}]`, 1)
	c, err := one(t, strings.ReplaceAll(line, "\n", " ")).Catalog()
	if err != nil || len(c.Tools()) != 1 || c.Tools()[0].Name() != "t" || len(c.Excluded()) != 6 {
		t.Errorf("%v: %d tools, excluded %+v", err, len(c.Tools()), c.Excluded())
	}
}

// FuzzParsePlannerCases asserts that what is read can be measured, and that
// what is refused gives nothing.
func FuzzParsePlannerCases(f *testing.F) {
	f.Add(good)
	f.Add(good + "\n" + row("b", `{"abstain":true}`) + "\n")
	f.Add(row("c_3", `{"tool":"t","args":{"a":[{"b":[1,null]},""]}}`))
	f.Add(strings.Replace(good, `"server":"s"`, `"server":""`, 1))
	f.Add(good + "\n" + good + "\nline 2\n")
	f.Add("\n")
	f.Fuzz(func(t *testing.T, text string) {
		cases, err := planning.Parse("c", strings.NewReader(text))
		if err != nil {
			if cases.List != nil || verdict.CodeOf(err) != verdict.EvalCases {
				t.Fatalf("%d cases next to %v", len(cases.List), err)
			}
			return
		}
		if r, err := planning.Suite(cases.List, "made", declines{}).Run(t.Context(), eval.Options{}); err != nil || r.Measured != len(cases.List) {
			t.Fatalf("%d of %d measured, %v", r.Measured, len(cases.List), err)
		}
	})
}
