package host_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

// A trace with the sources of arguments verifies, and replays with the same sources: a rule that
// reads them decides the same again. An altered source breaks the chain, and in a chain that was
// computed again the decision does not follow from it.
func TestSourcesAreReplayedAndAnAlteredOneIsNoticed(t *testing.T) {
	t.Parallel()
	origins := []trace.OriginBody{{
		Pointer: "/policy_id", Origin: "result", Result: 2, Run: "r1", Server: "crm", Tool: "find", At: "/id", Open: true, Digest: "sha256:00",
	}}
	b, _ := writing(t, `{"read":["fetch_policy_entry"]}`)
	b.config.Policy.CallRules = policy(t, `{"effect":"deny","tools":["*/*"],"when":{"/sources/~1policy_id":"none"}}`)
	out := b.put(t, host.Question{Subject: "ada", Plan: []byte(fetch), Client: true, Facts: gate.Facts{Conversation: "c1", Origins: origins}})
	if out.Type != host.ToolResult || b.calls() != 1 {
		t.Fatalf("%s %+v, %d calls", out.Type, out.Error, b.calls())
	}
	events := b.events(t)
	var begin trace.BeginBody
	if err := events[0].Decode(&begin); err != nil || cmp.Diff(origins, begin.Facts.Origins) != "" {
		t.Errorf("%v: the trace has %+v", err, begin.Facts.Origins)
	}
	again := func(events []trace.Event) replay.Report {
		r, err := replay.Run(t.Context(), events, replay.Options{Types: demo.Types(), Objects: b.disk.object})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := again(events)
	if len(r.Differences) > 0 || !r.Complete || r.Decision == nil || !strings.Contains(string(r.Decision.Record), `"/policy_id":"open_result"`) {
		t.Errorf("the replay differs: %+v", r.Differences)
	}
	const said = `"origin":"said"` // of an open result: rules read that alone
	for _, edit := range [][2]string{{`"origin":"result"`, said}, {`"result":2`, `"result":0`}, {`"open":true`, `"open":false`}, {`"pointer":"/policy_id"`, `"pointer":"/policy"`}} {
		altered := bytes.Replace(b.disk.Bytes(), []byte(edit[0]), []byte(edit[1]), 1)
		if bytes.Equal(altered, b.disk.Bytes()) {
			t.Fatalf("%q is not in the trace", edit[0])
		}
		if _, err := trace.Read(bytes.NewReader(altered)); verdict.CodeOf(err) != verdict.TraceBroken {
			t.Errorf("%q: the chain holds: %v", edit[1], err)
		}
		forged := slices.Clone(events)
		forged[0].Body = bytes.Replace(events[0].Body, []byte(edit[0]), []byte(edit[1]), 1)
		if r := again(forged); edit[1] != said && len(r.Differences) == 0 {
			t.Errorf("%q: %+v", edit[1], r.Differences)
		}
	}
}
