package onestep_test

import (
	"os/exec"
	"strings"
	"testing"
)

// ask is for one user on one machine: what a service needs is not linked into it.
func TestAskLinksNothingOfAService(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "./cmd/ask").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if len(linked) < 200 {
		t.Fatalf("%d packages", len(linked))
	}
	for _, p := range linked {
		for _, never := range []string{"github.com/jackc/", "github.com/lib/pq", "github.com/coreos/go-oidc", "go.opentelemetry.io/", "github.com/go-jose/", "cmd/askd"} {
			if strings.Contains(p, never) {
				t.Errorf("ask links %s", p)
			}
		}
	}
}
