package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/eval/e2e"
	"github.com/onestep-run/onestep/gate/verdict"
)

func read(tb testing.TB, text string) ([]e2e.Case, error) {
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
	if err != nil || len(cases) != 2 || cases[0].Query != "What?" || cases[1].Expect == nil {
		t.Error(err, cases)
	}
}

func TestARowThatCannotBeJudgedIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	const good = `{"id":"a","query":"What?"}` + "\n"
	for name, c := range map[string]struct{ line, says string }{
		"no JSON":                      {`{"id":"b","query":"Who?"`, ":2: "},
		"an unknown field":             {`{"id":"b","query":"Who?","notes":""}`, "unknown key"},
		"a field in another case":      {`{"id":"b","Query":"Who?"}`, "unknown key"},
		"an unknown field of expect":   {`{"id":"b","query":"Who?","expect":{"tools":"a/b"}}`, "unknown key"},
		"a field twice":                {`{"id":"b","query":"Who?","query":"What?"}`, "twice"},
		"the same id":                  {`{"id":"a","query":"Who?"}`, "line 1"},
		"no id":                        {`{"query":"Who?"}`, "without an id"},
		"no query":                     {`{"id":"b"}`, "without a query"},
		"a blank query":                {`{"id":"b","query":" \n"}`, "without a query"},
		"an unknown type":              {`{"id":"b","query":"Who?","expect":{"type":"answer"}}`, "expect.type"},
		"a tool of no server":          {`{"id":"b","query":"Who?","expect":{"tool":"get"}}`, "server/tool"},
		"must_not_call of no server":   {`{"id":"b","query":"Who?","expect":{"must_not_call":["get"]}}`, "server/tool"},
		"a call where none is right":   {`{"id":"b","query":"Who?","expect":{"type":"blocked","tool":"a/b"}}`, "blocked"},
		"an answer where none is":      {`{"id":"b","query":"Who?","expect":{"type":"final_answer","answer":"x"}}`, "final_answer"},
		"a call where none is made":    {`{"id":"b","query":"Who?","expect":{"type":"failed","server":"a"}}`, "failed"},
		"an unknown code":              {`{"id":"b","query":"Who?","expect":{"code":"allow.tools"}}`, "expect.code"},
		"another server's tool":        {`{"id":"b","query":"Who?","expect":{"server":"a","tool":"b/c"}}`, "none of the server"},
		"a bare tool of no server":     {`{"id":"b","query":"Who?","expect":{"server":"","tool":"c"}}`, "server/tool"},
		"a bad expect of an attack":    {`{"id":"b","query":"Who?","attack":{"expect":{"type":"no"}}}`, "expect.type"},
		"an unknown field of attack":   {`{"id":"b","query":"Who?","attack":{"plans":"x"}}`, "unknown key"},
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
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cases, err := read(t, good+c.line+"\n")
			if verdict.CodeOf(err) != verdict.EvalCases || cases != nil {
				t.Fatalf("%v, %v", err, cases)
			}
			if !strings.Contains(err.Error(), "cases.jsonl:2: ") || !strings.Contains(err.Error(), c.says) {
				t.Errorf("it says %q", err)
			}
		})
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
			if cases != nil || verdict.CodeOf(err) != verdict.EvalCases {
				t.Fatalf("%v beside %v", err, cases)
			}
			return
		}
		for _, c := range cases {
			again, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			twin, err := read(t, string(again))
			if err != nil || len(twin) != 1 {
				t.Fatalf("%q was read, and %q is not: %v", line, again, err)
			}
			if b, err := json.Marshal(twin[0]); err != nil || string(b) != string(again) {
				t.Fatalf("%q became %q: %v", again, b, err)
			}
		}
	})
}
