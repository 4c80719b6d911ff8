package schema_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/schema"
)

// namesTo are those of the members on the way to a leaf.
func namesTo(l schema.Leaf) (all []string) {
	for _, s := range l.Path() {
		if s.Index < 0 {
			all = append(all, s.Name)
		}
	}
	return all
}

func spelled(l schema.Leaf) string {
	return fmt.Sprintf("%q %q %c %v %s", l.Pointer(), namesTo(l), l.Kind, l.Name, l.Text)
}

func TestLeavesAreWhatHoldsNoOther(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][]string{
		`1.50`:           {`"" [] 0 false 1.50`},
		`"a\u0062"`:      {`"" [] " false ab`},
		` null `:         {`"" [] n false null`},
		`{}`:             {`"" [] { false {}`},
		`[ ]`:            {`"" [] [ false []`},
		`[[],[true,{}]]`: {`"/0" [] [ false []`, `"/1/0" [] t false true`, `"/1/1" [] { false {}`},
		`{"b":"x","a/~":[1,{"c":null}],"":false}`: {
			`"/b" ["b"] " true b`, `"/b" ["b"] " false x`,
			`"/a~1~0" ["a/~"] " true a/~`, `"/a~1~0/0" ["a/~"] 0 false 1`,
			`"/a~1~0/1/c" ["a/~" "c"] " true c`, `"/a~1~0/1/c" ["a/~" "c"] n false null`,
			`"/" [""] " true `, `"/" [""] f false false`,
		},
		``: nil, `{"a"`: {`"/a" ["a"] " true a`}, `[1,}`: {`"/0" [] 0 false 1`}, // no JSON
	} {
		var got []string
		for l := range schema.Leaves(jsontext.Value(value)) {
			got = append(got, spelled(l))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", value, diff)
		}
	}
}

func TestAWalkEndsWhereItsCallerDoes(t *testing.T) {
	t.Parallel()
	const value = `{"a":[1,[]],"b":{}}`
	for most := range 6 {
		seen := 0
		for range schema.Leaves(jsontext.Value(value)) {
			if seen++; seen > most {
				break
			}
		}
		if want := min(most+1, 5); seen != want {
			t.Errorf("%d leaves where %d were wanted", seen, want)
		}
	}
}

// It is not parallel: what others allocate would count.
func TestALongNameIsNotWrittenOutForEachLeafBelowIt(t *testing.T) {
	value := `{"` + strings.Repeat("n", 1<<20) + `":[0` + strings.Repeat(",0", 10_000) + `]}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all []schema.Leaf
	for l := range schema.Leaves(jsontext.Value(value)) {
		all = append(all, l)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; len(all) != 10_002 || took > 16<<20 {
		t.Errorf("%d leaves took %d bytes", len(all), took)
	}
}

// In any JSON, each leaf is where its pointer says, and together the leaves are all of
// it.
func FuzzLeaves(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":null}],"":{},"~/":[[],"\u0000"]}`, `[]`, `"a"`, `1e5`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if schema.Check(b, schema.PlanLimits) != nil {
			return
		}
		var whole any
		if err := json.Unmarshal(b, &whole); err != nil {
			t.Fatal(err)
		}
		values := 0
		for l := range schema.Leaves(b) {
			at := at(t, whole, l.Pointer())
			switch way := namesTo(l); {
			case l.Name:
				if way[len(way)-1] != l.Text {
					t.Fatalf("%s: %s", b, spelled(l))
				}
				continue
			case l.Kind == '"':
				if at != l.Text {
					t.Fatalf("%s: %s", b, spelled(l))
				}
			default:
				var v any
				if err := json.Unmarshal([]byte(l.Text), &v); err != nil || !cmp.Equal(v, at) {
					t.Fatalf("%s: %s", b, spelled(l))
				}
			}
			values++
		}
		if want := countLeaves(whole); values != want {
			t.Fatalf("%s: %d leaves, and %d of them walked", b, want, values)
		}
	})
}

// at is what a JSON Pointer leads to.
func at(t *testing.T, v any, pointer string) any {
	t.Helper()
	if pointer == "" {
		return v
	}
	for _, token := range strings.Split(pointer[1:], "/") {
		switch in := v.(type) {
		case map[string]any:
			v = in[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
		case []any:
			i := 0
			if _, err := fmt.Sscan(token, &i); err != nil {
				t.Fatal(err)
			}
			v = in[i]
		}
	}
	return v
}

func countLeaves(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n += countLeaves(e)
		}
	case []any:
		for _, e := range v {
			n += countLeaves(e)
		}
	}
	return max(n, 1)
}

func BenchmarkLeaves(b *testing.B) {
	value := jsontext.Value(typicalCall)
	b.ReportAllocs()
	for b.Loop() {
		for range schema.Leaves(value) {
		}
	}
}
