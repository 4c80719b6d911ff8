package gate_test

import (
	"errors"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// waiting is a call that a person has to approve, of a tool as the allowlist
// has it.
func waiting(t *testing.T, entry string) gate.Approved {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":[` + entry + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{live(descriptor)}}}, allow, catalog.Options{})
	a, err := gate.New(gate.Options{}).Approve(gate.Asked{Query: query(t, "get 1", ""), RunID: "r", Subject: "ada"}, c, parsed(t, `{"id":1}`))
	if err != nil || a.Ruled().Ruling != verdict.Ask || a.Ruled().Rules[0].Code != verdict.ApprovalNeeded {
		t.Fatalf("%+v, %v", a.Ruled(), err)
	}
	return a
}

// said is a yes whose record is on the log.
func said(t *testing.T, log *trace.Log, a gate.Approved, y gate.Yes) trace.Receipt {
	t.Helper()
	record, err := a.ConsentRecord(y)
	if err != nil {
		t.Fatal(err)
	}
	on, err := log.Commit(trace.Consent, record)
	if err != nil {
		t.Fatal(err)
	}
	return on
}

func TestACallThatWaitsLeavesWithAConsentToItAlone(t *testing.T) {
	t.Parallel()
	a, other := waiting(t, `"get"`), waiting(t, `"get"`) // the same record, another question
	if a.Digest() != other.Digest() {
		t.Fatalf("%s, %s", a.Record(), other.Record())
	}
	yes := gate.Yes{Approval: a.Digest(), By: "ada", How: gate.AtTerminal}
	log := trace.New(&disk{}, time.Now)
	others, err := other.Consented(yes, said(t, log, other, yes))
	if err != nil {
		t.Fatal(err)
	}
	for name, consent := range map[string]gate.Consent{"none": {}, "another call's": others} {
		_, err := a.Redeem(live(descriptor), receipt(t, a), consent)
		code(t, name, err, verdict.ApprovalNeeded)
	}
	on := said(t, log, a, yes)
	own, err := a.Consented(yes, on)
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Consented(yes, on)
	code(t, "a second consent of one line", err, verdict.CallUnrecorded)
	_, err = a.Redeem(live(descriptor), trace.Receipt{}, own)
	code(t, "a consent without the approval's record", err, verdict.CallUnrecorded)
	if call, err := a.Redeem(live(descriptor), receipt(t, a), own); err != nil || call.Tool != "get" {
		t.Errorf("%+v, %v", call, err)
	}
	_, err = a.Redeem(live(descriptor), receipt(t, a), own)
	code(t, "a second call with one consent", err, verdict.CallSpent)
}

func TestAYesThatIsNotOnDiskIsNone(t *testing.T) {
	t.Parallel()
	a := waiting(t, `"get"`)
	yes := gate.Yes{Approval: a.Digest(), By: "ada", How: gate.AtTerminal}
	_, err := a.Consented(yes, trace.Receipt{})
	code(t, "no receipt", err, verdict.CallUnrecorded)
	_, err = a.Consented(yes, receipt(t, a))
	code(t, "the receipt of the approval", err, verdict.CallUnrecorded)
	bo := yes
	bo.By = "bo"
	_, err = a.Consented(yes, said(t, trace.New(&disk{}, time.Now), a, bo))
	code(t, "the receipt of another's yes", err, verdict.CallUnrecorded)
	if _, err := trace.New(full{}, time.Now).Commit(trace.Consent, []byte(`{}`)); err == nil {
		t.Error("a full disk gives a receipt")
	}
}

type full struct{}

func (full) Write(b []byte) (int, error) { return len(b), nil }
func (full) Sync() error                 { return errors.New("no space left on device") }

func TestAYesToSomethingElseIsNotRecorded(t *testing.T) {
	t.Parallel()
	a := waiting(t, `"get"`)
	for name, y := range map[string]gate.Yes{
		"nothing": {}, "no digest": {By: "ada", How: gate.AtTerminal}, "another digest": {Approval: "sha256:0", How: gate.AtTerminal},
		"a part of it": {Approval: a.Digest()[:20], How: gate.AtTerminal},
	} {
		_, err := a.ConsentRecord(y)
		code(t, name, err, verdict.ApprovalChanged)
	}
	_, err := gate.Approved{}.ConsentRecord(gate.Yes{})
	code(t, "of no approval", err, verdict.ApprovalChanged)
	for how, want := range map[string]verdict.Code{gate.AtTerminal: "", gate.ByDigest: verdict.ApprovalRefused, gate.ByYes: verdict.ApprovalRefused, gate.ByAllowlist: verdict.ApprovalRefused, "": verdict.ApprovalRefused} {
		a := waiting(t, `{"name":"get","approval":"terminal"}`)
		_, err := a.ConsentRecord(gate.Yes{Approval: a.Digest(), How: how})
		code(t, "at a terminal only: "+how, err, want)
	}
}

// Where another person has to approve, an asker or an approver without a name is
// not known to be another.
func TestAnotherPersonApprovesWhereTheOperatorSaysSo(t *testing.T) {
	t.Parallel()
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":["get"]}`))
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{live(descriptor)}}}, allow, catalog.Options{})
	for _, who := range []struct {
		others    bool
		asker, by string
		want      verdict.Code
	}{
		{true, "ada", "bo", ""},
		{true, "ada", "ada", verdict.ApprovalRefused},
		{true, "ada", "", verdict.ApprovalRefused},
		{true, "", "bo", verdict.ApprovalRefused},
		{true, "", "", verdict.ApprovalRefused},
		{false, "ada", "ada", ""},
		{false, "", "", ""},
	} {
		by := gate.Asked{Query: query(t, "get 1", ""), RunID: "r", Subject: who.asker}
		a, err := gate.New(gate.Options{OthersApprove: who.others}).Approve(by, c, parsed(t, `{"id":1}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.ConsentRecord(gate.Yes{Approval: a.Digest(), By: who.by, How: gate.AtTerminal})
		if got := verdict.CodeOf(err); got != who.want {
			t.Errorf("%+v: %q", who, got)
		}
	}
}
