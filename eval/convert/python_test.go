package convert

import (
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

func TestALiteralIsReadAsPythonReadsIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`:                                 `{}`,
		` {'a': 1} `:                         `{"a":1}`,
		`{'a': -1.5e3, 'b': 'x'}`:            `{"a":-1.5e3,"b":"x"}`,
		`{"a": "it's", 'b': 'a "b"'}`:        `{"a":"it's","b":"a \"b\""}`,
		`{'a': 'it\'s \\ "so"'}`:             `{"a":"it's \\ \"so\""}`,
		`{'a': [], 'b': [[1, 2], {}]}`:       `{"a":[],"b":[[1,2],{}]}`,
		`{'a': True, 'b': False, 'c': None}`: `{"a":true,"b":false,"c":null}`,
		`{'鍵': 'ü'}`:                         `{"鍵":"ü"}`,
	} {
		if got, err := literal(text); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{
		``, `1`, `[1]`, `'a'`, `{`, `{'a'}`, `{'a': }`, `{'a': 1`, `{'a': 1]`, `{'a' 1}`, `{'a': 1 'b': 2}`, `{,}`, `{'a': [1 2]}`,
		`{a: 1}`, `{1: 2}`, `{'a': b}`, `{'a': true}`, `{'a': 1}}`, `{'a': 1} x`, `{'a': 'x}`, `{'a': '\n'}`, "{'a': 'x\ny'}", "{'a': '\xff'}",
		`{'a': 1, 'a': 2}`, `{'a': 1-2}`, `{'a': 01}`, `{'a': ('x')}`, `{'a': {1, 2}}`, `{'a': __import__('os')}`, `{'a': 1e999}`,
	} {
		if got, err := literal(text); err == nil || got != nil {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// FuzzLiteral asserts that what is read is one JSON object, whatever was
// written.
func FuzzLiteral(f *testing.F) {
	f.Add(`{'a': [1, "it's", None], 'b': {'c': -2.5}}`)
	f.Add(`{'a': '\''}`)
	f.Add(`{'a': [[[[`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := literal(text)
		if err != nil {
			if got != nil {
				t.Fatalf("%s beside %v", got, err)
			}
			return
		}
		if _, err := schema.Members(got); err != nil || schema.Check(got, limits) != nil {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
	})
}
