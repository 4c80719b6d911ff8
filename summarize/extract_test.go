package summarize_test

import (
	"slices"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// extracted are the claims that the embedded writer makes, by kind, once they
// have passed the lock like anybody's.
func extracted(t *testing.T, value, question string) (bullets, risks, recommendations []string) {
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
	s, err := summarize.Lock(result, summarize.Verbatim, written.Said)
	if err != nil {
		t.Fatalf("%s: %v", written.Said, err)
	}
	texts := func(items []summarize.Item) (out []string) {
		for _, it := range items {
			out = append(out, it.Claim)
		}
		return out
	}
	return texts(s.Bullets()), texts(s.Risks()), texts(s.Recommendations())
}

func TestTheEmbeddedWriterQuotesWhatTheQuestionAsksFor(t *testing.T) {
	t.Parallel()
	bullets, risks, advice := extracted(t, `{"id":"policy-002","text":"# Logging\n\nThis policy applies to all teams. Never share customer data with vendors. `+
		`Logs of payment systems are kept for 90 days. The kitchen is cleaned on Friday. A leak of logs is a risk for every customer. `+
		`There is no risk in the kitchen. Teams should delete logs of payment systems early."}`, "Summarize how long logs of payment systems are kept")
	if !slices.Contains(bullets, "Logs of payment systems are kept for 90 days.") || slices.Contains(bullets, "The kitchen is cleaned on Friday.") {
		t.Errorf("bullets %q", bullets)
	}
	if !slices.Equal(risks, []string{"A leak of logs is a risk for every customer."}) || !slices.Equal(advice, []string{"Teams should delete logs of payment systems early."}) {
		t.Errorf("risks %q, recommendations %q", risks, advice)
	}
}

func TestTheEmbeddedWriterNeverQuotesOnlyIds(t *testing.T) {
	t.Parallel()
	bullets, _, _ := extracted(t, `{"total":3,"rows":[{"id":"INC0010001","url":"https://a.example/1","title":"VPN drops every hour","state":"open"},`+
		`{"id":"INC0010002","url":"https://a.example/2","title":"Printer is out of paper","state":"closed"},`+
		`{"id":"INC0010003","url":"https://a.example/3","title":"VPN login fails in Rome","state":"open"}]}`, "summarize tickets about VPN")
	if !slices.Contains(bullets, "VPN drops every hour") || !slices.Contains(bullets, "VPN login fails in Rome") {
		t.Errorf("%q", bullets)
	}
	for _, b := range bullets {
		if b[0] == 'I' || b[0] == 'h' || b == "3" {
			t.Errorf("it quotes %q", b)
		}
	}
}

func TestTheEmbeddedWriterQuotesWhatThereIs(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`{"id":"policy-002"}`: "policy-002",
		`{"count":42}`:        "42",
		`{"ok":true}`:         "true",
		`{"text":"保存期間は三十日です。"}`:                 "保存期間は三十日です。",
		`{"text":"There is a risk of a fine."}`:  "There is a risk of a fine.",
		`{"text":"You should ask the owner."}`:   "You should ask the owner.",
		`{"text":"Never:\n- share\n- tell it."}`: "Never:\n- share\n- tell it.",
	} {
		if bullets, _, _ := extracted(t, value, "Summarize it"); len(bullets) != 1 || bullets[0] != want {
			t.Errorf("%s: %q", value, bullets)
		}
	}
}

func TestNothingToQuoteIsRefusedByTheLock(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`{}`, `{"a":null,"b":"","c":[],"d":"…"}`, `{"note":"[truncated]"}`} {
		result := structured(t, value)
		source, _ := summarize.Prepare(result, "q", 0)
		written, err := summarize.Extractive{}.Write(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := summarize.Lock(result, summarize.Strict, written.Said); verdict.CodeOf(err) != verdict.SummaryShape || !s.Empty() {
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
