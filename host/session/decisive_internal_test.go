package session

import (
	"fmt"
	"slices"
	"testing"

	"github.com/onestep-run/onestep/host/confine"
)

// The advice of a failed start names the attempts in the server's own words, and the last
// refused attempts. It does not name the first attempts.
func TestTheAdviceHasTheAttemptsThatDecided(t *testing.T) {
	t.Parallel()
	var all []confine.Attempt
	for i := range 20 {
		all = append(all, confine.Attempt{Action: "read", Resource: fmt.Sprintf("/srv/file-%02d", i)})
	}
	for said, want := range map[string][]string{
		"": {"/srv/file-19", "/srv/file-18", "/srv/file-17"},
		"Error: EACCES: permission denied, open '/srv/file-04'": {"/srv/file-04", "/srv/file-19", "/srv/file-18"},
		"cannot load file-02": {"/srv/file-02", "/srv/file-19", "/srv/file-18"},
		"/srv/file-01 /srv/file-02 /srv/file-03 /srv/file-05 were refused":                 {"/srv/file-05", "/srv/file-03", "/srv/file-02"},
		"Traceback (most recent call last): PermissionError: [Errno 13] '/srv/unknown-99'": {"/srv/file-19", "/srv/file-18", "/srv/file-17"},
	} {
		var got []string
		for _, a := range decisive(all, said) {
			got = append(got, a.Resource)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
	if got := decisive(nil, "x"); len(got) > 0 {
		t.Errorf("%v", got)
	}
}
