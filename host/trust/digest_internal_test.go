package trust

import (
	"slices"
	"testing"
)

func TestAnApprovalOfAnEarlierVersionKeepsItsOrder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		digest   string
		places   []string
		accepted bool
	}{
		"sha256:a":                           {"sha256:a", nil, false},
		"any order sha256:a":                 {"sha256:a", nil, true},
		`any order ["/title","/x"] sha256:a`: {"sha256:a", []string{"/title", "/x"}, true},
		`any order ["/title] sha256:a`:       {`["/title] sha256:a`, nil, false},
	} {
		digest, places, accepted := readOrder(text)
		if digest != want.digest || !slices.Equal(places, want.places) || accepted != want.accepted {
			t.Errorf("%s: %q, %q, %v", text, digest, places, accepted)
		}
	}
}
