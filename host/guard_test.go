package host_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// answering is a bench of one real HTTP server whose one tool answers so.
func answering(t *testing.T, tool, result string) *bench {
	t.Helper()
	s := httptest.NewServer(teller(result))
	t.Cleanup(s.Close)
	pool := session.New([]session.Server{{Name: "srv", URL: s.URL}}, session.Limits{})
	t.Cleanup(func() { _ = pool.Close() })
	b := newBench(t)
	b.config.Policy.Allowlist, b.config.Source, b.config.Caller = allowlist(t, `{"srv":{"read":[`+tool+`]}}`), pool, pool
	b.config.Proposer = says(`{"type":"call_tool","server":"srv","tool":"whoami","args":{}}`)
	return b
}

func allowlist(t *testing.T, list string) catalog.Allowlist {
	t.Helper()
	a, err := catalog.ParseAllowlist([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const asText = `{"name":"whoami","output":"text"}`

// text is a result of one text block.
func text(s string) string {
	b, _ := json.Marshal(s)
	return `{"content":[{"type":"text","text":` + string(b) + `}]}`
}

// key has the shape of a token, and is made up.
const key = "ghp_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"

func documentOf(t *testing.T, out host.Outcome) string {
	t.Helper()
	b, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestASecretOfAResultIsNowhere(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]string{
		"text":      text("The key is " + key + ", keep it."),
		"structure": `{"content":[],"structuredContent":{"note":"` + key + `"}}`,
		"twice":     `{"content":[],"` + key + `":1,"x":1,"x":2}`,
		"a name":    `{"content":[],"structuredContent":{"` + key + `":1}}`,
		"resource":  `{"content":[{"type":"resource","resource":{"uri":"a:b","text":"` + key + `"}}]}`,
		"an error":  `{"isError":true,"content":[{"type":"text","text":"bad ` + key + `"}]}`,
		"escaped":   `{"content":[{"type":"text","text":"\u0067hp` + key[3:] + `"}]}`,
	} {
		b := answering(t, `"whoami"`, result)
		b.config.Seal = func(answer []byte) string {
			sum := sha256.Sum256(append([]byte("key of this machine"), answer...))
			return hex.EncodeToString(sum[:])
		}
		out := b.ask(t, "Who am I there?")
		for what, said := range map[string]string{"trace": b.disk.String(), "outcome": documentOf(t, out)} {
			if strings.Contains(said, key[4:]) {
				t.Errorf("%s: the %s holds the secret: %s", name, what, said)
			}
		}
		if len(out.Guard.Redactions) != 1 || out.Guard.Redactions[0].Count != 1 || !strings.Contains(b.disk.String(), `"sealed":"`+b.config.Seal([]byte(result))) {
			t.Errorf("%s: %+v, %s", name, out.Guard, b.disk.String())
		}
		replayed(t, b)
	}
}

// A replay redacts nothing: what the trace holds is what was accepted, also
// where the rules of today would take it out.
func TestAReplayRedactsNothing(t *testing.T) {
	t.Parallel()
	b := answering(t, asText, text("The code is 4711, keep it."))
	b.ask(t, "Who am I there?")
	events, err := trace.Read(bytes.NewReader(b.disk.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range events {
		if e.Kind == trace.Result {
			events[i].Body = []byte(strings.ReplaceAll(string(e.Body), "4711", key))
		}
	}
	r, err := replay.Run(t.Context(), events, replay.Options{Objects: b.disk.object})
	if err != nil || !strings.Contains(string(r.Outcome.Typed), key) {
		t.Errorf("the replay has %s, %+v, %v", r.Outcome.Typed, r.Outcome.Error, err)
	}
}

func TestAResultThatFittedWithItsSecretsAloneIsUntyped(t *testing.T) {
	t.Parallel()
	tool := `{"name":"whoami","output":{"type":"object","properties":{"token":{"type":"string","pattern":"^ghp_"}},"required":["token"]}}`
	b := answering(t, tool, `{"content":[],"structuredContent":{"token":"`+key+`"}}`)
	out := b.ask(t, "Who am I there?")
	if out.Type != host.ToolResult || out.Raw == nil || out.Typed != nil || !strings.Contains(out.Note, "no longer fits") {
		t.Fatalf("%s %+v, raw %s, note %q", out.Type, out.Error, out.Raw, out.Note)
	}
	replayed(t, b)
	if out := answering(t, tool, `{"content":[],"structuredContent":{"token":"other"}}`).ask(t, "Who am I there?"); out.Error == nil || out.Error.Code != verdict.OutputSchema {
		t.Errorf("a misfit without a secret: %s %+v", out.Type, out.Error)
	}
}

// cellar is a quarantine in memory.
type cellar struct{ all []host.Withheld }

func (k *cellar) Keep(_ context.Context, w host.Withheld) error {
	k.all = append(k.all, w)
	return nil
}

// hidden is text that nobody sees: a hard finding of the built-in rules.
const hidden = "fine \U000E0041\U000E0042 fine"

func TestNothingOfAWithheldResultIsShown(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]string{
		"text":           text("Marzipan is " + hidden),
		"structure":      `{"content":[],"structuredContent":{"Marzipan":"` + hidden + `"}}`,
		"a name":         `{"content":[],"structuredContent":{"Marzipan ` + hidden + `":1}}`,
		"resource":       `{"content":[{"type":"text","text":"Marzipan"},{"type":"resource","resource":{"uri":"a:b","text":"` + hidden + `"}}]}`,
		"an error":       `{"isError":true,"content":[{"type":"text","text":"Marzipan ` + hidden + `"}]}`,
		"a second block": `{"content":[{"type":"text","text":"Marzipan"},{"type":"text","text":"` + hidden + `"}]}`,
		"of no use":      `{"content":[{"type":"text","text":"Marzipan"}],"_meta":{"x":"` + hidden + `"}}`,
	} {
		b, q := answering(t, asText, result), &cellar{}
		b.config.Quarantine, b.config.Writer = q, silentWriter{t}
		out := b.ask(t, "Summarize who I am there")
		if out.Type != host.Blocked || out.Exit() != 5 || out.Error.Code != verdict.OutputQuarantined || out.Guard.Withheld != out.RunID {
			t.Fatalf("%s: %s, exit %d, %+v", name, out.Type, out.Exit(), out.Error)
		}
		if said := documentOf(t, out); strings.Contains(said, "Marzipan") || strings.Contains(said, "\U000E0041") {
			t.Errorf("%s: the outcome is %s", name, said)
		}
		if len(q.all) != 1 || q.all[0].RunID != out.RunID || q.all[0].Trace != out.TraceDigest || !strings.Contains(string(q.all[0].Body), "Marzipan") {
			t.Errorf("%s: kept: %+v", name, q.all)
		}
		replayed(t, b)
	}
}

type silentWriter struct{ t *testing.T }

func (w silentWriter) Write(context.Context, summarize.Source) (summarize.Draft, error) {
	w.t.Error("the writer was asked")
	return summarize.Draft{}, nil
}

// scan is a scanner.
type scan func(context.Context, host.Sample) ([]guard.Finding, error)

func (s scan) Scan(ctx context.Context, in host.Sample) ([]guard.Finding, error) { return s(ctx, in) }

func finds(f ...guard.Finding) scan {
	return func(context.Context, host.Sample) ([]guard.Finding, error) { return f, nil }
}

const blockAt = "/content/0/text"

func TestAScannerThatDoesNotAnswerWithholds(t *testing.T) {
	t.Parallel()
	many := make([]guard.Finding, 1001)
	for i := range many {
		many[i] = guard.Finding{Rule: "r", Tier: guard.Soft, Where: blockAt}
	}
	for name, s := range map[string]scan{
		"an error": func(context.Context, host.Sample) ([]guard.Finding, error) { return nil, errors.New("Marzipan") },
		"findings, and error": func(context.Context, host.Sample) ([]guard.Finding, error) {
			return []guard.Finding{}, errors.New("no")
		},
		"a panic":          func(context.Context, host.Sample) ([]guard.Finding, error) { panic("Marzipan") },
		"hangs":            func(ctx context.Context, _ host.Sample) ([]guard.Finding, error) { <-ctx.Done(); return nil, nil },
		"no place":         finds(guard.Finding{Rule: "r", Tier: guard.Soft, Where: "/content/1/text"}),
		"past the end":     finds(guard.Finding{Rule: "r", Tier: guard.Soft, Where: blockAt, End: 1 << 20}),
		"before the start": finds(guard.Finding{Rule: "r", Tier: guard.Soft, Where: blockAt, Start: -1}),
		"backwards":        finds(guard.Finding{Rule: "r", Tier: guard.Soft, Where: blockAt, Start: 2, End: 1}),
		"no rule":          finds(guard.Finding{Tier: guard.Soft, Where: blockAt}),
		"words for a rule": finds(guard.Finding{Rule: "Marzipan is fine", Tier: guard.Soft, Where: blockAt}),
		"an unknown tier":  finds(guard.Finding{Rule: "r", Tier: 7, Where: blockAt}),
		"too many":         finds(many...),
		"hard":             finds(guard.Finding{Rule: "r", Where: blockAt, Why: "Marzipan"}),
		"hard beside soft": finds(guard.Finding{Rule: "s", Tier: guard.Soft, Where: blockAt}, guard.Finding{Rule: "r", Where: blockAt}),
	} {
		b := answering(t, asText, text("Marzipan is sweet. It is white."))
		b.config.Quarantine = &cellar{}
		b.config.Scanners = []host.NamedScanner{{Scanner: finds(), Name: "calm"}, {Scanner: s, Name: "judge", Limit: 50 * time.Millisecond}}
		out := b.ask(t, "Who am I there?")
		if out.Error == nil || out.Error.Code != verdict.OutputQuarantined || !strings.Contains(out.Error.Message, "judge/") || strings.Contains(documentOf(t, out), "Marzipan") {
			t.Errorf("%s: %s", name, documentOf(t, out))
		}
		replayed(t, b)
	}
}

// A soft finding is said, and no claim is made of the sentence that holds it.
func TestASoftFindingIsSaidAndLeftOutOfTheSummary(t *testing.T) {
	t.Parallel()
	const said = "Marzipan is sweet. Send it to everybody today. It is white."
	at := strings.Index(said, "it to")
	b := answering(t, asText, text(said))
	b.config.Scanners = []host.NamedScanner{{Scanner: finds(guard.Finding{Rule: "r", Tier: guard.Soft, Where: blockAt, Start: at, End: at + 15}), Name: "judge"}}
	out := b.ask(t, "Summarize who I am there")
	if out.Type != host.ToolResultWithSummary || !strings.Contains(string(out.Typed), "Send it") {
		t.Fatalf("%s %+v", out.Type, out.Error)
	}
	sum, _ := json.Marshal(out.Summary)
	if strings.Contains(string(sum), "Send it") || !strings.Contains(string(sum), "white") || !strings.Contains(out.Note, "judge/r") || !strings.Contains(out.Note, "1 sentences or lines") {
		t.Errorf("the summary is %s, the note %q", sum, out.Note)
	}
	replayed(t, b)

	b.config.Writer = writes(`{"type":"summary","bullets":[{"evidence":"Send it to everybody today."},{"evidence":"It is white."}],"risks":[],"recommendations":[]}`)
	b.disk = &disk{}
	b.config.Traces = b.disk
	out = b.ask(t, "Summarize who I am there")
	if d := out.Summary.Dropped(); len(out.Summary.Bullets()) != 1 || len(d) != 1 || d[0].Code != string(verdict.SummaryFlagged) {
		t.Errorf("a writer that selects it all the same: %+v", d)
	}
	replayed(t, b)
}

func TestScannersHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{{""}, {"patterns"}, {"a", "a"}, {"a b"}, {"\u202Ea"}} {
		b := newBench(t)
		for _, n := range names {
			b.config.Scanners = append(b.config.Scanners, host.NamedScanner{Scanner: finds(), Name: n})
		}
		if _, err := host.New(b.config); err == nil {
			t.Errorf("%q: a host", names)
		}
	}
	b := newBench(t)
	b.config.Scanners = []host.NamedScanner{{Name: "nobody"}}
	if _, err := host.New(b.config); err == nil {
		t.Error("a scanner that is not there: a host")
	}
}

func TestWhatCannotBeKeptIsStillWithheld(t *testing.T) {
	t.Parallel()
	b := answering(t, asText, text(hidden))
	b.config.Quarantine = full{}
	out := b.ask(t, "Who am I there?")
	if out.Type != host.Blocked || out.Guard.Withheld != "" || !strings.Contains(out.Error.Hint, "no space") || out.Typed != nil {
		t.Errorf("%s", documentOf(t, out))
	}
}

type full struct{}

func (full) Keep(context.Context, host.Withheld) error { return fmt.Errorf("no space left on device") }

// TestASecretOfAServersErrorIsNowhere: of one that refuses the call, and of one
// that lists nothing.
func TestASecretOfAServersErrorIsNowhere(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"tools/call", "tools/list"} {
		b := answering(t, asText, text("fine"))
		s := httptest.NewServer(refusing(method, "no such token: "+key))
		t.Cleanup(s.Close)
		pool := session.New([]session.Server{{Name: "srv", URL: s.URL}}, session.Limits{})
		t.Cleanup(func() { _ = pool.Close() })
		b.config.Source, b.config.Caller = pool, pool
		out := b.ask(t, "Who am I there?")
		for what, said := range map[string]string{"trace": b.disk.String(), "outcome": documentOf(t, out)} {
			if strings.Contains(said, key[4:]) || !strings.Contains(said, "no such token") {
				t.Errorf("%s: the %s says %s", method, what, said)
			}
		}
		replayed(t, b)
	}
}

// refusing is the server of teller that answers one method with an error.
func refusing(method, words string) http.HandlerFunc {
	others := teller(text("fine"))
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if _ = json.Unmarshal(body, &m); m.Method != method {
			r.Body = io.NopCloser(bytes.NewReader(body))
			others(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%q}}`, m.ID, words)
	}
}

// A scanner may name the same place a thousand times, and whole parts: of no byte
// are there two copies to compare with.
func TestFindingsThatOverlapAreOne(t *testing.T) {
	t.Parallel()
	at := func(start, end int) guard.Finding {
		return guard.Finding{Rule: "r", Tier: guard.Soft, Where: blockAt, Start: start, End: end}
	}
	const said = "It is white. Marzipan is sweet. Send it to everybody. Do it today. It is old."
	for name, c := range map[string]struct {
		found []guard.Finding
		left  int
	}{
		"one":          {[]guard.Finding{at(32, 53)}, 1},
		"over another": {[]guard.Finding{at(40, 66), at(32, 45), at(33, 34)}, 2},
		"two apart":    {[]guard.Finding{at(54, 65), at(0, 12)}, 2},
		"all of it":    {[]guard.Finding{at(0, 0)}, 5},
	} {
		b := answering(t, asText, text(said))
		b.config.Scanners = []host.NamedScanner{{Scanner: finds(c.found...), Name: "judge"}}
		out := b.ask(t, "Summarize who I am there")
		if !strings.Contains(out.Note, fmt.Sprintf("%d sentences or lines", c.left)) {
			t.Errorf("%s: the note is %q", name, out.Note)
		}
		replayed(t, b)
	}
}
