package eval_test

import (
	"testing"

	"github.com/onestep-run/onestep/eval"
)

func TestADigestIsOverEveryPartInItsPlace(t *testing.T) {
	t.Parallel()
	seen := map[string][]any{}
	for _, parts := range [][]any{
		nil,
		{""},
		{"a"},
		{"a", ""},
		{"", "a"},
		{"ab"},
		{"a", "b"},
		{"b", "a"},
		{[]string{"a", "b"}},
		{1},
		{"1"},
		{11},
		{1, 1},
		{map[string]int{"a": 1, "b": 2}},
	} {
		d := eval.Digest(parts...)
		if twin, there := seen[d]; there {
			t.Errorf("%q and %q have one digest", parts, twin)
		}
		seen[d] = parts
	}
	if eval.Digest(map[string]int{"a": 1, "b": 2}) != eval.Digest(map[string]int{"b": 2, "a": 1}) {
		t.Error("the order of a map shows")
	}
}
