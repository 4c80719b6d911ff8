package replay_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/trace"
)

func TestAReplayNamesTheFirstVerdictThatDiffers(t *testing.T) {
	t.Parallel()
	_, b := run(t, &edges{listed: get, live: get, answer: hello}, allowed, "Get entry 1, please")
	p := policy(t, `{"kb":["put"]}`)
	r := again(t, b, &p)
	if len(r.Differences) == 0 || r.Differences[0].Gate != "approve" || r.Differences[0].Now.Code != verdict.AllowTool {
		t.Errorf("%+v", r.Differences)
	}
	// A forged verdict, in a chain that was computed again, does not follow.
	forged := rewritten(t, b, `"deny"`)
	if r := again(t, forged, nil); len(r.Differences) == 0 {
		t.Error("a forged verdict went unnoticed")
	}
}

func TestARefusalForAnotherReasonDoesNotFollow(t *testing.T) {
	t.Parallel()
	_, b := run(t, &edges{listed: get, live: get, answer: hello}, `{"kb":["put"]}`, "Get entry 1, please")
	forged := rewrite(t, b, func(e *trace.Event) {
		e.Body = bytes.Replace(e.Body, []byte(`"code":"allow.tool"`), []byte(`"code":"allow.server"`), 1)
	})
	if bytes.Equal(b, forged) {
		t.Fatalf("nothing was forged in %s", b)
	}
	r := again(t, forged, nil)
	if len(r.Differences) != 1 || r.Differences[0].Gate != "approve" || r.Differences[0].Was.Code != verdict.AllowServer || r.Differences[0].Now.Code != verdict.AllowTool {
		t.Errorf("%+v", r.Differences)
	}
}

func TestAForgedApprovalDoesNotFollow(t *testing.T) {
	t.Parallel()
	_, b := run(t, &edges{listed: get, live: get, answer: hello}, allowed, "Get entry 1, please")
	for name, edit := range map[string][2]string{
		"other arguments": {`{"id":1}`, `{"id":666}`}, "another tool": {`"tool":"get"`, `"tool":"put"`}, "another descriptor": {`sha256:`, `sha256:0`},
	} {
		forged := rewrite(t, b, func(e *trace.Event) {
			if e.Kind == trace.Approval {
				e.Body = bytes.Replace(e.Body, []byte(edit[0]), []byte(edit[1]), 1)
			}
		})
		if r := again(t, forged, nil); len(r.Differences) == 0 || r.Differences[0].Gate != "approval" {
			t.Errorf("%s: %+v", name, r.Differences)
		}
	}
	forged := rewrite(t, b, func(e *trace.Event) {
		if e.Kind == trace.Outcome {
			e.Body = bytes.Replace(e.Body, []byte(`"answered"`), []byte(`"none"`), 1)
		}
	})
	if r := again(t, forged, nil); len(r.Differences) == 0 || r.Differences[0].Gate != "outcome" {
		t.Errorf("another outcome: %+v", r.Differences)
	}
}

// What was removed from a client's arguments follows from them and its name.
func TestAForgedRemovalDoesNotFollow(t *testing.T) {
	t.Parallel()
	e := &edges{listed: get, live: get, answer: hello}
	out, b := asked(t, e, "gemini-cli-mcp-client", `{"id":1,"wait_for_previous":true}`)
	if r := out.Removed; out.Call != host.Answered || r == nil || r.Argument != "wait_for_previous" || string(out.Planned.Args()) != `{"id":1}` {
		t.Fatalf("%+v", out)
	}
	if r := again(t, b, nil); len(r.Differences) != 0 {
		t.Errorf("%+v", r.Differences)
	}
	for name, edit := range map[string][2]string{
		"another value":    {`"value":true`, `"value":false`},
		"another argument": {`"argument":"wait_for_previous"`, `"argument":"id"`},
		"another client":   {`"client":"gemini-cli-mcp-client"`, `"client":"other"`},
	} {
		forged := rewrite(t, b, func(e *trace.Event) {
			e.Body = bytes.Replace(e.Body, []byte(edit[0]), []byte(edit[1]), 1)
		})
		if r := again(t, forged, nil); len(r.Differences) == 0 {
			t.Errorf("%s: a forged removal went unnoticed", name)
		}
	}
	if out, _ := asked(t, e, "other", `{"id":1,"wait_for_previous":true}`); out.Error == nil || out.Error.Code != verdict.SchemaArguments || out.Removed != nil {
		t.Errorf("%+v", out)
	}
}

// A user who names a client, or whose plan has such an argument, gets what they wrote.
func TestOnlyAClientsPlanIsReduced(t *testing.T) {
	t.Parallel()
	e, f := &edges{listed: get, live: get, answer: hello}, &file{}
	h, err := host.New(host.Config{Policy: policy(t, allowed), Source: e, Caller: e, Writer: e, Proposer: planner.Constant(nil), Traces: f})
	if err != nil {
		t.Fatal(err)
	}
	out := h.Ask(t.Context(), host.Question{
		Plan: plan.Call("kb", "get", jsontext.Value(`{"id":1,"wait_for_previous":true}`)), Facts: gate.Facts{Client: "gemini-cli-mcp-client"},
	})
	if out.Error == nil || out.Error.Code != verdict.SchemaArguments || out.Removed != nil {
		t.Errorf("%+v", out)
	}
}

// rewritten changes every recorded verdict and computes the chain again.
func rewritten(t *testing.T, b []byte, to string) []byte {
	t.Helper()
	return rewrite(t, b, func(e *trace.Event) {
		if e.Kind == trace.Verdict {
			e.Body = bytes.Replace(e.Body, []byte(`"allow"`), []byte(to), 1)
		}
	})
}

func rewrite(t *testing.T, b []byte, edit func(*trace.Event)) []byte {
	t.Helper()
	events, err := trace.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	f := &file{}
	l := trace.New(f, func() time.Time { return events[0].Time })
	for _, e := range events {
		edit(&e)
		if err := l.Append(e.Kind, e.Body); err != nil {
			t.Fatal(err)
		}
	}
	return f.Bytes()
}
