package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

const trialPlan = `{"type":"call_tool","server":"dictionary","tool":"look_up_word","args":{"word":"lattice"}}`

// planned is a whole reply in a provider's format.
func planned(provider string) string {
	text, err := json.Marshal(trialPlan)
	if err != nil {
		panic(err)
	}
	switch provider {
	case "anthropic":
		return fmt.Sprintf(`{"type":"message","role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":%s}],"usage":{"input_tokens":90,"output_tokens":9}}`, text)
	case "ollama":
		return fmt.Sprintf(`{"done":true,"done_reason":"stop","message":{"role":"assistant","content":%s},"prompt_eval_count":90,"eval_count":9}`, text)
	}
	return fmt.Sprintf(`{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}],"usage":{"prompt_tokens":90,"completion_tokens":9,"cost":0.00021}}`, text)
}

// kind is one provider: how it is configured, and how it complains.
type kind struct {
	base, path, keyVariable, keyHeader string
	noKey, noModel, noPath             string // bodies
}

const goodKey, badKey = "sk-good-5f2c9a7be1d04468", "sk-evil-0aa1b2c3d4e5f607"

var kinds = map[string]kind{
	"openai": {
		"OPENAI_BASE_URL", "/v1/chat/completions", "OPENAI_API_KEY", "Authorization",
		`{"error":{"message":"Incorrect API key provided: ` + badKey + `","code":"invalid_api_key"}}`,
		`{"error":{"message":"The model does not exist or you do not have access to it.","code":"model_not_found"}}`,
		`{"error":{"message":"Invalid URL (POST /v2/chat/completions)","type":"invalid_request_error"}}`,
	},
	"anthropic": {
		"ANTHROPIC_BASE_URL", "/v1/messages", "ANTHROPIC_API_KEY", "X-Api-Key",
		`{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`,
		`{"type":"error","error":{"type":"not_found_error","message":"model: bad-name"}}`,
		`{"type":"error","error":{"type":"not_found_error","message":"Not Found"}}`,
	},
	"ollama": {
		"OLLAMA_HOST", "/v1/api/chat", "", "Authorization", `unauthorized`,
		`{"error":"model \"bad-name\" not found, try pulling it first"}`, `404 page not found`,
	},
}

// serveKind is an endpoint that knows one path, one key and one model.
func serveKind(t *testing.T, k kind, provider string, asked *atomic.Int32) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		answer := func(status int, text string) {
			w.WriteHeader(status)
			fmt.Fprint(w, text)
		}
		switch {
		case strings.HasPrefix(r.URL.Path, "/page"):
			answer(200, "<!doctype html><title>Sign in</title>")
		case r.URL.Path != k.path:
			answer(404, k.noPath)
		case k.keyVariable != "" && strings.TrimPrefix(r.Header.Get(k.keyHeader), "Bearer ") != goodKey:
			answer(401, k.noKey)
		case !strings.Contains(string(body), `"model":"good/name"`):
			answer(404, k.noModel)
		default:
			answer(200, planned(provider))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestAWrongSettingIsNamed: every provider, every setting that can be wrong,
// through `ask models test` against a server that is strict about each.
func TestAWrongSettingIsNamed(t *testing.T) {
	t.Parallel()
	for provider, k := range kinds {
		var asked atomic.Int32
		root := serveKind(t, k, provider, &asked)
		setKey := k.keyVariable + ", " + k.keyVariable + "_FILE or `ask models key set " + provider + "`"
		for name, row := range map[string]struct {
			base, key, model string
			exit, asked      int
			want             []string
		}{
			"all right":    {root + "/v1", goodKey, "good/name", 0, 1, []string{`"ok": true`, `"input_tokens": 90`}},
			"a wrong key":  {root + "/v1", badKey, "good/name", 7, 1, []string{"model.auth", "is from variable " + k.keyVariable, setKey}},
			"no key":       {root + "/v1", "", "good/name", 7, 1, []string{"model.auth", "requires a key", "no key was sent", setKey}},
			"a wrong port": {"http://127.0.0.1:1/v1", goodKey, "good/name", 7, 0, []string{"model.unreachable", "from variable " + k.base, "127.0.0.1:1"}},
			"no such host": {"http://nowhere.invalid/v1", goodKey, "good/name", 7, 0, []string{"model.unreachable", "from variable " + k.base}},
			"a wrong path": {root + "/v2", goodKey, "good/name", 7, 1, []string{"model.reply", "404", k.base + " names another"}},
			"a page":       {root + "/page", goodKey, "good/name", 7, 1, []string{"model.reply", "HTML", k.base + " names another"}},
			"a wrong name": {root + "/v1", goodKey, "bad-name", 7, 1, []string{"model.reply", "404", "the model's name is from argument"}},
			"no address":   {"localhost", goodKey, "good/name", 2, 0, []string{"model.unconfigured", "variable " + k.base}},
			"a password":   {"http://u:p@127.0.0.1/v1", goodKey, "good/name", 2, 0, []string{"model.unconfigured", "variable " + k.base}},
		} {
			if provider == "ollama" && (strings.Contains(name, "key") || name == "no address") {
				continue // it has no key, and takes an address without a scheme
			}
			asked.Store(0)
			cmd, _ := command(t, "models", "test", provider+"/"+row.model, "--json")
			cmd.Env = append(cmd.Env, k.base+"="+row.base, "LLM_BASE_URL=")
			if k.keyVariable != "" {
				cmd.Env = append(cmd.Env, k.keyVariable+"="+row.key)
			}
			out, _ := cmd.CombinedOutput()
			if got := cmd.ProcessState.ExitCode(); got != row.exit || int(asked.Load()) != row.asked {
				t.Errorf("%s, %s: exit %d, asked %d times: %s", provider, name, got, asked.Load(), out)
			}
			for _, want := range row.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("%s, %s: no %q in %s", provider, name, want, out)
				}
			}
			if strings.Contains(string(out), goodKey) || strings.Contains(string(out), badKey) || strings.Contains(string(out), "u:p") {
				t.Errorf("%s, %s: a secret shows: %s", provider, name, out)
			}
		}
	}
}

// The run's own time is not a limit of the model's.
func TestAModelsTestThatTakesTheTimeOfTheRunEndsAsATimeout(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	for _, more := range [][]string{nil, {"--json"}} {
		cmd, _ := command(t, append([]string{"models", "test", "openai/a", "--timeout", "100ms"}, more...)...)
		cmd.Env = append(cmd.Env, "OPENAI_BASE_URL=", "LLM_BASE_URL="+s.URL)
		out, _ := cmd.CombinedOutput()
		if diff := cmp.Diff(124, cmd.ProcessState.ExitCode()); diff != "" {
			t.Errorf("%q exit (-want +got):\n%s\n%s", more, diff, out)
		}
		if !strings.Contains(string(out), "run.timeout") || strings.Contains(string(out), "model.timeout") {
			t.Errorf("%q: %s", more, out)
		}
	}
}

// TestTheConfigurationShapesWhatIsSent: ASK_MODEL chooses, and the file's
// settings reach the request.
func TestTheConfigurationShapesWhatIsSent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": true, "constrain = \"none\"\nsampling = \"endpoint\"\nmax_output = 300\n": false} {
		sent := make(chan string, 1)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			sent <- string(b)
			fmt.Fprint(w, planned("openai"))
		}))
		t.Cleanup(s.Close)
		cmd, home := command(t, "models", "test")
		clitest.Write(t, home, "config.toml", text)
		cmd.Env = append(cmd.Env, "LLM_BASE_URL="+s.URL, "ASK_MODEL=openai/a/b")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "openai/a/b planned a call in ") || !strings.Contains(string(out), "(90 tokens in, 9 out, cost 0.00021)") {
			t.Errorf("%v: %s", err, out)
		}
		body := <-sent
		for _, part := range []string{`"response_format"`, `"temperature"`, `"seed"`} {
			if strings.Contains(body, part) != want {
				t.Errorf("%q: %s", text, body)
			}
		}
		if !strings.Contains(body, `"model":"a/b"`) || strings.Contains(body, `"max_tokens":300`) == want {
			t.Error(body)
		}
	}
}

// TestACatalogOverTheWindowIsCutAndTheTraceSaysSo: the tools that fit the
// question stay, the others are named.
func TestACatalogOverTheWindowIsCutAndTheTraceSaysSo(t *testing.T) {
	t.Parallel()
	sent := make(chan string, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		sent <- string(b)
		fmt.Fprint(w, planned("ollama"))
	}))
	t.Cleanup(s.Close)
	cmd, home := command(t, "--demo", "--model", "ollama/small", "Get the ticket INC0010001")
	clitest.Write(t, home, "config.toml", "max_prompt = 2048\n")
	cmd.Env = append(cmd.Env, "OLLAMA_HOST="+s.URL)
	out, _ := cmd.CombinedOutput()
	if body := <-sent; len(body) > 6<<10 || !strings.Contains(body, "get_ticket") || strings.Contains(body, "search_policy_kb") {
		t.Errorf("%d bytes: %.4000s", len(body), body)
	}
	traces, err := filepath.Glob(filepath.Join(home, "traces", "trace_*"))
	if err != nil || len(traces) != 1 {
		t.Fatalf("%v, %v: %s", traces, err, out)
	}
	if b, err := os.ReadFile(traces[0]); err != nil || !strings.Contains(string(b), `"left_out":["mcp-policy-kb/`) {
		t.Errorf("%v: the trace names no tool of the knowledge base as left out", err)
	}
}
