package summarize_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// FuzzLock looks for evidence that does not stand where it is said to, for a
// refusal that leaves something behind, and for a quotation that some level
// does not keep.
func FuzzLock(f *testing.F) {
	for _, s := range [][3]string{
		{"Never share customer data with vendors.", "Share customer data with vendors.", "Never share customer data with vendors."},
		{"# Rules\n\n1. Logs are kept\n  for 30 days. Ask J. Smith.\n- (a) \"B. C\" d", "Logs are kept", "Logs are kept for 30 days."},
		{"# Rules\n- a\n- b", "Rules", "Rules"},
		{"鍵。共有「しない。」", "鍵。", "鍵。"},
		{"a . B: c? . D", "a", "a ."},
		{" . . a . .. ", "a", ". . a . .."},
		{"```\nno\n```\n", "no", "no"},
		{"On March 5, 2026 the team paid $1,000.50 (5%) to the vendor.", "On 2026-03-05 they paid $1000.5", "On March 5, 2026 the team paid $1,000.50 (5%) to the vendor."},
		{"- - - - 5 % of it", "5", "- 5"},
		{"\u200b\u00a0\u2028", "…", "..."},
		{"** a **", "a", "a"},
		{"a\n: b", "a", ": b"},
		{"twenty hundred and and one", "21", "half"},
	} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, text, claim, evidence string) {
		if !utf8.ValidString(text) || !utf8.ValidString(claim) || !utf8.ValidString(evidence) || len(text) > 1<<12 {
			return // JSON cannot hold it
		}
		result := declaredText(t, text)
		for _, level := range []summarize.Level{summarize.Verbatim, summarize.Strict, summarize.Facts} {
			s, err := summarize.Lock(result, level, []byte(summaryOf(t, claim, evidence)))
			if err != nil {
				if !s.Empty() || !verdict.Denied(err) || !strings.HasPrefix(string(verdict.CodeOf(err)), "summary.") {
					t.Fatalf("%v: %+v, %v", level, s, err)
				}
				continue
			}
			it := s.Bullets()[0]
			if got := standing(result, it); got != it.Evidence || blanks(got) != blanks(evidence) || !strings.ContainsFunc(got, inky) {
				t.Fatalf("%v: evidence %q is said to stand at %v, where %q stands", level, evidence, it.Range, got)
			}
		}
		for _, piece := range append(pieces(t, text), text) {
			if !strings.ContainsFunc(piece, inky) || len(piece) > 1<<12 {
				continue
			}
			for _, level := range []summarize.Level{summarize.Verbatim, summarize.Strict, summarize.Facts} {
				_, err := summarize.Lock(result, level, []byte(summaryOf(t, piece, piece)))
				if err != nil && !strings.Contains(err.Error(), "cut off") {
					t.Fatalf("%v: a writer is given %q, and its quotation is refused: %v", level, piece, err)
				}
			}
		}
	})
}

func blanks(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }), " ")
}

func inky(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
