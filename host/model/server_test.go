package model_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/planner"
)

const key = "sk-test-5f2c9a7be1d04468"

// TestMain sets what the client library would read if it were let, and looks
// at what was logged and what still runs.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"OPENAI_API_KEY": "sk-of-the-environment", "OPENAI_ORGANIZATION": "org-of-the-environment",
		"OPENAI_BASE_URL": "http://192.0.2.1/v1", "OPENAI_MODEL": "model-of-the-environment",
		"ANTHROPIC_API_KEY": "sk-of-the-environment", "OLLAMA_HOST": "192.0.2.1:1",
		"HTTP_PROXY": "http://192.0.2.1:1", "HTTPS_PROXY": "http://192.0.2.1:1",
	} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	var logged bytes.Buffer
	log.SetOutput(&logged)
	code := m.Run()
	if strings.Contains(logged.String(), key) {
		fmt.Fprintln(os.Stderr, "the key was logged")
		code = 1
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// arrival is one request as the server saw it.
type arrival struct {
	method, path string
	header       http.Header
	body         []byte
}

// server is a model endpoint on loopback.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	arrivals []arrival
}

func serve(t testing.TB, answer http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.arrivals = append(s.arrivals, arrival{r.Method, r.URL.RequestURI(), r.Header.Clone(), body})
		s.mu.Unlock()
		answer(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(s.Close)
	return s
}

func (s *server) seen() []arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arrivals
}

// body answers 200 with the bytes.
func body(b string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, b) }
}

// status answers with a status, a body and headers in pairs.
func status(code int, b string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, b)
	}
}

var providers = []string{"openai", "anthropic", "ollama"}

// envelope is a well-formed reply that says text, and ends for that reason.
func envelope(t testing.TB, provider, text, reason string) string {
	t.Helper()
	var v any
	switch provider {
	case "openai":
		v = map[string]any{
			"id": "c1", "object": "chat.completion", "choices": []any{map[string]any{
				"index": 0, "finish_reason": reason,
				"message": map[string]any{"role": "assistant", "content": text, "refusal": nil},
			}},
			"usage": map[string]any{"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16},
		}
	case "anthropic":
		v = map[string]any{
			"id": "m1", "type": "message", "role": "assistant", "stop_reason": reason,
			"content": []any{map[string]any{"type": "text", "text": text}}, "usage": map[string]any{"input_tokens": 11, "output_tokens": 5},
		}
	case "ollama":
		v = map[string]any{
			"model": "m", "created_at": "2026-01-02T03:04:05Z", "done": true, "done_reason": reason,
			"message": map[string]any{"role": "assistant", "content": text}, "prompt_eval_count": 11, "eval_count": 5,
		}
	}
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func client(t testing.TB, cfg model.Config) *model.Client {
	t.Helper()
	if cfg.Model == "" {
		cfg.Model = "m"
	}
	c, err := model.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var request = planner.Request{
	System: "Choose.", Data: `{"question":"<fetch>","tools":[]}`,
	Schema: jsontext.Value(`{"type":"object","anyOf":[{"type":"object"}]}`),
}

// complete asks the server once with a test's limits.
func complete(t testing.TB, s *server, provider string) (planner.Reply, error) {
	t.Helper()
	return client(t, model.Config{Provider: provider, BaseURL: s.URL + "/v1", APIKey: key, MaxReply: 64 << 10}).Complete(t.Context(), request)
}

// clean fails the test if an error shows the key anywhere in its chain.
func clean(t testing.TB, err error) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, text := range []string{e.Error(), fmt.Sprintf("%+v", e), fmt.Sprintf("%#v", e)} {
			if strings.Contains(text, key) || strings.Contains(text, key[8:18]) {
				t.Errorf("the key shows in %s", text)
			}
		}
	}
	var f *verdict.Fault
	if errors.As(err, &f) && (strings.Contains(f.Hint, key) || len(f.Reason) > 600) {
		t.Errorf("reason %q, hint %q", f.Reason, f.Hint)
	}
}

// hang holds the request until the client gives up.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// soon is a time limit that a request arrives within on a loaded machine too.
const soon = 3 * time.Second

func cancelling(cancel context.CancelFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		cancel()
		hang(w, r)
	}
}
