package summarize_test

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/summarize"
)

// structured is a typed result with an output schema that leaves all open.
func structured(tb testing.TB, value string) gate.Typed {
	tb.Helper()
	return answered(tb, `{"kb":["fetch"]}`,
		`{"name":"fetch","inputSchema":{"type":"object"},"outputSchema":{"type":"object","additionalProperties":true}}`,
		`{"content":[],"structuredContent":`+value+`}`)
}

// declaredText is a result that the operator declared to be text: one leaf.
func declaredText(tb testing.TB, text string) gate.Typed {
	tb.Helper()
	typed, err := eval.AcceptedText(text)
	if err != nil {
		tb.Fatal(err)
	}
	return typed
}

func answered(tb testing.TB, allowlist, descriptor, body string) gate.Typed {
	tb.Helper()
	typed, err := eval.Accepted(allowlist, descriptor, []byte(body))
	if err != nil {
		tb.Fatal(err)
	}
	return typed
}

func quote(tb testing.TB, s string) string {
	tb.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// item is a claim and its evidence.
type item struct {
	Claim    string `json:"claim"`
	Evidence string `json:"evidence"`
}

// summaryOf is what a writer says with one bullet.
func summaryOf(tb testing.TB, claim, evidence string) string {
	tb.Helper()
	b, err := json.Marshal(map[string]any{"type": "summary", "bullets": []item{{claim, evidence}}})
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// lock locks one claim to one text.
func lock(tb testing.TB, text string, level summarize.Level, claim, evidence string) (summarize.Summary, error) {
	tb.Helper()
	return summarize.Lock(declaredText(tb, text), level, []byte(summaryOf(tb, claim, evidence)))
}
