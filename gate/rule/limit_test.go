package rule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
)

func limits(t *testing.T, rules, server, tool string) []grant.Bucket {
	t.Helper()
	p, err := rule.Parse(rule.File{Name: "policy.json", Text: []byte(`{"rules":[` + rules + `]}`)})
	if err != nil {
		t.Fatal(err)
	}
	return p.Limits(server, tool)
}

func TestALimitIsOfItsToolsAndOfNoOther(t *testing.T) {
	t.Parallel()
	const rules = `{"limit":{"calls":20,"per":"hour"},"tools":["tickets/*"],"why":"w"},` + "\n" + `{"limit":{"calls":1,"per":"day"},"tools":["*/close_*"]},` +
		`{"effect":"deny","tools":["tickets/*"]},{"limit":{"calls":1,"per":"day"},"tools":["*/close_*"],"why":"the same again"}`
	for name, want := range map[string]int{"tickets/close_ticket": 2, "tickets/get": 1, "files/close_it": 1, "files/get": 0, "ticket/get": 0} {
		server, tool, _ := strings.Cut(name, "/")
		if got := limits(t, rules, server, tool); len(got) != want {
			t.Errorf("%s: %+v, want %d", name, got, want)
		}
	}
	all := limits(t, rules, "tickets", "close_ticket")
	if want := (grant.Rate{Calls: 20, Seconds: 3600}); all[0].Rate != want || all[0].Rule != "policy.json:1" || all[1].Rule != "policy.json:2" {
		t.Errorf("%+v", all)
	}
	again := limits(t, `{"effect":"ask","tools":["a/b"]},`+"\n\n"+`{"tools":["tickets/*"],"limit":{"per":"hour","calls":20}}`, "tickets", "get")
	if all[0].Key != again[0].Key {
		t.Error("a rule that moves loses what was counted")
	}
}

// Limits that say something else count apart, though they are of one period or of one
// number.
func TestEachLimitHasItsOwnBucket(t *testing.T) {
	t.Parallel()
	const rules = `{"limit":{"calls":20,"per":"hour"},"tools":["tickets/*"]},{"limit":{"calls":2,"per":"hour"},"tools":["tickets/*"]},{"limit":{"calls":20,"per":"day"},"tools":["tickets/*"]},` +
		`{"limit":{"calls":20,"per":"minute"},"tools":["tickets/*"]},{"limit":{"calls":20,"per":"hour"},"tools":["tickets/*","files/*"]},{"limit":{"calls":20,"per":"hour"},"tools":["tickets/get"]}`
	all := limits(t, rules, "tickets", "get")
	if len(all) != 6 {
		t.Fatalf("6 limits have %d buckets: %+v", len(all), all)
	}
	for i, b := range all {
		if slices.ContainsFunc(all[:i], func(other grant.Bucket) bool { return other.Key == b.Key }) {
			t.Errorf("%s has the bucket of another limit", b.Rule)
		}
	}
	if b := limits(t, `{"limit":{"calls":20,"per":"hour"},"tools":["tickets/*","files/*"]},{"limit":{"calls":20,"per":"hour"},"tools":["files/*","tickets/*"]}`, "tickets", "get"); len(b) != 1 {
		t.Errorf("the same tools in another order: %+v", b)
	}
}

// A limit does not decide: without another rule the default holds.
func TestALimitIsNoDecision(t *testing.T) {
	t.Parallel()
	p, err := rule.Parse(rule.File{Name: "policy.json", Text: []byte(`{"rules":[{"limit":{"calls":1,"per":"day"},"tools":["*/*"]},{"audit":["ticket_id"],"tools":["*/*"]}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	_, q := call{def: verdict.Allow, entry: `{"tickets":{"read":["close_ticket"]}}`}.made(t)
	if d := p.Decide(q); d.By != "default" || d.Ruling != verdict.Allow || len(d.Spoke) > 0 {
		t.Errorf("%+v", d)
	}
}

func TestTheAuditShowsWhatARuleNames(t *testing.T) {
	t.Parallel()
	p, err := rule.Parse(rule.File{Name: "policy.json", Text: []byte(`{"rules":[
	  {"audit":["ticket_id","/at/host"],"tools":["tickets/*"]}, {"audit":["ticket_id"],"tools":["tickets/close_ticket"]}, {"audit":["x"],"tools":["files/*"]}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Logged("tickets", "close_ticket"); !slices.Equal(got, []string{"/at/host", "/ticket_id"}) {
		t.Error(got)
	}
	if got := p.Logged("mail", "send"); len(got) > 0 {
		t.Error(got)
	}
	_, err = rule.Parse(rule.File{Name: "p", Narrows: true, Text: []byte(`{"rules":[{"audit":["x"],"tools":["a/b"]}]}`)})
	if err == nil {
		t.Error("a file of the working directory shows values")
	}
	_, err = rule.Parse(rule.File{Name: "p", Narrows: true, Text: []byte(`{"rules":[{"limit":{"calls":1,"per":"day"},"tools":["a/b"]}]}`)})
	if err != nil {
		t.Errorf("a file of the working directory may limit: %v", err)
	}
}
