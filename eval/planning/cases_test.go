package planning_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/verdict"
)

// good is a row of the documented shape.
var good = row("good_1", `{"tool":"t","args":{"a":[1]}}`)

func TestABadLineIsNamedAndNothingIsMeasured(t *testing.T) {
	t.Parallel()
	swap := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("%s is not in %s", from, good)
		}
		return strings.Replace(good, from, to, 1)
	}
	for name, c := range map[string]struct{ line, want string }{
		"no JSON":             {`{"id":`, "ends too early"},
		"prose":               {`hello`, "malformed"},
		"two values":          {good + good, "something after"},
		"a list":              {`[` + good + `]`, "another type"},
		"null":                {`null`, "null"},
		"a byte order mark":   {"\uFEFF" + good, "malformed"},
		"invalid UTF-8":       {swap(`What?`, "\xff"), "malformed"},
		"an unknown field":    {swap(`"source"`, `"note":"x","source"`), "unknown key at /note"},
		"another case":        {swap(`"query"`, `"Query"`), "unknown key at /Query"},
		"the same key twice":  {swap(`"source"`, `"query":"x","source"`), "same key twice"},
		"no id":               {swap(`"id":"good_1",`, ``), "without an id"},
		"a number for an id":  {swap(`"id":"good_1"`, `"id":1`), "another type"},
		"no source":           {swap(`"made"`, `""`), "without a source"},
		"no query":            {swap(`What?`, ``), "input.empty"},
		"a control character": {swap(`What?`, `\u001b`), "input.control"},
		"too long a query":    {swap(`What?`, strings.Repeat("x", 40<<10)), "input.too_long"},
		"no tools":            {swap(`"tools":`+tools+`,`, ``), "without tools"},
		"null for tools":      {swap(tools, `null`), "without tools"},
		"a tool's name alone": {swap(tools, `["t"]`), "a tool is"},
		"a tool of no server": {swap(`"server":"s",`, ``), "server"},
		"an odd server":       {swap(`"server":"s"`, `"server":"a b"`), "server"},

		"no expectation":          {swap(`,"expect":{"tool":"t","args":{"a":[1]}}`, ``), "expect is neither"},
		"an unknown expectation":  {swap(`"args"`, `"arguments":{},"args"`), "unknown key at /expect/arguments"},
		"no arguments":            {swap(`,"args":{"a":[1]}`, ``), "expect is neither"},
		"null for arguments":      {swap(`{"a":[1]}`, `null`), "expect is neither"},
		"no tool":                 {swap(`"tool":"t",`, ``), "expect is neither"},
		"abstain false":           {row("a", `{"abstain":false}`), "expect is neither"},
		"both":                    {swap(`"args"`, `"abstain":true,"args"`), "both"},
		"abstain and arguments":   {row("a", `{"abstain":true,"args":{}}`), "both"},
		"a value without a list":  {swap(`[1]`, `1`), "expected at /expect/args/a"},
		"null for a list":         {swap(`[1]`, `null`), "no values"},
		"a tool that is not here": {swap(`"tool":"t"`, `"tool":"T"`), "none of the tools"},
		"a tool of two servers":   {swap(`"name":"v"`, `"name":"t"`), "2 of the tools"},
		"too long a line":         {swap(`What?`, strings.Repeat("x", 2<<20)), "more than"},
	} {
		cases, err := planning.Parse("cases.jsonl", strings.NewReader(row("first_1", `{"abstain":true}`)+"\n"+c.line+"\n"+good+"\n"))
		if cases != nil || verdict.CodeOf(err) != verdict.EvalCases ||
			!strings.Contains(err.Error(), "cases.jsonl:2: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d cases, %.300v; want one of line 2 with %q", name, len(cases), err, c.want)
		}
	}
}

func TestASecondIDNamesBothLines(t *testing.T) {
	t.Parallel()
	_, err := planning.Parse("c", strings.NewReader(good+"\n"+row("x", `{"abstain":true}`)+"\n"+good))
	if err == nil || !strings.Contains(err.Error(), "c:3: ") || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
}

func TestAFileThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "missing.jsonl"): "no such file", empty: "holds no rows", dir: "directory",
	} {
		_, err := planning.Read(path)
		if verdict.CodeOf(err) != verdict.EvalCases || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	_, err := planning.Read(filepath.Join(dir, "missing.jsonl"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestRowsAreReadWhole(t *testing.T) {
	t.Parallel()
	cases, err := planning.Parse("c", strings.NewReader(row("a_10", `{"abstain":true}`)+"\r\n"+row("b", `{"tool":"v","args":{}}`)))
	if err != nil || len(cases) != 2 {
		t.Fatal(len(cases), err)
	}
	if c := cases[0]; c.ID != "a_10" || c.Query != "What?" || len(c.Tools) != 3 || c.Tools[2].Server != "z" || !c.Expect.Abstain {
		t.Errorf("%+v", c)
	}
	if cases[1].Expect.Tool != "v" {
		t.Errorf("%+v", cases[1])
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

// rowLine is the start of a line that is not blank and not a comment.
var rowLine = regexp.MustCompile(`(?m)^\x{FEFF}?\s*\{`)

// FuzzParsePlannerCases asserts that what is read can be measured, line by
// line, and that what is refused gives nothing.
func FuzzParsePlannerCases(f *testing.F) {
	f.Add(good)
	f.Add(good + "\n" + row("b", `{"abstain":true}`) + "\n")
	f.Add(row("c_3", `{"tool":"t","args":{"a":[{"b":[1,null]},""]}}`))
	f.Add(strings.Replace(good, `"server":"s"`, `"server":""`, 1))
	f.Add("\n")
	f.Fuzz(func(t *testing.T, text string) {
		cases, err := planning.Parse("c", strings.NewReader(text))
		if err != nil {
			if cases != nil || verdict.CodeOf(err) != verdict.EvalCases {
				t.Fatalf("%d cases beside %v", len(cases), err)
			}
			return
		}
		if lines := len(rowLine.FindAllString(text, -1)); len(cases) != lines {
			t.Fatalf("%d cases of %d lines", len(cases), lines)
		}
		if r, err := planning.Suite(cases, "made", declines{}).Run(t.Context(), eval.Options{}); err != nil || r.Measured != len(cases) {
			t.Fatalf("%d of %d measured, %v", r.Measured, len(cases), err)
		}
	})
}
