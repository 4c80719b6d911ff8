package trace_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// shelf is a sink that keeps objects as well.
type shelf struct {
	disk
	objects map[trace.Hash]jsontext.Value
	full    error
}

func (s *shelf) Keep(digest trace.Hash, size int, value func() jsontext.Value) error {
	if s.full != nil {
		return s.full
	}
	if _, there := s.objects[digest]; there {
		return nil
	}
	if s.objects == nil {
		s.objects = map[trace.Hash]jsontext.Value{}
	}
	if s.objects[digest] = value(); len(s.objects[digest]) != size {
		return errors.New("another size")
	}
	return nil
}

func (s *shelf) get(h trace.Hash) (jsontext.Value, error) {
	v, there := s.objects[h]
	if !there {
		return nil, verdict.Fail(verdict.TraceObject, fs.ErrNotExist, "no object")
	}
	return v, nil
}

func policyOf(n int) trace.Object {
	return trace.NewObject(func() jsontext.Value {
		return jsontext.Value(`{"rules":"` + strings.Repeat("x", n) + `"}`)
	})
}

// kept writes a finished trace whose policy and listings are objects.
func kept(t *testing.T, listings ...string) (*shelf, trace.Hash) {
	t.Helper()
	s := &shelf{}
	l := trace.New(s, clock)
	write := func(k trace.Kind, body any) {
		if err := l.Append(k, body); err != nil {
			t.Fatal(err)
		}
	}
	write(trace.Begin, trace.BeginBody{Format: trace.Format, Policy: l.Share(policyOf(200))})
	for i, text := range listings {
		tools := l.Share(trace.Tools([][]byte{[]byte(strings.Repeat(text, 100)), []byte("\xff")}))
		write(trace.Listing, trace.ListingBody{Server: fmt.Sprint(i), Tools: tools})
	}
	write(trace.Outcome, trace.OutcomeBody{Type: "blocked", Call: "none"})
	digest, err := l.Close()
	if err != nil {
		t.Fatal(err)
	}
	return s, digest
}

func TestWhatRunsHaveInCommonIsKeptOnce(t *testing.T) {
	t.Parallel()
	one, _ := kept(t, "a", "b", "a")
	if len(one.objects) != 3 || bytes.Contains(one.Bytes(), []byte("aaaa")) || bytes.Contains(one.Bytes(), []byte("xxxx")) {
		t.Errorf("%d objects and %s", len(one.objects), one.Bytes())
	}
	for h, v := range one.objects {
		if sha256.Sum256(v) != h || !bytes.Contains(one.Bytes(), []byte(`{"object":"`+h.Digest()+`"}`)) {
			t.Errorf("%s is %s", h, v)
		}
	}
	var tools [][]byte
	if _, err := trace.Verify(bytes.NewReader(one.Bytes()), func(e trace.Event) {
		var l trace.ListingBody
		if e.Kind == trace.Listing && e.Decode(&l) == nil {
			tools, _ = l.ReadTools(one.get)
		}
	}); err != nil || len(tools) != 2 || string(tools[0]) != strings.Repeat("a", 100) || string(tools[1]) != "\xff" {
		t.Errorf("%q, %v", tools, err)
	}
}

func TestALineHoldsWhatNobodyKeepsAndWhatIsShort(t *testing.T) {
	t.Parallel()
	asked := 0
	long := trace.NewObject(func() jsontext.Value { asked++; return jsontext.Value(`"` + strings.Repeat("x", 200) + `"`) })
	if got := trace.New(&disk{}, clock).Share(long); len(got) != 202 {
		t.Errorf("a sink that keeps nothing: %s", got)
	}
	s := &shelf{}
	l := trace.New(s, clock)
	if got := l.Share(trace.Tools(nil)); string(got) != "[]" || len(s.objects) > 0 {
		t.Errorf("nothing is kept as %s", got)
	}
	asked = 0
	if one, two := l.Share(long), l.Share(long); !bytes.Equal(one, two) || asked != 1 || len(s.objects) != 1 {
		t.Errorf("%s, %s, made %d times", one, two, asked)
	}
}

func TestAnObjectThatCannotBeKeptEndsTheLog(t *testing.T) {
	t.Parallel()
	s := &shelf{full: errors.New("no space left on device")}
	l := trace.New(s, clock)
	if v := l.Share(policyOf(200)); v != nil {
		t.Errorf("a line may hold %s", v)
	}
	s.full = nil
	if err := l.Append(trace.Begin, struct{}{}); err == nil || s.Len() > 0 {
		t.Errorf("%v, and the log holds %s", err, s.Bytes())
	}
	if v := l.Share(policyOf(200)); v != nil || len(s.objects) > 0 {
		t.Errorf("a log that has ended keeps %s", v)
	}
}

func TestADigestHasOneSpelling(t *testing.T) {
	t.Parallel()
	h := trace.Hash(sha256.Sum256(nil))
	if got, err := trace.ParseDigest(h.Digest()); err != nil || got != h {
		t.Errorf("%s, %v", got, err)
	}
	d := h.Digest()
	for name, other := range map[string]string{
		"nothing": "", "a prefix": d[:len(d)-1], "half": d[:40], "one digit more": d + "0", "two": d + "00", "no algorithm": h.String(),
		"another": "sha512:" + h.String(), "capital letters": "sha256:" + strings.ToUpper(h.String()), "white space": " " + d, "a new line": d + "\n",
		"no digit": d[:len(d)-1] + "g", "the algorithm twice": "sha256:" + d,
	} {
		if got, err := trace.ParseDigest(other); err == nil || got != (trace.Hash{}) {
			t.Errorf("%s: %q is read as %s", name, other, got)
		}
		// What is not a reference to the letter is a value, and of no use as one.
		v := jsontext.Value(`{"object":"` + other + `"}`)
		if got, err := trace.Objects(nil).Value(v); err != nil || !bytes.Equal(got, v) {
			t.Errorf("%s: %s is taken for a reference: %v", name, v, err)
		}
	}
	for _, v := range []string{``, `{}`, `{"object":"` + d + `","x":1}`, `{"object": "` + d + `"}`, `[{"object":"` + d + `"}]`, `"` + d + `"`} {
		if got, err := trace.Objects(nil).Value(jsontext.Value(v)); err != nil || string(got) != v {
			t.Errorf("%s is taken for a reference: %v", v, err)
		}
	}
	if _, err := trace.Objects(nil).Value(jsontext.Value(`{"object":"` + d + `"}`)); verdict.CodeOf(err) != verdict.TraceObject || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a reference to nothing: %v", err)
	}
}

func TestAnObjectIsHeldToItsDigest(t *testing.T) {
	t.Parallel()
	v := []byte(`["a"]`)
	h := trace.Hash(sha256.Sum256(v))
	if got, err := trace.ReadObject(bytes.NewReader(v), h); err != nil || !bytes.Equal(got, v) {
		t.Errorf("%s, %v", got, err)
	}
	for name, other := range map[string]string{"cut": `["a"`, "longer": `["a"] `, "a byte": `["b"]`, "empty": ""} {
		if got, err := trace.ReadObject(strings.NewReader(other), h); got != nil || verdict.CodeOf(err) != verdict.TraceObject || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}
