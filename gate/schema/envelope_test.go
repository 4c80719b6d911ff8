package schema_test

import (
	"fmt"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

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
