package eval_test

import (
	"testing"

	"github.com/onestep-run/onestep/eval"
)

func TestHalvesArePartedByHash(t *testing.T) {
	t.Parallel()
	// By sha256sum: c7…, 86…, 85…, e3….
	for key, want := range map[string]string{"xstest-41": eval.HeldOut, "xstest-42": eval.Tuning, "xstest-43": eval.HeldOut, "": eval.HeldOut} {
		if got := eval.HashHalf(key); got != want {
			t.Errorf("%s: %q", key, got)
		}
	}
}
