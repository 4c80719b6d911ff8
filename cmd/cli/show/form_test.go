package show_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/onestep-run/onestep/cmd/cli/show"
)

const document = `{"type":"tool_result","n":12345678901234567890,"f":1.50,"all":[{"id":"a","at":"2026-11-22T10:00:00Z"},{"id":"b\n","at":null}],"text":"x\u202ey"}`

// ample is more than any of these takes.
var ample = show.Limits{Time: time.Minute, Memory: 1 << 30}

func made(t *testing.T, form show.Form) (string, error) {
	t.Helper()
	var b strings.Builder
	_, err := form(t.Context(), &b, jsontext.Value(document))
	return b.String(), err
}

func TestJQDoesToADocumentWhatJQDoes(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		".type":                            "tool_result\n",
		".n, .f":                           "12345678901234567890\n1.50\n",
		".all[].id":                        "a\nb\n\n",
		".all[0]":                          `{"at":"2026-11-22T10:00:00Z","id":"a"}` + "\n",
		".text":                            "x\u202ey\n",
		".absent":                          "null\n",
		"empty":                            "",
		"$ENV, env":                        "{}\n{}\n",
		"1, halt, 2":                       "1\n",
		"[limit(3; repeat(1))]":            "[1,1,1]\n",
		`.all | map(select(.at)) | length`: "1\n",
	} {
		form, err := show.JQ(expression, ample)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if got, err := made(t, form); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", expression, got, err, want)
		}
	}
}

func TestAnExpressionThatCannotBeIsRefusedBeforeItRuns(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{
		"", ".[", "nosuchfunction", "$nosuchvariable", "input", "inputs", "debug", "stderr", "input_filename", "get_search_list",
		`import "a" as a; .`, `include "a"; .`, `import "a" as $a; .`,
	} {
		if form, err := show.JQ(expression, ample); err == nil {
			got, bad := made(t, form)
			if bad == nil {
				t.Errorf("%s makes %q", expression, got)
			}
		}
	}
	for _, text := range []string{"{{", "{{nosuchfunction}}", "{{end}}", "{{env}}", "{{tablerow"} {
		if _, err := show.Template(text, 80, time.Now, ample); err == nil {
			t.Errorf("%s is a template", text)
		}
	}
}

func TestWhatFailsOnTheDocumentIsAnErrorAfterWhatCameBefore(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{".type, .type.x", `.type, error("no")`, `.type, ("no" | halt_error)`} {
		form, err := show.JQ(expression, ample)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := made(t, form); got != "tool_result\n" || err == nil {
			t.Errorf("%s: %q, %v", expression, got, err)
		}
	}
	form, err := show.Template(`{{.type}} {{pluck "id" .type}}`, 0, time.Now, ample)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := made(t, form); got != "tool_result " || err == nil {
		t.Errorf("%q, %v", got, err)
	}
}

// An expression without an end ends with its context.
func TestAnExpressionEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{"last(repeat(1))", "repeat(1)", "[range(infinite)]"} {
		form, err := show.JQ(expression, ample)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var b strings.Builder
		if _, err := form(ctx, &b, jsontext.Value("null")); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", expression, err)
		}
	}
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Date(2026, 11, 22, 13, 30, 0, 0, time.UTC) }
	for text, want := range map[string]string{
		"{{.type}}":                        "tool_result",
		"{{.n}} {{.f}}":                    "12345678901234567890 1.50",
		`{{if eq (len .all) 2}}two{{end}}`: "two",
		`{{range .all}}{{if .at}}{{timeago .at}}{{end}}{{end}}`:            "about 3 hours ago",
		`{{range .all}}{{if .at}}{{timefmt "Jan 2" .at}}{{end}}{{end}}`:    "Nov 22",
		`{{join ", " (pluck "at" .all)}}`:                                  "2026-11-22T10:00:00Z, ",
		`{{truncate 5 .type}}`:                                             "tool…",
		`{{range .all}}{{tablerow .id .at}}{{end}}`:                        "a       2026-11-22T10…\nb\\u{A}\n",
		`{{tablerow "a" 1}}{{tablerender}}--{{"\n"}}{{tablerow "bb" "c"}}`: "a  1\n--\nbb  c\n",
		`{{tablerow 1}}{{tablerow 1 2}}`:                                   "1\n1  2\n",
		`{{tablerow 1 "` + strings.Repeat("x", 30) + `" 3 4 5 6 7 8 9}}`:   "1  " + strings.Repeat("x", 21) + "…  3  4  5  6  7  8  9\n",
		`{{.text}}`: "x\u202ey",
	} {
		form, err := show.Template(text, 22, now, ample)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // it keeps nothing of the time before
			if got, err := made(t, form); got != want || err != nil {
				t.Errorf("%s: %q, %v; want %q", text, got, err, want)
			}
		}
	}
	form, err := show.Template(`{{range .all}}{{tablerow .id .at}}{{end}}`, 0, now, ample)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := made(t, form); got != "a\t2026-11-22T10:00:00Z\nb\\u{A}\t\n" {
		t.Errorf("without a width: %q", got)
	}
}

// In a table without enough room, each cell is at most as wide as the terminal, even
// if the widest needs more.
func TestATableWithoutRoomIsNoLargerThanItsCellsFit(t *testing.T) {
	t.Parallel()
	const width, columns, count = 80, 8, 100
	form, err := show.Template(`{{range .}}{{tablerow .a .b .c .d .e .f .g .h}}{{end}}`, width, time.Now, ample)
	if err != nil {
		t.Fatal(err)
	}
	one := func(cell string) string {
		var members []string
		for _, name := range "abcdefgh" {
			members = append(members, fmt.Sprintf(`"%c":"%s"`, name, cell))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	var b strings.Builder
	in := "[" + strings.Repeat(one("x")+",", count-1) + one(strings.Repeat("y", 10_000)) + "]"
	if _, err := form(t.Context(), &b, jsontext.Value(in)); err != nil {
		t.Fatal(err)
	}
	if most := count * columns * (width + len("…  ")); b.Len() > most || strings.Count(b.String(), "\n") != count {
		t.Errorf("%d bytes in %d lines, want at most %d in %d", b.Len(), strings.Count(b.String(), "\n"), most, count)
	}
}

func TestTimeAgoIsTheLargestWholeUnit(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	for past, want := range map[time.Duration]string{
		-time.Hour: "less than a minute ago", 59 * time.Second: "less than a minute ago", time.Minute: "about 1 minute ago", 59 * time.Minute: "about 59 minutes ago",
		25 * time.Hour: "about 1 day ago", 59 * 24 * time.Hour: "about 1 month ago", 800 * 24 * time.Hour: "about 2 years ago",
	} {
		form, err := show.Template(`{{timeago "`+now.Add(-past).Format(time.RFC3339)+`"}}`, 0, func() time.Time { return now }, ample)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := made(t, form); got != want || err != nil {
			t.Errorf("%v: %q, %v; want %q", past, got, err, want)
		}
	}
}

func TestYAMLIsTheSameDocument(t *testing.T) {
	t.Parallel()
	got, err := made(t, show.YAML)
	want := "type: tool_result\n\"n\": 12345678901234567890\nf: 1.50\nall:\n  - id: a\n    at: \"2026-11-22T10:00:00Z\"\n  - id: |\n      b\n    at: null\ntext: \"x\u202ey\"\n"
	if got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// YAML 1.1, which many still read, has more words than 1.2 that are not what
// they say, as values and as names.
func TestYAMLQuotesWhatAnOlderReaderMistakes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "true", "True", "TRUE", "false", "False", "FALSE",
		"null", "Null", "NULL", "~", "", "=", "<<", "12:30", "1:30:45", "190:20:30.15", "1_000", "0b1010", "0o14", "014", "0x1F", "+1", "-1", ".5", "1.", "1e3", "1.5e+3",
		".inf", "-.INF", ".NaN", "inf", "nan", "2026-11-22", "2026-11-22 10:00:00", "a: b", "a #b",
	} {
		got := yamlOf(t, `{"`+text+`":"`+text+`"}`)
		if want := `"` + text + `": "` + text + "\"\n"; got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"id", "tool_result", "INC0010001", "mcp-servicenow/get_ticket", "nobody", "one", "e3"} {
		if got, want := yamlOf(t, `{"`+text+`":"`+text+`"}`), text+": "+text+"\n"; got != want {
			t.Errorf("%q is %q, want it bare", text, got)
		}
	}
}

// A text of several lines is a block of them, unless a line of it would end
// elsewhere for an older reader.
func TestYAMLHasABlockForATextOfPlainLines(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`a\n no`:     "a: |-\n  a\n   no\n",
		`a\nb\u0085`: "a: \"a\\nb\\N\"\n",
		`a\nb\u2028`: "a: \"a\\nb\\L\"\n",
		` a\nb`:      "a: \" a\\nb\"\n",
		`\nb`:        "a: \"\\nb\"\n",
	} {
		if got := yamlOf(t, `{"a":"`+in+`"}`); got != want {
			t.Errorf("%s is %q, want %q", in, got, want)
		}
	}
}

func yamlOf(t *testing.T, document string) string {
	t.Helper()
	var b strings.Builder
	if _, err := show.YAML(t.Context(), &b, jsontext.Value(document)); err != nil {
		t.Errorf("%s: %v", document, err)
	}
	return b.String()
}

// What a YAML reader might take for something else reads back as the text it was.
func TestYAMLReadsBack(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " ", "null", "~", "true", "yes", "n", "on", "1", "1.5", "0x1f", "1e3", "1_000", ".inf", "2026-11-22", "<<", "=", "- a", "a: b", "# c", "a #b", "&a", "*a", "!t", "%",
		"@", "`", "a\nb", "a\nb\n", "\n", " a\n b", "\ta", "a\tb", "\r\n", "'", `"`, `\`, "---", "...", "? a", "| a", "\x1b[2J", "\u2028", "\ufeff", "\u0085", "日本", "👍", "\u0000",
	} {
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if _, err := show.YAML(t.Context(), &b, jsontext.Value(`{`+string(quoted)+`:[`+string(quoted)+`]}`)); err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var back map[string][]any
		if err := yaml.Unmarshal([]byte(b.String()), &back); err != nil {
			t.Errorf("%q: %q: %v", text, b.String(), err)
		} else if want := map[string][]any{text: {text}}; !cmp.Equal(back, want) {
			t.Errorf("%q: %q: %s", text, b.String(), cmp.Diff(want, back))
		}
	}
}
