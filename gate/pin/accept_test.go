package pin_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestAcceptTakesWhatItNamesAndNothingWorse(t *testing.T) {
	t.Parallel()
	for names, most := range map[string]pin.Class{
		"": pin.Informational, "informational": pin.Informational, "cosmetic": pin.Cosmetic,
		"cosmetic safer informational": pin.Safer,
	} {
		a, err := pin.ParseAccept(strings.Fields(names))
		if err != nil {
			t.Fatal(err)
		}
		for c := pin.Lowering; c <= pin.Informational; c++ {
			if got := a.Takes([]pin.Difference{{Class: pin.Informational}, {Class: c}}); got != (c >= most) {
				t.Errorf("%q takes %s: %v", names, c, got)
			}
		}
		if a.Takes([]pin.Difference{{}}) || a.Takes([]pin.Difference{{Class: pin.Informational + 1}}) {
			t.Errorf("%q takes what has no class", names)
		}
		if !a.Takes(nil) {
			t.Errorf("%q does not take what is the same", names)
		}
	}
	if a, _ := pin.ParseAccept([]string{"safer"}); a.Takes([]pin.Difference{{Class: pin.Cosmetic}}) {
		t.Error("safer takes cosmetic")
	}
	for _, name := range []string{"wording", "cue", "contract", "safety-lowering", "Safer", "all", ""} {
		if a, err := pin.ParseAccept([]string{"cosmetic", name}); err == nil || a != (pin.Accept{}) {
			t.Errorf("%q can be accepted", name)
		}
	}
}

func TestWhatChangedIsDeniedWithTheWorstFirst(t *testing.T) {
	t.Parallel()
	was := tool(`"n":{"type":"integer","maximum":9},"e":{"enum":["a","b"]}`, ``)
	now := tool(`"n":{"type":"integer"},"e":{"enum":["a","b"],"title":"E"}`, ``)
	var d *verdict.Denial
	if err := (pin.Accept{}).Same(was, now); !errors.As(err, &d) || d.Code != verdict.PinChanged {
		t.Fatal(err)
	}
	worst, least := strings.Index(d.Reason, "safety-lowering at /inputSchema/properties (the bound"), strings.Index(d.Reason, "cosmetic at ")
	if worst < 0 || least < worst || strings.Contains(d.Reason, "/n/") {
		t.Error(d.Reason)
	}
	many := ""
	for _, name := range strings.Split("abcdefghijklmnop", "") {
		many += `"` + strings.Repeat(name, 200) + `":{"type":"string"},`
	}
	err := (pin.Accept{}).Same(was, tool(strings.TrimSuffix(many, ","), ``))
	if err == nil || len(err.Error()) > 1200 {
		t.Errorf("%d bytes: %v", len(err.Error()), err)
	}
}
