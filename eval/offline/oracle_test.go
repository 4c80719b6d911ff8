package offline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/schema"
)

func TestTheOracleTellsMeaningFromSpelling(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[2]}`, ` { "b" : [2.0] , "a" : 10e-1 } `, true},
		{`"a/\u0041"`, `"\u0061\/A"`, true},
		{`"😀"`, `"\ud83d\ude00"`, true},
		{`9007199254740993`, `9007199254740993.0`, true},
		{`0`, `-0`, true},
		{`9007199254740993`, `9007199254740992`, false},
		{`1`, `"1"`, false},
		{`0`, `false`, false},
		{`null`, `false`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `1`, false},
		{`{}`, `[]`, false},
		{`{"a":1}`, `{"A":1}`, false},
		{`{"a":1}`, `{"a":1,"a":1}`, false},
		{`{"a":1}`, `{"a":1}{}`, false},
		{`"é"`, "\"e\u0301\"", false},
		{`1`, `01`, false},
		{`1`, `1e400`, false},
	} {
		if sameJSON([]byte(c.a), []byte(c.b)) != c.same || sameJSON([]byte(c.b), []byte(c.a)) != c.same {
			t.Errorf("%s and %s: want %v", c.a, c.b, c.same)
		}
	}
}

func TestTheOracleReadsThePublicJSONCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(corpus.Path(t, "json-parsing"), "*.json"))
	if err != nil || len(files) < 293 { // as many as `make corpora` gets
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		_, ok := readJSON(string(b))
		switch {
		case name[0] == 'n' && ok:
			t.Errorf("%s is read", name)
		case name[0] == 'y' && !ok && !strings.Contains(name, "duplicated_key"):
			t.Errorf("%s is not read", name)
		}
	}
}

// FuzzReadJSON holds the oracle against the gates' reader, which it shares
// nothing with. Where they differ, one of them is wrong.
func FuzzReadJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1.5e3,-0,"\u00e9\ud83d\ude00",null,true]}`, `[`, `{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"", `01`, "\ufeff1", `{"a":1,}`, `1e5`, "\"\x7f\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, ok := readJSON(s)
		err := schema.Check([]byte(s), schema.Limits{Bytes: 1 << 20, Depth: 5000, Values: 1 << 20, Exponent: 9999, Digits: 1 << 20})
		if ok != (err == nil) && !strings.ContainsAny(s, "eE") { // exponents are bounded otherwise
			t.Fatalf("%q: %v by the oracle, %v", s, ok, err)
		}
		if ok && !sameJSON([]byte(s), []byte(" "+s+"\n")) {
			t.Fatalf("%q is not itself", s)
		}
	})
}

// A case that pins a value must accept it and nothing else. Otherwise an oracle that
// knows no schema could not judge.
func TestPinnedSchemasFitTheirValueAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, q := pinObject(t, 2), pinObject(t, 2)
		s, err := schema.Admit([]byte(p.schema.String()), schema.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Compile()
		if err != nil {
			t.Fatal(err)
		}
		mine, other := []byte(p.value.String()), []byte(q.value.String())
		if err := v.Check(mine); err != nil {
			t.Fatalf("%s does not fit %s: %v", mine, p.schema, err)
		}
		if !sameJSON(mine, other) && v.Check(other) == nil {
			t.Fatalf("%s fits %s", other, p.schema)
		}
	})
}

// FuzzParse asserts that an accepted row can be measured, and that a refused row
// leaves nothing.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"id":"a","group":"plan_parse","what":"x","input":{"plan":["{",{"of":"[","times":3},{"hex":"ff"}]},"expect":"plan.json"}`,
		`{"id":"a","group":"plan_gate","what":"x","input":{"schema":{"type":"object"},"args":{},"redeem":[{"receipt":"used"},{"live":"{"}]},"expect":"allow"}`,
		`{"id":"a","group":"typed_output","what":"x","input":{"declared":"text","result":{}},"expect":"output.missing"}`,
		`{"id":"a","group":"grounding","what":"x","input":{"value":[1],"claim":"1","evidence":"1"},"expect":"allow"}`,
		`{"id":"a","group":"policy_gate","what":"x","input":{"allowlist":{"kb":["a"]},"lists":[{"server":"kb","tools":["a",{}]}],"server":"kb","tool":"a"},"expect":"allow"}`,
		`{}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		_, c, err := parse(&eval.Line{Text: []byte(line)})
		if err != nil {
			if c != (Case{}) {
				t.Fatalf("%v beside %+v", err, c)
			}
			return
		}
		if r := c.row(); r.Observed == "" || r.ID != c.ID {
			t.Fatalf("%+v", r)
		}
	})
}
