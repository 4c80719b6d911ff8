package schema_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

func judge(t *testing.T, text, value string) (schema.Answer, error) {
	t.Helper()
	s, err := schema.Admit([]byte(text), schema.Options{Role: schema.Output, StrictFormats: true})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Compile()
	if err != nil {
		t.Fatal(err)
	}
	d, err := schema.ReadDocument([]byte(value))
	if err != nil {
		return schema.Unsure, err
	}
	return v.Judge(d)
}

// What neither validator refuses for its meaning is not a no: a rule that denies
// by a match would be walked around.
func TestAJudgementIsYesNoOrNeither(t *testing.T) {
	t.Parallel()
	costly := `{"a":[` + strings.Repeat(`"`+strings.Repeat("x", 900)+`",`, 600) + `"y"]}`
	pattern := `{"properties":{"a":{"items":{"pattern":"^(a|b|c|d|e|f){1,200}z$"}}}}`
	for name, c := range map[string]struct {
		schema, value string
		want          schema.Answer
	}{
		"both accept":             {`{"const":"NET"}`, `"NET"`, schema.Yes},
		"both refuse":             {`{"const":"NET"}`, `"net"`, schema.No},
		"a number beyond a float": {`{"const":9007199254740993}`, `9007199254740992`, schema.No},
		"they disagree":           {`{"const":{"n":9007199254740993}}`, `{"n":9007199254740992}`, schema.Unsure},
		"they agree after all":    {`{"const":{"n":9007199254740993}}`, `{"n":9007199254740993}`, schema.Yes},
		"too costly":              {pattern, costly, schema.Unsure},
		"the same, not costly":    {pattern, `{"a":["x"]}`, schema.No},
		"unreadable":              {`true`, `{"a":1,"a":2}`, schema.Unsure},
		"cut off":                 {`true`, `{"a":1`, schema.Unsure},
		"a number out of bounds":  {`true`, `1e400`, schema.Unsure},
	} {
		got, err := judge(t, c.schema, c.value)
		if got != c.want {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
		if (err != nil) != (c.want == schema.Unsure) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNothingIsJudgedByNothing(t *testing.T) {
	t.Parallel()
	d, err := schema.ReadDocument([]byte(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := (schema.Validator{}).Judge(d); got != schema.Unsure || err == nil {
		t.Errorf("a zero validator judges: %v, %v", got, err)
	}
	s, err := schema.Admit([]byte(`true`), schema.Options{Role: schema.Output})
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]schema.Document{"zero": {}, "a member that is not there": d.Member("b"), "a member of a number": d.Member("a").Member("b")} {
		if got, err := all.Judge(d); got != schema.Unsure || err == nil {
			t.Errorf("%s: judged %v, %v", name, got, err)
		}
	}
	if got, err := all.Judge(d.Member("a")); got != schema.Yes || err != nil {
		t.Errorf("a member: %v, %v", got, err)
	}
}
