package offline_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/offline"
	"github.com/onestep-run/onestep/gate/verdict"
)

func embedded(t *testing.T) []offline.Case {
	t.Helper()
	list, err := offline.Own()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// parsed reads cases from text, as an operator's own file.
func parsed(t *testing.T, lines ...string) []offline.Case {
	t.Helper()
	c, err := offline.Read(file(t, "own.jsonl", lines...))
	if err != nil || c.Strict() != nil {
		t.Fatal(err, c.Strict())
	}
	return c.List
}

func file(t *testing.T, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func run(t *testing.T, list []offline.Case, seed uint32, jobs int) (eval.Report, error) {
	t.Helper()
	return offline.Suite(list, "gates", seed).Run(context.Background(), eval.Options{Jobs: jobs})
}

// whole is what the suite finds about all cases with the usual seed, measured
// once for all tests.
var whole = sync.OnceValues(func() (eval.Report, error) {
	list, err := offline.Own()
	if err != nil {
		return eval.Report{}, err
	}
	return offline.Suite(list, "gates", offline.DefaultSeed).Run(context.Background(), eval.Options{Jobs: 4})
})

// document is what is written, rows and all.
func document(t *testing.T, r eval.Report) []byte {
	t.Helper()
	b, err := json.Marshal([]any{r, r.Rows}, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheGatesAreRightAboutEveryCase(t *testing.T) {
	t.Parallel()
	list := embedded(t)
	r, err := whole()
	if err != nil || !r.Complete {
		t.Fatal(err)
	}
	refused, written := 0, map[string]int{}
	for _, c := range list {
		written[c.Group]++
		if c.Expect != offline.Allow {
			refused++
		}
	}
	// A gate that refused everything would be right about the near-misses.
	if share := float64(len(list)-refused) / float64(len(list)); refused < 300 || share < 0.2 || share > 0.35 {
		t.Errorf("%d near-misses, and a share of %.2f to be allowed", refused, share)
	}
	for _, group := range []string{offline.PolicyGate, offline.PlanParse, offline.PlanGate, offline.TypedOutput, offline.Grounding} {
		if written[group] < 100 {
			t.Errorf("%s has %d cases", group, written[group])
		}
	}
	count := map[string]int{}
	for _, row := range r.Rows {
		count[row.Group]++
		if row.Group == offline.GroundingFuzz {
			count[strings.Join(strings.Split(row.ID, "/")[:2], "/")]++
		}
		if row.Group == offline.PlanFuzz && row.Observed == offline.Allow {
			count["the same plan"]++
		}
	}
	if count[offline.PlanFuzz] != 500 || count["grounding_fuzz/valid"] != 100 || count["grounding_fuzz/invalid"] != 500 || count["the same plan"] < 20 {
		t.Errorf("%v", count)
	}
}

// groups is the part of the document that the published evaluation has.
type groups map[string]struct {
	Total  int      `json:"total_cases"`
	Passed int      `json:"passed"`
	Failed int      `json:"failed"`
	Rate   *float64 `json:"pass_rate"`
	Cases  []struct {
		ID       string `json:"id"`
		What     string `json:"what"`
		Expected string `json:"expected"`
		Observed string `json:"observed"`
		Passed   bool   `json:"passed"`
		Detail   string `json:"detail"`
	} `json:"cases"`
}

func groupsOf(t *testing.T, r eval.Report) groups {
	t.Helper()
	var g groups
	if err := json.Unmarshal(r.Extra, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

const (
	allowed = `{"id":"a","group":"plan_gate","what":"an integer","input":{"schema":{"type":"object","properties":{"v":{"type":"integer"}}},"args":{"v":1}},"expect":"allow"}`
	refused = `{"id":"r","group":"policy_gate","what":"no allowlist","input":{"lists":[{"server":"kb","tools":["get"]}],"server":"kb","tool":"get"},"expect":"allow.missing"}`
)

func TestAWrongExpectationFailsTheSuite(t *testing.T) {
	t.Parallel()
	wrong := map[string]struct{ line, fact, observed string }{
		"called":  {strings.Replace(allowed, `"expect":"allow"`, `"expect":"schema.arguments"`, 1), "allowed_wrongly", "allow"},
		"refused": {strings.Replace(refused, "allow.missing", "allow", 1), "refused_wrongly", "allow.missing"},
		"reason":  {strings.Replace(refused, "allow.missing", "allow.empty", 1), "other_code", "allow.missing"},
		"result": {
			`{"id":"r","group":"typed_output","what":"x","input":{"result":{"content":[{"type":"text","text":"a"}]},"value":"b"},"expect":"allow"}`,
			"allowed_wrongly", "altered",
		},
		"plan": {
			`{"id":"r","group":"plan_parse","what":"x","input":{"plan":{"type":"call_tool","server":"kb","tool":"get","args":{}},` +
				`"means":{"server":"kb","tool":"put","args":{}}},"expect":"allow"}`,
			"allowed_wrongly", "altered",
		},
	}
	lines := []string{strings.Replace(refused, `"id":"r"`, `"id":"good"`, 1)}
	for id, c := range wrong {
		lines = append(lines, `{"id":"`+id+`"`+c.line[strings.Index(c.line, `,"group"`):])
	}
	r, err := run(t, parsed(t, lines...), 1, 1)
	if verdict.CodeOf(err) != verdict.EvalFailed || strings.Contains(err.Error(), "good") {
		t.Fatal(err)
	}
	for _, row := range r.Rows {
		c, is := wrong[row.ID]
		if is == row.Passed {
			t.Errorf("%+v", row)
		}
		if is && (row.Observed != c.observed || row.Facts[c.fact] != 1 || !strings.Contains(err.Error(), row.ID)) {
			t.Errorf("%+v: %v", row, err)
		}
	}
	for name, failed := range map[string]int{"policy_gate": 2, "plan_gate": 1, "typed_output": 1, "plan_parse": 1, "plan_fuzz": 0} {
		g := groupsOf(t, r)[name]
		if g.Failed != failed || g.Passed+failed != g.Total || (*g.Rate < 1) != (failed > 0) || strings.Contains(err.Error(), name) != (failed > 0) {
			t.Errorf("%s: %d failed of %d: %v", name, g.Failed, g.Total, err)
		}
	}
}

func TestTheDocumentHasThePublishedGroups(t *testing.T) {
	t.Parallel()
	r, err := run(t, parsed(t, allowed, refused), 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	g := groupsOf(t, r)
	for name, total := range map[string]int{
		"policy_gate": 1, "plan_parse": 0, "plan_gate": 1, "plan_fuzz": 500, "typed_output": 0, "grounding": 0, "grounding_fuzz": 600,
	} {
		if got, has := g[name]; !has || got.Total != total || len(got.Cases) != total || (got.Rate == nil) != (total == 0) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if c := g["policy_gate"].Cases[0]; c.ID != "r" || c.What != "no allowlist" || c.Expected != "allow.missing" || c.Observed != c.Expected || !c.Passed || c.Detail == "" {
		t.Errorf("%+v", c)
	}
	if r.Seed != "3" || len(g) != 7 {
		t.Errorf("seed %s, %d groups", r.Seed, len(g))
	}
}

func TestJobsChangeNothingAndTheSeedDecides(t *testing.T) {
	t.Parallel()
	list := embedded(t)
	first, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	again, err := run(t, list, offline.DefaultSeed, 1)
	if err != nil || !bytes.Equal(document(t, first), document(t, again)) {
		t.Errorf("four jobs are not as one: %v", err)
	}
	otherwise, err := run(t, list, 12, 7)
	if err != nil || bytes.Equal(document(t, first), document(t, otherwise)) {
		t.Errorf("the seed decides nothing: %v", err)
	}
	if a, b := offline.Suite(list, "gates", 11), offline.Suite(list[1:], "gates", 11); a.Digest == b.Digest || a.Digest == offline.Suite(list, "gates", 12).Digest {
		t.Error("other cases, or another seed, could be taken up again")
	}
}

func TestOtherSeedsPassToo(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint32{0, 1<<32 - 1} {
		if _, err := run(t, nil, seed, 2); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

func TestARowThatNoGateIsOfIsNotAsked(t *testing.T) {
	t.Parallel()
	swap := func(from, to string) string {
		if !strings.Contains(allowed, from) {
			t.Fatalf("%s is not in the row", from)
		}
		return strings.Replace(allowed, from, to, 1)
	}
	of := func(group, input string) string {
		return `{"id":"x","group":"` + group + `","what":"x","input":` + input + `,"expect":"allow"}`
	}
	for name, c := range map[string]struct{ line, want string }{
		"an id of a generated case": {swap(`"id":"a"`, `"id":"plan_fuzz/001"`), "characters outside"},
		"no phrase":                 {swap(`"an integer"`, `""`), "does not say what it is"},
		"no input":                  {swap(`"input"`, `"inputs"`), "no object"},
		"an input that is a list":   {of("plan_gate", `[]`), "no object"},
		"null for an input":         {of("plan_gate", `null`), "no object"},
		"an unknown input":          {swap(`"args"`, `"arguments":{},"args"`), "unknown key at /arguments"},
		"an unknown group":          {swap(`plan_gate`, `plan_gates`), "no group"},
		"a generated group":         {swap(`plan_gate`, `plan_fuzz`), "no group"},
		"no expectation":            {swap(`"allow"`, `""`), "neither allow nor a code"},
		"an unknown code":           {swap(`"allow"`, `"schema.argument"`), "neither allow nor a code"},
		"an expectation too vague":  {swap(`"allow"`, `"refuse"`), "neither allow nor a code"},
		"an unknown receipt":        {swap(`"args"`, `"redeem":[{"receipt":"forged"}],"args"`), "unknown receipt"},
		"a piece of neither kind":   {of("plan_parse", `{"plan":[{"times":3}]}`), "neither"},
		"a piece of both kinds":     {of("plan_parse", `{"plan":[{"of":"a","times":3,"hex":"00"}]}`), "neither"},
		"half a byte":               {of("plan_parse", `{"plan":[{"hex":"f"}]}`), "hex"},
		"a piece without end":       {of("plan_parse", `{"plan":[{"of":"a","times":99999999999}]}`), "too long"},
		"a number for a plan":       {of("plan_parse", `{"plan":7}`), "another type"},
		"no plan":                   {of("plan_parse", `{}`), "ends too early"},
		"no result":                 {of("typed_output", `{}`), "ends too early"},
		"an unknown level":          {of("grounding", `{"text":"a","claim":"a","evidence":"a","level":"loose"}`), "loose"},
		"neither value nor text":    {of("grounding", `{"claim":"a","evidence":"a"}`), "value and text"},
		"claim and summary":         {of("grounding", `{"text":"a","claim":"a","summary":{}}`), "evidence and summary"},
	} {
		got, err := offline.Read(file(t, "own.jsonl", refused, c.line))
		if err != nil || len(got.List) != 1 || len(got.Unasked) != 1 || !strings.Contains(got.Unasked[0].Reason, c.want) {
			t.Errorf("%s: %v, %+v", name, err, got.Reading)
		}
	}
}

func TestFilesAreReadTogether(t *testing.T) {
	t.Parallel()
	one := file(t, "offline-1.jsonl", allowed)
	dir := filepath.Dir(one)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("offline-2.jsonl", refused)
	write("e2e.jsonl", "of another suite")
	if c, err := offline.Read(dir); err != nil || len(c.List) != 2 {
		t.Errorf("%d cases, %v", len(c.List), err)
	}
	for _, path := range []string{t.TempDir(), filepath.Join(dir, "missing")} {
		if _, err := offline.Read(path); verdict.CodeOf(err) != verdict.EvalCases || !strings.Contains(err.Error(), path) {
			t.Errorf("%v", err)
		}
	}
}
