package show_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/cmd/cli/show"
)

func jq(t *testing.T, expression string, l show.Limits) show.Form {
	t.Helper()
	form, err := show.JQ(expression, l)
	if err != nil {
		t.Fatal(err)
	}
	return form
}

func template(t *testing.T, text string, l show.Limits) show.Form {
	t.Helper()
	form, err := show.Template(text, 0, time.Now, l)
	if err != nil {
		t.Fatal(err)
	}
	return form
}

// endsWith runs a form that does not end by itself, or late.
func endsWith(t *testing.T, what string, form show.Form, want string) {
	t.Helper()
	var b strings.Builder
	_, err := form(t.Context(), &b, jsontext.Value(document))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
	if b.Len() > 64<<20 {
		t.Errorf("%s: %d bytes", what, b.Len())
	}
}

func TestAProgramWithoutEndEndsWithItsTime(t *testing.T) {
	t.Parallel()
	short := show.Limits{Time: 20 * time.Millisecond, Memory: 1 << 30}
	for _, expression := range []string{"1, last(repeat(2))", "repeat(empty)", "def f: f; f", "until(false; .)"} {
		endsWith(t, expression, jq(t, expression, short), "longer than 20ms")
	}
	for _, text := range []string{"{{range 1000000000000}}{{end}}", `{{define "a"}}{{range 1000000000000}}{{end}}{{end}}{{template "a"}}`} {
		endsWith(t, text, template(t, text, short), "longer than 20ms")
	}
	var b strings.Builder
	if _, err := jq(t, "1, last(repeat(2))", short)(t.Context(), &b, jsontext.Value("null")); b.String() != "1\n" {
		t.Errorf("what came before the end is %q, %v", b.String(), err)
	}
}

// The memory is the process's: no other test runs at the same time.
func TestAProgramThatTakesTooMuchMemoryEnds(t *testing.T) { //nolint:paralleltest // see above
	little := show.Limits{Time: time.Hour, Memory: 16 << 20}
	for _, expression := range []string{"[range(infinite)]", `reduce range(60) as $i ("xx"; . + .)`, "def f: 1 + f; f"} {
		endsWith(t, expression, jq(t, expression, little), "more than 16 MiB of memory")
	}
	for _, text := range []string{`{{$x := "xx"}}{{range 60}}{{$x = print $x $x}}{{end}}`, `{{range 100000000}}{{tablerow "a" "b" "c"}}{{end}}`} {
		endsWith(t, text, template(t, text, little), "more than 16 MiB of memory")
	}
}

func TestAProgramThatWritesWithoutEndFails(t *testing.T) { //nolint:paralleltest // it takes memory, which another test measures
	endsWith(t, "repeat", jq(t, "repeat(1)", ample), "more than 1048576 results")
	endsWith(t, "long results", jq(t, `("x" * 1000000) as $x | repeat($x)`, ample), "more than 64 MiB")
	for _, text := range []string{`{{range 1000000000}}{{printf "%10000d" 1}}{{end}}`, `{{range 1000}}{{tablerow (printf "%100000d" 1)}}{{end}}`} {
		endsWith(t, text, template(t, text, ample), "more than 64 MiB")
	}
	endsWith(t, "a template in itself", template(t, `{{define "a"}}{{template "a" .}}{{end}}{{template "a" .}}`, ample), "exceeded maximum template depth")
}

// A template ends with its context, which is not its own to ask.
func TestATemplateEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := template(t, "{{range 1000000000000}}{{end}}", ample)(ctx, io.Discard, jsontext.Value(document)); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Error(err)
	}
}

func TestAPathThatIsNowhereInTheDocumentIsReported(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	want := map[string]string{
		".content": ".content", ".type": "", ".content.text": ".content", ".type.x": ".type.x", ".all[].id": "", ".all[].nosuch": ".all[].nosuch", ".all[0].nosuch": ".all[].nosuch",
		`.["content"]`: ".content", ".type, .content": ".content", ".content | length": ".content", "(.content)": ".content", ".": "", ".[]": "",
		".content?": "", `.content // "none"`: "", "keys": "", "{a: .type} | .a": "", ".all | map(.nosuch)": "", `.all[0:1]`: "", "..": "", `."\(.type)"`: "",
		"{{.content}}": ".content", "{{.type}}": "", "{{range .content}}{{end}}": ".content", "{{range .all}}{{.id}}{{end}}": "", "{{len .content.x}}": ".content",
		"{{if .content}}{{end}}": "", "{{with .content}}{{end}}": "", "text": "",
	}
	for program := range want {
		var form show.Form
		if strings.HasPrefix(program, "{{") || program == "text" {
			form = template(t, program, ample)
		} else {
			form = jq(t, program, ample)
		}
		got[program], _ = form(t.Context(), io.Discard, jsontext.Value(document)) // some of them fail
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
