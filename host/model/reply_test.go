package model

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tmc/langchaingo/llms"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// FuzzReply lets an endpoint answer anything. The outcome is a text from a strict reply,
// or a fault of a model.* code that shows no key.
func FuzzReply(f *testing.F) {
	const key = "sk-test-5f2c9a7be1d04468"
	for _, s := range []string{
		`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`,
		`{"choices":[{}]}`, `{"choices":[{"message":{"content":"x"},"finish_reason":"tool_calls"}]}`,
		`{"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"}`, `{"content":[null]}`,
		`{"content":[{"type":"tool_use","name":"answer","input":{"answer":{"a":1}}}],"stop_reason":"tool_use"}`,
		`{"done":true,"message":{"content":"x"}}`, `{"error":"x"}`, `{"error":{"message":"` + key + `"}}`, "\xff", "",
	} {
		for status := range 4 {
			f.Add(s, uint16(200+100*status), "30")
		}
	}
	f.Fuzz(func(t *testing.T, body string, status uint16, retryAfter string) {
		for provider := range dialects {
			c, err := New(Config{Provider: provider, BaseURL: "http://127.0.0.1:1", Model: "m", APIKey: key, MaxReply: 4 << 10})
			if err != nil {
				t.Fatal(err)
			}
			asked := 0
			c.out = roundTrip(func(r *http.Request) (*http.Response, error) {
				asked++
				return &http.Response{
					StatusCode: int(status), Header: http.Header{"Retry-After": {retryAfter}},
					Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1, Request: r,
				}, nil
			})
			reply, err := c.Complete(t.Context(), planner.Request{System: "s", Data: "{}", Schema: jsontext.Value(`{}`)})
			switch {
			case asked != 1:
				t.Fatalf("%s: asked %d times", provider, asked)
			case err == nil && (status != 200 || len(bytes.TrimSpace(reply.Text)) == 0 || string(reply.Raw) != body || len(body) > 4<<10):
				t.Fatalf("%s: accepted %q of status %d as %q", provider, body, status, reply.Text)
			case err != nil && (reply.Text != nil || !strings.HasPrefix(string(verdict.CodeOf(err)), "model.")):
				t.Fatalf("%s: %q with %v", provider, reply.Text, err)
			case err != nil && strings.Contains(err.Error(), key):
				t.Fatalf("%s: %v", provider, err)
			}
		}
	})
}

// panicking is a library that reads a reply and panics.
type panicking struct{ llms.Model }

func (m panicking) GenerateContent(ctx context.Context, said []llms.MessageContent, opts ...llms.CallOption) (*llms.ContentResponse, error) {
	_, _ = m.Model.GenerateContent(ctx, said, opts...)
	panic("a defect of the library")
}

func TestALibraryThatPanicsIsAFault(t *testing.T) {
	t.Parallel()
	c, err := New(Config{Provider: "openai", BaseURL: "http://127.0.0.1:1/v1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	sound := c.dialect.library
	c.dialect.library = func(base, name string, client *http.Client) (llms.Model, error) {
		m, err := sound(base, name, client)
		return panicking{m}, err
	}
	const reply = `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`
	c.out = roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(reply)), Request: r}, nil
	})
	got, err := c.Complete(t.Context(), planner.Request{System: "s", Data: "{}", Schema: jsontext.Value(`{}`)})
	if verdict.CodeOf(err) != verdict.ModelReply || string(got.Raw) != reply {
		t.Errorf("got %q, %v", got.Raw, err)
	}
}

func TestALibraryThatAsksTwiceOrElsewhereIsStopped(t *testing.T) {
	t.Parallel()
	c, err := New(Config{Provider: "openai", BaseURL: "http://127.0.0.1:1/v1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	c.out = roundTrip(func(r *http.Request) (*http.Response, error) {
		left++
		return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(`{}`)), Request: r}, nil
	})
	for _, url := range []string{"http://127.0.0.1:1/v1/models", "http://127.0.0.1:2/v1/chat/completions", "https://127.0.0.1:1/v1/chat/completions", "http://127.0.0.1:1/v1/chat/completions?a=1"} {
		if err := try(t, &exchange{Client: c}, http.MethodPost, url); verdict.CodeOf(err) != verdict.Internal || left != 0 {
			t.Errorf("%s: %v", url, err)
		}
	}
	x := &exchange{Client: c}
	if err := try(t, x, http.MethodGet, c.endpoint); err == nil || left != 0 {
		t.Errorf("a GET: %v", err)
	}
	if err := try(t, x, http.MethodPost, c.endpoint); err != nil || left != 1 {
		t.Errorf("the one request: %v", err)
	}
	if err := try(t, x, http.MethodPost, c.endpoint); verdict.CodeOf(err) != verdict.Internal || left != 1 {
		t.Errorf("a second request: %v", err)
	}
}

func try(t *testing.T, x *exchange, method, url string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := x.RoundTrip(req)
	if err == nil {
		resp.Body.Close()
	}
	return err
}

func TestAWindowHoldsThePromptAndTheAnswer(t *testing.T) {
	t.Parallel()
	for _, row := range [][3]int{{0, 1, 2048}, {3 * 2047, 1, 2048}, {3 * 2048, 1, 4096}, {128 << 10, 2048, 47104}} {
		if got := window(row[0], row[1]); got != row[2] {
			t.Errorf("window(%d, %d) = %d, not %d", row[0], row[1], got, row[2])
		}
	}
}
