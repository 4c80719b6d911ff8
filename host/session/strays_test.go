package session

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
)

// FuzzStray checks that a skipped line is neither a message nor a part of one. The
// beginning of a line gives the same verdict as the whole line. All other lines pass
// unchanged.
func FuzzStray(f *testing.F) {
	for _, seed := range []string{
		"", "{}\n", "hello\n{}\nworld", "[1]\n", "[info] x\n{}\n", "[12:30] x\n", "[1, {}\n", "\ufeff{}\n", "\xef\xbb", "  \t{\"a\n", "[\n", "\x00{}\n", "n\n\n\n", "é\n", "[\u2eff",
	} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, stream []byte, chunk int) {
		var pass []byte
		lines := 0
		for line := range bytes.Lines(stream) {
			whole := stray(line, bytes.HasSuffix(line, []byte("\n")))
			for n := range line {
				if stray(line[:n], false) && !whole {
					t.Fatalf("%q is passed over, and %q is not", line[:n], line)
				}
			}
			kind := jsontext.Value(line).Kind()
			if whole && (kind == '{' || kind == '[' && jsontext.Value(line).IsValid()) {
				t.Fatalf("%q is passed over", line)
			}
			if whole {
				lines++
				continue
			}
			pass = append(pass, line...)
		}
		w := &wire{life: t.Context(), limits: schema.Limits{Bytes: 1 << 20}}
		r := newFrames(io.NopCloser(&slow{stream, chunk&15 + 1}), w, byLine)
		r.strays, r.good = &strays{}, func([]byte) ([]byte, error) { return nil, nil }
		got, err := io.ReadAll(r)
		if lines > maxStrayLines || len(stream) > maxStrayBytes {
			return
		}
		if err != nil || !bytes.Equal(got, pass) || r.strays.lines != lines || r.strays.bytes != len(stream)-len(pass) {
			t.Fatalf("%q passes as %q, with %d lines passed over, %v", stream, got, r.strays.lines, err)
		}
	})
}

func TestLittleIsKeptOfWhatIsPassedOver(t *testing.T) {
	t.Parallel()
	s := &strays{}
	for range 100 {
		s.begin()
		s.add([]byte("key=hunter2-hunter2 " + strings.Repeat("é", 500) + "\n"))
	}
	much, first := s.said(secret.ValuesOf("hunter2-hunter2"))
	if len(s.kept) != keptStrays || much != "it printed 100 lines of 102100 bytes to stdout that are not messages" {
		t.Errorf("%d bytes are kept, and %s", len(s.kept), much)
	}
	for _, line := range first {
		if len(line) > maxQuote || strings.Contains(line, "hunter2") || !utf8.ValidString(line) {
			t.Errorf("it shows %q", line)
		}
	}
	if len(first) == 0 || len(first) > shownStrays {
		t.Errorf("%d lines are shown", len(first))
	}
}
