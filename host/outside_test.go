package host_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/decision"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

// outsider is a decision point that is an HTTP server, and the records that it was sent.
type outsider struct {
	asked atomic.Int32
	last  atomic.Value
	point decision.Point
}

func outside(t *testing.T, onError string, with http.HandlerFunc) *outsider {
	t.Helper()
	a := &outsider{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.asked.Add(1)
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		a.last.Store(b)
		with(w, r)
	}))
	t.Cleanup(s.Close)
	p, err := decision.Point{Name: "user", OnError: onError}.Endpoint(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	a.point = p
	return a
}

func saying(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}

const allows = `{"decision":"allow","reason":"known"}`

// outsideOf is the recorded answers of a run.
func outsideOf(t *testing.T, b *bench) (all []trace.OutsideBody) {
	t.Helper()
	for _, e := range b.events(t) {
		var v trace.VerdictBody
		if e.Kind != trace.Verdict {
			continue
		}
		if err := e.Decode(&v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v.Outside...)
	}
	return all
}

// replays replays a run, which must come to the same and ask no decision point.
func replays(t *testing.T, b *bench) host.Outcome {
	t.Helper()
	r, err := replay.Run(t.Context(), b.events(t), replay.Options{Types: demo.Types(), Objects: b.disk.object})
	if err != nil || len(r.Differences) > 0 || !r.Complete {
		t.Errorf("the replay differs: %+v, %v", r.Differences, err)
	}
	return r.Outcome
}

// A call leaves only if each decision point allows it. Everything but a whole answer that allows
// refuses, and a replay comes to the same without asking again.
func TestADecisionPointRefusesWhatItDoesNotAllow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		onError string
		code    verdict.Code
	}{
		"allow":                  {saying(allows), "", ""},
		"allow without a reason": {saying(`{"decision":"allow"}`), "", ""},
		"deny":                   {saying(`{"decision":"deny","reason":"no"}`), "", verdict.DecisionDenied},
		"deny, continue":         {saying(`{"decision":"deny","reason":"no"}`), gate.OutsideContinue, verdict.DecisionDenied},
		"nothing":                {saying(""), "", verdict.DecisionUnanswered},
		"null":                   {saying("null"), "", verdict.DecisionUnanswered},
		"no decision":            {saying(`{"reason":"allow"}`), "", verdict.DecisionUnanswered},
		"another word":           {saying(`{"decision":"Allow"}`), "", verdict.DecisionUnanswered},
		"a truth":                {saying(`{"decision":true}`), "", verdict.DecisionUnanswered},
		"an unknown member":      {saying(`{"decision":"allow","reason":"","approval":"given"}`), "", verdict.DecisionUnanswered},
		"a duplicate member":     {saying(`{"decision":"allow","decision":"allow"}`), "", verdict.DecisionUnanswered},
		"deny and allow":         {saying(`{"decision":"deny","decision":"allow"}`), "", verdict.DecisionUnanswered},
		"two documents":          {saying(allows + allows), "", verdict.DecisionUnanswered},
		"not a number":           {saying(`{"decision":"allow","reason":NaN}`), "", verdict.DecisionUnanswered},
		"a list":                 {saying("[" + allows + "]"), "", verdict.DecisionUnanswered},
		"not UTF-8":              {saying("{\"decision\":\"allow\",\"reason\":\"\xff\"}"), "", verdict.DecisionUnanswered},
		"too large":              {saying(`{"decision":"allow","reason":"` + strings.Repeat("a", gate.MaxOutside) + `"}`), "", verdict.DecisionUnanswered},
		"too much space":         {saying(allows + strings.Repeat(" ", gate.MaxOutside)), "", verdict.DecisionUnanswered},
		"a status":               {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated); fmt.Fprint(w, allows) }, "", verdict.DecisionUnanswered},
		"an error":               {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, allows, http.StatusInternalServerError) }, "", verdict.DecisionUnanswered},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
		}, "", verdict.DecisionUnanswered},
		"an error, continue":       {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "down", http.StatusBadGateway) }, gate.OutsideContinue, ""},
		"malformed, another value": {saying("{"), "Continue", verdict.DecisionUnanswered},
	} {
		b, _ := writing(t, `{"read":["fetch_policy_entry"]}`)
		a := outside(t, c.onError, c.answer)
		b.config.Points = []host.DecisionPoint{a.point}
		out := b.put(t, fetching)
		calls := 0
		if c.code == "" {
			calls = 1
		}
		if codeOf(out) != c.code || b.calls() != calls {
			t.Errorf("%s: %s %+v, %d calls", name, out.Type, out.Error, b.calls())
		}
		if n := a.asked.Load(); n != 1 {
			t.Errorf("%s: asked %d times", name, n)
		}
		if again := replays(t, b); codeOf(again) != c.code || a.asked.Load() != 1 {
			t.Errorf("%s: the replay is %+v", name, again.Error)
		}
		said := outsideOf(t, b)
		if len(said) != 1 || said[0].Point != "user" || said[0].Digest == "" && said[0].Error == nil {
			t.Errorf("%s: the trace has %+v", name, said)
		}
		continued := c.onError == gate.OutsideContinue && said[0].Error != nil
		if strings.Contains(out.Note, "on_error") != continued || continued && said[0].OnError != gate.OutsideContinue {
			t.Errorf("%s: note %q, %+v", name, out.Note, said)
		}
	}
}

// A decision point that is down or late refuses, as does one of two.
func TestADecisionPointThatIsDownRefuses(t *testing.T) {
	t.Parallel()
	gone := outside(t, "", saying(allows))
	other := httptest.NewServer(nil)
	other.Close()
	down, err := decision.Point{Name: "user"}.Endpoint(other.URL)
	if err != nil {
		t.Fatal(err)
	}
	hangs := outside(t, "", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	hangs.point.Limit = 50 * time.Millisecond
	for name, points := range map[string][]host.DecisionPoint{
		"down": {down}, "late": {hangs.point}, "one of two": {gone.point, down}, "the zero value": {decision.Point{}},
	} {
		b, _ := writing(t, `{"read":["fetch_policy_entry"]}`)
		b.config.Points = points
		out := b.put(t, fetching)
		if codeOf(out) != verdict.DecisionUnanswered || out.Type != host.Blocked || out.Exit() != 3 || b.calls() != 0 {
			t.Errorf("%s: %s %+v, %d calls", name, out.Type, out.Error, b.calls())
		}
		replays(t, b)
	}
}

// A decision point only refuses: no answer takes the place of a rule, the allowlist or a person,
// and it is not asked about a call that a rule or the allowlist refuses.
func TestADecisionPointAllowsNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		entry string
		rules []string
		code  verdict.Code
		asked int32
	}{
		"denied by a rule": {`{"read":["fetch_policy_entry"]}`, []string{denyFetch}, verdict.RuleDenied, 0},
		"not in the list":  {`{"read":["search_policy_kb"]}`, nil, verdict.AllowTool, 0},
		"a person decides": {fetchWrites, nil, verdict.ApprovalNeeded, 1},
		"a rule asks":      {`{"read":["fetch_policy_entry"]}`, []string{askRead}, verdict.ApprovalNeeded, 1},
	} {
		b, _ := writing(t, c.entry)
		if c.rules != nil {
			b.config.Policy.CallRules = policy(t, c.rules...)
		}
		a := outside(t, gate.OutsideContinue, saying(allows))
		b.config.Points = []host.DecisionPoint{a.point}
		if out := b.put(t, fetching); codeOf(out) != c.code || b.calls() != 0 || a.asked.Load() != c.asked {
			t.Errorf("%s: %+v, %d calls, asked %d times", name, out.Error, b.calls(), a.asked.Load())
		}
	}
}

// A refusal leaves the approval unspent: the call can be made with it once the decision point
// allows it.
func TestARefusalOutsideSpendsNoApproval(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, writes1)
	var decides atomic.Value
	decides.Store(allows)
	a := outside(t, "", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, decides.Load()) })
	b.config.Points = []host.DecisionPoint{a.point}
	q := asked(t, b)
	for _, want := range []struct {
		answer string
		code   verdict.Code
		calls  int
	}{
		{`{"decision":"deny","reason":"not now"}`, verdict.DecisionDenied, 0},
		{`{"decision":"allow"}`, "", 1},
		{`{"decision":"allow"}`, verdict.ApprovalSpent, 1},
	} {
		decides.Store(want.answer)
		if out := b.again().put(t, q); codeOf(out) != want.code || b.calls() != want.calls {
			t.Errorf("%s: %s %+v, %d calls", want.answer, out.Type, out.Error, b.calls())
		}
		replays(t, b)
	}
}

// The decision point gets the decision record, as rules read it, without its secrets. Its words are
// redacted, escaped and cut before anything else has them.
func TestADecisionPointGetsTheRecordWithoutSecrets(t *testing.T) {
	t.Parallel()
	const key = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh-AbCdEfAA"
	b, _ := writing(t, `{"read":["search_policy_kb"]}`)
	reason, err := json.Marshal("\x1b[31mred\u202e " + key + strings.Repeat(" long", 1000))
	if err != nil {
		t.Fatal(err)
	}
	a := outside(t, "", saying(`{"decision":"deny","reason":`+string(reason)+`}`))
	b.config.Points = []host.DecisionPoint{a.point}
	out := b.put(t, host.Question{Text: "Search", Subject: "ada", Plan: []byte(`{"type":"call_tool","server":"mcp-policy-kb","tool":"search_policy_kb","args":{"query":"` + key + `"}}`)})
	if codeOf(out) != verdict.DecisionDenied {
		t.Fatalf("%s %+v", out.Type, out.Error)
	}
	sent, _ := a.last.Load().([]byte)
	var record struct {
		Subject   string            `json:"subject"`
		Tool      string            `json:"tool"`
		Effect    string            `json:"effect"`
		Arguments map[string]string `json:"arguments"`
		Time      map[string]any    `json:"time"`
	}
	if err := json.Unmarshal(sent, &record); err != nil {
		t.Fatalf("%v: %s", err, sent)
	}
	if record.Subject != "ada" || record.Tool != "search_policy_kb" || record.Effect != "read" || record.Arguments["query"] == "" || record.Time["at"] == nil {
		t.Errorf("the record is %s", sent)
	}
	shown := out.Error.Message + fmt.Sprint(outsideOf(t, b))
	if strings.Contains(string(sent)+shown, key) || strings.ContainsAny(shown, "\x1b\u202e") {
		t.Errorf("a secret or a control character: %q %q", sent, shown)
	}
	if n := len(out.Error.Message); n > 700 || n < 100 {
		t.Errorf("%d bytes of words", n)
	}
}

// A program is asked as an endpoint is.
func TestADecisionPointIsAProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "decide")
	text := "#!/bin/sh\ncat >record\nenv >env\nprintf '%s' \"$1\"\nexit ${2:-0}\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words []string
		code  verdict.Code
	}{
		{[]string{script, allows}, ""},
		{[]string{script, `{"decision":"deny","reason":"no"}`}, verdict.DecisionDenied},
		{[]string{script, allows, "3"}, verdict.DecisionUnanswered},
		{[]string{script}, verdict.DecisionUnanswered},
		{[]string{filepath.Join(dir, "missing")}, verdict.DecisionUnanswered},
	} {
		b, _ := writing(t, `{"read":["fetch_policy_entry"]}`)
		p, err := decision.Point{Name: "user"}.Command(c.words, dir)
		if err != nil {
			t.Fatal(err)
		}
		b.config.Points = []host.DecisionPoint{p}
		out := b.put(t, fetching)
		if codeOf(out) != c.code || (b.calls() == 1) != (c.code == "") {
			t.Errorf("%q: %s %+v, %d calls", c.words[1:], out.Type, out.Error, b.calls())
		}
		replays(t, b)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "record")); err != nil || !strings.Contains(string(got), `"tool":"fetch_policy_entry"`) {
		t.Errorf("%s %v", got, err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "env")); err != nil || strings.Contains(string(got), "ASK_") {
		t.Errorf("the environment is %s %v", got, err)
	}
}

// A refused call is shown to no person, and leaves nothing that a person could approve. A run that
// ends meanwhile ends as interrupted, even if its call may go on without an answer.
func TestNoPersonIsAskedAboutACallThatIsRefusedOutside(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		code   verdict.Code
	}{
		"denied": {saying(`{"decision":"deny","reason":"no"}`), verdict.DecisionDenied},
		"stopped": {func(_ http.ResponseWriter, r *http.Request) {
			stop()
			<-r.Context().Done()
		}, verdict.CallInterrupted},
	} {
		b, kept := writing(t, fetchWrites)
		a := outside(t, gate.OutsideContinue, c.answer)
		b.config.Points = []host.DecisionPoint{a.point}
		b.config.Approver = person(func(host.Request) (gate.Yes, error) {
			t.Errorf("%s: a person is asked", name)
			return gate.Yes{}, nil
		})
		h, err := host.New(b.config)
		if err != nil {
			t.Fatal(err)
		}
		asking := t.Context()
		if name == "stopped" {
			asking = ctx
		}
		out := h.Ask(asking, fetching)
		if waiting, err := kept.Waiting(t.Context()); err != nil || len(waiting) != 0 || codeOf(out) != c.code || b.calls() != 0 {
			t.Errorf("%s: %+v, %d calls, %+v %v", name, out.Error, b.calls(), waiting, err)
		}
		replays(t, b)
	}
}
