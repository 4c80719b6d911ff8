package eval

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

// noted is a shape with an object in it, and a list of them.
type noted struct {
	ID   string `json:"id"`
	Call struct {
		Tool string `json:"tool"`
	} `json:"call"`
	Calls []struct {
		Tool string `json:"tool"`
	} `json:"calls"`
	Free map[string]any `json:"free"`
}

func TestMembersThatTheShapeDoesNotHaveAreGivenBack(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"id":"a"}`:            ``,
		`{"note":"x","id":"a"}`: `/note="x"`,
		`{"id":"a","note":{"id":[1,2]},"Note":null}`:   `/note={"id":[1,2]} /Note=null`,
		`{"call":{"why":1e2,"tool":"t"},"id":"a"}`:     `/call/why=1e2`,
		`{"calls":[{},{"a/b":1}],"id":"a","a~b":true}`: `/calls/1/a~1b=1 /a~0b=true`,
		`{"ID":"b","id":"a"}`:                          `/ID="b"`,
		`{"free":{"note":1},"id":"a"}`:                 ``,
		`{"":0,"id":"a"}`:                              `/=0`,
	} {
		v, unknown, err := decodeNoting[noted]([]byte(text), schema.PlanLimits)
		var got []string
		for _, m := range unknown {
			got = append(got, m.at+"="+string(m.value))
		}
		if err != nil || v.ID != "a" || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %+v, %v", text, got, v, err)
		}
	}
}

func TestWhatIsNoRowIsNoneWithNotesEither(t *testing.T) {
	t.Parallel()
	many := `{"id":"a"`
	for i := range 100 {
		many += `,"n` + strings.Repeat("x", i) + `":1`
	}
	for name, text := range map[string]string{
		"a list": `[]`, "null": `null`, "half": `{"note":1`, "two": `{}{}`, "another type": `{"note":1,"id":7}`,
		"a key twice": `{"note":1,"note":2}`, "too many notes": many + `}`, "too long": `{"note":"` + strings.Repeat("x", 1<<17) + `"}`,
	} {
		if v, _, err := decodeNoting[noted]([]byte(text), schema.PlanLimits); err == nil || v.ID != "" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func FuzzRowsWithNotes(f *testing.F) {
	f.Add([]byte(`{"calls":[{},{"a/b":1}],"id":"a","a~b":true}`))
	f.Add([]byte(`{"id":"a","":{"":{}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, unknown, err := decodeNoting[noted](b, schema.PlanLimits)
		var open noted
		if plain := schema.DecodeOpen(b, &open, schema.PlanLimits); err == nil && (plain != nil || open.ID != v.ID) {
			t.Fatalf("%+v is read, and without notes %+v, %v", v, open, plain)
		}
		var strict noted
		if plain := schema.Decode(b, &strict, schema.PlanLimits); (plain == nil) != (err == nil && unknown == nil) {
			t.Fatalf("%d members are unknown, and Decode says %v", len(unknown), plain)
		}
	})
}
