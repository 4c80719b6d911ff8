package escape_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
)

func TestControlCharactersOfADocumentAreWrittenOut(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a":"\u001b[31mred"}`:                       `{"a":"\\u{1B}[31mred"}`,
		`["\u001B","\b","\f","\u0007"]`:               `["\\u{1B}","\\u{8}","\\u{C}","\\u{7}"]`,
		"[\"\u202Eabc\u2069\",\"\u061C\"]":            `["\\u{202E}abc\\u{2069}","\\u{61C}"]`,
		`["\u202e"]`:                                  `["\\u{202E}"]`,
		"[\"\u009B1m\u007F\"]":                        `["\\u{9B}1m\\u{7F}"]`,
		`["over\rwritten","end\r\n","\r"]`:            `["over\\u{D}written","end\r\n","\\u{D}"]`,
		`["\r\u000a","\r\u000A"]`:                     `["\r\u000a","\r\u000A"]`,
		"{\"\u200Ename\":1}":                          `{"\\u{200E}name":1}`,
		`["\\u001b","\"\\b","\/"]`:                    `["\\u001b","\"\\b","\/"]`, // a backslash, not an escape
		`["a\nb\tc","é漢🎉","\u00e9","👨\u200d👩"]`:       `["a\nb\tc","é漢🎉","\u00e9","👨\u200d👩"]`,
		"{ \"n\" : 9007199254740993 ,\n \"x\":1e400}": "{ \"n\" : 9007199254740993 ,\n \"x\":1e400}",
	} {
		if got := string(escape.Controls([]byte(in))); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func FuzzControls(f *testing.F) {
	for _, s := range []string{`{"a":"\u001b"}`, "[\"\u202e\"]", `"\\\u0000"`, `["\ud83d\ude00"]`, `"`, `"\`, `"\u00`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		out := escape.Controls(b)
		if !jsontext.Value(b).IsValid() {
			return
		}
		if !jsontext.Value(out).IsValid() && !bytes.Contains(b, []byte("{")) { // two names may become one
			t.Fatalf("%q became %q", b, out)
		}
		if !bytes.Equal(escape.Controls(out), out) {
			t.Fatalf("%q is not all written out: %q", b, out)
		}
		d := jsontext.NewDecoder(bytes.NewReader(out), jsontext.AllowDuplicateNames(true))
		for {
			tok, err := d.ReadToken()
			if err != nil {
				return
			}
			if tok.Kind() != '"' {
				continue
			}
			rest := strings.ReplaceAll(tok.String(), "\r\n", "")
			if strings.ContainsFunc(rest, func(r rune) bool {
				return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
			}) {
				t.Fatalf("%q is left in %q", tok.String(), out)
			}
		}
	})
}
