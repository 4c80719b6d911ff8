package account_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

type buffer struct{ *bytes.Buffer }

func (buffer) Sync() error  { return nil }
func (buffer) Close() error { return nil }

// scripted returns the lines "kind body" as events of an intact chain, if they can be
// written and read. So an edited body is not stopped at its hash.
func scripted(script []byte) ([]trace.Event, error) {
	var b bytes.Buffer
	l := trace.New(buffer{&b}, func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) })
	for line := range bytes.SplitSeq(script, []byte("\n")) {
		kind, body, _ := bytes.Cut(line, []byte(" "))
		if l.Append(trace.Kind(kind), jsontext.Value(body)) != nil {
			break
		}
	}
	return trace.Read(&b)
}

// FuzzBodies shows runs with arbitrary lines. No text of a trace contains a control
// character other than a line break or a tab, and no line shows a secret that redaction
// knows.
func FuzzBodies(f *testing.F) {
	objects := map[trace.Hash]jsontext.Value{}
	files, err := filepath.Glob("../replay/testdata/format5/*.jsonl")
	if err != nil || len(files) == 0 {
		f.Fatal(len(files), err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var script bytes.Buffer
		found := map[trace.Hash]jsontext.Value{}
		if _, err := trace.Scan(bytes.NewReader(b), func(e trace.Event) { script.WriteString(string(e.Kind) + " " + string(e.Body) + "\n") }, func(h trace.Hash, v jsontext.Value) { found[h] = v }); err != nil {
			f.Fatal(name, err)
		}
		maps.Copy(objects, found)
		f.Add(script.Bytes())
		f.Add(bytes.Replace(script.Bytes(), []byte(`"policy"`), []byte(`"pol\ticy"`), 1))
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		a := account.Trace{Objects: func(h trace.Hash) (jsontext.Value, error) {
			if v, known := objects[h]; known {
				return v, nil
			}
			return nil, os.ErrNotExist
		}}
		a.Events, a.Wrong = scripted(script)
		text := account.Text(account.Of(t.Context(), a, replay.Options{Types: demo.Types()}), account.MaxText)
		if !utf8.ValidString(text) {
			t.Fatalf("%q is not UTF-8", text)
		}
		for i, r := range text {
			if unicode.IsControl(r) && !strings.ContainsRune("\n\t", r) {
				t.Fatalf("%q at byte %d of %q", r, i, text)
			}
		}
		account.RowOf(a.Events)
		for _, e := range account.Lines(a.Events) {
			if _, found, err := secret.RedactJSON(e.Body); err != nil || found != nil {
				t.Fatalf("the line %s: %v, %v", e.Body, found, err)
			}
		}
	})
}
