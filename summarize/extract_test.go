package summarize_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// extracted returns the claims from the embedded writer's selections, after the lock.
func extracted(t *testing.T, value, question string) []string {
	t.Helper()
	result := structured(t, value)
	source, _ := summarize.Prepare(result, question, 0)
	written, err := summarize.Extractive{}.Write(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	again, err := summarize.Extractive{}.Write(t.Context(), source)
	if err != nil || !slices.Equal(written.Said, again.Said) {
		t.Errorf("the same source gave\n%s\n%s", written.Said, again.Said)
	}
	s, err := summarize.Lock(result, summarize.Rendered, written.Said)
	if err != nil || len(s.Dropped()) > 0 || len(s.Risks())+len(s.Recommendations()) > 0 {
		t.Fatalf("%s: %+v, %v", written.Said, s, err)
	}
	var claims []string
	for _, it := range s.Bullets() {
		claims = append(claims, it.Claim)
	}
	return claims
}

func TestTheEmbeddedWriterSelectsWhatTheQuestionAsksFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value, question string
		want            []string
	}{
		{
			`{"id":"policy-002","text":"# Logging\n\nThis policy applies to all teams. Payment systems log each call. The kitchen is cleaned every day. ` +
				`Logs of payment systems are kept for 90 days. Nobody reads them all. Teams should delete logs of payment systems early."}`,
			"Summarize how long logs of payment systems are kept",
			[]string{
				"text:\n# Logging\nPayment systems log each call.", "text:\n# Logging\nLogs of payment systems are kept for 90 days.",
				"text:\n# Logging\nTeams should delete logs of payment systems early.",
			},
		},
		{
			`{"total":3,"rows":[{"id":"INC0010001","title":"VPN drops every hour","state":"open"},` +
				`{"id":"INC0010002","title":"Printer is out of paper","state":"closed"},{"id":"INC0010003","title":"VPN fails in Rome","state":"open"}]}`,
			"summarize tickets about VPN",
			[]string{
				`rows[0](id: "INC0010001").title: VPN drops every hour`, `rows[1](id: "INC0010002").title: Printer is out of paper`,
				`rows[2](id: "INC0010003").title: VPN fails in Rome`,
			},
		},
		{`{"id":"policy-002","title":"PII logging","n":1}`, "summarize policy-002", []string{"id: policy-002", "title: PII logging", "n: 1"}},
		{`{"a":"same words here, twice","b":"same words here, twice"}`, "summarize", []string{"a: same words here, twice"}},
		{`{"long":"` + strings.Repeat("word ", 200) + `","b":"two words"}`, "summarize the word", []string{"long: " + strings.Repeat("word ", 200), "b: two words"}},
		{`{"title":"All of the policy here","text":"It is said here. Nobody shares it."}`, "Summarize the policy", []string{"title: All of the policy here", "text: It is said here.", "text: Nobody shares it."}},
		{`{"count":42}`, "Summarize it", []string{"count: 42"}},
		{`{"text":"保存期間は三十日です。"}`, "Summarize it", []string{"text: 保存期間は三十日です。"}},
		{`{"text":"Never:\n- share\n- tell it."}`, "Summarize it", []string{"text: Never:", "text:\nNever:\n- share", "text:\nNever:\n- tell it."}},
	} {
		if got := extracted(t, c.value, c.question); !slices.Equal(got, c.want) {
			t.Errorf("%.60s: %q", c.value, got)
		}
	}
}

func TestNothingToQuoteIsRefusedByTheLock(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`{}`, `{"a":null,"b":"","c":[],"d":"…"}`} {
		result := structured(t, value)
		source, _ := summarize.Prepare(result, "q", 0)
		written, err := summarize.Extractive{}.Write(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := summarize.Lock(result, summarize.Rendered, written.Said); verdict.CodeOf(err) != verdict.SummaryEvidence || !s.Empty() {
			t.Errorf("%s: %s, %v", value, written.Said, err)
		}
	}
}

func TestAWriterIsGivenWhatFits(t *testing.T) {
	t.Parallel()
	result := structured(t, `{"a":"one","text":"First it began. Then it ended.","b":"two","n":12345}`)
	for _, row := range []struct {
		budget int
		want   []string
		cut    bool
	}{
		{0, []string{"one", "First it began.", "Then it ended.", "two", "12345"}, false},
		{40, []string{"one", "First it began.", "Then it ended.", "two", "12345"}, false},
		{39, []string{"one", "First it began.", "Then it ended.", "two"}, true},
		{31, []string{"one", "First it began.", "two", "12345"}, true},
		{17, []string{"one", "two", "12345"}, true},
		{4, []string{"one"}, true},
		{1, nil, true},
	} {
		s, cut := summarize.Prepare(result, "why?", row.budget)
		var got []string
		for _, v := range s.Values {
			got = append(got, v.Sentences...)
		}
		if cut != row.cut || !slices.Equal(got, row.want) || s.Question != "why?" {
			t.Errorf("budget %d: %q, cut %v", row.budget, got, cut)
		}
	}
}
