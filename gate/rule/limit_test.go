package rule_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
)

func limits(t *testing.T, rules, server, tool string) []rule.Bucket {
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
	if want := (rule.Rate{Calls: 20, Per: time.Hour}); all[0].Rate != want || all[0].Rule != "policy.json:1" || all[1].Rule != "policy.json:2" {
		t.Errorf("%+v", all)
	}
	again := limits(t, `{"effect":"ask","tools":["a/b"]},`+"\n\n"+`{"tools":["tickets/*"],"limit":{"per":"hour","calls":20}}`, "tickets", "get")
	if all[0].Key != again[0].Key {
		t.Error("a rule that moves loses what was counted")
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

// take takes calls at times, in seconds, and gives how many left.
func take(r rule.Rate, full time.Time, seconds ...int) (let int, _ time.Time) {
	for _, s := range seconds {
		left, then, _ := r.Take(full, base.Add(time.Duration(s)*time.Second))
		if full = then; left > 0 {
			let++
		}
	}
	return let, full
}

var base = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)

func TestABucketIsFullAtFirstAndFillsStepByStep(t *testing.T) {
	t.Parallel()
	r := rule.Rate{Calls: 3, Per: time.Hour} // one every 20 minutes
	for _, c := range []struct {
		at   []int
		want int
	}{
		{[]int{0}, 1},
		{[]int{0, 0, 0}, 3},
		{[]int{0, 0, 0, 0, 1, 2, 1199}, 3},
		{[]int{0, 0, 0, 1200, 1200}, 4},
		{[]int{0, 0, 0, 2400, 2400, 2400}, 5},
		{[]int{0, 0, 0, 86400, 86400, 86400, 86400}, 6},
		{[]int{7200, 7200, 0, 0, 0}, 2}, // the clock was set back: none comes back
	} {
		if got, _ := take(r, time.Time{}, c.at...); got != c.want {
			t.Errorf("%v: %d calls left, want %d", c.at, got, c.want)
		}
	}
	_, full := take(r, time.Time{}, 0, 0, 0)
	if left, _, wait := r.Take(full, base.Add(5*time.Minute)); left != 0 || wait != 15*time.Minute {
		t.Errorf("%d left, the next in %s", left, wait)
	}
}

// In any window of the period no more leave than twice the calls (a full bucket,
// and what comes back meanwhile), and what was left falls by one with each call.
func TestNoMoreLeaveThanTheRateSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rule.Rate{Calls: rapid.IntRange(1, 50).Draw(t, "calls"), Per: rapid.SampledFrom([]time.Duration{time.Minute, time.Hour, 24 * time.Hour}).Draw(t, "per")}
		now, full, let := base, time.Time{}, 0
		for range 200 {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(r.Per)/40).Draw(t, "later")))
			left, then, wait := r.Take(full, now)
			if left < 0 || left > r.Calls || (left == 0) != (wait > 0) || then.Before(full) {
				t.Fatalf("%d of %d left, wait %s", left, r.Calls, wait)
			}
			if full = then; left > 0 {
				let++
			}
		}
		if most := r.Calls + int(now.Sub(base)*time.Duration(r.Calls)/r.Per) + 1; let > most {
			t.Fatalf("%d calls left in %s, at most %d may", let, now.Sub(base), most)
		}
	})
}

func TestAnEmptyBucketRefuses(t *testing.T) {
	t.Parallel()
	some := rule.Bucket{Rule: "policy.json:1", Rate: rule.Rate{Calls: 2, Per: time.Hour}, Left: 1}
	none := rule.Bucket{Rule: "policy.json:2", Rate: rule.Rate{Calls: 1, Per: time.Hour}, Until: 90 * time.Second}
	if err := rule.Exhausted([]rule.Bucket{some}); err != nil {
		t.Error(err)
	}
	if err := rule.Exhausted(nil); err != nil {
		t.Error(err)
	}
	no, _ := verdict.First(rule.Exhausted([]rule.Bucket{some, none}))
	if no == nil || no.Code != verdict.RuleRate || !slices.Contains(no.Rules, "policy.json:2") || !strings.Contains(no.Hint, "1m30s") {
		t.Errorf("%+v", no)
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
