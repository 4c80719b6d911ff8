package eval_test

import (
	"testing"

	"github.com/onestep-run/onestep/eval"
)

func TestHalvesArePartedByTens(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"multiple_0": eval.EvenTens, "multiple_9": eval.EvenTens, "multiple_10": eval.OddTens, "multiple_19": eval.OddTens,
		"multiple_20": eval.EvenTens, "x_127": eval.EvenTens, "x_130": eval.OddTens, "7": eval.EvenTens, "12": eval.OddTens,
		"x_99999999999999999999999999": eval.OddTens, "x-3-12": eval.OddTens, "x12y": "", "none": "", "x_1 ": "",
	} {
		if got := eval.TensHalf(id); got != want {
			t.Errorf("%s: %q", id, got)
		}
	}
}

func TestHalvesArePartedByHash(t *testing.T) {
	t.Parallel()
	// By sha256sum: c7…, 86…, 85…, e3….
	for key, want := range map[string]string{"xstest-41": eval.HeldOut, "xstest-42": eval.Tuning, "xstest-43": eval.HeldOut, "": eval.HeldOut} {
		if got := eval.HashHalf(key); got != want {
			t.Errorf("%s: %q", key, got)
		}
	}
}
