package summarize_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/summarize"
)

// structured is a typed result of that value.
func structured(tb testing.TB, value string) gate.Typed {
	tb.Helper()
	body := string(eval.Data(map[string]any{"content": []any{map[string]string{"type": "text", "text": value}}}))
	return answered(tb, `{"kb":[{"name":"fetch","output":{}}]}`, `{"name":"fetch","inputSchema":{"type":"object"}}`, body)
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

// bullets is what a writer says that selects these.
func bullets(tb testing.TB, evidence ...string) []byte {
	tb.Helper()
	var all []string
	for _, e := range evidence {
		all = append(all, `{"evidence":`+quote(tb, e)+`}`)
	}
	return []byte(`{"type":"summary","bullets":[` + strings.Join(all, ",") + `]}`)
}

// selected is the one item that is made of a selection.
func selected(tb testing.TB, result gate.Typed, evidence string) (summarize.Item, error) {
	tb.Helper()
	s, err := summarize.Lock(result, summarize.Rendered, bullets(tb, evidence))
	if err != nil {
		return summarize.Item{}, err
	}
	return s.Bullets()[0], nil
}

// standing is the text at an item's pointer and range.
func standing(result gate.Typed, it summarize.Item) string {
	for _, l := range result.Leaves() {
		if l.Pointer() == it.Pointer && it.Range[1] <= len(l.Text) {
			return l.Text[it.Range[0]:it.Range[1]]
		}
	}
	return "\x00"
}
