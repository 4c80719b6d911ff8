package gate_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
)

// A release overrules the rules that it names, and no other one.
func TestAHardFindingWithholdsUnlessItWasReleased(t *testing.T) {
	t.Parallel()
	hard := gate.Scanned{Scanner: "s", Findings: []scan.Finding{{Rule: "b", Tier: scan.Hard}, {Rule: "a", Tier: scan.Hard}, {Rule: "a", Tier: scan.Hard}}}
	soft := gate.Scanned{Scanner: "s", Findings: []scan.Finding{{Rule: "a", Tier: scan.Soft}}}
	unknown := gate.Scanned{Scanner: "s", Findings: []scan.Finding{{Rule: "a", Tier: scan.Soft + 1}}}
	failed := gate.Scanned{Scanner: "f", Err: errors.New("no")}
	for name, c := range map[string]struct {
		found    []gate.Scanned
		released []string
		want     []string
	}{
		"nothing":            {nil, nil, nil},
		"soft":               {[]gate.Scanned{soft}, nil, nil},
		"of no known tier":   {[]gate.Scanned{unknown}, nil, []string{"s/a"}},
		"hard":               {[]gate.Scanned{hard}, nil, []string{"s/a", "s/b"}},
		"one is released":    {[]gate.Scanned{hard}, []string{"s/a"}, []string{"s/b"}},
		"both are":           {[]gate.Scanned{hard}, []string{"s/b", "s/a"}, nil},
		"another scanner's":  {[]gate.Scanned{hard}, []string{"t/a", "a", "b"}, []string{"s/a", "s/b"}},
		"a scanner failed":   {[]gate.Scanned{soft, failed}, []string{"s/a"}, []string{"f/failed"}},
		"its failure is too": {[]gate.Scanned{soft, failed}, []string{"f/failed"}, nil},
	} {
		err := waiting(t, `"get"`).Examine(c.found, c.released)
		if diff := cmp.Diff(c.want, verdict.Rules(err)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if got := verdict.CodeOf(err); (got == verdict.OutputQuarantined) != (c.want != nil) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
