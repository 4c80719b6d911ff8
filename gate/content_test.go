package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
)

const hi = "sha256:8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4" // of "hi"

// accepted is an answer in a line: its basis, value, structure and attachments.
func accepted(t *testing.T, raw, output, body string) string {
	t.Helper()
	g := gate.New(gate.Options{})
	got, err := g.Accept(redeemed(t, g, raw, output), gate.RawResult{Body: []byte(body)})
	if err != nil {
		return err.Error()
	}
	line := got.Basis().String() + " " + string(got.Value()) + string(got.Raw())
	if s := got.Structured(); s != nil {
		line += " structured " + string(s)
	}
	all, more := got.Attachments()
	for _, a := range all {
		line += fmt.Sprintf(" [%s %s %s %d %s %q]", a.Type, a.MIME, a.URI, a.Bytes, a.SHA256, a.Data())
	}
	if more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

func TestWhatIsNextToTextDoesNotRefuseIt(t *testing.T) {
	t.Parallel()
	const image, text = `{"type":"image","data":"aGk=","mimeType":"image/png"}`, `{"type":"text","text":"a"}`
	shown := `[image image/png  2 ` + hi + ` "hi"]`
	for name, c := range map[string]struct{ raw, output, content, want string }{
		"an image":                {descriptor, "", text + `,` + image, `untyped "a" ` + shown},
		"an image first":          {descriptor, "", image + `,` + text + `,` + text, `untyped "a\na" ` + shown},
		"an image alone":          {descriptor, "", image, `untyped "" ` + shown},
		"text that was declared":  {descriptor, `"text"`, image + `,` + text, `operator_text "a" ` + shown},
		"a schema, on the text":   {descriptor, `{"type":"integer"}`, image + `,{"type":"text","text":"7"}`, `operator_schema 7 ` + shown},
		"an image with a text":    {descriptor, "", `{"type":"image","text":"not text","data":"aGk=","mimeType":"image/png"}`, `untyped "" ` + shown},
		"an empty image":          {descriptor, "", `{"type":"image","data":""}`, `untyped "" [image   0 sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 ""]`},
		"sound":                   {descriptor, "", `{"type":"audio","data":"aGk=","mimeType":"audio/wav"}`, `untyped "" [audio audio/wav  2 ` + hi + ` "hi"]`},
		"a resource of text":      {descriptor, "", `{"type":"resource","resource":{"uri":"x:1","text":"hi","mimeType":"text/plain"}}`, `untyped "" [resource text/plain x:1 2 ` + hi + ` "hi"]`},
		"a resource of bytes":     {descriptor, "", `{"type":"resource","resource":{"uri":"x:1","blob":"aGk="}}`, `untyped "" [resource  x:1 2 ` + hi + ` "hi"]`},
		"a link":                  {descriptor, "", `{"type":"resource_link","uri":"https://example.com/a","name":"a","size":9}`, `untyped "" [resource_link  https://example.com/a 0  ""]`},
		"nothing":                 {descriptor, "", ``, `untyped ""`},
		"nothing, text declared":  {descriptor, `"text"`, ``, `operator_text ""`},
		"text with odd members":   {descriptor, "", `{"type":"text","text":"a","data":7,"uri":[]}`, `untyped "a"`},
		"a name in another case":  {descriptor, "", `{"type":"image","data":"aGk=","MimeType":"image/png"}`, `untyped "" [image   2 ` + hi + ` "hi"]`},
		"a schema that has none":  {descriptor, `{"type":"object"}`, image, string(verdict.OutputMissing) + `: the operator declared a schema, and the result has neither a structure nor text`},
		"a server's long own uri": {descriptor, "", `{"type":"resource_link","uri":"` + strings.Repeat("u", 4<<10) + `"}`, `untyped "" [resource_link  ` + strings.Repeat("u", 2<<10) + `… 0  ""]`},
	} {
		if diff := cmp.Diff(c.want, accepted(t, c.raw, c.output, `{"content":[`+c.content+`]}`)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAStructureThatNobodyTypedIsKept(t *testing.T) {
	t.Parallel()
	const structure = `"structuredContent":{"title":"t"}`
	for name, c := range map[string]struct{ raw, output, body, want string }{
		"with a text":        {descriptor, "", `{"content":[{"type":"text","text":"a"}],` + structure + `}`, `untyped "a" structured {"title":"t"}`},
		"alone":              {descriptor, "", `{"content":[],` + structure + `}`, `untyped "{\"title\":\"t\"}" structured {"title":"t"}`},
		"without content":    {descriptor, "", `{` + structure + `}`, `untyped "{\"title\":\"t\"}" structured {"title":"t"}`},
		"with declared text": {descriptor, `"text"`, `{"content":[{"type":"text","text":"a"}],` + structure + `}`, `operator_text "a" structured {"title":"t"}`},
		"that is the value":  {typed, "", `{"content":[],` + structure + `}`, `output_schema {"title":"t"}`},
		"by the operator":    {descriptor, `{"type":"object"}`, `{"content":[],` + structure + `}`, `operator_schema {"title":"t"}`},
		"next to odd blocks": {typed, "", `{"content":[{"type":"html"},{"type":"audio","data":"aGk="},null],` + structure + `}`, `output_schema {"title":"t"} [audio   2 ` + hi + ` "hi"]`},
	} {
		if got := accepted(t, c.raw, c.output, c.body); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Evidence comes from what was typed, whatever else came along.
func TestNoAttachmentIsEvidence(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	got, err := g.Accept(redeemed(t, g, descriptor, `"text"`), gate.RawResult{Body: []byte(
		`{"content":[{"type":"text","text":"a"},{"type":"resource","resource":{"uri":"x:1","text":"b"}}],"structuredContent":{"c":"d"}}`)})
	if all := got.Leaves(); err != nil || len(all) != 1 || all[0].Text != "a" {
		t.Errorf("%v, %v", all, err)
	}
}

func TestAnErrorKeepsItsTextNextToAnImage(t *testing.T) {
	t.Parallel()
	const image = `{"type":"image","data":"aGk="}`
	for content, want := range map[string]string{
		image + `,{"type":"text","text":"no such entry"}`:             "the tool says: no such entry",
		`{"type":"html"},{"type":"text","text":"no such entry"}`:      "the tool says: no such entry",
		`{"type":"image"},null,{"type":"text","text":"one"},` + image: "the tool says: one",
		image: "the tool says: (its message is not text)",
		``:    "the tool says: (its message is not text)",
	} {
		got := accepted(t, descriptor, "", `{"isError":true,"content":[`+content+`]}`)
		if got != string(verdict.OutputError)+": "+want {
			t.Errorf("%s: %s", content, got)
		}
	}
}

func TestAttachmentsAreBounded(t *testing.T) {
	t.Parallel()
	link := `{"type":"resource_link","uri":"x:"},`
	got := accepted(t, descriptor, "", `{"content":[`+strings.Repeat(link, 99)+`{"type":"text","text":"a"}]}`)
	if n := strings.Count(got, "[resource_link"); n != 64 || !strings.HasSuffix(got, " and 35 more") {
		t.Errorf("%d, %.200s", n, got)
	}
}

// TestAToolsErrorIsBounded, however long it is.
func TestAToolsErrorIsBounded(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	body := `{"isError":true,"content":[{"type":"text","text":"` + strings.Repeat("x", 1<<20) + `"}]}`
	_, err := g.Accept(redeemed(t, g, descriptor, ""), gate.RawResult{Body: []byte(body)})
	if diff := cmp.Diff("output.error: the tool says: "+strings.Repeat("x", 1<<10)+"…", fmt.Sprint(err)); diff != "" {
		t.Errorf("(-want +got):\n%.300s", diff)
	}
}
