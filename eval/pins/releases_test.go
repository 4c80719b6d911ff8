package pins

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/pin"
)

func TestTheSameEditOfSeveralToolsIsOneDecision(t *testing.T) {
	t.Parallel()
	edit := func(class pin.Class, path string) pin.Difference {
		return pin.Difference{Class: class, Path: path, Was: []byte("1"), Now: []byte("2")}
	}
	bound, other, text := edit(pin.Contract, "/a"), edit(pin.Contract, "/b"), edit(pin.Wording, "/a")
	got := distinct([]pin.Change{
		{Tool: "get", Differences: []pin.Difference{bound, text}},
		{Tool: "put", Differences: []pin.Difference{edit(pin.Informational, "/a"), bound, other}},
	})
	if diff := cmp.Diff([]pin.Difference{bound, text, other}, got); diff != "" {
		t.Error(diff)
	}
}
