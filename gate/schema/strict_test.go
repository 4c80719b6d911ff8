package schema_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/schema"
)

// stricter are what RFC 8259 lets pass with a warning: the same key twice.
var stricter = map[string]bool{"y_object_duplicated_key.json": true, "y_object_duplicated_key_and_value.json": true}

func TestCheckAgreesWithThePublicCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(corpus.Path(t, "json-parsing"), "*.json"))
	if err != nil || len(files) < 293 { // as many as `make corpora` gets
		t.Fatalf("%d files, %v", len(files), err)
	}
	accepted, refused, either := 0, 0, 0
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		err = schema.Check(b, schema.ResultLimits)
		switch name := filepath.Base(f); {
		case strings.HasPrefix(name, "y_"):
			accepted++
			if (err == nil) == stricter[name] {
				t.Errorf("%s: %v", name, err)
			}
		case strings.HasPrefix(name, "n_"):
			refused++
			if err == nil {
				t.Errorf("%s: accepted", name)
			}
		default:
			either++
		}
	}
	t.Logf("%d files: %d accepted, %d refused, %d of either verdict", len(files), accepted, refused, either)
}

type shape struct {
	Tool string         `json:"tool"`
	Args jsontext.Value `json:"args"`
	K    int            `json:"k"`
}

func TestDecodeRefusesWhatAnotherReaderCouldReadOtherwise(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		fault schema.Fault
	}{
		"nothing":                        {``, schema.Malformed},
		"white space alone":              {" \n", schema.Malformed},
		"null":                           {`null`, schema.Misfit},
		"null within white space":        {" null\n", schema.Misfit},
		"an array":                       {`[]`, schema.Misfit},
		"a string":                       {`"{}"`, schema.Misfit},
		"a key twice":                    {`{"tool":"a","tool":"b"}`, schema.Malformed},
		"a key twice, once escaped":      {`{"tool":"a","to\u006fl":"b"}`, schema.Malformed},
		"a key twice, deep in a raw one": {`{"args":{"a":{"b":1,"b":2}}}`, schema.Malformed},
		"a key in another case":          {`{"TOOL":"a"}`, schema.Misfit},
		"a key in mixed case":            {`{"Tool":"a"}`, schema.Misfit},
		"U+212A for k":                   {"{\"\u212a\":1}", schema.Misfit},
		"U+212A for k, escaped":          {`{"\u212a":1}`, schema.Misfit},
		"U+017F in a key":                {"{\"tool\u017f\":1}", schema.Misfit},
		"a key with a space":             {`{"tool ":"a"}`, schema.Misfit},
		"an unknown key":                 {`{"tool":"a","x":1}`, schema.Misfit},
		"invalid UTF-8 in a value":       {"{\"tool\":\"\xff\"}", schema.Malformed},
		"invalid UTF-8 in a key":         {"{\"tool\xff\":1}", schema.Malformed},
		"overlong UTF-8":                 {"{\"tool\":\"\xc0\xaf\"}", schema.Malformed},
		"a lone surrogate":               {`{"tool":"\ud800"}`, schema.Malformed},
		"a byte order mark":              {"\ufeff{}", schema.Malformed},
		"a value after it":               {`{}{}`, schema.Malformed},
		"a word after it":                {`{} x`, schema.Malformed},
		"a comma after it":               {`{},`, schema.Malformed},
		"a NUL after it":                 {"{}\x00", schema.Malformed},
		"a fence around it":              {"```json\n{}\n```", schema.Malformed},
		"a comment in it":                {`{/**/}`, schema.Malformed},
		"a trailing comma":               {`{"tool":"a",}`, schema.Malformed},
		"cut short":                      {`{"tool":"a"`, schema.Malformed},
		"a huge exponent":                {`{"k":4E400}`, schema.Number},
		"a huge exponent in a raw value": {`{"args":{"a":[4E400]}}`, schema.Number},
		"a huge exponent of zero":        {`{"k":0E400}`, schema.Number},
		"a tiny exponent":                {`{"args":1e-400}`, schema.Number},
		"an exponent with noughts":       {`{"args":1e` + strings.Repeat("0", 40) + `400}`, schema.Number},
		"digits that push the exponent":  {`{"args":99e308}`, schema.Number},
		"beyond 64-bit floating point":   {`{"args":-1.8e308}`, schema.Number},
		"many digits":                    {`{"args":` + strings.Repeat("1", 65) + `}`, schema.Number},
		"many digits after the point":    {`{"args":0.` + strings.Repeat("1", 65) + `}`, schema.Number},
		"many decimal places":            {`{"args":0.` + strings.Repeat("0", 309) + `}`, schema.Number},
		"NaN":                            {`{"args":NaN}`, schema.Malformed},
		"a number of another type":       {`{"k":1.5}`, schema.Misfit},
		"too deep":                       {`{"args":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`, schema.Oversize},
		"deep and never closed":          {strings.Repeat("[", 33), schema.Oversize},
		"too long":                       {`{"tool":"` + strings.Repeat("a", 64<<10) + `"}`, schema.Oversize},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var v shape
			err := schema.Decode([]byte(c.text), &v, schema.PlanLimits)
			var e *schema.Error
			if !errors.As(err, &e) || e.Fault != c.fault {
				t.Fatalf("got %v (%+v), want fault %d", err, e, c.fault)
			}
			if len(e.Detail) > 300 {
				t.Errorf("the detail has %d bytes", len(e.Detail))
			}
		})
	}
}

func TestDecodeKeepsWhatFits(t *testing.T) {
	t.Parallel()
	var v shape
	in := " {\"tool\":\"a\",\"args\":{\"n\":9007199254740993,\"m\":1.0e3},\"k\":7}\r\n"
	if err := schema.Decode([]byte(in), &v, schema.PlanLimits); err != nil {
		t.Fatal(err)
	}
	want := shape{Tool: "a", Args: jsontext.Value(`{"n":9007199254740993,"m":1.0e3}`), K: 7}
	if d := cmp.Diff(want, v); d != "" {
		t.Error(d)
	}
}

func TestDecodeOpenPassesOverUnknownMembersAlone(t *testing.T) {
	t.Parallel()
	var v shape
	if err := schema.DecodeOpen([]byte(`{"tool":"a","TOOL":"b","x":{}}`), &v, schema.PlanLimits); err != nil || v.Tool != "a" {
		t.Errorf("%v, %+v", err, v)
	}
	for _, bad := range []string{`{"x":1,"x":2}`, `null`, `{"tool":1}`, `{} {}`} {
		if err := schema.DecodeOpen([]byte(bad), &shape{}, schema.PlanLimits); err == nil {
			t.Errorf("%s: accepted", bad)
		}
	}
}

func TestZeroLimitsAdmitNothing(t *testing.T) {
	t.Parallel()
	for _, s := range []string{``, `0`, `""`, `{}`, `null`} {
		if schema.Check([]byte(s), schema.Limits{}) == nil {
			t.Errorf("%q: accepted", s)
		}
	}
}

// Whatever the values are: 8 MiB of zeros are four million.
func TestEveryValueAndNameIsCounted(t *testing.T) {
	t.Parallel()
	for doc, values := range map[string]int{
		`0`: 1, `null`: 1, `"a b"`: 1, `[]`: 1, `{}`: 1, ` [ ] `: 1,
		`[0,0,0]`: 4, `["",true,false,null]`: 5, `[[[]]]`: 3, `[{},{}]`: 3,
		`{"a":0}`: 3, `{"a":{"b":[]}}`: 5, `{"a":1,"b":"c"}`: 5,
		`[` + strings.Repeat(`0,`, 999) + `0` + `]`: 1001, `[` + strings.Repeat(`{"a":[]},`, 999) + `{"a":[]}` + `]`: 3001,
	} {
		lim := schema.PlanLimits
		lim.Values = values
		if err := schema.Check([]byte(doc), lim); err != nil {
			t.Errorf("%.40s within %d values: %v", doc, values, err)
		}
		lim.Values--
		err := schema.Check([]byte(doc), lim)
		var e *schema.Error
		if !errors.As(err, &e) || e.Fault != schema.Oversize || !strings.Contains(e.Detail, strconv.Itoa(lim.Values)) {
			t.Errorf("%.40s within %d values: %v", doc, lim.Values, err)
		}
	}
}

// The limits leave room for what honest servers and planners send.
func TestRealToolsHaveFewValues(t *testing.T) {
	t.Parallel()
	lim := schema.DescriptorLimits
	lim.Values /= 20
	for _, tool := range realTools(t) {
		if err := schema.Check(tool.input, lim); err != nil {
			t.Errorf("%s: %v", tool.name, err)
		}
	}
}

// A literal of eight million digits is read once, not once per digit.
func TestHugeNumbersAreRefusedInLinearTime(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"1e" + strings.Repeat("0", 8<<20-10), strings.Repeat("9", 8<<20-1), "0." + strings.Repeat("0", 8<<20-9),
	} {
		var e *schema.Error
		if err := schema.Check([]byte(s), schema.ResultLimits); err != nil && (!errors.As(err, &e) || e.Fault != schema.Number) {
			t.Error(err)
		}
	}
}

func TestErrorsNameThePlaceAndNeverQuoteTheDocument(t *testing.T) {
	t.Parallel()
	err := schema.Decode([]byte(`{"tool":"a","k":"s3cret"}`), &shape{}, schema.PlanLimits)
	if err == nil || strings.Contains(err.Error(), "s3cret") || !strings.Contains(err.Error(), "/k") {
		t.Errorf("got %v", err)
	}
	long := strings.Repeat("é", 1000)
	err = schema.Decode([]byte(`{"`+long+`":1}`), &shape{}, schema.PlanLimits)
	if err == nil || len(err.Error()) > 300 || strings.ContainsRune(err.Error(), '\ufffd') {
		t.Errorf("got %v", err)
	}
}

func TestCanonicalOrdersMembersAndKeepsLiterals(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"b":1,"a":{"d":1.50,"c":9007199254740993}}`: `{"a":{"c":9007199254740993,"d":1.50},"b":1}`,
		" [ 1e2 , \"\\u0041\\/\" ] ":                  `[1e2,"A/"]`,
		"{\"\U0001f600\":1,\"\ufb33\":2}":             "{\"\U0001f600\":1,\"\ufb33\":2}", // by UTF-16, as RFC 8785 asks
	} {
		got, err := schema.Canonical([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v", in, got, err)
		}
	}
	for _, bad := range []string{``, `{`, `{"a":1,"a":2}`, "\"\xff\"", `1 2`} {
		if got, err := schema.Canonical([]byte(bad)); err == nil || got != nil {
			t.Errorf("%q: got %s, %v", bad, got, err)
		}
	}
}

func TestCanonicalLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	in := []byte(`{"b":1,"a":2}`)
	if _, err := schema.Canonical(in); err != nil || string(in) != `{"b":1,"a":2}` {
		t.Errorf("%s, %v", in, err)
	}
}

func TestMembersKeepTheOrderOfTheDocument(t *testing.T) {
	t.Parallel()
	got, err := schema.Members(jsontext.Value(` {"b":{"y":1, "x":2},"a":[1],"\u0063":9007199254740993 } `))
	want := []schema.Member{
		{Name: "b", Value: jsontext.Value(`{"y":1, "x":2}`), At: 6},
		{Name: "a", Value: jsontext.Value(`[1]`), At: 25},
		{Name: "c", Value: jsontext.Value(`9007199254740993`), At: 38},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
	if got, err := schema.Members(jsontext.Value(`{}`)); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
	for _, bad := range []string{``, `null`, `[]`, `"a"`, `{`, `{"a":1,"a":2}`, `{"a":1} x`, `{"a":1}{}`, "{\"a\":\"\xff\"}", `{"a"}`} {
		var e *schema.Error
		if got, err := schema.Members(jsontext.Value(bad)); !errors.As(err, &e) || got != nil {
			t.Errorf("%q: got %v, %v", bad, got, err)
		}
	}
}

var documents = []string{
	`{"type":"call_tool","server":"s","tool":"t","args":{"a":[1,-0.5e-3,"\u00e9"]}}`,
	`{"tool":"a","tool":"b"}`, "{\"\u212a\":1}", `{"TOOL":"a"}`, "\"\xff\"", `{} {}`, `null`, `4E400`, `99e307`,
	strings.Repeat("[", 100), `[]`, `-0`, "\ufeff1", `"\ud83d\ude00"`, `{"a":{"b":{"c":{}}}}`,
}

func FuzzCheck(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		err := schema.Check(b, schema.PlanLimits)
		if err == nil && !jsontext.Value(b).IsValid() {
			t.Fatalf("accepted %q, which is not JSON", b)
		}
		if err == nil && schema.Check(append([]byte(" \n"), b...), schema.PlanLimits) != nil && len(b) < 60<<10 {
			t.Fatal("white space changed the verdict")
		}
		if err == nil && schema.Check(append(bytes.Clone(b), ',', '1'), schema.PlanLimits) == nil {
			t.Fatal("trailing data accepted")
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, again shape
		if schema.Decode(b, &v, schema.PlanLimits) != nil {
			return
		}
		members, err := schema.Members(b)
		if err != nil {
			t.Fatalf("decoded, and has no members: %v", err)
		}
		for _, m := range members {
			if m.Name != "tool" && m.Name != "args" && m.Name != "k" {
				t.Fatalf("decoded with member %q", m.Name)
			}
		}
		c, err := schema.Canonical(b)
		if err != nil || schema.Decode(c, &again, schema.PlanLimits) != nil || v.Tool != again.Tool || v.K != again.K {
			t.Fatalf("%s means something else than %s: %v", c, b, err)
		}
	})
}

func FuzzCanonical(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := schema.Canonical(b)
		if err != nil {
			if c != nil {
				t.Fatal("refused with a value")
			}
			return
		}
		again, err := schema.Canonical(c)
		if err != nil || !bytes.Equal(c, again) {
			t.Fatalf("%s became %s: %v", c, again, err)
		}
	})
}
