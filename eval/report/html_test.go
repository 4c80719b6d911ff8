package report_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/report"
	"github.com/onestep-run/onestep/gate/verdict"
)

func html(t *testing.T, r eval.Report, end error) string {
	t.Helper()
	b, err := report.HTML(r, end)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestThePolicyNamesItsOwnStyleAndScriptOnly: what a browser would compute of
// them is what the policy says, and there is no third thing.
func TestThePolicyNamesItsOwnStyleAndScriptOnly(t *testing.T) {
	t.Parallel()
	page := html(t, sample(3), nil)
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(page)
	if policy == nil || !strings.HasPrefix(policy[1], "default-src &#39;none&#39;; style-src &#39;sha256-") {
		t.Fatalf("the policy is %q", policy)
	}
	for _, element := range []string{"style", "script"} {
		text := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(page, -1)
		if len(text) != 1 {
			t.Fatalf("%d elements of %s", len(text), element)
		}
		sum := sha256.Sum256([]byte(text[0][1]))
		source := element + "-src &#39;sha256-" + strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "+", "&#43;") + "&#39;"
		if !strings.Contains(policy[1], source) {
			t.Errorf("%s is not in %s", source, policy[1])
		}
	}
	rest := strings.ReplaceAll(page, policy[0], "")
	for _, other := range []string{"http:", "https:", "src=", "href=", "url(", "@import", "style=", "fetch(", "import(", "XMLHttpRequest", "innerHTML"} {
		if strings.Contains(rest, other) {
			t.Errorf("the page holds %q", other)
		}
	}
}

// stray is an element or handler that no template of ours writes.
var stray = regexp.MustCompile(`(?i)<(script|img|iframe|a|link|object|base)[ >]|<[^>]* on[a-z]+=`)

func TestNoTextOfACaseBecomesMarkup(t *testing.T) {
	t.Parallel()
	row := eval.Row{
		ID: hostile, Group: hostile, Half: hostile, Agent: hostile, Query: hostile, Expected: hostile, Observed: hostile, Detail: hostile,
		Facts: map[string]int{hostile: 1}, Data: eval.Data(map[string]string{"</pre><script>": "</script>\u202e"}),
		Trace: []string{hostile, `{"kind":"</b><script>","body":"<script>\u202e"}`, `{`, ``, `{"kind":"x","kind":"y"}`, `{"kind":"x"}`},
	}
	r := eval.Report{
		SchemaVersion: 1, Suite: hostile, Subject: hostile, File: hostile, Seed: hostile, Cases: 2, Measured: 1, Rows: []eval.Row{row, row},
		Failures: []eval.Failure{{ID: hostile, Code: hostile, Reason: hostile}}, Notes: []string{hostile},
		Reasons: []eval.Reason{{Agent: hostile, Group: hostile, Code: hostile, Count: 1}}, Latency: []eval.Latency{{Agent: hostile}},
		Curve: []eval.Point{{Name: hostile, Right: eval.NewRate(1, 2), Wrong: eval.NewRate(1, 2)}},
	}
	r.Figures = eval.Tally(r.Rows, []eval.Measure{{Name: hostile, Title: hostile, Better: eval.Lower}})
	page := html(t, r, errors.New(hostile))
	_, body, _ := strings.Cut(page, "<body>")
	body, _, _ = strings.Cut(body, "<script>// Filters") // which ours begins with
	body = regexp.MustCompile(`"[^"]*"`).ReplaceAllString(body, `""`)
	if found := stray.FindString(body); found != "" {
		t.Errorf("the page holds %q", found)
	}
	for _, c := range page {
		if c == 0 || c == '\x1b' || c == '\u202e' || c == '\u2066' || c == '\ufffe' || c == '\ufffd' {
			t.Fatalf("the page holds %q", c)
		}
	}
	if n := strings.Count(page, `\u{202E}`); n < 15 {
		t.Errorf("a reordering character is made visible %d times", n)
	}
}

func TestThePageSaysHowTheRunEnded(t *testing.T) {
	t.Parallel()
	stopped := small()
	stopped.Complete = false
	waits := small()
	waits.Suite = "e2e"
	for want, page := range map[string]string{
		"All 2 cases were measured.":                               html(t, small(), nil),
		"✗ eval.incomplete</b> 2 of 2":                             html(t, stopped, nil),
		"✗ eval.failed</b> a hole":                                 html(t, small(), verdict.Fail(verdict.EvalFailed, nil, "a hole")),
		"naive: 0 of 2 rows as expected":                           html(t, small(), nil),
		"onestep: 2 of 2 rows as expected":                         html(t, small(), nil),
		"onestep: 2 of 2 rows: no harm, and as expected or asked<": html(t, waits, nil),
		"All 0 cases were measured.":                               html(t, eval.Report{Complete: true}, nil),
		"✗ internal.failure</b> unexpected":                        html(t, small(), errors.New("unexpected")),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestThePageHasEveryFigureWithItsInterval(t *testing.T) {
	t.Parallel()
	r := sample(40)
	page := html(t, r, nil)
	for _, f := range r.Figures {
		if !strings.Contains(page, fmt.Sprintf("<td>%s", f.Rate.Counted())) {
			t.Errorf("%+v is missing", f)
		}
	}
	if page != html(t, sample(40), nil) {
		t.Error("the same report gives another page")
	}
}

// TestAHugeReportIsAPageThatOpens: as many rows and traces as the greatest
// public corpus brings, and then a hundred times what there is room for.
func TestAHugeReportIsAPageThatOpens(t *testing.T) {
	t.Parallel()
	const limit = 15 << 20
	r := sample(2108)
	word := rand.New(rand.NewPCG(1, 2)) // texts of any length, the same every time
	for i := range r.Rows {
		if len(r.Rows[i].Trace) > 0 && i%2 == 0 {
			for range 14 {
				r.Rows[i].Trace = append(r.Rows[i].Trace, `{"kind":"said","body":{"text":"`+strings.Repeat(`\"q\"`, word.IntN(800))+`"}}`)
			}
		}
	}
	page := html(t, r, nil)
	if len(page) > limit || !strings.Contains(page, "2\u202f108 cases.") || strings.Contains(page, "as far as there was room") || !strings.Contains(page, "traces; the files of the results have them") {
		t.Errorf("a page of %d bytes", len(page))
	}
	t.Logf("%d rows, %d traces: %d bytes", len(r.Rows), 2*2108, len(page))
	if n := strings.Count(page, `<details class="trace">`); n != 2*2108 {
		t.Errorf("%d traces", n)
	}
	for i := range r.Rows {
		r.Rows[i].Query = strings.Repeat(`"'<>&`, 1000)
		r.Rows[i].Data = eval.Data(strings.Repeat("<", 1000))
		r.Rows[i].Passed = i/4 != 2000
	}
	page = html(t, r, nil)
	if len(page) > limit || !strings.Contains(page, "as far as there was room for the others") {
		t.Errorf("a page of %d bytes", len(page))
	}
	if !strings.Contains(page, ">case-2000<") || strings.Contains(page, ">case-2001<") {
		t.Error("what is not as expected does not come first")
	}
}
