package eval_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
)

// journal is that of a run of n cases that was stopped after some of them.
func journal(t *testing.T, n, after int) (path, whole string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "partial.jsonl")
	ctx, do := interrupting(t, after)
	if _, r, err := run(t, ctx, suite(n, do), eval.Options{Journal: path}); err == nil || r.Measured != after {
		t.Fatalf("%v, %d measured", err, r.Measured)
	}
	return path, text(t, path)
}

// resumed goes on with what a journal holds, and counts the cases it measured.
func resumed(t *testing.T, s eval.Suite, held string) (results, after string, again int, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "partial.jsonl")
	if err := os.WriteFile(path, []byte(held), 0o600); err != nil {
		t.Fatal(err)
	}
	var count atomic.Int32
	observe := s.Observe
	s.Observe = func(ctx context.Context, i int) ([]eval.Row, error) {
		count.Add(1)
		return observe(ctx, i)
	}
	results, _, err = run(t, t.Context(), s, eval.Options{Journal: path, Resume: true})
	return results, text(t, path), int(count.Load()), err
}

func TestAJournalOfSomethingElseIsRefusedAndStays(t *testing.T) {
	t.Parallel()
	_, whole := journal(t, 9, 3)
	lines := strings.SplitAfter(whole, "\n")
	other := suite(9, nil)
	other.Name = "other"
	otherDigest := suite(9, nil)
	otherDigest.Digest = eval.Digest("other cases")
	otherPolicy := suite(9, nil)
	otherPolicy.Policy = eval.Digest("another policy")
	fewer := suite(2, nil)
	fewer.Digest = suite(9, nil).Digest
	for name, c := range map[string]struct {
		suite eval.Suite
		held  string
		want  string
	}{
		"another suite":         {other, whole, "of other cases, another planner or another policy"},
		"another digest":        {otherDigest, whole, "of other cases"},
		"another policy":        {otherPolicy, whole, "another policy"},
		"a case it has not":     {fewer, whole, `the case "case-2", which is unknown`},
		"a case twice":          {suite(9, nil), whole + lines[2], "was there before"},
		"no head":               {suite(9, nil), lines[1] + lines[2], "begins with"},
		"two heads":             {suite(9, nil), lines[0] + whole, "unknown key"},
		"no JSON":               {suite(9, nil), lines[0] + "case-0\n" + lines[2], "its journal has"},
		"an empty line":         {suite(9, nil), lines[0] + "\n" + lines[1], "its journal has"},
		"an unknown field":      {suite(9, nil), lines[0] + strings.Replace(lines[1], `"id"`, `"note":1,"id"`, 1), "unknown key"},
		"a field twice":         {suite(9, nil), lines[0] + strings.Replace(lines[1], `"id"`, `"id":"x","id"`, 1), "same key twice"},
		"a fact that is a text": {suite(9, nil), lines[0] + strings.Replace(lines[1], `"even":1`, `"even":"1"`, 1), "another type"},
		"an empty head":         {suite(9, nil), "{}\n", "of other cases"},
	} {
		_, after, again, err := resumed(t, c.suite, c.held)
		if verdict.CodeOf(err) != verdict.UsageArgument || !strings.Contains(err.Error(), c.want) || again > 0 {
			t.Errorf("%s: %d cases were measured, %v", name, again, err)
		}
		if after != c.held {
			t.Errorf("%s: the journal was changed", name)
		}
	}
}

// A run that is killed leaves a line without its end.
func TestATornLastLineIsMeasuredAgain(t *testing.T) {
	t.Parallel()
	want, _, err := run(t, t.Context(), suite(9, nil), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, whole := journal(t, 9, 3)
	head := strings.Index(whole, "\n") + 1
	last := strings.LastIndex(strings.TrimSuffix(whole, "\n"), "\n") + 1
	for name, c := range map[string]struct {
		held  string
		again int
	}{
		"whole":                   {whole, 6},
		"no end of the last line": {strings.TrimSuffix(whole, "\n"), 7},
		"half of the last line":   {whole[:(last+len(whole))/2], 7},
		"one byte of it":          {whole[:last+1], 7},
		"the head only":           {whole[:head], 9},
		"half of the head":        {whole[:head/2], 9},
		"nothing":                 {"", 9},
	} {
		got, after, again, err := resumed(t, suite(9, nil), c.held)
		if diff := cmp.Diff(want, got); err != nil || again != c.again || diff != "" {
			t.Errorf("%s: %v, %d were measured again: %s", name, err, again, diff)
		}
		if _, _, again, err := resumed(t, suite(9, nil), after); err != nil || again != 0 {
			t.Errorf("%s: the journal it leaves is not whole: %v, %d", name, err, again)
		}
	}
}

func TestWithoutResumingAJournalIsBegunAnew(t *testing.T) {
	t.Parallel()
	path, _ := journal(t, 9, 5)
	ctx, do := interrupting(t, 2)
	if _, r, err := run(t, ctx, suite(9, do), eval.Options{Journal: path}); err == nil || r.Measured != 2 || strings.Count(text(t, path), "\n") != 3 {
		t.Errorf("%v, %d measured: %s", err, r.Measured, text(t, path))
	}
}

func TestNothingIsMeasuredWithoutAPlaceForTheJournal(t *testing.T) {
	t.Parallel()
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none", "partial.jsonl")} {
		r, err := suite(3, func(context.Context, int) error { t.Error("measured"); return nil }).Run(t.Context(), eval.Options{Journal: path})
		if verdict.CodeOf(err) != verdict.UsageArgument || r.SchemaVersion != 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// FuzzJournal asserts that a file in place of a journal is refused before the
// measurement, or is a journal. In that case the measurement goes to its end, and the
// journal then has all of it.
func FuzzJournal(f *testing.F) {
	s := suite(3, nil)
	head := `{"suite":"made","digest":"` + s.Digest + `","policy_digest":""}` + "\n"
	f.Add(head)
	f.Add(head + `{"id":"case-1","rows":[{"id":"x","group":"","expected":"","observed":"","passed":true,"facts":{"even":9}}]}` + "\n{")
	f.Add(head + `{"id":"case-0","rows":null}` + "\n")
	f.Add(head + `{"id":"case-0","rows":[{"data":1e400,"trace":[""]}]}` + "\n")
	f.Add("\n")
	f.Fuzz(func(t *testing.T, held string) {
		first, after, again, err := resumed(t, s, held)
		if err != nil {
			if verdict.CodeOf(err) != verdict.UsageArgument || again > 0 || after != held {
				t.Fatalf("%d cases were measured beside %v", again, err)
			}
			return
		}
		second, _, again, err := resumed(t, s, after)
		if diff := cmp.Diff(first, second); err != nil || again > 0 || diff != "" {
			t.Fatalf("%v, %d were measured again: %s", err, again, diff)
		}
	})
}
