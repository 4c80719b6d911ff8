package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// A tool of a name that no call can have is out, and takes no other with it.
func TestAToolsNameOutsideTheAlphabetCostsItsToolAlone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`{"kb":["get","a/b"]}`:                                {"get"},
		`{"kb":{"read":["get","*"],"write":["put","p ut"]}}`:  {"get", "put"},
		`{"kb":["get",{"name":"g\u202eet","output":"text"}]}`: {"get"},
		`{"kb":["get"],"files":["read file"]}`:                {"get"},
		`{"kb":["get","a/b","a/b"]}`:                          nil, // listed twice
		`{"kb":["get",{"name":"a/b","output":"json"}]}`:       nil,
		`{"kb":["get","a/b",{"Name":"put"}]}`:                 nil,
		`{"kb":["get",""]}`:                                   nil,
		`{"kb":["get"],"a/b":["get"]}`:                        nil, // a server's name
		`{"kb":["get","` + strings.Repeat("x", 129) + `"]}`:   nil,
		`{"kb":["a/b"]}`:                                      nil, // nothing is left
	} {
		a, err := catalog.ParseAllowlist([]byte(text))
		if diff := cmp.Diff(want, a.Tools("kb"), cmpopts.EquateEmpty()); diff != "" || (err == nil) != (want != nil) {
			t.Errorf("%s: %v: %s", text, err, diff)
		}
		if a.Permits("kb", "a/b") == nil || a.Permits("kb", "*") == nil {
			t.Errorf("%s: the odd name is permitted", text)
		}
	}
	c := catalog.Admit([]catalog.Listing{listing("kb", tool("get", empty), tool("a/b", empty))}, allow(t, `{"kb":["get","a/b","c d"]}`), catalog.Options{})
	want := map[string]verdict.Code{"kb/get": "", "kb/a/b": verdict.CatalogName, "kb/c d": verdict.CatalogName}
	if diff := cmp.Diff(want, codes(c)); diff != "" {
		t.Error(diff)
	}
}

// FuzzParseAllowlist: a refused text allows nothing, and an accepted text reads the same
// again.
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
