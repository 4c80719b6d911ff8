package escape_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/escape"
)

func TestADocumentHoldsNothingThatDoesNotShow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"plain", `{"a": [1, true, null, "b c"]}`, `{"a": [1, true, null, "b c"]}`},
		{"lines between values", "{\n\t\"a\": 1\r\n}\n", "{\n\t\"a\": 1\r\n}\n"},
		{"escapes", `"\"\\\/\b\f\n\r\t\u0041"`, `"\"\\/\b\f\n\r\tA"`},
		{"one-byte CSI", "\"\u009b31m\"", `"\u009b31m"`},
		{"delete", "\"\x7f\"", `"\u007f"`},
		{"escape sequence", `"\u001b[31m"`, `"\u001b[31m"`},
		{"right-to-left override", "{\"a\u202eb\": \"c\u202ed\"}", `{"a\u202eb": "c\u202ed"}`},
		{"zero width, soft hyphen", "\"a\u200bb\u00ad\"", `"a\u200bb\u00ad"`},
		{"separators", "\"\u2028\u2029\u0085\"", `"\u2028\u2029\u0085"`},
		{"tag character", "\"\U000E0041\"", `"\udb40\udc41"`},
		{"private use beyond the plane", "\"\U0010FFFF\"", `"\udbff\udfff"`},
		{"a real replacement character", "\"\uFFFD\"", "\"\uFFFD\""},
		{"other scripts and emoji", "\"Größe 日本語 שלום 👍\u00A0\"", "\"Größe 日本語 שלום 👍\u00A0\""},
		{"accents", "\"e\u0301\"", "\"e\u0301\""},
		{"a mark on the quotation mark", "\"\u0301a\"", `"\u0301a"`},
		{"a mark on an escape", "\"\\n\u0301\"", `"\n\u0301"`},
		{"a fifth mark", "\"e\u0301\u0301\u0301\u0301\u0302\"", "\"e\u0301\u0301\u0301\u0301\\u0302\""},
		{"a quotation mark within", `["\"", "\u202e"]`, `["\"", "\u202e"]`},
		{"a backslash at the end", "[\"\\\\\", \"\u202e\"]", `["\\", "\u202e"]`},
		{"a huge number", `[12345678901234567890.50e1]`, `[12345678901234567890.50e1]`},
	} {
		if got := string(escape.JSON([]byte(c.in))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// FuzzJSON: a document decodes to what it was, and its text is all that a
// terminal may get.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b]0;x\a", "e\u0301\u0301\u0301\u0301\u0301", "\u202E\u3164\U000E0041", `\u202e"`, "\\\u0301", "\u009b\x7f\r\n"} {
		f.Add(s, `{"a":["`+s+`",1.50]}`)
	}
	f.Fuzz(func(t *testing.T, s, raw string) {
		documents := [][]byte{[]byte(raw)}
		if made, err := json.Marshal(map[string]string{"k" + s: s}, jsontext.AllowInvalidUTF8(true)); err == nil {
			documents = append(documents, made)
		}
		for _, document := range documents {
			v := jsontext.Value(document)
			if !v.IsValid() {
				escape.JSON(document) // of no document nothing is promised but an end
				continue
			}
			got := jsontext.Value(escape.JSON(document))
			if again := escape.JSON(got); !bytes.Equal(again, got) {
				t.Fatalf("%q becomes %q, and that %q", document, got, again)
			}
			if !cmp.Equal(canonical(t, v), canonical(t, got)) {
				t.Fatalf("%q becomes %q, which is another value", document, got)
			}
			check(t, string(got), "", len(got), "\n\t\r")
			var shown string
			if v.Kind() == '"' && json.Unmarshal(got, &shown) == nil && escape.Line(shown, 1<<20) == shown && !strings.ContainsAny(shown, `"\`) && strings.TrimSpace(string(got)) != `"`+shown+`"` {
				t.Fatalf("%q hides something", got)
			}
		}
	})
}

// canonical is one spelling of a value, with its numbers' literals.
func canonical(t *testing.T, v jsontext.Value) string {
	t.Helper()
	c := v.Clone()
	if err := c.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)); err != nil {
		t.Fatalf("%q: %v", v, err)
	}
	return string(c)
}
