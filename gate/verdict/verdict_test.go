package verdict_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
)

func TestTheOutermostVerdictIsTheOne(t *testing.T) {
	t.Parallel()
	no, broken := verdict.Deny(verdict.AllowTool, "no"), verdict.Fail(verdict.ServerTimeout, nil, "late")
	for name, c := range map[string]struct {
		err    error
		code   verdict.Code
		denied bool
	}{
		"nothing":                    {nil, "", false},
		"a denial":                   {no, verdict.AllowTool, true},
		"a fault":                    {broken, verdict.ServerTimeout, false},
		"a denial, wrapped":          {fmt.Errorf("asked: %w", no), verdict.AllowTool, true},
		"a fault caused by a denial": {verdict.Fail(verdict.CallOutcomeUnknown, no, "left"), verdict.CallOutcomeUnknown, false},
		"both, the denial first":     {errors.Join(no, broken), verdict.AllowTool, true},
		"both, the fault first":      {errors.Join(nil, broken, no), verdict.ServerTimeout, false},
		"neither":                    {errors.New("odd"), verdict.Internal, false},
		"neither, joined":            {errors.Join(errors.New("odd"), errors.New("even")), verdict.Internal, false},
	} {
		if got := verdict.CodeOf(c.err); got != c.code || verdict.Denied(c.err) != c.denied {
			t.Errorf("%s: %q, denied %v; want %q", name, got, verdict.Denied(c.err), c.code)
		}
	}
}

func TestAnUnlistedCodeIsAFailure(t *testing.T) {
	t.Parallel()
	if e := verdict.Code("made.up").Entry(); e.Exit != 1 || e.Code != verdict.Internal {
		t.Errorf("%+v", e)
	}
	for _, e := range verdict.Entries() {
		if e.Exit == 0 {
			t.Errorf("%s exits 0", e.Code)
		}
	}
}
