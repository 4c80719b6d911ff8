package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
)

// Of a pipe, as of a terminal of some systems, nothing that was typed ahead can
// be dropped: it would be the answer to a question that was never read.
func TestNobodyIsAskedWhereWhatWasTypedAheadIsKept(t *testing.T) {
	t.Parallel()
	in, keys, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := keys.WriteString("policy-002\n"); err != nil || keys.Close() != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	a := &app{App: cli.New(version)}
	a.Err = cli.NewStream(&shown)
	out := host.Outcome{Type: host.FinalAnswer, Open: &planner.Open{Tools: []string{"kb/fetch"}, Missing: []string{"id"}}}
	if answer := a.answerTo(t.Context(), in, out); answer != (host.Answer{}) || shown.Len() > 0 {
		t.Errorf("%+v after %q", answer, &shown)
	}
}
