package show_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/onestep-run/onestep/cmd/cli/show"
)

const document = `{"type":"tool_result","n":12345678901234567890,"f":1.50,"all":[{"id":"a","at":"2026-11-22T10:00:00Z"},{"id":"b\n","at":null}],"text":"x\u202ey"}`

func made(t *testing.T, form show.Form) (string, error) {
	t.Helper()
	var b strings.Builder
	err := form(t.Context(), &b, jsontext.Value(document))
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
		form, err := show.JQ(expression, time.Minute)
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
		if form, err := show.JQ(expression, time.Minute); err == nil {
			got, bad := made(t, form)
			if bad == nil {
				t.Errorf("%s makes %q", expression, got)
			}
		}
	}
	for _, text := range []string{"{{", "{{nosuchfunction}}", "{{end}}", "{{env}}", "{{tablerow"} {
		if _, err := show.Template(text, 80, time.Now); err == nil {
			t.Errorf("%s is a template", text)
		}
	}
}

func TestWhatFailsOnTheDocumentIsAnErrorAfterWhatCameBefore(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{".type, .type.x", `.type, error("no")`, `.type, ("no" | halt_error)`} {
		form, err := show.JQ(expression, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := made(t, form); got != "tool_result\n" || err == nil {
			t.Errorf("%s: %q, %v", expression, got, err)
		}
	}
	form, err := show.Template(`{{.type}} {{pluck "id" .type}}`, 0, time.Now)
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
		form, err := show.JQ(expression, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var b strings.Builder
		if err := form(ctx, &b, jsontext.Value("null")); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", expression, err)
		}
	}
}

// So does one that comes to nothing: its patience is for each result.
func TestAnExpressionIsNotWaitedForAllTheTime(t *testing.T) {
	t.Parallel()
	form, err := show.JQ("1, last(repeat(2))", 10*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := made(t, form); got != "1\n" || err == nil || !strings.Contains(err.Error(), "no further result within 10ms") {
		t.Errorf("%q, %v", got, err)
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
		`{{.text}}`:                                                        "x\u202ey",
	} {
		form, err := show.Template(text, 22, now)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // it keeps nothing of the time before
			if got, err := made(t, form); got != want || err != nil {
				t.Errorf("%s: %q, %v; want %q", text, got, err, want)
			}
		}
	}
	form, err := show.Template(`{{range .all}}{{tablerow .id .at}}{{end}}`, 0, now)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := made(t, form); got != "a\t2026-11-22T10:00:00Z\nb\\u{A}\t\n" {
		t.Errorf("without a width: %q", got)
	}
}

func TestTimeAgoIsTheLargestWholeUnit(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	for past, want := range map[time.Duration]string{
		-time.Hour: "less than a minute ago", 59 * time.Second: "less than a minute ago", time.Minute: "about 1 minute ago", 59 * time.Minute: "about 59 minutes ago",
		25 * time.Hour: "about 1 day ago", 59 * 24 * time.Hour: "about 1 month ago", 800 * 24 * time.Hour: "about 2 years ago",
	} {
		form, err := show.Template(`{{timeago "`+now.Add(-past).Format(time.RFC3339)+`"}}`, 0, func() time.Time { return now })
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
	want := "type: tool_result\nn: 12345678901234567890\nf: 1.50\nall:\n  - id: a\n    at: \"2026-11-22T10:00:00Z\"\n  - id: |\n      b\n    at: null\ntext: x\u202ey\n"
	if got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
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
		if err := show.YAML(t.Context(), &b, jsontext.Value(`{`+string(quoted)+`:[`+string(quoted)+`]}`)); err != nil {
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
