package catalog_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

func tool(name, schema string) string {
	return fmt.Sprintf(`{"name":%q,"inputSchema":%s}`, name, schema)
}

const empty = `{"type":"object"}`

func listing(server string, raws ...string) catalog.Listing {
	l := catalog.Listing{Server: server}
	for _, r := range raws {
		l.Tools = append(l.Tools, pin.Descriptor{Server: server, Raw: jsontext.Value(r)})
	}
	return l
}

func allow(t *testing.T, text string) catalog.Allowlist {
	t.Helper()
	a, err := catalog.ParseAllowlist([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// codes gives each excluded tool with its code, and each callable one with "".
func codes(c catalog.Catalog) map[string]verdict.Code {
	m := map[string]verdict.Code{}
	for _, tl := range c.Tools() {
		m[tl.Server()+"/"+tl.Name()] = ""
	}
	for _, e := range c.Excluded() {
		m[e.Server+"/"+e.Name] = e.Denial.Code
	}
	return m
}

func TestEveryToolThatIsOutHasItsReason(t *testing.T) {
	t.Parallel()
	const unenforceable = `{"type":"object","properties":{"a":{"$ref":"#a"}}}`
	a := allow(t, `{"kb":["get","twice","odd","badin","badout","absent","broken"]}`)
	c := catalog.Admit([]catalog.Listing{listing("kb",
		tool("get", empty), tool("put", empty), tool("twice", empty), tool("twice", empty),
		`{"name":"e\u001b[2J","inputSchema":`+empty+`}`, `{"name":"g\u202eet","inputSchema":`+empty+`}`, `{"name":"","inputSchema":`+empty+`}`,
		`{"name":"odd"}`, tool("badin", unenforceable),
		`{"name":"badout","inputSchema":`+empty+`,"outputSchema":`+unenforceable+`}`,
		`{"name":"broken","title":7,"inputSchema":`+empty+`}`,
	)}, a, catalog.Options{})
	got := codes(c)
	for name, want := range map[string]verdict.Code{
		"kb/get": "", "kb/put": verdict.AllowTool, "kb/twice": verdict.CatalogDuplicate,
		"kb/e\x1b[2J": verdict.CatalogName, "kb/g\u202eet": verdict.CatalogName, "kb/odd": "",
		"kb/badin": verdict.CatalogSchema, "kb/badout": "", "kb/broken": verdict.CatalogDescriptor, "kb/absent": verdict.CatalogAbsent,
	} {
		if code, ok := got[name]; !ok || code != want {
			t.Errorf("%q: %q (listed %v), want %q", name, code, ok, want)
		}
	}
	if len(c.Tools()) != 3 {
		t.Errorf("%d tools can be called", len(c.Tools()))
	}
	for name, want := range map[string]verdict.Code{"get": "", "put": verdict.AllowTool, "twice": verdict.CatalogDuplicate, "none": verdict.AllowTool} {
		if _, err := c.Tool("kb", name); verdict.CodeOf(err) != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// Who lists one tool twice has not listed two.
func TestAnAbsentToolIsNamedBesideOneThatIsListedTwice(t *testing.T) {
	t.Parallel()
	got := codes(catalog.Admit([]catalog.Listing{listing("kb", tool("twice", empty), tool("twice", empty))}, allow(t, `{"kb":["twice","absent"]}`), catalog.Options{}))
	if got["kb/absent"] != verdict.CatalogAbsent || got["kb/twice"] != verdict.CatalogDuplicate {
		t.Error(got)
	}
}

// An output schema decides what of an answer is evidence. If it cannot be enforced,
// nothing is evidence, unless the operator declares the output.
func TestAnOutputSchemaThatCannotBeEnforcedTypesNothing(t *testing.T) {
	t.Parallel()
	const output = `,"outputSchema":{"type":"object","unevaluatedProperties":false}}`
	c := catalog.Admit([]catalog.Listing{listing("kb",
		`{"name":"get","inputSchema":`+empty+output, `{"name":"told","inputSchema":`+empty+output, tool("plain", empty),
		`{"name":"typed","inputSchema":`+empty+`,"outputSchema":`+empty+`}`,
	)}, allow(t, `{"kb":["get",{"name":"told","output":"text"},"plain","typed"]}`), catalog.Options{})
	for name, want := range map[string]struct {
		basis catalog.Basis
		noted bool
	}{"get": {catalog.Untyped, true}, "told": {catalog.OperatorText, true}, "plain": {catalog.Untyped, false}, "typed": {catalog.OutputSchema, false}} {
		tl, err := c.Tool("kb", name)
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(tl.Notes(), "\n")
		if tl.Output().Basis != want.basis || strings.Contains(notes, "output schema cannot be enforced: /unevaluatedProperties") != want.noted {
			t.Errorf("%s: %s, %q", name, tl.Output().Basis, notes)
		}
	}
	strict := catalog.Admit([]catalog.Listing{listing("kb", `{"name":"get","inputSchema":`+empty+`,"outputSchema":{"format":"iban"}}`)},
		allow(t, `{"kb":["get"]}`), catalog.Options{StrictFormats: true})
	if tl, err := strict.Tool("kb", "get"); err != nil || tl.Output().Basis != catalog.Untyped || len(tl.Notes()) != 1 {
		t.Errorf("a format that is not known, where formats are strict: %s, %q, %v", tl.Output().Basis, tl.Notes(), err)
	}
}

// A tool's twin is out with the tool. A twin that only this program cannot read
// would leave the tool alone, and the server would choose which of them is
// called.
func TestATwinWithoutAReadableNameTakesTheWholeListingOut(t *testing.T) {
	t.Parallel()
	a := allow(t, `{"kb":["get","put"],"kc":["get"]}`)
	for name, twin := range map[string]string{
		"a long description":     `{"name":"get","description":"` + strings.Repeat("x", 200<<10) + `","inputSchema":` + empty + `}`,
		"deep":                   `{"name":"get","x":` + strings.Repeat("[", 49) + strings.Repeat("]", 49) + `,"inputSchema":` + empty + `}`,
		"many values":            `{"name":"get","x":[0` + strings.Repeat(",0", 30_000) + `],"inputSchema":` + empty + `}`,
		"a number":               `{"name":"get","x":1e400,"inputSchema":` + empty + `}`,
		"two names":              `{"name":"got","name":"get","inputSchema":` + empty + `}`,
		"a key twice, below":     `{"name":"get","inputSchema":{"type":"object","type":"object"}}`,
		"not UTF-8":              "{\"name\":\"get\",\"title\":\"\xff\",\"inputSchema\":" + empty + "}",
		"a name of another type": `{"name":["get"],"inputSchema":` + empty + `}`,
		"no object":              `"get"`,
		"nothing":                `null`,
	} {
		for _, tools := range [][]string{{tool("get", empty), tool("put", empty), twin}, {twin, tool("put", empty), tool("get", empty)}} {
			c := catalog.Admit([]catalog.Listing{listing("kb", tools...), listing("kc", tool("get", empty))}, a, catalog.Options{})
			got := codes(c)
			if got["kb/get"] != verdict.CatalogDescriptor || got["kb/put"] != verdict.CatalogDescriptor || len(c.Tools()) != 1 {
				t.Errorf("%s: %v", name, got)
			}
			if _, err := c.Tool("kb", "get"); verdict.CodeOf(err) != verdict.CatalogDescriptor || len(err.Error()) > 500 {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestAServerCannotSpeakForAnother(t *testing.T) {
	t.Parallel()
	a := allow(t, `{"kb":["get"],"hr":["get"]}`)
	l := listing("kb", tool("get", empty))
	l.Tools[0].Server = "hr"
	if c := catalog.Admit([]catalog.Listing{l}, a, catalog.Options{}); len(c.Tools()) != 0 {
		t.Error("a descriptor of hr came in with the listing of kb")
	}
	c := catalog.Admit([]catalog.Listing{listing("kb", tool("get", empty)), listing("kb", tool("get", empty))}, a, catalog.Options{})
	if len(c.Tools()) != 1 || len(c.Unreachable()) != 1 {
		t.Errorf("two listings of one server: %d tools", len(c.Tools()))
	}
}

func TestTheOrderOfListingsDoesNotMatter(t *testing.T) {
	t.Parallel()
	a := allow(t, `{"b":["x","y"],"a":["z"]}`)
	ls := []catalog.Listing{listing("b", tool("y", empty), tool("x", empty), tool("w", empty)), listing("a", tool("z", empty)), {Server: "c", Err: verdict.Fail(verdict.ServerTimeout, nil, "late")}}
	one := catalog.Admit(ls, a, catalog.Options{})
	slices.Reverse(ls)
	two := catalog.Admit(ls, a, catalog.Options{})
	names := func(c catalog.Catalog) (s []string) {
		for _, tl := range c.Tools() {
			s = append(s, tl.Server()+"/"+tl.Name())
		}
		return s
	}
	if !slices.Equal(names(one), names(two)) || !slices.Equal(names(one), []string{"a/z", "b/x", "b/y"}) {
		t.Errorf("%v and %v", names(one), names(two))
	}
}

func TestNothingIsAllowedByDefault(t *testing.T) {
	t.Parallel()
	why := verdict.Deny(verdict.AllowMissing, "not there")
	for name, c := range map[string]struct {
		list catalog.Allowlist
		want verdict.Code
	}{
		"the zero value": {catalog.Allowlist{}, verdict.AllowMissing},
		"nothing":        {catalog.Nothing(why), verdict.AllowMissing},
		"an empty list":  {allow(t, `{}`), verdict.AllowEmpty},
		"a server alone": {allow(t, `{"kb":[]}`), verdict.AllowEmpty},
	} {
		got := catalog.Admit([]catalog.Listing{listing("kb", tool("get", empty))}, c.list, catalog.Options{})
		if verdict.CodeOf(c.list.Refusal()) != c.want || len(c.list.Servers()) != 0 || len(got.Tools()) != 0 {
			t.Errorf("%s: %v, %d servers, %d tools", name, c.list.Refusal(), len(c.list.Servers()), len(got.Tools()))
		}
	}
	if _, err := (catalog.Catalog{}).Tool("kb", "get"); err == nil || (catalog.Catalog{}).Refusal() == nil {
		t.Error("the zero catalog holds a tool")
	}
}

func TestTheOperatorDeclaresWhatAToolAnswers(t *testing.T) {
	t.Parallel()
	a := allow(t, `{"kb":[{"name":"a","output":"text"},{"name":"b","output":{"type":"object"}},"c",{"name":"d"}]}`)
	out := `{"name":"%s","inputSchema":{"type":"object"}}`
	c := catalog.Admit([]catalog.Listing{listing("kb", fmt.Sprintf(out, "a"), fmt.Sprintf(out, "b"), fmt.Sprintf(out, "c"), fmt.Sprintf(out, "d"))}, a, catalog.Options{})
	var got []string
	for _, tl := range c.Tools() {
		got = append(got, tl.Output().Basis.String())
	}
	if want := "operator_text operator_schema untyped untyped"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestTheFirstUnreachableServerSaysWhyThereIsNothing(t *testing.T) {
	t.Parallel()
	a := allow(t, `{"kb":["get"]}`)
	c := catalog.Admit([]catalog.Listing{{Server: "kb", Err: verdict.Fail(verdict.ServerTimeout, nil, "late")}}, a, catalog.Options{})
	if verdict.CodeOf(c.Refusal()) != verdict.ServerTimeout {
		t.Error(c.Refusal())
	}
	if _, err := c.Tool("kb", "get"); verdict.CodeOf(err) != verdict.ServerTimeout {
		t.Error(err)
	}
}

// Five thousand tools of one server, each with the hardest possible schemas, are not
// all read once the run has ended.
func TestALookAtToolsCanBeStopped(t *testing.T) {
	t.Parallel()
	a := allow(t, `{"kb":["get","got","put"],"kc":["get"]}`)
	ls := []catalog.Listing{listing("kb", tool("get", empty), tool("got", empty), tool("put", empty)), listing("kc", tool("get", empty))}
	late := verdict.Fail(verdict.ServerTimeout, nil, "late")
	for after, want := range map[int]int{0: 0, 2: 0, 3: 3, 4: 4} { // all of a server's tools, or none

		looked := 0
		c := catalog.Admit(ls, a, catalog.Options{Stop: func() error {
			if looked++; looked > after {
				return late
			}
			return nil
		}})
		if len(c.Tools()) != want || len(c.Excluded()) != 0 {
			t.Errorf("stopped after %d tools: %s", after, whole(c))
		}
		for _, u := range c.Unreachable() {
			if !errors.Is(u.Err, late) {
				t.Errorf("stopped after %d tools: %v", after, u)
			}
		}
		if want == 0 && verdict.CodeOf(c.Refusal()) != verdict.ServerTimeout {
			t.Errorf("the refusal is %v", c.Refusal())
		}
		for _, l := range c.Listings() {
			if (l.Err == nil) != (len(l.Tools) > 0) {
				t.Errorf("stopped after %d tools: the listing of %s has %d tools and %v", after, l.Server, len(l.Tools), l.Err)
			}
		}
	}
}

// TestAToolThatIsATaskOnlyIsOut: a call of it would be answered with a task, and
// its result would take more requests.
func TestAToolThatIsATaskOnlyIsOut(t *testing.T) {
	t.Parallel()
	a := allow(t, `{"kb":["get"]}`)
	for execution, want := range map[string]verdict.Code{
		`{"taskSupport":"required"}`:            verdict.CatalogTask,
		`{"x":1,"taskSupport":"requ\u0069red"}`: verdict.CatalogTask,
		`{"taskSupport":"optional"}`:            "",
		`{"taskSupport":"forbidden"}`:           "",
		`{"taskSupport":["required"]}`:          "",
		`{}`:                                    "",
		`"required"`:                            "",
	} {
		d := `{"name":"get","execution":` + execution + `,"inputSchema":` + empty + `}`
		l := listing("kb", d)
		c := catalog.Admit([]catalog.Listing{l}, a, catalog.Options{})
		if diff := cmp.Diff(map[string]verdict.Code{"kb/get": want}, codes(c)); want != "" && diff != "" {
			t.Errorf("%s (-want +got):\n%s", execution, diff)
		}
		if n := len(c.Tools()); (n == 1) != (want == "") {
			t.Errorf("%s: %d tools can be called", execution, n)
		}
		var no error
		if d := catalog.Uncallable(l.Tools[0]); d != nil {
			no = d
		}
		if diff := cmp.Diff(want, verdict.CodeOf(no)); diff != "" {
			t.Errorf("%s, before approval (-want +got):\n%s", execution, diff)
		}
	}
}
