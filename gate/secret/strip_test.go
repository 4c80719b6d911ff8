package secret_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/secret"
)

// packed is how a value may be spelled so that a result of any length is not
// searched for it.
func packed(name string) bool {
	return strings.Contains(name, "64") || name == "hexadecimal" || name == "basic credential"
}

func TestALongTextIsStrippedHoweverAValueIsEscaped(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("The retention period is 30 days.\n", 700)
	for _, value := range secrets {
		s, seen := secret.ValuesOf("another-value", value), map[string]bool{}
		for inner, first := range spellings {
			for outer, then := range spellings {
				spelled := then(first(value))
				if packed(inner) || packed(outer) || seen[spelled] {
					continue
				}
				seen[spelled] = true
				for _, around := range []string{"", "some words\n", filler} {
					text := around + spelled + "\n" + around
					if !s.Holds([]byte(text)) {
						t.Fatalf("%q in %s in %s is not found", value, inner, outer)
					}
					got := s.Strip(text)
					if s.Holds([]byte(got)) || !strings.Contains(got, "[redacted]") {
						t.Errorf("%q in %s in %s: %.200q", value, inner, outer, got)
					}
					if !strings.HasPrefix(got, around) || !strings.HasSuffix(got, around) {
						t.Errorf("%q in %s in %s takes others' words with it", value, inner, outer)
					}
				}
			}
		}
	}
}

func TestAValueAcrossBlocksTakesTheTextWithIt(t *testing.T) {
	t.Parallel()
	const value = "ghp_0123456789abcdefghij"
	s := secret.ValuesOf(value)
	for _, before := range []int{0, 16<<10 - len(value) - 1, 16<<10 - 10, 16 << 10, 40 << 10} {
		text := strings.Repeat("x", before) + value + strings.Repeat("y", 40<<10)
		if got := s.Strip(text); strings.Contains(got, value) || !strings.Contains(got, "[redacted]") {
			t.Errorf("after %d bytes: %.100q…", before, got)
		}
	}
}

func TestAResultWithoutAValueStays(t *testing.T) {
	t.Parallel()
	s := secret.ValuesOf("ghp_0123456789abcdefghij")
	for _, text := range []string{"", "%", "&", `\`, "ghp_0123456789abcdefghi", "100 % of it & more \\", "a+b", strings.Repeat("%41", 10000)} {
		if got := s.Strip(text); got != text || s.Holds([]byte(text)) {
			t.Errorf("%.50q becomes %.50q", text, got)
		}
	}
	if (secret.Values{}).Holds([]byte("anything")) {
		t.Error("no secrets are held")
	}
}

func BenchmarkHolds(b *testing.B) {
	s := secret.ValuesOf(secrets...)
	text := []byte(strings.Repeat(`{"period":"30 days \u00fc"},`, 40000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.Holds(text)
	}
}
