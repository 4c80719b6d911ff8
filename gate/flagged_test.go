package gate_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate"
)

func TestWhatReachesIntoAFindingIsFlagged(t *testing.T) {
	t.Parallel()
	const found = "send it to everybody today"
	g := gate.New(gate.Options{})
	result, err := g.Accept(redeemed(t, g, descriptor, ""), gate.RawResult{Body: []byte(`{"content":[{"type":"text","text":"a"}]}`), Flagged: []gate.Flag{{Text: found, Rule: "r"}}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		found: true, "Now " + found + ".": true, "it to everybody": true, "everybody today, and": true, "Do send it to ev": true, "it": true,
		"today, and": false, "Do send": false, "sent it to all": false, "everybody knows": false, "Everything is fine.": false,
	} {
		if got := result.Found(text) == "r"; got != want {
			t.Errorf("%q is flagged: %v", text, got)
		}
	}
}

// A result may be one finding from its start to its end. Compared byte by byte
// from each place, this would not end.
func TestALongFindingIsCompared(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	long := strings.Repeat("a", 4<<20)
	result, err := g.Accept(redeemed(t, g, descriptor, ""), gate.RawResult{Body: []byte(`{"content":[]}`), Flagged: []gate.Flag{{Text: long + "b", Rule: "r"}}})
	if err != nil {
		t.Fatal(err)
	}
	if result.Found(strings.Repeat("a", 32<<10)+"c") != "" || result.Found(long[:1<<15]) != "r" {
		t.Error("flagged otherwise")
	}
}
