package schema

import "testing"

// No value is known that the second validator alone refuses: the first is right
// about all of the public suite. So each is tried beside one that lets
// everything pass.
func TestEitherValidatorAloneRefuses(t *testing.T) {
	t.Parallel()
	made := func(raw string) *validator {
		s, err := Admit([]byte(raw), Options{Role: Output})
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Compile()
		if err != nil {
			t.Fatal(err)
		}
		return v.v
	}
	strict, open := made(`{"type":"object","required":["id"]}`), made(`{}`)
	for name, v := range map[string]validator{
		"the first":  {first: strict.first, second: open.second, doc: open.doc},
		"the second": {first: open.first, second: strict.second, doc: open.doc},
		"the closed": {first: open.first, second: open.second, closed: strict.first, doc: open.doc},
	} {
		if err := (Validator{&v}).Check([]byte(`{}`)); err == nil {
			t.Errorf("%s refuses, and the value passes", name)
		}
		if err := (Validator{&v}).Check([]byte(`{"id":1}`)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
