package catalog_test

import (
	"slices"
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestAnAllowlistWithOneMistakeAllowsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `null`, `[]`, `"*"`, `{"kb":"get"}`, `{"kb":["get"]} {}`, `{"kb":["get"],"kb":["put"]}`, `{"kb":["get",1]}`,
		`{"kb":["get","get"]}`, `{"kb":["*"]}`, `{"kb":[""]}`, `{"k b":["get"]}`, `{"kb":["g\u202eet"]}`, `{"kb":null}extra`,
		`{"kb":[{"name":"get","outputs":"text"}]}`, `{"kb":[{"Name":"get"}]}`, `{"kb":[{"output":"text"}]}`, `{"kb":[{"name":"get","output":"json"}]}`,
		`{"kb":[{"name":"get","output":{"$ref":"http://127.0.0.1/x"}}]}`, `{"kb":[{"name":"get","output":{"type":"string","format":"shoe-size"}}]}`,
		`{"kb":[{"name":"get","output":7}]}`, "{\"kb\":[\"\xff\"]}", `{"kb":[["get"]]}`, `{"kb":[null]}`,
	} {
		a, err := catalog.ParseAllowlist([]byte(text))
		if verdict.CodeOf(err) != verdict.AllowInvalid || a.Refusal() == nil || len(a.Servers()) != 0 {
			t.Errorf("%q: %v, allows %v", text, err, a.Servers())
		}
	}
}

func FuzzParseAllowlist(f *testing.F) {
	for _, s := range []string{`{"kb":["get"]}`, `{}`, `{"kb":[{"name":"get","output":"text"}]}`, `{"kb":["get"],"kb":[]}`, `null`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := catalog.ParseAllowlist(b)
		if err != nil {
			if len(a.Servers()) > 0 || a.Refusal() == nil {
				t.Fatalf("%q is refused and allows %v", b, a.Servers())
			}
			return
		}
		again, err := catalog.ParseAllowlist(a.Source())
		if err != nil || !slices.Equal(a.Servers(), again.Servers()) {
			t.Fatalf("%q reads otherwise again: %v", b, err)
		}
	})
}
