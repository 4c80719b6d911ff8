package summarize_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

type disk struct{ strings.Builder }

func (*disk) Sync() error { return nil }

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
	return answered(tb, `{"kb":[{"name":"fetch","output":"text"}]}`, `{"name":"fetch","inputSchema":{"type":"object"}}`,
		`{"content":[{"type":"text","text":`+quote(tb, text)+`}]}`)
}

// answered is an accepted result, come by the only way there is to one.
func answered(tb testing.TB, allowlist, descriptor, body string) gate.Typed {
	tb.Helper()
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	live := pin.Descriptor{Server: "kb", Raw: jsontext.Value(descriptor)}
	allow, err := catalog.ParseAllowlist([]byte(allowlist))
	must(err)
	tools := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{live}}}, allow, catalog.Options{})
	q, err := input.Admit("fetch it", "", input.BuiltIn())
	must(err)
	p, err := planner.Parse(planner.Call("kb", "fetch", jsontext.Value(`{}`)))
	must(err)
	g := gate.New(gate.Options{})
	approved, err := g.Approve(q, tools, p)
	must(err)
	receipt, err := trace.New(&disk{}, time.Now).Commit(trace.Approval, approved.Record())
	must(err)
	_, err = approved.Redeem(live, receipt)
	must(err)
	typed, err := g.Accept(approved, gate.RawResult{Body: []byte(body)})
	must(err)
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
