package host_test

import (
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// Whether someone other than the asker approved a call is a fact of its record, by
// what the state has, and a replay decides by it.
func TestWhoApprovedIsAFactOfTheRecord(t *testing.T) {
	t.Parallel()
	const denies = `{"effect":"deny","tools":["*/*"],"when":{"approvals":{"schema":{"type":"array","minItems":1}},"approved_by_other":false}}`
	for who, want := range map[string]verdict.Code{"ada": verdict.RuleDenied, "grace": ""} {
		for _, elsewhere := range []bool{false, true} {
			b, kept := writing(t, fetchWrites)
			b.config.Policy.CallRules = policy(t, denies)
			q := fetching
			if elsewhere {
				q.Facts = gate.Facts{Conversation: "c1"}
			}
			out := b.put(t, q)
			if out.Type != host.ApprovalNeeded {
				t.Fatalf("%+v", out.Error)
			}
			b.again()
			if elsewhere {
				if _, err := kept.Move(t.Context(), out.RunID, out.Approval.Digest, approval.Step{To: approval.Approved, By: who, How: gate.AtTerminal, Now: time.Now()}); err != nil {
					t.Fatal(err)
				}
			} else {
				q.Approval = &host.Binding{RunID: out.RunID, Digest: out.Approval.Digest, By: who, How: gate.ByDigest}
			}
			out = b.put(t, q)
			if code := codeOf(out); code != want || (want == "") != (out.Call == host.Answered) {
				t.Errorf("approved by %s, elsewhere %v: %+v", who, elsewhere, out.Error)
			}
			replayed(t, b)
			for _, e := range b.events(t) {
				if is := strings.Contains(string(e.Body), `"approved_by_other":true`); e.Kind == trace.Decision && is != (who == "grace") {
					t.Errorf("the record says %s", e.Body)
				}
			}
		}
	}
}
