package summarize_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// patience is a bound on work, not a benchmark. Work that is not linear takes minutes of
// processor time here. Other programs on the machine do not add to it.
const patience = 20 * time.Second

// bounded fails where f takes more processor time than patience.
func bounded(t *testing.T, what string, f func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := processorTime(t)
	f()
	if took := processorTime(t) - before; took > patience {
		t.Errorf("%s took %v of processor time", what, took)
	}
}

func TestHugeResultsAreLockedInTime(t *testing.T) {
	t.Parallel()
	const size = 128 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	var deeper strings.Builder
	for n := 0; deeper.Len() < size; n++ {
		deeper.WriteString(strings.Repeat(" ", n) + "- a\n")
	}
	for name, text := range map[string]string{
		"one letter":      fill("a"),
		"sentences":       fill("Logs are kept for 30 days. "),
		"short sentences": fill("a. "),
		"stops":           fill(". "),
		"lines":           fill("Owner: Bob\n"),
		"blank lines":     fill("a\n\n"),
		"lists":           fill("- a\n"),
		"leads":           fill("a:\n\n"),
		"deeper lists":    deeper.String(),
		"tables":          fill("| a | b |\n"),
		"quotations":      fill("> a\n>> b\n"),
		"log lines":       fill("2026-11-02 10:00:00 a\n"),
		"deep lists":      fill("Never:\n  - a\n"),
		"headings":        fill("# Never\n"),
		"brackets":        fill("(a. B "),
		"quotes":          fill("\"A. "),
		"curt":            fill("Never. "),
		"white space":     "a" + fill(" ") + "b",
		"blanks first":    fill(" ") + fill("A b. "),
		"numbers":         fill("1,000 "),
		"CJK":             fill("鍵。"),
		"one long word":   fill("a.b"),
		"marks":           fill("!?"),
		"emphasis":        fill("**a** "),
	} {
		result := declaredText(t, text)
		for _, evidence := range []string{strings.Repeat("a", 8000), strings.Repeat("a. ", 2500), strings.Repeat("Never. ", 1000) + "x", strings.ToValidUTF8(text[len(text)-60:], "")} {
			bounded(t, fmt.Sprintf("%s: locking %.10q", name, evidence), func() {
				if _, err := summarize.Lock(result, summarize.Rendered, bullets(t, evidence, evidence+"x", "a")); err != nil && !verdict.Denied(err) {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		bounded(t, name+": writing", func() {
			source, _ := summarize.Prepare(result, "logs", 0)
			if _, err := (summarize.Extractive{}).Write(t.Context(), source); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

func TestTenThousandLeavesAreLocked(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, `{"id":"row-%d","title":"Review of the vendor %d","count":%d},`, i, i, i)
	}
	result := structured(t, `{"rows":[`+strings.TrimSuffix(b.String(), ",")+`]}`)
	bounded(t, "ten thousand rows", func() {
		s, err := summarize.Lock(result, summarize.Rendered, bullets(t, "vendor 9999"))
		if err != nil || s.Bullets()[0].Pointer != "/rows/9999/title" {
			t.Errorf("%+v, %v", s, err)
		}
		if _, err := summarize.Lock(result, summarize.Rendered, bullets(t, "Review of the vendor 10000")); verdict.CodeOf(err) != verdict.SummaryEvidence {
			t.Error(err)
		}
		source, cut := summarize.Prepare(result, "Summarize the reviews of vendor 321", 1<<30)
		written, err := (summarize.Extractive{}).Write(t.Context(), source)
		if err != nil || cut || !strings.Contains(string(written.Said), "Review of the vendor 321") {
			t.Errorf("%s, %v", written.Said, err)
		}
	})
}

// A value is in nested elements. The members that identify them are searched in all of
// them.
func TestElementsInElementsAreToldInTime(t *testing.T) {
	t.Parallel()
	const depth = 20
	value := strings.Repeat(`[{"a":`, depth) + `[` + strings.Repeat("0,", 100_000) + `"it"]` + strings.Repeat(`,"id":1}]`, depth)
	result := structured(t, value)
	bounded(t, "elements in elements", func() {
		it, err := selected(t, result, "it")
		if err != nil || strings.Count(it.Claim, "[0](id: 1).a") != depth {
			t.Errorf("%.300q, %v", it.Claim, err)
		}
	})
}

func BenchmarkLock(b *testing.B) {
	text := strings.Repeat("Logs are kept for 30 days. Never share customer data with vendors, unless Legal agrees. ", 12_000)
	result := declaredText(b, text)
	written := bullets(b, "Logs are kept for 30 days.")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := summarize.Lock(result, summarize.Rendered, written); err != nil {
			b.Fatal(err)
		}
	}
}
