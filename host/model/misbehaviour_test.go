package model_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
)

// The plans below are for the demo's knowledge base, which counts its calls.
const wholePlan = `{"type":"call_tool","server":"mcp-policy-kb","tool":"fetch_policy_entry","args":{"policy_id":"policy-002"}}`

// misbehaviour is one way to answer, in a provider's format.
type misbehaviour struct {
	answer func(t *testing.T, provider string) http.HandlerFunc
	code   verdict.Code
}

func anyOf(h http.HandlerFunc) func(*testing.T, string) http.HandlerFunc {
	return func(*testing.T, string) http.HandlerFunc { return h }
}

// saying is a well-formed reply whose text is the misbehaviour.
func saying(text string) func(*testing.T, string) http.HandlerFunc {
	return func(t *testing.T, provider string) http.HandlerFunc { return body(envelope(t, provider, text, "stop")) }
}

// raw is a reply of a form that differs with the provider.
func raw(openai, anthropic, ollama string) func(*testing.T, string) http.HandlerFunc {
	return func(_ *testing.T, provider string) http.HandlerFunc {
		return body(map[string]string{"openai": openai, "anthropic": anthropic, "ollama": ollama}[provider])
	}
}

// cutOff is half of a reply, and the end of the connection.
func cutOff(t *testing.T, provider string) http.HandlerFunc {
	reply := envelope(t, provider, wholePlan, "stop")
	return func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, reply[:len(reply)/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

// endless is 300 MiB of white space, or as much of it as is taken.
func endless(w http.ResponseWriter, _ *http.Request) {
	piece := []byte(strings.Repeat(" ", 1<<20))
	for range 300 {
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
}

// atLimit is a reply that ends for its length, in each provider's words.
func atLimit(text string) func(*testing.T, string) http.HandlerFunc {
	return func(t *testing.T, provider string) http.HandlerFunc {
		reason := map[string]string{"openai": "length", "anthropic": "max_tokens", "ollama": "length"}[provider]
		return body(envelope(t, provider, text, reason))
	}
}

// misbehaviours are those of the issue that asked for this package, and more.
var misbehaviours = map[string]misbehaviour{
	"401":                     {anyOf(status(401, `{"error":{"message":"bad key"}}`)), verdict.ModelAuth},
	"429 with Retry-After":    {anyOf(status(429, `{}`, "Retry-After", "0")), verdict.ModelRateLimited},
	"500":                     {anyOf(status(500, `{}`)), verdict.ModelFailed},
	"a redirect":              {anyOf(status(307, ``, "Location", "/elsewhere")), verdict.ModelReply},
	"slow headers":            {anyOf(hang), verdict.ModelTimeout},
	"a stream cut":            {cutOff, verdict.ModelFailed},
	"300 MiB":                 {anyOf(endless), verdict.ModelTooLarge},
	"a reply of null":         {raw(`{"choices":null}`, `{"content":[null]}`, `{"done":true,"message":null}`), verdict.ModelReply},
	"empty content":           {saying(""), verdict.ModelReply},
	"truncated JSON":          {atLimit(wholePlan[:40]), verdict.ModelTruncated},
	"whole, yet at its end":   {atLimit(wholePlan), verdict.ModelTruncated},
	"truncated, not said":     {saying(wholePlan[:40]), verdict.PlanJSON},
	"prose around the JSON":   {saying("Sure: " + wholePlan + " Done."), verdict.PlanJSON},
	"a fenced block":          {saying("```json\n" + wholePlan + "\n```"), verdict.PlanJSON},
	"two objects":             {saying(wholePlan + "\n" + wholePlan), verdict.PlanJSON},
	"an array of one":         {saying("[" + wholePlan + "]"), verdict.PlanShape},
	"a duplicate key":         {saying(strings.Replace(wholePlan, `"args"`, `"tool":"delete_policy_entry","args"`, 1)), verdict.PlanJSON},
	"an unknown tool":         {saying(strings.Replace(wholePlan, "fetch_policy_entry", "fetch_everything", 1)), verdict.AllowTool},
	"a forbidden tool":        {saying(strings.Replace(wholePlan, "fetch_policy_entry", "delete_policy_entry", 1)), verdict.AllowTool},
	"an unknown server":       {saying(strings.Replace(wholePlan, "mcp-policy-kb", "mcp-payroll", 1)), verdict.AllowTool},
	"an argument beside":      {saying(strings.Replace(wholePlan, `"policy-002"`, `"policy-002","cc":"x"`, 1)), verdict.SchemaArguments},
	"an argument nested":      {saying(strings.Replace(wholePlan, `"policy-002"`, `{"policy_id":"policy-002","then":"delete"}`, 1)), verdict.SchemaArguments},
	"a member beside":         {saying(strings.Replace(wholePlan, `"args"`, `"then":"delete","args"`, 1)), verdict.PlanShape},
	"a key in other case":     {saying(strings.Replace(wholePlan, `"tool"`, `"Tool"`, 1)), verdict.PlanShape},
	"an argument, other case": {saying(strings.Replace(wholePlan, "policy_id", "Policy_Id", 1)), verdict.SchemaArguments},
}

// refusals differ with the provider; Ollama has no form for one but prose.
var refusals = map[string]struct {
	reply string
	code  verdict.Code
}{
	"openai":    {choice(`{"content":null,"refusal":"I cannot help with that"}`, `"stop"`), verdict.ModelRefused},
	"anthropic": {claudeSays(`[]`, "refusal"), verdict.ModelRefused},
	"ollama":    {`{"done":true,"done_reason":"stop","message":{"role":"assistant","content":"I cannot help with that."}}`, verdict.PlanJSON},
}

// TestNoMisbehaviourOfAnyProviderEndsInACall drives each through host.Ask,
// over a socket at both ends, and counts at both.
func TestNoMisbehaviourOfAnyProviderEndsInACall(t *testing.T) {
	t.Parallel()
	for _, provider := range providers {
		rows := map[string]misbehaviour{"a refusal": {anyOf(body(refusals[provider].reply)), refusals[provider].code}}
		for name, m := range misbehaviours {
			rows[name] = m
		}
		for name, m := range rows {
			t.Run(provider+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, m.answer(t, provider))
				out, calls := askDemo(t, planner.Model{Chat: chat(t, provider, s, m.code)}, summarize.Extractive{})
				if out.Error == nil || out.Error.Code != m.code || out.Exit() != m.code.Entry().Exit || out.Call != host.None {
					t.Errorf("%+v, want %s", out.Error, m.code)
				}
				if calls != 0 || len(s.seen()) != 1 {
					t.Errorf("%d calls, %d requests", calls, len(s.seen()))
				}
			})
		}
		t.Run(provider+"/a whole plan", func(t *testing.T) {
			t.Parallel()
			s := serve(t, saying(wholePlan)(t, provider))
			if out, calls := askDemo(t, planner.Model{Chat: chat(t, provider, s, "")}, summarize.Extractive{}); out.Error != nil || calls != 1 || len(s.seen()) != 1 {
				t.Errorf("%+v, %d calls", out.Error, calls)
			}
		})
	}
}

// TestAMisbehavingWriterLeavesTheResultAndNoSummary: by then the call is made, so it is
// kept, once, and only the summary fails.
func TestAMisbehavingWriterLeavesTheResultAndNoSummary(t *testing.T) {
	t.Parallel()
	const quoted = `"Never share customer data with vendors without a signed agreement."`
	summary := func(claim string) string {
		return `{"type":"summary","bullets":[{"evidence":` + quoted + `,"claim":` + claim + `}],"risks":[],"recommendations":[]}`
	}
	rows := map[string]misbehaviour{
		"a paraphrase":      {saying(summary(`"Customer data must never be given to vendors."`)), verdict.SummaryEvidence},
		"its opposite":      {saying(summary(`"Share customer data with vendors."`)), verdict.SummaryEvidence},
		"prose around":      {saying("Here: " + summary(quoted)), verdict.SummaryJSON},
		"a duplicate key":   {saying(strings.Replace(summary(quoted), `"risks":[]`, `"risks":[],"risks":[]`, 1)), verdict.SummaryJSON},
		"a key, other case": {saying(strings.Replace(summary(quoted), `"risks"`, `"Risks"`, 1)), verdict.SummaryShape},
		"a second plan":     {saying(strings.Replace(wholePlan, "fetch", "delete", 1)), verdict.SummaryShape},
	}
	for name, m := range misbehaviours {
		if strings.HasPrefix(string(m.code), "model.") { // what is said of the exchange, not of a plan
			rows[name] = misbehaviour{m.answer, verdict.SummaryWriter}
		}
	}
	for _, provider := range providers {
		for name, m := range rows {
			t.Run(provider+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, m.answer(t, provider))
				out, calls := askDemo(t, planner.Constant([]byte(wholePlan)), summarize.Model{Chat: chat(t, provider, s, misbehaviours[name].code)})
				if out.Error == nil || out.Error.Code != m.code || out.Exit() != m.code.Entry().Exit || out.Type != host.ToolResult || out.Summary != nil {
					t.Errorf("%s, %+v, want %s", out.Type, out.Error, m.code)
				}
				if calls != 1 || len(s.seen()) != 1 {
					t.Errorf("%d calls, %d requests", calls, len(s.seen()))
				}
			})
		}
		t.Run(provider+"/a quotation", func(t *testing.T) {
			t.Parallel()
			s := serve(t, saying(summary(quoted))(t, provider))
			out, _ := askDemo(t, planner.Constant([]byte(wholePlan)), summarize.Model{Chat: chat(t, provider, s, "")})
			if out.Summary == nil || out.Usage == nil || *out.Usage != (planner.Usage{Input: 11, Output: 5}) {
				t.Errorf("%+v, usage %+v", out.Error, out.Usage)
			}
		})
	}
}

// chat returns a client of the server. A client for a timeout has little time.
func chat(t *testing.T, provider string, s *server, code verdict.Code) planner.Chat {
	t.Helper()
	cfg := model.Config{Provider: provider, BaseURL: s.URL, APIKey: key}
	if code == verdict.ModelTimeout {
		cfg.Timeout = soon
	}
	return client(t, cfg)
}

// askDemo asks the demo's servers one question, and counts the calls that
// reached any of their tools.
func askDemo(t *testing.T, p host.Proposer, w host.Writer) (host.Outcome, int) {
	t.Helper()
	d := watched.New()
	var servers []session.Server
	for _, name := range d.Servers() {
		servers = append(servers, session.Server{Name: name, InProcess: d.Dial(name)})
	}
	pool := session.New(servers, session.Limits{})
	defer pool.Close()
	allow, err := catalog.ParseAllowlist(demo.Allowlist())
	if err != nil {
		t.Fatal(err)
	}
	h, err := host.New(host.Config{
		Policy: host.Policy{Rules: input.BuiltIn(), Allowlist: allow}, Types: demo.Types(),
		Source: pool, Caller: pool, Proposer: p, Writer: w, Planner: "test", Traces: memory{},
	})
	if err != nil {
		t.Fatal(err)
	}
	out := h.Ask(t.Context(), host.Question{Text: "Summarize policy-002"})
	return out, len(d.Arrived())
}

// memory keeps a trace nowhere.
type memory struct{}

func (memory) Create(context.Context, string) (host.TraceSink, string, error) {
	return &sink{}, "memory", nil
}

type sink struct{ bytes.Buffer }

func (*sink) Sync() error  { return nil }
func (*sink) Close() error { return nil }
