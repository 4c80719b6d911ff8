package schema_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

func TestNumbersKeepEveryDigit(t *testing.T) {
	t.Parallel()
	for s, values := range map[string]struct{ fits, not []string }{
		`{"const":9007199254740993}`:          {[]string{`9007199254740993`, `9007199254740993.0`, `9.007199254740993e15`}, []string{`9007199254740992`, `9007199254740994`, `"9007199254740993"`}},
		`{"enum":[9007199254740993,"x"]}`:     {[]string{`9007199254740993`, `"x"`}, []string{`9007199254740992`, `"y"`}},
		`{"not":{"const":9007199254740993}}`:  {[]string{`9007199254740992`}, []string{`9007199254740993`}},
		`{"not":{"const":9007199254740992}}`:  {[]string{`9007199254740993`}, []string{`9007199254740992`}},
		`{"not":{"enum":[0.1]}}`:              {[]string{`0.10000000000000000001`}, []string{`0.1`, `0.100`, `1e-1`}},
		`{"maximum":9007199254740992}`:        {[]string{`9007199254740992`}, []string{`9007199254740993`}},
		`{"exclusiveMaximum":1e20}`:           {[]string{`99999999999999999999`}, []string{`100000000000000000000`}},
		`{"type":"integer"}`:                  {[]string{`1.0`, `1e2`, `-0`, `123456789012345678901234567890`}, []string{`1.5`, `1e-2`, `"1"`, `true`}},
		`{"const":0}`:                         {[]string{`-0`, `0.0`, `0e5`}, []string{`false`, `""`, `null`, `1e-300`}},
		`{"multipleOf":0.01}`:                 {[]string{`4.02`, `19.99`}, []string{`4.021`}},
		`{"const":{"n":9007199254740993}}`:    {[]string{`{"n":9007199254740993}`}, []string{`{"n":9007199254740992}`}},
		`{"enum":[9007199254740992,[2],[2]]}`: {[]string{`[2]`, `[2.0]`}, []string{`9007199254740993`, `2`}},
		`{"uniqueItems":true}`:                {[]string{`[1,true,"1",[1]]`}, []string{`[1,1.0]`, `[{"a":1,"b":2},{"b":2,"a":1}]`}},
	} {
		v := compiled(t, []byte(s), schema.Output)
		for _, value := range values.fits {
			if err := v.Check([]byte(value)); err != nil {
				t.Errorf("%s refuses %s: %v", s, value, err)
			}
		}
		for _, value := range values.not {
			if v.Check([]byte(value)) == nil {
				t.Errorf("%s accepts %s", s, value)
			}
		}
	}
}

func TestValuesAreReadStrictly(t *testing.T) {
	t.Parallel()
	v := compiled(t, []byte(`{}`), schema.Output)
	for _, bad := range []string{``, ` `, `{`, `{} {}`, `{"a":1,"a":2}`, "\"\xff\"", `1e400`, `NaN`, strings.Repeat("[", 200) + strings.Repeat("]", 200)} {
		var m *schema.Mismatch
		if err := v.Check([]byte(bad)); !errors.As(err, &m) {
			t.Errorf("%.20q: got %v", bad, err)
		}
	}
}

// Validators do not see what enforces nothing: see TestNotesAreLeftOut.
func TestNotesCannotChangeWhatIsEnforced(t *testing.T) {
	t.Parallel()
	for _, note := range []string{
		`"default":{"$id":"n","type":"number"}`, `"examples":[{"$ref":"#/$defs/x"}]`, `"default":{"type":"number"}`, `"description":5`, `"title":{}`, `"readOnly":"x"`, `"$comment":[]`,
	} {
		v := compiled(t, []byte(`{`+note+`,"type":"object","$defs":{"x":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/x"}}}`), schema.Input)
		if err := v.Check([]byte(`{"a":"s"}`)); err != nil {
			t.Errorf("%s: %v", note, err)
		}
		if v.Check([]byte(`{"a":1}`)) == nil {
			t.Errorf("%s: a number passes for a string", note)
		}
	}
}

func TestMismatchesSayWhatAndWhere(t *testing.T) {
	t.Parallel()
	v := compiled(t, []byte(`{"type":"object","required":["path"],"properties":{
		"path":{"type":"string","minLength":2,"maxLength":5,"pattern":"^/"},"mode":{"enum":["r","w"]},"n":{"type":"integer","minimum":1,"maximum":9},
		"id":{"type":"string","format":"uuid"},"tags":{"type":"array","items":{"type":"string"},"maxItems":2,"uniqueItems":true},
		"when":{"anyOf":[{"type":"null"},{"type":"object","properties":{"from":{"type":"string"}},"required":["from"]}]},
		"either":{"anyOf":[{"type":"string"},{"type":"number"}]},"a/b":{"const":1}}}`), schema.Input)
	for value, want := range map[string]string{
		`[]`:                                         `it must be of type object, not array`,
		`{}`:                                         `it lacks the required member "path"`,
		`{"path":1}`:                                 `at /path: it must be of type string, not number`,
		`{"path":"/"}`:                               `at /path: it must have at least 2 characters`,
		`{"path":"/aaaaa"}`:                          `at /path: it must have at most 5 characters`,
		`{"path":"aa"}`:                              `at /path: it does not match the pattern "^/"`,
		`{"path":"/a","mode":"x"}`:                   `at /mode: it must be one of "r", "w"`,
		`{"path":"/a","n":0}`:                        `at /n: it must be at least 1`,
		`{"path":"/a","n":10}`:                       `at /n: it must be at most 9`,
		`{"path":"/a","id":"x"}`:                     `at /id: it is not of format "uuid"`,
		`{"path":"/a","tags":["a",1]}`:               `at /tags/1: it must be of type string, not number`,
		`{"path":"/a","tags":[1,2,3]}`:               `at /tags: it must have at most 2 items`,
		`{"path":"/a","tags":["a","a"]}`:             `at /tags: its items 0 and 1 are the same`,
		`{"path":"/a","when":{}}`:                    `at /when: it lacks the required member "from"`,
		`{"path":"/a","when":7}`:                     `at /when: it fits none of the 2 alternatives`,
		`{"path":"/a","either":[]}`:                  `at /either: it fits none of the 2 alternatives`,
		`{"path":"/a","a/b":2}`:                      `at /a~1b: it must be 1`,
		`{"path":"/a","z":1,"y":1}`:                  `at /y: the schema names no such member`,
		`{"path":"/a","when":{"from":"x","to":"y"}}`: `at /when/to: the schema names no such member`,
		`{"path":"/a"`:                               `the value has a JSON value that ends too early`,
	} {
		for range 20 { // the validators iterate over maps; a replay must say the same
			if err := v.Check([]byte(value)); err == nil || err.Error() != want {
				t.Errorf("%s: got %v, want %s", value, err, want)
				break
			}
		}
	}
}

func TestMismatchesAreBoundedAndQuoteNoValue(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 5000)
	v := compiled(t, []byte(`{"type":"object","properties":{"`+long+`":{"enum":["`+long+`","b","c"]}},"required":["r"],"propertyNames":{"maxLength":9000}}`), schema.Input)
	for _, value := range []string{`{"` + long + `":"s3cret","r":1}`, `{"` + long + long + `":1,"r":1}`, `{"r":1,"` + long + `x":1}`} {
		err := v.Check([]byte(value))
		if err == nil || len(err.Error()) > 600 || strings.Contains(err.Error(), "s3cret") || strings.ContainsRune(err.Error(), '\ufffd') {
			t.Errorf("got %v", err)
		}
	}
}

// A server's schema and its own result could keep the program busy for hours, although
// both are short enough to be read.
func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	deep := compiled(t, []byte(`{"items":{"allOf":[`+strings.Repeat(`{"anyOf":[{"type":"null"},{"minimum":1}]},`, 300)+`{}]}}`), schema.Output)
	if err := deep.Check([]byte(`[` + strings.Repeat(`1,`, 100) + `1]`)); err != nil {
		t.Error(err)
	}
	if err := deep.Check([]byte(`[` + strings.Repeat(`1,`, 10_000) + `1]`)); err == nil || !strings.Contains(err.Error(), "too costly to check") {
		t.Errorf("got %v", err)
	}
	numbers := compiled(t, []byte(`{"items":{"enum":[`+strings.Repeat(`1,`, 2000)+`0]}}`), schema.Output)
	if err := numbers.Check([]byte(`[` + strings.Repeat(`1,`, 10_000) + `1]`)); err != nil {
		t.Error(err) // one value, given 2000 times
	}
	regex := compiled(t, []byte(`{"pattern":"^a{1,900}b{1,900}c$"}`), schema.Output)
	if err := regex.Check([]byte(`"` + strings.Repeat("a", 4<<20) + `"`)); err == nil || !strings.Contains(err.Error(), "too costly to check") {
		t.Errorf("got %v", err)
	}
}

func TestValidatorsCanBeShared(t *testing.T) {
	t.Parallel()
	s, err := schema.Admit([]byte(`{"type":"object","$defs":{"d":{"enum":[1,2]}},"properties":{"a":{"$ref":"#/$defs/d"},"b":{"format":"int32"}}}`), schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			v, err := s.Compile()
			if err != nil {
				t.Error(err)
				return
			}
			if err := v.Check(fmt.Appendf(nil, `{"a":%d,"b":%d}`, i%2+1, i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
