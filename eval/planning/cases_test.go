package planning_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/verdict"
)

// good is a row of the documented shape.
var good = row("good_1", `{"tool":"t","args":{"a":[1]}}`)

func TestARowThatCannotBeReadIsNamedAndCostsTheOthersNothing(t *testing.T) {
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
		"a tool of two servers":   {swap(`"name":"v"`, `"name":"t"`), "2 of the tools are called (s, z)"},
		"a server with abstain":   {row("a", `{"abstain":true,"server":"s"}`), "both"},
		"another server's tool":   {swap(`"tool":"t"`, `"server":"z","tool":"t"`), "none of the tools"},
		"a server alone":          {row("a", `{"server":"s"}`), "expect is neither"},
		"an odd effect":           {swap(`"name":"t"`, `"effect":"","name":"t"`), "neither read nor write"},
		"an odd allowlist":        {swap(`"source"`, `"allowlist":{"s":["t","t"]},"source"`), "allow.invalid"},
	} {
		cases, err := planning.Parse("cases.jsonl", strings.NewReader(row("first_1", `{"abstain":true}`)+"\n"+c.line+"\n"+row("last_1", `{"abstain":true}`)+"\n"))
		if err != nil || len(cases) != 3 || cases[0].Unasked != "" || cases[2].Unasked != "" || !strings.Contains(cases[1].Unasked, c.want) {
			t.Errorf("%s: %v, %d cases; want the second not asked: %q", name, err, len(cases), c.want)
			continue
		}
		r, err := planning.Suite(cases, "made", declines{}).Run(t.Context(), eval.Options{})
		asked := 0
		for _, row := range r.Rows {
			asked += 1 - row.Facts["not_asked"]
		}
		if err != nil || r.Measured != 3 || asked != 2 || !strings.Contains(strings.Join(r.Notes, "\n"), "1 of 3 rows could not be asked: "+cases[1].ID+": ") {
			t.Errorf("%s: %v, %d asked, %q", name, err, asked, r.Notes)
		}
		if len(r.Rows[1].Facts) != 1 || r.Rows[1].Observed != "not_asked" || r.Rows[1].Passed || r.Rows[1].Group == "" {
			t.Errorf("%s: %+v", name, r.Rows[1])
		}
	}
}

// A line that does not end, and a file of which no row can be asked, stop the
// measurement: nothing would be left to measure.
func TestAFileWithoutAnyRowToAskIsAnError(t *testing.T) {
	t.Parallel()
	long := strings.Replace(good, "What?", strings.Repeat("x", 2<<20), 1)
	for text, want := range map[string]string{
		good + "\n" + long:                "c:2: a line of more than",
		"hello\n" + `{"id":1}`:            "no row that can be asked: line 1: ",
		"# a comment\n\n[]\n":             "no row that can be asked: line 3: ",
		row("a", `{"tool":"t","args":1}`): "no row that can be asked: line 1: ",
	} {
		cases, err := planning.Parse("c", strings.NewReader(text))
		if cases != nil || verdict.CodeOf(err) != verdict.EvalCases || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %d cases, %v", text, len(cases), err)
		}
	}
}

// An id that is missing, or another row's, is replaced by the line's, whatever
// ids the file has.
func TestEveryCaseHasAnIDOfItsOwn(t *testing.T) {
	t.Parallel()
	cases, err := planning.Parse("c", strings.NewReader(strings.Join([]string{
		good, row("line 4", `{"abstain":true}`), good, "prose", row("x", `{"abstain":true}`), good,
	}, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	if d := cmp.Diff([]string{"good_1", "line 4", "line 3", "line 4'", "x", "line 6"}, ids); d != "" {
		t.Error(d)
	}
	for i, want := range []string{"", "", "line 1 already", "malformed", "", "line 1 already"} {
		if got := cases[i].Unasked; !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: %q", cases[i].ID, got)
		}
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

// rowsIn counts the lines that are neither blank nor a comment: each is a case,
// be it one that cannot be asked.
func rowsIn(text string) (n int) {
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		line = strings.TrimSpace(line)
		n += eval.Fact(line != "" && line[0] != '#' && !strings.HasPrefix(line, "//"))
	}
	return n
}

// FuzzParsePlannerCases asserts that what is read can be measured, each row or
// that it is none, and that what is refused gives nothing.
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
			if cases != nil || verdict.CodeOf(err) != verdict.EvalCases {
				t.Fatalf("%d cases next to %v", len(cases), err)
			}
			return
		}
		if lines := rowsIn(text); len(cases) != lines {
			t.Fatalf("%d cases of %d lines", len(cases), lines)
		}
		if r, err := planning.Suite(cases, "made", declines{}).Run(t.Context(), eval.Options{}); err != nil || r.Measured != len(cases) {
			t.Fatalf("%d of %d measured, %v", r.Measured, len(cases), err)
		}
	})
}
