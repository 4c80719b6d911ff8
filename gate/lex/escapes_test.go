package lex_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/lex"
)

// The meaning of a stretch in a document is the same as for a decoder, from any
// starting point.
func TestAStretchOfADocumentStandsForWhatItDecodesTo(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{
		`"plain"`, `"a\"b\\c\/d\bx\fy\nz"`, `"\\\\n\\\n"`, `"\u0041\u00e9\u20ac"`, `"\ud83d\ude00\ud83d\ude00"`, `"C:\\new\\u0041"`, `"é€😀"`,
	} {
		var decoded string
		if err := json.Unmarshal([]byte(doc), &decoded); err != nil {
			t.Fatal(err)
		}
		decoded = `"` + decoded + `"`
		for from := range len(doc) {
			for to := from + 1; to <= len(doc); to++ {
				got := lex.UnescapeJSON(doc, [][2]int{{0, from}, {from, to}, {to, len(doc)}})
				// An escape that an edge cuts into is on both sides of it.
				if !strings.HasPrefix(decoded, got[0]) || !strings.Contains(decoded, got[1]) || !strings.HasSuffix(decoded, got[2]) || len(strings.Join(got, "")) < len(decoded) {
					t.Errorf("%s cut at %d and %d stands for %q", doc, from, to, got)
				}
			}
		}
	}
}
