package schema_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/schema"
)

func TestAnyKeepsTheLiteralsOfNumbers(t *testing.T) {
	t.Parallel()
	got, err := schema.Any(jsontext.Value(`{"a":[1.50,12345678901234567890,null,true,"x"]}`))
	want := any(map[string]any{"a": []any{stdjson.Number("1.50"), stdjson.Number("12345678901234567890"), nil, true, "x"}})
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, malformed := range []string{"", "{", `{"a":1,"a":2}`, "1 2", "\"\xff\""} {
		if got, err := schema.Any(jsontext.Value(malformed)); err == nil || got != nil {
			t.Errorf("%q is read as %v", malformed, got)
		}
	}
}

func TestRewriteChangesWhatIsSaidAndNothingElse(t *testing.T) {
	t.Parallel()
	hide := func(_ schema.Place, text string) (string, error) {
		return strings.ReplaceAll(text, "key1234", "-"), nil
	}
	for _, c := range []struct{ in, want string }{
		{`{"b":1.50,"a":[true,null,9007199254740993,1e2,"x"]}`, `{"b":1.50,"a":[true,null,9007199254740993,1e2,"x"]}`},
		{` { "a" : "is key1234." } `, `{"a":"is -."}`},
		{`"k\u0065y1234"`, `"-"`},
		{`{"key1234":1}`, `{"-":1}`},
		{`"\u2028<&>\u0000"`, "\"\u2028<&>\\u0000\""},
	} {
		got, err := schema.Rewrite([]byte(c.in), hide)
		if err != nil || string(got) != c.want {
			t.Errorf("%s becomes %s, %v", c.in, got, err)
		}
	}
	digits := func(schema.Place, string) (string, error) { return "-", nil }
	if got, err := schema.Rewrite([]byte(`[1234,51234.0,12]`), digits); err != nil || string(got) != `[1234,51234.0,12]` {
		t.Errorf("numbers become %s, %v", got, err)
	}
	for _, bad := range []string{``, `{`, `{"a":1,"a":2}`, `{"key1234":1,"-":2}`, "\"\xff\"", `1e400x`} {
		if got, err := schema.Rewrite([]byte(bad), hide); err == nil && bad != "" {
			t.Errorf("%s becomes %s", bad, got)
		}
	}
}

// Each string, name and number is distinguished by its path.
func TestRewriteSaysWhereEachTextIs(t *testing.T) {
	t.Parallel()
	var got []string
	note := func(at schema.Place, text string) (string, error) {
		got = append(got, fmt.Sprintf("%s of %s, %v %v", text, strings.Join(at.Path, "/"), at.Name, at.Number))
		return text, nil
	}
	if _, err := schema.Rewrite([]byte(`{"a/b":["x",{"~":1.50,"c":null}],"d":"e"}`), note); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a/b of a/b, true false", "x of a/b/0, false false", "~ of a/b/1/~, true false", "1.50 of a/b/1/~, false true",
		"c of a/b/1/c, true false", "d of d, true false", "e of d, false false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	no := errors.New("no")
	if b, err := schema.Rewrite([]byte(`[1]`), func(schema.Place, string) (string, error) { return "", no }); b != nil || !errors.Is(err, no) {
		t.Errorf("%s, %v", b, err)
	}
}

func TestAnEnvelopeIsOneObjectWithoutAKeyTwice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in string
		ok bool
	}{
		{`{}`, true},
		{" {\"a\":1}\r\n", true},
		{`{"a":1e400}`, true},
		{`{"a":{"b":1,"b":2}}`, true},
		{"{\"a\":\"\xff\"}", true},
		{`{"a":1,"A":2}`, true},
		{`{"a":1,"a":1}`, false},
		{`{"a":1,"\u0061":1}`, false},
		{"{\"a\xff\":1}", false},
		{`{"\ud800":1}`, false},
		{`{"a":1}{"b":2}`, false},
		{`{"a":1},`, false},
		{`{"a":1`, false},
		{`{"a":01}`, false},
		{`{"a"}`, false},
		{`{"a":[}`, false},
		{`[{"a":1}]`, false},
		{`null`, false},
		{``, false},
		{`{"a":"` + string(make([]byte, 1)) + `"}`, false},
		{fmt.Sprintf(`{"a":%q}`, make([]byte, 100)), false},
		{`{"a":[0,0,0,0,0,0,0,0]}`, true},
		{`{"a":1,"b":1,"c":1}`, false},
	} {
		members, err := schema.Envelope([]byte(c.in), schema.Limits{Bytes: 50, Values: 5})
		if (err == nil) != c.ok || err != nil && members != nil {
			t.Errorf("%q: %d members, %v", c.in, len(members), err)
		}
	}
}

// What is strict as a whole is an envelope of the same members.
func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[{}]}`, `{"a":1,"a":2}`, `{"a":1e400}`, `{} {}`, `[1]`, "{\"\xff\":1}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		members, err := schema.Envelope(b, schema.ResultLimits)
		if err != nil && members != nil {
			t.Fatalf("%q: members and %v", b, err)
		}
		strict, wrong := schema.Members(b)
		if wrong != nil || schema.Check(b, schema.ResultLimits) != nil {
			return
		}
		if err != nil || len(members) != len(strict) {
			t.Fatalf("%q: %v", b, err)
		}
		for i, m := range strict {
			if members[i].Name != m.Name || string(members[i].Value) != string(m.Value) {
				t.Fatalf("%q: member %q", b, m.Name)
			}
		}
	})
}
