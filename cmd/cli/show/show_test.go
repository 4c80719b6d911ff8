package show_test

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli/show"
)

func TestValuesAreShownForAPerson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		width    int
		want     []string
	}{
		{"a string", `"a\nb"`, 80, []string{"a", "b"}},
		{"an empty string", `""`, 80, []string{""}},
		{"a number keeps every digit", `12345678901234567890.10`, 80, []string{"12345678901234567890.10"}},
		{"null", `null`, 80, []string{"null"}},
		{"nothing in it", `{}`, 80, []string{"{}"}},
		{"an empty list", `{"all":[],"n":{}}`, 80, []string{"all  []", "n    {}"}},
		{"names and values", `{"id":"policy-002","at":1.50,"longer":true}`, 80, []string{"id      policy-002", "at      1.50", "longer  true"}},
		{"an object in it", `{"id":1,"by":{"name":"ada","role":"owner"}}`, 80, []string{"id  1", "by", "  name  ada", "  role  owner"}},
		{"scalars", `[1,"b",null]`, 80, []string{"- 1", "- b", "- null"}},
		{"scalars in an object", `{"tags":["a","b"]}`, 80, []string{"tags", "  - a", "  - b"}},
		{"like objects", `[{"id":"a","n":10},{"id":"bcd","n":2}]`, 80, []string{"id   n", "a    10", "bcd  2"}},
		{"one has a member less", `[{"id":"a","n":1},{"id":"b"}]`, 80, []string{"id  n", "a   1", "b"}},
		{"their order is that of the first", `[{"b":1,"a":2},{"a":3,"b":4}]`, 80, []string{"b  a", "1  2", "4  3"}},
		{"a table in an object", `{"all":[{"id":"a"},{"id":"b"}],"n":2}`, 80, []string{"all", "  id", "  a", "  b", "n  2"}},
		{"what is nested in a cell", `[{"id":1,"x":{"a": [1, 2]}}]`, 80, []string{"id  x", `1   {"a":[1,2]}`}},
		{"a mixed list", `[{"a":1},2]`, 80, []string{"[", "  {", `    "a": 1`, "  },", "  2", "]"}},
		{"unlike objects", `[{"a":1,"b":2,"c":3},{"d":4}]`, 80, []string{
			"[", "  {", `    "a": 1,`, `    "b": 2,`, `    "c": 3`, "  },", "  {", `    "d": 4`, "  }", "]",
		}},
		{"an empty object among others", `[{"a":1},{}]`, 80, []string{"[", "  {", `    "a": 1`, "  },", "  {}", "]"}},
		{"wide characters", `[{"名":"日本","n":1},{"名":"a","n":2}]`, 80, []string{"名    n", "日本  1", "a     2"}},
		{"marks take no column", `[{"a":"e\u0301","n":1},{"a":"xx","n":2}]`, 80, []string{"a   n", "e\u0301   1", "xx  2"}},
		{"a spacing mark takes one", `[{"a":"का","n":1},{"a":"xxx","n":2}]`, 80, []string{"a    n", "का   1", "xxx  2"}},
		{"a long text is wrapped", `{"id":1,"text":"one two three four five"}`, 20, []string{"id    1", "text  one two three", "      four five"}},
		{"a long word is broken too", `"a ` + strings.Repeat("x", 25) + ` b"`, 20, []string{"a", strings.Repeat("x", 20), "xxxxx b"}},
		{"next to its name too", `{"a":"` + strings.Repeat("x", 25) + ` b"}`, 20, []string{"a  " + strings.Repeat("x", 17), "   xxxxxxxx b"}},
		{"wide characters are broken anywhere", `"` + strings.Repeat("日", 12) + `"`, 21, []string{strings.Repeat("日", 10), "日日"}},
		{"a word among them too", `"日` + strings.Repeat("x", 25) + `日b"`, 20, []string{"日" + strings.Repeat("x", 18), "xxxxxxx日b"}},
		{"an indentation is kept", `"  one two three four five"`, 20, []string{"  one two three four", "  five"}},
		{"one that takes more than half is not", `"           one two three four five"`, 20, []string{"           one two", "three four five"}},
		{"a long word under it", `"  a ` + strings.Repeat("x", 25) + `"`, 20, []string{"  a", "  " + strings.Repeat("x", 18), "  xxxxxxx"}},
		{"a long cell is cut", `[{"id":1,"text":"one two three four five"}]`, 20, []string{"id  text", "1   one two three f…"}},
		{"too narrow for a table", `[{"first":"aaaaaaaaaaaa","second":"bbbbbbbbbbbb"}]`, 20, []string{"- first   aaaaaaaaaa", "          aa", "  second  bbbbbbbbbb", "          bb"}},
		{"a long name", `{"` + strings.Repeat("n", 25) + `":1,"b":2}`, 20, []string{strings.Repeat("n", 20), "nnnnn", "  1", "b  2"}},
		{"a width that is none", `{"a":"one two three four five"}`, 0, []string{"a  one two three", "   four five"}},
		{"JSON in a string", `"{\"a\": [1, 2]}"`, 80, []string{"a", "  - 1", "  - 2"}},
		{"nearly JSON in a string", `"{\"a\": 1, \"a\": 2}"`, 80, []string{`{"a": 1, "a": 2}`}},
		{"a number in a string", `"1"`, 80, []string{"1"}},
		{"no JSON", `{"a":`, 80, []string{`{"a":`}},
	} {
		if got := show.Value(jsontext.Value(c.in), c.width); got != strings.Join(c.want, "\n") {
			t.Errorf("%s: it shows\n%s\nwant\n%s", c.name, got, strings.Join(c.want, "\n"))
		}
	}
}

// What a stranger wrote reaches no terminal as it is, wherever it is.
func TestNothingReachesTheReaderUnescaped(t *testing.T) {
	t.Parallel()
	const hostile = `"a\u001b[2Jb\u202ec\rd\u009b31m\u2066e\u200bf\udb40\udc41"`
	for _, in := range []string{
		hostile, `{"a":` + hostile + `}`, `{` + hostile + `:1}`, `[` + hostile + `]`, `[{"a":` + hostile + `}]`, `[{` + hostile + `:1}]`,
		`[{"a":{"b":` + hostile + `}}]`, `[{"a":1},` + hostile + `]`, `{"a":{` + hostile + `:[]}}`, `[[[[[[[[` + hostile + `]]]]]]]]`,
		`"{\"a\":\"b\u202ec\"}"`, `"[\"\\u001b\"]"`, `["` + "\x1b\u202e" + `"`, // the last is not JSON
	} {
		for _, width := range []int{20, 33, 200} {
			shown := show.Value(jsontext.Value(in), width)
			if strings.ContainsAny(shown, "\x1b\u202e\r\u009b\u2066\u200b\U000e0041") || !strings.ContainsAny(strings.ReplaceAll(shown, "\n", ""), `\`) {
				t.Errorf("%s is shown as %q", in, shown)
			}
		}
	}
}

func TestANewlineInACellStartsNoRow(t *testing.T) {
	t.Parallel()
	if got := show.Value(jsontext.Value(`[{"a":"x\ny  z","n\n":1}]`), 80); got != "a           n\\u{A}\nx\\u{A}y  z  1" {
		t.Errorf("%q", got)
	}
}

func TestALineIsCutToItsWidth(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"abcd": "abcd", "abcde": "abc…", "日本": "日本", "日本語": "日…", "a\nb": "a\\u…", "": ""} {
		if got := show.Line(in, 4); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestWhatIsLeftOutIsCounted(t *testing.T) {
	t.Parallel()
	rows := make([]string, 137)
	members := make([]string, 201)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":%d}`, i)
	}
	for i := range members {
		members[i] = fmt.Sprintf(`"m%d":1`, i)
	}
	for name, c := range map[string]struct{ in, last string }{
		"rows":    {"[" + strings.Join(rows, ",") + "]", "… 37 more rows (--json has all)"},
		"items":   {"[" + strings.Repeat("1,", 100) + "1]", "… 1 more items (--json has all)"},
		"members": {"{" + strings.Join(members, ",") + "}", "… 1 more members (--json has all)"},
		"bytes":   {`["` + strings.Repeat("x", 80_000) + strings.Repeat(`","`+strings.Repeat("x", 80_000), 99) + `"]`, "… 2032 more lines (--json has all)"},
		"lines":   {`"` + strings.Repeat(`a\n`, 2010) + `a"`, "… 11 more lines (--json has all)"},
	} {
		lines := strings.Split(show.Value(jsontext.Value(c.in), cmp.Or(map[string]int{"bytes": 4000}[name], 80)), "\n")
		if got := lines[len(lines)-1]; got != c.last {
			t.Errorf("%s: the last line is %q", name, got)
		}
	}
}

// A huge text and a deep value cost no more than they are long.
func TestHugeValuesAreShownInTime(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`[{"a":`, 30) + "1" + strings.Repeat("}]", 30)
	for _, in := range []string{`"` + strings.Repeat("word ", 1<<20) + `"`, deep, `[` + strings.Repeat(deep+",", 2000) + deep + `]`} {
		if shown := show.Value(jsontext.Value(in), 40); len(shown) > 1<<20 {
			t.Errorf("%.20s…: %d bytes", in, len(shown))
		}
	}
}

// A text costs what it is long, however its lines begin: its rest is copied for
// none of them.
func TestAnIndentedTextCostsWhatItIsLong(t *testing.T) { //nolint:paralleltest // it counts what the whole program allocates
	text := `"` + strings.Repeat("  "+strings.Repeat("word ", 50_000), 4) + `"`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	show.Value(jsontext.Value(text), 80)
	runtime.ReadMemStats(&after)
	if took := int(after.TotalAlloc - before.TotalAlloc); took > 32*len(text) {
		t.Errorf("a text of %d bytes took %d", len(text), took)
	}
}

func FuzzValue(f *testing.F) {
	f.Add(`{"a":[{"b":"日\u0301","c":1}],"d":"x y"}`, 20)
	f.Add(`[{"a":"\u202e"},{"a":{}}]`, 7)
	f.Fuzz(func(t *testing.T, in string, width int) {
		width %= 300
		for line := range strings.SplitSeq(show.Value(jsontext.Value(in), width), "\n") {
			if strings.ContainsAny(line, "\x1b\r\x00\u202e") {
				t.Errorf("%q is not escaped", line)
			}
			if words := strings.Fields(line); len(words) > 2 && len([]rune(line)) > 5*max(width, 20) { // up to four marks take no column
				t.Errorf("%q is wider than %d", line, width)
			}
		}
	})
}

// A cell of a table is a stranger's text perhaps: it neither begins a row nor
// moves the cursor. Columns count characters of two columns as two.
func TestCellsOfATableAreEscapedAndAligned(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"a\x1b[2J\n", "b", "c"}, {"日本", "longer"}, {"x", "", "y\u202e"}}
	want := "a\\u{1B}[2J\\u{A}  b       c\n日本             longer\nx                        y\\u{202E}\n"
	if got := show.Table(rows); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := show.Table(nil); got != "" {
		t.Errorf("no rows: %q", got)
	}
}
