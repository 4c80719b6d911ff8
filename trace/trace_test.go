package trace_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// disk is a sink that can fail, and that counts how often it was synced.
type disk struct {
	bytes.Buffer
	full   int // bytes that fit; 0 means unlimited
	synced int
	broken error
}

func (d *disk) Write(b []byte) (int, error) {
	if d.full > 0 && d.Len()+len(b) > d.full {
		n, _ := d.Buffer.Write(b[:max(0, d.full-d.Len())])
		return n, errors.New("no space left on device")
	}
	return d.Buffer.Write(b)
}

func (d *disk) Sync() error {
	d.synced++
	return d.broken
}

func clock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) }

// begun is the least that a begin line holds.
var begun = map[string]int{"format": trace.Format}

// record writes a finished trace of n lines, six at least, and gives its bytes
// and digest.
func record(t *testing.T, n int) ([]byte, trace.Hash) {
	t.Helper()
	d := &disk{}
	l := trace.New(d, clock)
	write := func(k trace.Kind, body any) {
		if err := l.Append(k, body); err != nil {
			t.Fatal(err)
		}
	}
	write(trace.Begin, trace.BeginBody{Format: trace.Format, Policy: jsontext.Value("{}")})
	for i := range n - 3 {
		write(trace.Verdict, trace.VerdictBody{Gate: fmt.Sprintf("gate %d", i+1), Verdict: "allow"})
	}
	write(trace.Outcome, trace.OutcomeBody{Type: "blocked", Call: "none"})
	digest, err := l.Close()
	if err != nil {
		t.Fatal(err)
	}
	return d.Bytes(), digest
}

func TestAFinishedTraceIsConsistent(t *testing.T) {
	t.Parallel()
	b, digest := record(t, 6)
	events, err := trace.Read(bytes.NewReader(b))
	if err != nil || len(events) != 6 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	if got := events[5].Hash; got != digest || events[5].Kind != trace.End {
		t.Errorf("digest %v, want %v", got, digest)
	}
	if last, err := trace.Verify(bytes.NewReader(b), nil); err != nil || last != digest {
		t.Errorf("digest %v, %v, want %v", last, err, digest)
	}
}

func TestEveryEditIsNamed(t *testing.T) {
	t.Parallel()
	whole, _ := record(t, 6)
	lines := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	lines[5] = append(lines[5], '\n')
	join := func(ls ...[]byte) []byte { return bytes.Join(ls, nil) }
	for name, c := range map[string]struct {
		edited []byte
		code   verdict.Code
		intact int
	}{
		"one byte of a body":        {bytes.Replace(whole, []byte("gate 2"), []byte("gate 9"), 1), verdict.TraceBroken, 2},
		"one byte of a time":        {bytes.Replace(whole, []byte("05.006Z"), []byte("05.007Z"), 1), verdict.TraceBroken, 0},
		"a line dropped":            {join(lines[0], lines[1], lines[3], lines[4], lines[5]), verdict.TraceBroken, 2},
		"the first line dropped":    {join(lines[1:]...), verdict.TraceBroken, 0},
		"two lines swapped":         {join(lines[0], lines[2], lines[1], lines[3], lines[4], lines[5]), verdict.TraceBroken, 1},
		"a line twice":              {join(lines[0], lines[1], lines[1], lines[2]), verdict.TraceBroken, 2},
		"the last line dropped":     {join(lines[:5]...), verdict.TraceIncomplete, 5},
		"cut in the middle":         {whole[:len(lines[0])+len(lines[1])+20], verdict.TraceIncomplete, 2},
		"cut before a newline":      {bytes.TrimSuffix(whole, []byte("\n")), verdict.TraceIncomplete, 5},
		"a line after the end":      {join(whole, lines[1]), verdict.TraceBroken, 6},
		"half a line after it":      {append(bytes.Clone(whole), "{"...), verdict.TraceBroken, 6},
		"white space in a line":     {bytes.Replace(whole, []byte(`"seq":2,`), []byte(`"seq": 2,`), 1), verdict.TraceBroken, 2},
		"an unknown member":         {bytes.Replace(whole, []byte(`"seq":2,`), []byte(`"seq":2,"x":1,`), 1), verdict.TraceBroken, 2},
		"a member twice":            {bytes.Replace(whole, []byte(`"seq":2,`), []byte(`"seq":2,"seq":2,`), 1), verdict.TraceBroken, 2},
		"carriage returns":          {bytes.ReplaceAll(whole, []byte("\n"), []byte("\r\n")), verdict.TraceBroken, 0},
		"nothing":                   {nil, verdict.TraceIncomplete, 0},
		"another file":              {[]byte("hello\n"), verdict.TraceBroken, 0},
		"a hash in capital letters": {upperHash(whole), verdict.TraceBroken, 0},
	} {
		events, err := trace.Read(bytes.NewReader(c.edited))
		if verdict.CodeOf(err) != c.code || len(events) != c.intact {
			t.Errorf("%s: %d intact lines, %v; want %d and %s", name, len(events), err, c.intact, c.code)
		}
		skimmed := 0
		trace.Skim(bytes.NewReader(c.edited), func(trace.Event) { skimmed++ })
		if want := min(c.intact, 5); skimmed != want { // the fifth has the outcome
			t.Errorf("%s: %d lines are skimmed, want %d", name, skimmed, want)
		}
	}
}

// A person reads all of a line, and a replay only what it knows.
func TestABodyHoldsNothingThatNoRunWrites(t *testing.T) {
	t.Parallel()
	bytesOf, failed := trace.Keep([]byte("a")), &trace.Error{Code: "x"}
	said := trace.SaidBody{Said: &bytesOf, Replies: []trace.ReplyBody{{Raw: bytesOf}}, Error: failed}
	run := []struct {
		kind trace.Kind
		body any
	}{
		{trace.Begin, trace.BeginBody{Format: trace.Format, Question: bytesOf, Context: &bytesOf, Plan: &bytesOf, Policy: jsontext.Value("null")}},
		{trace.Verdict, trace.VerdictBody{Gate: "input", Verdict: "allow"}},
		{trace.Listing, trace.ListingBody{Server: "kb", Tools: jsontext.Value("[]"), Error: failed}},
		{trace.Proposal, said},
		{trace.Approval, struct{}{}}, // its gate's; a replay compares it
		{trace.Result, trace.ResultBody{Live: &bytesOf, Raw: &bytesOf, Error: failed}},
		{trace.Writing, said},
		{trace.Outcome, trace.OutcomeBody{Type: "failed"}},
		{trace.End, struct{}{}},
	}
	// verify edits the body of one kind, and computes the chain again.
	verify := func(kind trace.Kind, edit func(body string) string) error {
		d := &disk{}
		l := trace.New(d, clock)
		for _, line := range run {
			body, err := json.Marshal(line.body)
			if line.kind == kind {
				body = []byte(edit(string(body)))
			}
			if err := errors.Join(err, l.Append(line.kind, jsontext.Value(body))); err != nil {
				t.Fatal(err)
			}
		}
		_, err := trace.Verify(d, nil)
		return err
	}
	for i, line := range run {
		if err := verify(line.kind, func(body string) string { return body }); err != nil {
			t.Fatal(err)
		}
		if line.kind == trace.Approval {
			continue
		}
		for n, more := 0, true; more; n++ {
			edited := ""
			err := verify(line.kind, func(body string) string {
				edited, more = withMember(body, n)
				return edited
			})
			if verdict.CodeOf(err) != verdict.TraceBroken || !strings.Contains(err.Error(), fmt.Sprintf("intact to line %d;", i)) {
				t.Errorf("%s %s: %v", line.kind, edited, err)
			}
		}
	}
	later := func(body string) string { return strings.Replace(body, `"format":5`, `"format":6,"x":1`, 1) }
	if err := verify(trace.Begin, later); verdict.CodeOf(err) != verdict.TraceBroken || !strings.Contains(err.Error(), "format 6, and this version reads format 5") {
		t.Errorf("a later format: %v", err)
	}
}

// withMember is JSON with one more member in its nth object; more says that
// there is another object.
func withMember(body string, n int) (edited string, more bool) {
	at := 0
	for range n + 1 {
		at += strings.Index(body[at:], "{") + 1
	}
	comma := ","
	if body[at] == '}' {
		comma = ""
	}
	return body[:at] + `"x":1` + comma + body[at:], strings.Contains(body[at:], "{")
}

func upperHash(whole []byte) []byte {
	i := bytes.Index(whole, []byte(`"hash":"`)) + len(`"hash":"`)
	return append(append(bytes.Clone(whole[:i]), bytes.ToUpper(whole[i:i+64])...), whole[i+64:]...)
}

func TestARewrittenTraceIsConsistentAndHasAnotherDigest(t *testing.T) {
	t.Parallel()
	_, was := record(t, 6)
	rewritten, _ := record(t, 7)
	got, err := trace.Verify(bytes.NewReader(rewritten), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got == was {
		t.Error("the digest of a rewritten trace is that of the original")
	}
}

func TestAReceiptCoversOneSyncedRecordOnce(t *testing.T) {
	t.Parallel()
	d := &disk{}
	l := trace.New(d, clock)
	record := jsontext.Value(`{"args":{"n":9007199254740993}}`)
	r, err := l.Commit(trace.Approval, record)
	if err != nil || d.synced != 1 || !bytes.Contains(d.Bytes(), record) {
		t.Fatalf("%v, synced %d times: %s", err, d.synced, d.Bytes())
	}
	for name, other := range map[string]string{"another record": `{"args":{"n":9007199254740992}}`, "white space": ` {"args":{"n":9007199254740993}}`, "nothing": ""} {
		if r.Spend([]byte(other)) {
			t.Errorf("the receipt covers %s", name)
		}
	}
	copied := r
	if !r.Spend(record) {
		t.Error("the receipt does not cover its record")
	}
	if r.Spend(record) || copied.Spend(record) {
		t.Error("the receipt, or a copy of it, is good twice")
	}
	if (trace.Receipt{}).Spend(record) || (trace.Receipt{}).Spend(nil) {
		t.Error("the zero receipt covers something")
	}
}

func TestOnlyACanonicalRecordIsCommitted(t *testing.T) {
	t.Parallel()
	for _, record := range []string{`{"b":1,"a":2}`, ` {}`, `{"a":1,"a":1}`, `{`, ``} {
		d := &disk{}
		if r, err := trace.New(d, clock).Commit(trace.Approval, jsontext.Value(record)); err == nil || r.Spend([]byte(record)) || d.Len() > 0 {
			t.Errorf("%q: %v", record, err)
		}
	}
}

func TestNothingIsCoveredThatDidNotReachTheDisk(t *testing.T) {
	t.Parallel()
	record := jsontext.Value(`{}`)
	for name, d := range map[string]*disk{"full": {full: 20}, "sync fails": {broken: errors.New("input/output error")}} {
		l := trace.New(d, clock)
		if r, err := l.Commit(trace.Approval, record); err == nil || r.Spend(record) {
			t.Errorf("%s: a receipt for what is not on disk", name)
		}
		d.full, d.broken = 0, nil
		size := d.Len()
		if err := l.Append(trace.Verdict, struct{}{}); err == nil || d.Len() != size {
			t.Errorf("%s: the log went on after an error", name)
		}
	}
}

func TestAClosedLogTakesNothing(t *testing.T) {
	t.Parallel()
	d := &disk{}
	l := trace.New(d, clock)
	if _, err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(trace.Verdict, struct{}{}); err == nil {
		t.Error("a line after the end")
	}
	if _, err := l.Close(); err == nil {
		t.Error("two ends")
	}
}

func TestStrangersBytesAreKeptExactly(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "plain", "\x00\x1b[31m\u202e", "\xff\xfe", strings.Repeat("\\\"", 9)} {
		kept := trace.Keep([]byte(s))
		got, err := kept.Get()
		if err != nil || string(got) != s {
			t.Errorf("%q came back as %q, %v", s, got, err)
		}
	}
	a, b := "a", "YQ=="
	for name, forged := range map[string]trace.Bytes{"neither": {}, "both": {Text: &a, Base64: &b}, "no base64": {Base64: &a}} {
		if _, err := forged.Get(); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

func TestErrorsComeBackWithTheirCodeAndKind(t *testing.T) {
	t.Parallel()
	for _, err := range []error{verdict.Deny(verdict.PinChanged, "changed"), verdict.Fail(verdict.ServerTimeout, nil, "late"), errors.New("odd")} {
		again := trace.ErrorOf(err).Err()
		if verdict.CodeOf(again) != verdict.CodeOf(err) || verdict.Denied(again) != verdict.Denied(err) {
			t.Errorf("%v came back as %v", err, again)
		}
	}
	if trace.ErrorOf(nil) != nil || (*trace.Error)(nil).Err() != nil {
		t.Error("no error became one")
	}
}

func TestRunIDsAndFileNamesAgree(t *testing.T) {
	t.Parallel()
	if got := trace.RunID(trace.FileName("20260102T030405Z-ab")); got != "20260102T030405Z-ab" {
		t.Error(got)
	}
	for _, name := range []string{"trace_.json", "x.jsonl", "trace_a", ""} {
		if got := trace.RunID(name); got != "" {
			t.Errorf("%q has the run id %q", name, got)
		}
	}
}

func TestLinesStandInTheOrderOfARun(t *testing.T) {
	t.Parallel()
	b, v, l, p, a, r, w, o, e := trace.Begin, trace.Verdict, trace.Listing, trace.Proposal, trace.Approval, trace.Result, trace.Writing, trace.Outcome, trace.End
	x, d, c := trace.Reread, trace.Decision, trace.Consent
	for name, c := range map[string]struct {
		kinds []trace.Kind
		ok    bool
	}{
		"a whole run":            {[]trace.Kind{b, v, v, l, l, v, p, v, v, a, r, v, v, w, v, o, e}, true},
		"a refused question":     {[]trace.Kind{b, v, o, e}, true},
		"a failed planner":       {[]trace.Kind{b, v, v, l, v, p, o, e}, true},
		"an end alone":           {[]trace.Kind{e}, false},
		"no begin":               {[]trace.Kind{v, o, e}, false},
		"two begins":             {[]trace.Kind{b, b, o, e}, false},
		"no outcome":             {[]trace.Kind{b, v, e}, false},
		"two proposals":          {[]trace.Kind{b, p, p, o, e}, false},
		"two approvals":          {[]trace.Kind{b, p, a, a, r, o, e}, false},
		"two results":            {[]trace.Kind{b, p, a, r, r, o, e}, false},
		"a result unapproved":    {[]trace.Kind{b, p, v, r, o, e}, false},
		"an approval after it":   {[]trace.Kind{b, p, r, a, o, e}, false},
		"a listing after a plan": {[]trace.Kind{b, p, l, o, e}, false},
		"a verdict after it all": {[]trace.Kind{b, o, v, e}, false},
		"decided again":          {[]trace.Kind{b, v, l, p, v, x, v, l, v, d, v, a, c, v, x, v, l, d, v, a, r, v, o, e}, true},
		"not read":               {[]trace.Kind{b, x, v, o, e}, true},
		"again before a begin":   {[]trace.Kind{x, b, o, e}, false},
		"again after a result":   {[]trace.Kind{b, a, r, x, v, o, e}, false},
		"again after an outcome": {[]trace.Kind{b, o, x, e}, false},
		"a proposal after again": {[]trace.Kind{b, p, x, p, o, e}, false},
		"a begin after again":    {[]trace.Kind{b, x, b, o, e}, false},
		"a result after again":   {[]trace.Kind{b, a, x, r, o, e}, false},
		"two approvals after it": {[]trace.Kind{b, x, a, a, r, o, e}, false},
		"no outcome after again": {[]trace.Kind{b, a, x, e}, false},
		"an unknown kind":        {[]trace.Kind{b, "note", o, e}, false},
	} {
		d := &disk{}
		log := trace.New(d, clock)
		for _, k := range c.kinds {
			body := any(struct{}{})
			if k == trace.Begin {
				body = begun
			}
			if err := log.Append(k, body); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := trace.Read(bytes.NewReader(d.Bytes())); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzRead: whatever the bytes, lines that are read re-encode to what was
// read, and only an end makes a trace consistent.
func FuzzRead(f *testing.F) {
	d := &disk{}
	l := trace.New(d, clock)
	for _, k := range []trace.Kind{trace.Begin, trace.Verdict, trace.Listing, trace.Listing, trace.Proposal, trace.Approval, trace.Result, trace.Outcome} {
		if err := l.Append(k, struct{}{}); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(bytes.Clone(d.Bytes()))
	if _, err := l.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(d.Bytes())
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		events, err := trace.Read(bytes.NewReader(b))
		ended := len(events) > 0 && events[len(events)-1].Kind == trace.End
		if (err == nil) != ended && verdict.CodeOf(err) != verdict.TraceBroken {
			t.Fatalf("ended %v with %v", ended, err)
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
	})
}

// A server's answer may be as long as the largest setting, with bytes that a line spells
// in six.
func TestWhateverARunMayRecordIsVerified(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string][]byte{
		"control characters": bytes.Repeat([]byte{1}, trace.MaxResult),
		"no UTF-8":           bytes.Repeat([]byte{0xff}, trace.MaxResult),
	} {
		d := &disk{}
		l := trace.New(d, clock)
		live, raw := trace.Keep(bytes.Repeat([]byte{1}, schema.DescriptorLimits.Bytes)), trace.Keep(answer)
		for _, line := range []struct {
			kind trace.Kind
			body any
		}{
			{trace.Begin, begun},
			{trace.Approval, struct{}{}},
			{trace.Result, trace.ResultBody{Live: &live, Redeemed: true, Raw: &raw}},
			{trace.Outcome, struct{}{}},
		} {
			if err := l.Append(line.kind, line.body); err != nil {
				t.Fatal(err)
			}
		}
		digest, err := l.Close()
		if err != nil {
			t.Fatal(err)
		}
		var got trace.ResultBody
		var unread error
		last, err := trace.Verify(d, func(e trace.Event) {
			if e.Kind == trace.Result {
				unread = e.Decode(&got)
			}
		})
		if kept, lost := got.Raw.Get(); err != nil || unread != nil || lost != nil || last != digest || !bytes.Equal(kept, answer) {
			t.Errorf("%s: %v, %v, %v, %d bytes came back", name, err, unread, lost, len(kept))
		}
	}
}
