package trust

import (
	"slices"
	"testing"
)

// A text that writeOrder did not write accepts no order, and equals no digest.
func TestPlacesOfAnOrderAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		digest string
		places []string
	}{
		"sha256:a": {"sha256:a", nil},
		writeOrder("sha256:a", []string{"/t", "/] "}): {"sha256:a", []string{"/t", "/] "}},
		"any order sha256:a":                          {"any order sha256:a", nil},
		`any order ["/title] sha256:a`:                {`any order ["/title] sha256:a`, nil},
	} {
		digest, places := readOrder(text)
		if digest != want.digest || !slices.Equal(places, want.places) {
			t.Errorf("%s: %q, %q", text, digest, places)
		}
	}
}
