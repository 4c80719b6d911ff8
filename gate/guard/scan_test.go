package guard_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/guard"
)

func TestALedgerHasEveryPart(t *testing.T) {
	t.Parallel()
	r := guard.Rules{}.Scan("kb", []guard.Part{
		{Where: "/content/0/text", Kind: "text", Text: "The retention period is 30 days."},
		{Where: "/content/1/text", Kind: "text", Text: "Two"},
		{Where: "/content/2/data", Kind: "image", Unscanned: "an image"},
		{Where: "/content/3/text", Kind: "text", Text: "a\U000E0041\U000E0042c"},
		{Where: "/_meta", Kind: "meta", Text: "\xff"},
	})
	want := []guard.Entry{
		{Kind: "text", State: guard.Scanned, Parts: 2, Bytes: 35, Where: []string{"/content/0/text", "/content/1/text"}},
		{Kind: "image", State: guard.Unscanned, Why: "an image", Parts: 1, Where: []string{"/content/2/data"}},
		{Kind: "text", State: guard.Withheld, Parts: 1, Bytes: 10, Where: []string{"/content/3/text"}},
		{Kind: "meta", State: guard.Refused, Parts: 1, Bytes: 1, Where: []string{"/_meta"}},
	}
	if diff := cmp.Diff(want, r.Ledger); diff != "" {
		t.Error(diff)
	}
	if !r.Hard() || len(r.Findings) != 2 {
		t.Errorf("%+v", r)
	}
	if f := r.Findings[0]; f.Where != "/content/3/text" || f.Start != 1 || f.End != 9 || f.Excerpt != `\u{E0041}\u{E0042}` {
		t.Errorf("%+v", f)
	}
}

func TestAReportThatNoScanMadeIsHard(t *testing.T) {
	t.Parallel()
	if !(guard.Report{}).Hard() || (guard.Rules{}).Scan("", nil).Hard() {
		t.Error("the zero report must be hard, and a scan of nothing must not")
	}
}

func TestCoreRulesAreNotSuppressed(t *testing.T) {
	t.Parallel()
	for _, s := range []guard.Suppression{
		{Server: "kb", Rule: "tag-characters", Reason: "we like them"},
		{Server: "kb", Rule: "unknown", Reason: "r"},
	} {
		if _, err := (guard.Rules{}).Suppress(s); err == nil {
			t.Errorf("%+v is taken", s)
		}
	}
}
