package trace_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// chained is an intact trace with the kinds and bodies of the script, one "kind body" a
// line. After them are the objects of the script's lines "= value". Nothing is checked,
// so that any body reaches the readers of bodies.
func chained(script []byte) []byte {
	var lines, objects bytes.Buffer
	var prev [sha256.Size]byte
	seq := 0
	for line := range bytes.SplitSeq(script, []byte("\n")) {
		kind, body, _ := bytes.Cut(line, []byte(" "))
		if string(kind) == "=" {
			fmt.Fprintf(&objects, "{\"object\":\"sha256:%x\",\"value\":%s}\n", sha256.Sum256(body), body)
			continue
		}
		text := fmt.Sprintf(`{"seq":%d,"time":"2026-01-02T03:04:05.006Z","kind":"%s","body":%s,"prev":"%x"`, seq, kind, body, prev)
		prev = sha256.Sum256([]byte(text))
		fmt.Fprintf(&lines, "%s,\"hash\":\"%x\"}\n", text, prev)
		seq++
	}
	return append(lines.Bytes(), objects.Bytes()...)
}

// scripts are real runs, and attempts of an editor of a trace.
func scripts() []string {
	policy := `{"rules":[]}`
	of := func(value string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(value))) }
	begin := fmt.Sprintf(`begin {"format":%d,"run_id":"r","question":{"text":"q"},"dry_run":false,"planner":"p","policy":{"object":%q}}`, trace.Format, of(policy))
	rest := "\nverdict {\"gate\":\"input\",\"verdict\":\"allow\"}\nproposal {}\noutcome {\"type\":\"blocked\",\"call\":\"none\"}\nend {}"
	return []string{
		begin + rest + "\n= " + policy,
		begin + rest,
		begin + rest + "\n= {}",
		strings.Replace(begin, `"object":"`, `"object":"sha256:`, 1) + rest,
		strings.Replace(begin, fmt.Sprintf(`"format":%d`, trace.Format), `"format":1`, 1) + rest,
		strings.Replace(begin, `"dry_run":false`, `"dry_run":false,"dry_run":true`, 1) + rest,
		strings.Replace(begin, `"question":{"text":"q"}`, `"question":{"base64":"!"}`, 1) + rest,
		begin + "\nlisting {\"server\":\"kb\",\"tools\":{\"object\":7}}" + rest,
		begin + "\nresult {}\noutcome {}\nend {}",
		begin + "\nproposal {}\napproval {}\nconsent {}\nresult {\"raw\":\"\\ud800\"}\noutcome {}\nend {}",
		begin + "\nproposal {}\napproval {}\nresult {\"redeemed\":true,\"raw\":{\"base64\":\"/w==\"},\"hidden\":[{\"kind\":\"jwt\",\"count\":1}]}\nguard {\"rules\":\"2\"}\noutcome {}\nend {}",
	}
}

// The first script reads to its end, the others fail for what they are about: no
// one of them at its hash.
func TestAScriptReachesWhatReadsBodies(t *testing.T) {
	t.Parallel()
	for n, script := range scripts() {
		_, err := trace.Scan(bytes.NewReader(chained([]byte(script))), nil, func(trace.Hash, jsontext.Value) {})
		if n == 0 && err != nil {
			t.Errorf("%q: %v", script, err)
		}
		if err != nil && notChained(err) {
			t.Errorf("%q: %v", script, err)
		}
	}
}

// notChained reports whether a trace broke at a hash, which none of a script does.
func notChained(err error) bool {
	for _, why := range []string{"do not match its hash", "does not follow line", "its prev is not a hash", "was altered"} {
		if strings.Contains(err.Error(), why) {
			return true
		}
	}
	return false
}

// FuzzBodies is [FuzzRead] with valid hashes. For all bodies, a trace that is read is
// written again unchanged, and as an export, too.
func FuzzBodies(f *testing.F) {
	for _, script := range scripts() {
		f.Add([]byte(script))
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		b := chained(script)
		var events []trace.Event
		objects := map[trace.Hash]jsontext.Value{}
		_, err := trace.Scan(bytes.NewReader(b), func(e trace.Event) { events = append(events, e) }, func(h trace.Hash, v jsontext.Value) { objects[h] = v })
		ended := len(events) > 0 && events[len(events)-1].Kind == trace.End
		switch code := verdict.CodeOf(err); {
		case err == nil && !ended:
			t.Fatalf("%q is read without an end", script)
		case err != nil && code != verdict.TraceBroken && code != verdict.TraceIncomplete:
			t.Fatalf("%q: %v", script, err)
		}
		again := &disk{}
		var i int
		l := trace.New(again, func() time.Time { return events[i].Time })
		for i = range events {
			if err := l.Append(events[i].Kind, events[i].Body); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.HasPrefix(b, again.Bytes()) {
			t.Fatalf("read %q, which encodes to %q", b, again.Bytes())
		}
		exported(t, b, err, objects)
	})
}

// exported compares an export of a trace with the objects that its lines name.
func exported(t *testing.T, b []byte, read error, objects map[trace.Hash]jsontext.Value) {
	t.Helper()
	var out bytes.Buffer
	_, err := trace.Export(&out, bytes.NewReader(b), func(trace.Hash) (jsontext.Value, error) { return nil, errNoObject })
	switch {
	case read != nil && err == nil:
		t.Fatalf("%q does not read (%v), and is exported", b, read)
	case read == nil && len(objects) > 0 && (err != nil || !bytes.Equal(out.Bytes(), b)):
		t.Fatalf("%q is exported as %q: %v", b, out.Bytes(), err)
	}
}

var errNoObject = fmt.Errorf("no object is kept")
