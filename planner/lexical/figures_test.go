package lexical_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// tally counts what became of the rows of one source in one half.
type tally struct{ rows, called, tool, exact, declined int }

// TestFigures measures the planner on rows of the Berkeley Function-Calling
// Leaderboard and holds it to floors a little below what docs/planner.md
// states. Strings count only when they are equal to the byte.
func TestFigures(t *testing.T) {
	t.Parallel()
	got := map[string]*tally{}
	for _, r := range rows(t) {
		res, p := r.judge(t)
		source := r.Source[strings.LastIndexByte(r.Source, ' ')+1:]
		for _, key := range []string{r.half() + " " + source, "both " + source} {
			if got[key] == nil {
				got[key] = &tally{}
			}
			got[key].add(res)
		}
		if !p.Declines() && !fits(t, r, p.Tool(), p.Args()) {
			t.Errorf("%s: arguments do not fit the schema: %s", r.ID, p.Args())
		}
	}
	floors := map[string]struct{ exact, declined float64 }{ // per cent: at least, at most; of irrelevance at least
		"tuned simple_python": {70, 7}, "unread simple_python": {51, 21}, "both simple_python": {60, 15},
		"tuned multiple": {64, 13}, "unread multiple": {64, 12}, "both multiple": {64, 12},
		"tuned irrelevance": {0, 84}, "unread irrelevance": {0, 84}, "both irrelevance": {0, 85},
	}
	for _, key := range slices.Sorted(maps.Keys(floors)) {
		x, floor := got[key], floors[key]
		if x == nil {
			t.Fatalf("no rows of %s", key)
		}
		t.Log(x.line(key))
		declined := 100 * float64(x.declined) / float64(x.rows)
		if strings.Contains(key, "irrelevance") {
			if declined < floor.declined {
				t.Errorf("%s: declined %.1f %%, floor %.1f %%", key, declined, floor.declined)
			}
			continue
		}
		if exact := 100 * float64(x.exact) / float64(x.rows); exact < floor.exact {
			t.Errorf("%s: exact %.1f %%, floor %.1f %%", key, exact, floor.exact)
		}
		if declined > floor.declined {
			t.Errorf("%s: declined wrongly %.1f %%, ceiling %.1f %%", key, declined, floor.declined)
		}
		if x.tool < x.called*97/100 {
			t.Errorf("%s: the right tool in %d of %d calls", key, x.tool, x.called)
		}
	}
}

func (x *tally) add(r result) {
	count := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	x.rows++
	count(&x.called, !r.declined)
	count(&x.declined, r.declined)
	count(&x.tool, r.tool)
	count(&x.exact, r.exact)
}

func (x *tally) line(key string) string {
	return fmt.Sprintf("%-20s %3d rows  tool right %s  call exact %s  declined %s", key, x.rows, share(x.tool, x.rows), share(x.exact, x.rows), share(x.declined, x.rows))
}

// fits asks the gate's validators about the arguments.
func fits(tb testing.TB, r row, tool string, args []byte) bool {
	tb.Helper()
	t, err := r.catalog(tb).Tool("bfcl", tool)
	if err != nil {
		tb.Fatal(err)
	}
	v, err := t.Input().Compile()
	if err != nil {
		tb.Fatal(err)
	}
	return v.Check(args) == nil
}
