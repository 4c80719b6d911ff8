package summarize_test

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// row is one claim about a text, and the stretch of the text nearest to it.
type row struct {
	Source    string `json:"source"`
	Text      string `json:"text"`
	Claim     string `json:"claim"`
	Evidence  string `json:"evidence"`
	Supported bool   `json:"supported"`
}

// halves parts the rows by their text: the word lists were tuned on the first
// half, and the second was never read.
var halves = []string{"tuned on", "unread"}

func (r row) half() string { return halves[sha256.Sum256([]byte(r.Text))[0]%2] }

func grounding(tb testing.TB) []row {
	tb.Helper()
	f, err := os.Open(corpus.Path(tb, "cases/grounding.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var rows []row
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var r row
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, r)
	}
	if in.Err() != nil || len(rows) == 0 {
		tb.Fatal("no rows: ", in.Err())
	}
	return rows
}

// tally counts how many of how many.
type tally struct{ hits, of int }

func (t *tally) add(hit bool) {
	t.of++
	if hit {
		t.hits++
	}
}

// String gives the share with its Wilson interval of 95 %.
func (t tally) String() string {
	if t.of == 0 {
		return "–"
	}
	const z = 1.959964
	n, p := float64(t.of), t.share()
	mid, wide := (p+z*z/(2*n))/(1+z*z/n), z/(1+z*z/n)*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return fmt.Sprintf("%d of %d = %.1f %% [%.1f, %.1f]", t.hits, t.of, 100*p, 100*max(mid-wide, 0), 100*min(mid+wide, 1))
}

func (t tally) share() float64 { return float64(t.hits) / float64(max(t.of, 1)) }

// tallies are counted by name and shown in the order of the names.
type tallies map[string]*tally

func (ts tallies) add(hit bool, name ...string) {
	k := strings.Join(name, " | ")
	if ts[k] == nil {
		ts[k] = &tally{}
	}
	ts[k].add(hit)
}

func (ts tallies) log(t *testing.T) {
	t.Helper()
	var names []string
	for k := range ts {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, k := range names {
		t.Logf("| %s | %s |", k, ts[k])
	}
}

func TestUnsupportedClaimsOfPublicCorpora(t *testing.T) {
	t.Parallel()
	found := tallies{}
	for _, r := range grounding(t) {
		result := declaredText(t, r.Text)
		kind := map[bool]string{true: "supported", false: "unsupported"}[r.Supported]
		for _, level := range []summarize.Level{summarize.Verbatim, summarize.Strict, summarize.Facts} {
			_, err := summarize.Lock(result, level, []byte(summaryOf(t, r.Claim, r.Evidence)))
			found.add(err == nil, "claims accepted", level.String(), kind, r.Source, r.half())
			found.add(err == nil, "claims accepted", level.String(), kind, "all", r.half())
			if level == summarize.Verbatim {
				found.add(verdict.CodeOf(err) != verdict.SummaryEvidence, "evidence accepted", r.Source, r.half())
			}
		}
	}
	found.log(t)
	for _, half := range halves {
		if n := found["claims accepted | strict | unsupported | all | "+half]; n.share() > 0.03 {
			t.Errorf("strict accepts %v unsupported claims, %s", n, half)
		}
	}
}

func TestEditsOfSentencesOfPublicCorpora(t *testing.T) {
	t.Parallel()
	found := tallies{}
	seen := map[string]bool{}
	for _, r := range grounding(t) {
		if seen[r.Text] {
			continue
		}
		seen[r.Text] = true
		result := declaredText(t, r.Text)
		for _, sentence := range pieces(t, r.Text) {
			if words := len(strings.Fields(sentence)); words < 6 || words > 80 {
				continue
			}
			for _, e := range edits(sentence, r.Text) {
				_, err := summarize.Lock(result, summarize.Strict, []byte(summaryOf(t, e.claim, sentence)))
				kind := map[bool]string{true: "harmful", false: "harmless"}[e.harmful]
				found.add(err == nil, kind, e.name, r.half())
				found.add(err == nil, kind, "all", r.half())
				if os.Getenv("ASK_SHOW_EDITS") != "" && r.half() == halves[0] && e.harmful == (err == nil) {
					t.Logf("%s %s\n\t%s\n\t%s\n\t%v", kind, e.name, sentence, e.claim, err)
				}
			}
		}
	}
	found.log(t)
	for _, half := range halves {
		if n := found["harmless | all | "+half]; n.share() < 0.95 {
			t.Errorf("strict accepts %v harmless edits, %s", n, half)
		}
		if n := found["harmful | all | "+half]; n.share() > 0.01 {
			t.Errorf("strict accepts %v harmful edits, %s", n, half)
		}
	}
}
