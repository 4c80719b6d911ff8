package summarize_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// FuzzLock looks for a claim that is not from the result or not whole. It also looks for
// a refusal that leaves something behind, and for letters of a text that no piece has.
func FuzzLock(f *testing.F) {
	for _, s := range [][2]string{
		{"Never share customer data with vendors.", "share customer data"},
		{"# Rules\n\n1. Logs are kept\n  for 30 days. Ask J. Smith.\n- (a) \"B. C\" d", "kept for 30"},
		{"# Rules\n- a\n- b", "b"},
		{"鍵。共有「しない。」", "鍵。"},
		{"a . B: c? . D", "a"},
		{" . . a . .. ", "a"},
		{"```\nno\n```\n", "no"},
		{"| a | b |\n|---|---|\n| c | d |", "d"},
		{"a,b\nc,d", "c,d"},
		{"On x wrote:\n> a. B\n>> c", "c"},
		{"From: a\n\nb", "b"},
		{"2026-11-02 10:00:00 a. B\nc", "c"},
		{"a:\n\nb\n===\n**c**\n", "b"},
		{"\u200b\u00a0\u2028", "…"},
		{"> > \n>a\n> b", "a b"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, text, evidence string) {
		if !utf8.ValidString(text) || !utf8.ValidString(evidence) || len(text) > 1<<12 {
			return // JSON cannot hold it
		}
		result := declaredText(t, text)
		source, cut := summarize.Prepare(result, "", 1<<20)
		var pieces []string
		for _, v := range source.Values {
			pieces = append(pieces, v.Sentences...)
		}
		if got := strings.Join(pieces, ""); cut || inked(got) != inked(text) {
			t.Fatalf("of %q the pieces hold %q", text, got)
		}
		for _, said := range append(pieces, evidence, text) {
			s, err := summarize.Lock(result, summarize.Quoted, bullets(t, said, evidence))
			if err != nil {
				if !s.Empty() || s.Dropped() != nil || !verdict.Denied(err) || !strings.HasPrefix(string(verdict.CodeOf(err)), "summary.") {
					t.Fatalf("%q: %+v, %v", said, s, err)
				}
				continue
			}
			for _, it := range s.Bullets() {
				holds(t, result, pieces, it)
			}
		}
	})
}

// holds checks that an item is text of the result, whole and in its place.
func holds(t *testing.T, result gate.Typed, pieces []string, it summarize.Item) {
	t.Helper()
	text := result.Leaves()[0].Text
	if it.Evidence != standing(result, it) || it.Evidence == "" || it.Claim != strings.Join(append(slices.Clone(it.Context), it.Evidence), "\n") {
		t.Fatalf("%+v of %q", it, text)
	}
	for _, c := range it.Context {
		if at := strings.Index(text, c); at < 0 || at >= it.Range[0] {
			t.Fatalf("the context %q is not before %v in %q", c, it.Range, text)
		}
	}
	at := 0
	for _, p := range pieces {
		from := at + strings.Index(text[at:], p)
		at = from + len(p)
		if from < it.Range[0] && it.Range[0] < at || from < it.Range[1] && it.Range[1] < at {
			t.Fatalf("%v cuts the piece %q of %q", it.Range, p, text)
		}
	}
}

// inked are the letters and digits of a text.
func inked(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, s)
}

// No reply of ten thousand that changes a sentence of the result is shown in
// any other words than the result's.
func TestAReplyThatTheResultDoesNotHoldIsNeverShown(t *testing.T) {
	t.Parallel()
	const text = "Never share customer data with vendors unless Legal agrees. Logs of the payment systems are kept for 30 days, and deleted then. " +
		"Access to production needs an approval by the owner. Every incident is reported within 24 hours."
	result := declaredText(t, text)
	words := strings.Fields(text)
	more := append(slices.Clone(words), "not", "all", "may", "always", "90", "Share", "nobody")
	source := rand.New(rand.NewPCG(1, 2))
	shown, tried := 0, 0
	for tried < 10_000 {
		from := source.IntN(len(words) - 4)
		said := slices.Clone(words[from : from+4+source.IntN(min(8, len(words)-from-3))])
		switch i := source.IntN(len(said)-2) + 1; source.IntN(4) {
		case 0:
			said = slices.Delete(said, i, i+1)
		case 1:
			said = slices.Insert(said, i, more[source.IntN(len(more))])
		case 2:
			said[i] = more[source.IntN(len(more))]
		default:
			said[i], said[i+1] = said[i+1], said[i]
		}
		evidence := strings.Join(said, " ")
		if strings.Contains(text, evidence) {
			continue // the change changed nothing
		}
		tried++
		if s, err := summarize.Lock(result, summarize.Quoted, bullets(t, evidence)); verdict.CodeOf(err) != verdict.SummaryEvidence || !s.Empty() {
			shown++
			t.Errorf("%q is shown as %+v", evidence, s.Bullets())
		}
	}
	t.Logf("%d of %d shown", shown, tried)
}
