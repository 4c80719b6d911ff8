package lock_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/lock"
)

const tool = `"tool":"s/close_t","descriptor":{"name":"close_t","inputSchema":{"type":"object","properties":{"id":{"type":"string"},"minutes":{"type":"integer"},"from":{"type":"string"},"to":{"type":"string"}}}}`

var made = strings.Join([]string{
	`{"id":"a","question":"Close INC1 in 2 hours",` + tool + `,"effect":"write","right":{"id":"INC1","minutes":120},"wrong":{"id":"INC1","minutes":2},"fault":{"pointer":"/minutes","kind":"unit"}}`,
	`{"id":"b","question":"Close INC1 soon",` + tool + `,"effect":"write","right":{"id":"INC1","minutes":7},"wrong":{"id":"INC1","minutes":8},"fault":{"pointer":"/minutes","kind":"guess"}}`,
	`{"id":"c","question":"Close it from a1 to b1",` + tool + `,"effect":"write","right":{"from":"a1","to":"b1"},"wrong":{"from":"b1","to":"a1"},"fault":{"pointer":"/from","kind":"swap"}}`,
	`{"id":"d","question":"Close INC1 and INC2",` + tool + `,"effect":"read","right":{"id":"INC1"},"wrong":{"id":"INC2"},"fault":{"pointer":"/id","kind":"target"}}`,
	`{"id":"e","question":"Close INC1",` + tool + `,"effect":"write","plan":{"id":"INC1"},"asked":true,"kind":"plain"}`,
	`{"id":"f","question":"Don't close INC1",` + tool + `,"effect":"write","plan":{"id":"INC1"},"asked":false,"kind":"negated"}`,
	`{"id":"g","question":"INC1, you know what to do",` + tool + `,"effect":"write","plan":{"id":"INC1"},"asked":false,"kind":"vague"}`,
}, "\n")

func TestHandMadeRowsHaveTheFiguresTheyWereMadeFor(t *testing.T) {
	t.Parallel()
	cases, err := lock.Parse("made", strings.NewReader(made))
	if err != nil || len(cases.List) != 7 {
		t.Fatalf("%d cases, %v, %+v", len(cases.List), err, cases.Unasked)
	}
	r, err := lock.Suite(cases.List).Run(t.Context(), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][2]int{}
	for _, f := range r.Figures {
		if f.Group == "" && f.Half == "" {
			got[f.Name] = [2]int{f.Rate.Hits, f.Rate.Of}
		}
	}
	// Of b both calls are marked as unstated; of d each leaves the other's literal over.
	want := map[string][2]int{
		"right_unmarked": {2, 4}, "fault_marked": {2, 3}, "swap_marked": {1, 1}, "wrong_marked": {4, 4}, "unasked_found": {1, 2}, "asked_marked": {0, 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestARowThatCannotBeJudgedIsNotAsked(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"id":"a","question":"x","tool":"s/none","effect":"write","plan":{},"asked":true,"kind":"plain"}`,
		`{"id":"a","question":"x",` + tool + `,"effect":"sometimes","plan":{},"asked":true,"kind":"plain"}`,
		`{"id":"a","question":"x",` + tool + `,"effect":"write","plan":{},"kind":"plain"}`,
		`{"id":"a","question":"x",` + tool + `,"effect":"write","right":{},"fault":{"pointer":"/a","kind":"x"}}`,
		`{"id":"a","question":"x",` + tool + `,"effect":"write"}`,
	} {
		c, err := lock.Parse("c", strings.NewReader(line))
		if err == nil && len(c.List) != 0 {
			t.Errorf("%s is asked", line)
		}
	}
}

func TestTheFrozenSetIsWhole(t *testing.T) {
	t.Parallel()
	list, err := lock.Own()
	if err != nil || len(list) != 180 {
		t.Errorf("%d cases, %v", len(list), err)
	}
}
