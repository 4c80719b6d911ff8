package lex_test

import (
	"maps"
	"testing"

	"github.com/onestep-run/onestep/gate/lex"
)

func TestATableHasNamedRows(t *testing.T) {
	t.Parallel()
	got := lex.Table("# a comment: no row\n\nfirst: a b\n c: d\nlong name:\n e\n# x\n f\nempty:\n")
	want := map[string]string{"first": "a b c: d", "long name": " e f", "empty": ""}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
