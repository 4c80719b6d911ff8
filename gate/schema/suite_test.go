package schema_test

import (
	stdjson "encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

type group struct {
	Description string
	Schema      stdjson.RawMessage
	Tests       []struct {
		Description string
		Data        stdjson.RawMessage
		Valid       bool
	}
}

func groups(t *testing.T, file string) []group {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []group
	if err := stdjson.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// enforced are the formats that 2020-12 treats as notes by default and that this
// package enforces. A value that breaks one is refused.
var enforced = map[string]bool{"uuid": true, "uri": true, "date-time": true, "date": true, "email": true}

func TestVerdictsAgreeWithThePublicSuite(t *testing.T) {
	t.Parallel()
	dir := corpus.Schemas(t)
	for draft, least := range map[string]float64{"draft7": 0.8, "draft2020-12": 0.62} {
		t.Run(draft, func(t *testing.T) {
			t.Parallel()
			files, err := filepath.Glob(filepath.Join(dir, draft, "*.json"))
			if err != nil || len(files) < 30 {
				t.Fatalf("%d files, %v", len(files), err)
			}
			var n tally
			for _, f := range files {
				for _, g := range groups(t, f) {
					n.run(t, filepath.Base(f), g)
				}
			}
			t.Logf("%d tests: %d on %d admitted schemas (%d accepted, %d refused, %d of them for a format), %d on %d schemas not admitted",
				n.total, n.accepted+n.refused, n.admitted, n.accepted, n.refused, n.formats, n.skipped, n.unenforceable)
			if reached := n.accepted + n.refused; n.total < 900 || float64(reached) < least*float64(n.total) {
				t.Errorf("of %d tests only %d reached a validator, want %.0f %%", n.total, reached, 100*least)
			}
		})
	}
}

type tally struct{ total, admitted, unenforceable, skipped, accepted, refused, formats int }

func (n *tally) run(t *testing.T, file string, g group) {
	n.total += len(g.Tests)
	s, err := schema.Admit(g.Schema, schema.Options{Role: schema.Output})
	if err != nil {
		if verdict.CodeOf(err) != verdict.SchemaUnenforceable {
			t.Errorf("%s: %s: %v", file, g.Description, err)
		}
		n.unenforceable++
		n.skipped += len(g.Tests)
		return
	}
	n.admitted++
	v, err := s.Compile()
	if err != nil {
		t.Errorf("%s: %s: admitted and does not compile: %v", file, g.Description, err)
		return
	}
	var form struct{ Format string }
	_ = stdjson.Unmarshal(g.Schema, &form) // a boolean schema has none
	for _, c := range g.Tests {
		err := v.Check(c.Data)
		var m *schema.Mismatch
		if err != nil && !errors.As(err, &m) {
			t.Errorf("%s: %s: %s: %T", file, g.Description, c.Description, err)
		}
		switch {
		case err == nil:
			n.accepted++
		default:
			n.refused++
		}
		if err != nil && c.Valid && enforced[form.Format] {
			n.formats++
			continue
		}
		if (err == nil) != c.Valid {
			t.Errorf("%s: %s: %s: got %v, want valid %v", file, g.Description, c.Description, err, c.Valid)
		}
	}
}
