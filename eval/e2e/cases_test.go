package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/e2e"
	"github.com/onestep-run/onestep/gate/verdict"
)

func read(tb testing.TB, text string) (eval.Cases[e2e.Case], error) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "cases.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	return e2e.Read(path)
}

func TestARowNeedsNoMoreThanAnIDAndAQuery(t *testing.T) {
	t.Parallel()
	cases, err := read(t, `{"id":"a","query":"What?"}`+"\n"+`{"id":"b","query":"Who?","expect":{"type":"final_answer"}}`+"\n")
	if err != nil || len(cases.List) != 2 || cases.List[0].Query != "What?" || cases.List[1].Expect == nil {
		t.Error(err, cases)
	}
}

func TestARowThatCannotBeJudgedIsNotAsked(t *testing.T) {
	t.Parallel()
	const good = `{"id":"a","query":"What?"}` + "\n"
	for name, c := range map[string]struct{ line, says string }{
		"a field in another case":      {`{"id":"b","Query":"Who?"}`, "without a query"},
		"no query":                     {`{"id":"b"}`, "without a query"},
		"a blank query":                {`{"id":"b","query":" \n"}`, "without a query"},
		"an unknown type":              {`{"id":"b","query":"Who?","expect":{"type":"answer"}}`, "expect.type"},
		"a tool of no server":          {`{"id":"b","query":"Who?","expect":{"tool":"get"}}`, "server/tool"},
		"must_not_call of no server":   {`{"id":"b","query":"Who?","expect":{"must_not_call":["get"]}}`, "server/tool"},
		"a call where none is right":   {`{"id":"b","query":"Who?","expect":{"type":"blocked","tool":"a/b"}}`, "blocked"},
		"an answer where none is":      {`{"id":"b","query":"Who?","expect":{"type":"final_answer","answer":"x"}}`, "final_answer"},
		"a call where none is made":    {`{"id":"b","query":"Who?","expect":{"type":"failed","server":"a"}}`, "failed"},
		"an unknown code":              {`{"id":"b","query":"Who?","expect":{"code":"allow.tools"}}`, "expect.code"},
		"another server's tool":        {`{"id":"b","query":"Who?","expect":{"server":"a","tool":"b/c"}}`, "not a tool of the server"},
		"a bare tool of no server":     {`{"id":"b","query":"Who?","expect":{"server":"","tool":"c"}}`, "server/tool"},
		"a bad expect of an attack":    {`{"id":"b","query":"Who?","attack":{"expect":{"type":"no"}}}`, "expect.type"},
		"arguments of no tool":         {`{"id":"b","query":"Who?","expect":{"args":{}}}`, "expect.args"},
		"arguments that are a list":    {`{"id":"b","query":"Who?","expect":{"tool":"a/b","args":[]}}`, "expect.args"},
		"a seed without a text":        {`{"id":"b","query":"Who?","seed":[{"id":"sp-001"}]}`, "seed"},
		"a seed too often":             {`{"id":"b","query":"Who?","seed":[{"id":"sp-001","text":"x","repeat":9999999}]}`, "seed"},
		"an allowlist of nothing":      {`{"id":"b","query":"Who?","allow":{"s":["t","t"]}}`, "listed twice"},
		"an allowlist that is none":    {`{"id":"b","query":"Who?","allow":["t"]}`, "allow.invalid"},
		"a lie of no tool":             {`{"id":"b","query":"Who?","lies":[{"server":"s","text":"x"}]}`, "lie"},
		"a lie that is less than none": {`{"id":"b","query":"Who?","lies":[{"server":"s","tool":"t","text":"x","repeat":-1}]}`, "lie"},
		"a lie into nothing":           {`{"id":"b","query":"Who?","lies":[{"server":"s","tool":"t","text":"x","into":"y"}]}`, "lie"},
	} {
		cases, err := read(t, good+c.line)
		if err != nil || len(cases.List) != 1 || len(cases.Unasked) != 1 || !strings.Contains(cases.Unasked[0].Reason, c.says) {
			t.Errorf("%s: %v, %+v", name, err, cases.Reading)
		}
	}
}

func TestASeedOfNoStoreIsNoWorld(t *testing.T) {
	t.Parallel()
	for _, c := range []e2e.Case{
		{Seed: []e2e.Entry{{ID: "doc-001", Text: "x"}}},
		{Lies: []e2e.Lie{{Server: "mcp-mail", Tool: "send", Text: "x"}}},
		{Lies: []e2e.Lie{{Server: "mcp-policy-kb", Tool: "fetch_policy_entry", Text: "x", Structured: []byte(`[]`)}}},
	} {
		if _, err := e2e.Demo(t.Context(), c); err == nil {
			t.Errorf("%+v makes a world", c)
		}
	}
}

func FuzzCases(f *testing.F) {
	ours, err := e2e.Ours()
	if err != nil {
		f.Fatal(err)
	}
	for i := 0; i < len(ours); i += 20 {
		line, err := json.Marshal(ours[i])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Add([]byte(`{"id":"b","query":"Who?","expect":{"must_not_call":["a/b"]}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		cases, err := read(t, string(line))
		if err != nil {
			if cases.List != nil || verdict.CodeOf(err) != verdict.EvalCases {
				t.Fatalf("%v beside %v", err, cases)
			}
			return
		}
		for _, c := range cases.List {
			again, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			twin, err := read(t, string(again))
			if err != nil || len(twin.List) != 1 {
				t.Fatalf("%q was read, and %q is not: %v", line, again, err)
			}
			if b, err := json.Marshal(twin.List[0]); err != nil || string(b) != string(again) {
				t.Fatalf("%q became %q: %v", again, b, err)
			}
		}
	})
}
