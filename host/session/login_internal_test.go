package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

func TestChallengesAreBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		headers []string
		want    []oauthex.Challenge
	}{
		{nil, nil},
		{[]string{""}, nil},
		{[]string{"DPoP, BASIC realm=a"}, []oauthex.Challenge{{Scheme: "DPoP"}, {Scheme: "BASIC", Params: map[string]string{"realm": "a"}}}},
		{[]string{`Bearer scope="`, "NTLM abc"}, []oauthex.Challenge{{Scheme: "Bearer"}, {Scheme: "NTLM"}}},
		{[]string{`Bearer error=expired, scope=""`}, []oauthex.Challenge{{Scheme: "Bearer", Params: map[string]string{"error": "expired"}}}},
		{[]string{"A, B, C, D, E"}, []oauthex.Challenge{{Scheme: "A"}, {Scheme: "B"}, {Scheme: "C"}, {Scheme: "D"}}},
		{[]string{"A", "B", "C", "D", "E"}, []oauthex.Challenge{{Scheme: "A"}, {Scheme: "B"}, {Scheme: "C"}, {Scheme: "D"}}},
		{[]string{"Bearer " + strings.Repeat(`realm="a,",`, maxHeader/8) + `scope="late"`}, []oauthex.Challenge{{Scheme: "Bearer", Params: map[string]string{"realm": "a,"}}}},
	} {
		if diff := cmp.Diff(c.want, challenges(c.headers)); diff != "" {
			t.Errorf("%.80q (-want +got):\n%s", c.headers, diff)
		}
	}
}

func FuzzChallenges(f *testing.F) {
	for _, s := range []string{"", `Bearer realm="mcp, \"x\"", nonce=7`, "Basic realm=vault, Negotiate, NTLM abc", `"`, `a "\`, "A=,", "İ, K"} {
		f.Add(s, "DPoP")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if got := challenges([]string{a, b}); len(got) > maxChallenges {
			t.Errorf("%q, %q: %d challenges", a, b, len(got))
		}
	})
}
