package trace_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

func export(t *testing.T, s *shelf) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := trace.Export(&b, bytes.NewReader(s.Bytes()), s.get); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// scan reads an export, and counts its objects.
func scan(b []byte) (objects int, digest trace.Hash, err error) {
	digest, err = trace.Scan(bytes.NewReader(b), nil, func(trace.Hash, jsontext.Value) { objects++ })
	return objects, digest, err
}

func TestAnExportHoldsTheLinesAndWhatTheyReferTo(t *testing.T) {
	t.Parallel()
	s, digest := kept(t, "a", "b", "a")
	b := export(t, s)
	if !bytes.HasPrefix(b, s.Bytes()) {
		t.Error("the lines are not there byte for byte")
	}
	objects, got, err := scan(b)
	if objects != 3 || got != digest || err != nil {
		t.Errorf("%d objects, %s, %v", objects, got, err)
	}
	var again bytes.Buffer
	if got, err := trace.Export(&again, bytes.NewReader(b), nil); err != nil || got != digest || !bytes.Equal(again.Bytes(), b) {
		t.Errorf("an export of the export differs: %v", err)
	}
	if _, err := trace.Verify(bytes.NewReader(b), nil); verdict.CodeOf(err) != verdict.TraceBroken {
		t.Errorf("where no export is expected it is %v", err)
	}
	plain, _ := record(t, 6)
	if objects, _, err := scan(plain); objects != 0 || err != nil {
		t.Errorf("a trace that refers to nothing: %d objects, %v", objects, err)
	}
}

func TestEveryEditOfAnExportIsNamed(t *testing.T) {
	t.Parallel()
	s, _ := kept(t, "a", "b", "a")
	whole := export(t, s)
	n := bytes.Count(s.Bytes(), []byte("\n"))
	lines := bytes.SplitAfter(whole, []byte("\n"))
	chain, policy, a, b := bytes.Join(lines[:n], nil), lines[n], lines[n+1], lines[n+2]
	join := func(ls ...[]byte) []byte { return bytes.Join(ls, nil) }
	for name, c := range map[string]struct {
		edited []byte
		code   verdict.Code
	}{
		"a byte of an object":    {bytes.Replace(whole, []byte("bbb"), []byte("bcb"), 1), verdict.TraceBroken},
		"a byte of a line":       {bytes.Replace(whole, []byte("blocked"), []byte("blacked"), 1), verdict.TraceBroken},
		"another order":          {join(chain, a, policy, b), verdict.TraceBroken},
		"one dropped":            {join(chain, policy, b), verdict.TraceBroken},
		"one twice":              {join(chain, policy, policy, a, b), verdict.TraceBroken},
		"one too many":           {join(whole, policy), verdict.TraceBroken},
		"a line after them":      {join(whole, lines[0]), verdict.TraceBroken},
		"half a line after them": {join(whole, []byte("{")), verdict.TraceBroken},
		"white space":            {bytes.Replace(whole, []byte(`"value":`), []byte(`"value": `), 1), verdict.TraceBroken},
		"an unknown member":      {bytes.Replace(whole, []byte(`"value":`), []byte(`"x":1,"value":`), 1), verdict.TraceBroken},
		"the last dropped":       {join(chain, policy, a), verdict.TraceIncomplete},
		"the last cut":           {whole[:len(whole)-2], verdict.TraceIncomplete},
		"the first cut":          {whole[:len(chain)+9], verdict.TraceIncomplete},
		"objects before the end": {join(join(lines[:n-1]...), policy, a, b, lines[n-1]), verdict.TraceBroken},
	} {
		if objects, _, err := scan(c.edited); verdict.CodeOf(err) != c.code {
			t.Errorf("%s: %d objects, %v; want %s", name, objects, err, c.code)
		}
	}
}

func TestWhatIsNotWholeIsNotExported(t *testing.T) {
	t.Parallel()
	s, _ := kept(t, "a", "b")
	for name, c := range map[string]struct {
		b       []byte
		objects trace.Objects
		code    verdict.Code
	}{
		"an object is missing": {s.Bytes(), (&shelf{}).get, verdict.TraceObject},
		"no objects at all":    {s.Bytes(), nil, verdict.TraceObject},
		"no end":               {bytes.Join(bytes.SplitAfter(s.Bytes(), []byte("\n"))[:3], nil), s.get, verdict.TraceIncomplete},
		"edited":               {bytes.Replace(s.Bytes(), []byte("blocked"), []byte("blacked"), 1), s.get, verdict.TraceBroken},
	} {
		if got, err := trace.Export(io.Discard, bytes.NewReader(c.b), c.objects); verdict.CodeOf(err) != c.code || err == nil {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if got, err := trace.Export(&disk{full: 1000}, bytes.NewReader(s.Bytes()), s.get); err == nil {
		t.Errorf("onto a full disk: %s", got)
	}
}

// given is a long trace, which is made as it is read.
type given struct {
	disk
	log   *trace.Log
	lines int   // still to be written
	made  int   // bytes so far
	ends  []int // of the lines, in bytes from the start
	taken int   // bytes
}

func (g *given) Read(b []byte) (int, error) {
	if g.Len() == 0 {
		if g.lines--; g.lines < 0 {
			return 0, io.EOF
		}
		kind, body := trace.Listing, any(trace.ListingBody{Server: "kb", Tools: jsontext.Value(`["` + strings.Repeat("x", 1<<10) + `"]`)})
		if g.ends == nil {
			kind, body = trace.Begin, begun
		}
		if err := g.log.Append(kind, body); err != nil {
			return 0, err
		}
		g.made += g.Len()
		g.ends = append(g.ends, g.made)
	}
	n, err := g.Buffer.Read(b)
	g.taken += n
	return n, err
}

// A trace is read line by line. Even of a long one, only a line and a buffer are read
// ahead.
func TestALongTraceIsReadLineByLine(t *testing.T) {
	t.Parallel()
	for name, object := range map[string]func(trace.Hash, jsontext.Value){"a run's": nil, "an export": func(trace.Hash, jsontext.Value) {}} {
		g := &given{lines: 3000}
		g.log = trace.New(&g.disk, clock)
		lines, ahead := 0, 0
		_, err := trace.Scan(g, func(e trace.Event) {
			lines++
			ahead = max(ahead, g.taken-g.ends[e.Seq])
		}, object)
		if verdict.CodeOf(err) != verdict.TraceIncomplete || lines != 3000 || g.made < 3<<20 {
			t.Fatalf("%s: %d lines, %d bytes, %v", name, lines, g.made, err)
		}
		if ahead > 128<<10 {
			t.Errorf("%s: %d bytes were taken ahead", name, ahead)
		}
	}
}

// FuzzScan checks that Export writes every export that can be read.
func FuzzScan(f *testing.F) {
	s := &shelf{}
	l := trace.New(s, clock)
	err := errors.Join(
		l.Append(trace.Begin, trace.BeginBody{Format: trace.Format, Policy: l.Share(policyOf(90))}),
		l.Append(trace.Listing, trace.ListingBody{Server: "kb", Tools: l.Share(trace.Tools([][]byte{bytes.Repeat([]byte("a"), 90)}))}),
		l.Append(trace.Outcome, struct{}{}))
	if _, closed := l.Close(); err != nil || closed != nil {
		f.Fatal(err, closed)
	}
	var b bytes.Buffer
	if _, err := trace.Export(&b, bytes.NewReader(s.Bytes()), s.get); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(s.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		objects, digest, err := scan(b)
		if err != nil || objects == 0 {
			return
		}
		var again bytes.Buffer
		if got, err := trace.Export(&again, bytes.NewReader(b), nil); err != nil || got != digest || !bytes.Equal(again.Bytes(), b) {
			t.Fatalf("%q is read, and written as %q: %v", b, again.Bytes(), err)
		}
	})
}
