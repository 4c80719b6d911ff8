package lex_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/lex"
)

func TestExpressionsJoinTheirAlternatives(t *testing.T) {
	t.Parallel()
	of := lex.Expressions("A comment, also [here].\n[plain]\n\ta|b\n\tc\n\nAnother.\n[form] ^(?:…)$\n\td\n\te \n[none]\n[LIST]\n\tx|y\n[lists]\n\tLIST z\n[raw lists]\n\tLIST z\n",
		func(expr string) string { return strings.ReplaceAll(expr, " ", "_") })
	for name, want := range map[string]string{"plain": "a|b|c", "form": "^(?:d|e_)$", "lists": "x|y_z", "raw lists": "LIST z"} {
		if got := of(name).String(); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a name that the table lacks is an expression")
		}
	}()
	of("absent")
}
