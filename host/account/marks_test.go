package account_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
)

// Two places that are not the same never read the same.
func TestPlacesAreToldApart(t *testing.T) {
	t.Parallel()
	for pointer, want := range map[string]string{
		"/to":           "to",
		"/a/0/b":        "a/0/b",
		"/a~1b":         `"a~1b"`,
		"/a: \"x\"":     `"a: \"x\""`,
		"/caf\u00e9":    "\"caf\u00e9\"",
		"/cafe\u0301":   `"cafe\u0301"`,
		"/x/cafe\u0301": `"x/cafe\u0301"`,
	} {
		if got := account.Position(pointer); got != want {
			t.Errorf("%s: %s, want %s", pointer, got, want)
		}
	}
}

func TestANameInAnotherFormIsMarkedAsSuch(t *testing.T) {
	t.Parallel()
	i := &host.Intent{Effect: "write", Report: intent.Report{Leaves: []intent.Leaf{{Name: true, Value: "cafe\u0301", Origin: intent.Unstated}}}}
	if diff := cmp.Diff([]string{`not in your words: the name "cafe\u0301"`}, account.Marks(i)); diff != "" {
		t.Error(diff)
	}
}
