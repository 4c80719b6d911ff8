package schema_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

// An input never takes a date-time without an offset, and no schema can ask for the
// format by which an output does.
func TestOnlyAnOutputLacksAnOffset(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		role   schema.Role
		format string
		takes  bool
	}{
		{schema.Output, "date-time", true},
		{schema.Input, "date-time", false},
		{schema.Output, "date", false},
	} {
		s, err := schema.Admit([]byte(`{"type":"object","properties":{"at":{"type":"string","format":"`+c.format+`"}}}`), schema.Options{Role: c.role})
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Compile()
		if err != nil {
			t.Fatal(err)
		}
		if place, err := v.CheckUnzoned([]byte(`{"at":"2026-11-27T10:00:00"}`)); (err == nil) != c.takes || (place == "/at") != c.takes {
			t.Errorf("%v, %s: at %q, %v", c.role, c.format, place, err)
		}
		if err := v.Check([]byte(`{"at":"2026-11-27T10:00:00"}`)); err == nil {
			t.Errorf("%v, %s: the strict check takes it", c.role, c.format)
		}
	}
	s, err := schema.Admit([]byte(`{"format":"onestep date-time without an offset"}`), schema.Options{Role: schema.Output})
	if err != nil || len(s.Notes()) != 1 {
		t.Errorf("%q, %v", s.Notes(), err)
	}
	if _, err := (schema.Validator{}).CheckUnzoned([]byte(`{}`)); err == nil {
		t.Error("the zero value takes a value")
	}
}
