package model_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/internal/testing/cassette"
)

func TestRequestsAreExactlyThese(t *testing.T) {
	t.Parallel()
	const messages = `"messages":[{"role":"system","content":"Choose."},{"role":"user","content":"{\"question\":\"<fetch>\",\"tools\":[]}"}]`
	const schema = `{"type":"object","anyOf":[{"type":"object"}]}`
	const claudes = `"max_tokens":2048,"messages":[{"role":"user","content":[{"type":"text","text":"{\"question\":\"<fetch>\",\"tools\":[]}"}]}],"model":"m","system":"Choose.","temperature":0`
	const options = `"options":{"num_ctx":4096,"num_predict":2048,"seed":1,"temperature":0}`
	for _, row := range []struct {
		provider   string
		constrain  model.Constraint
		path, body string
	}{
		{"openai", "", "/v1/chat/completions", `{"max_tokens":2048,` + messages + `,"model":"m","response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":false,"schema":` + schema + `}},"seed":1,"temperature":0}`},
		{"openai", model.Object, "/v1/chat/completions", `{"max_tokens":2048,` + messages + `,"model":"m","response_format":{"type":"json_object"},"seed":1,"temperature":0}`},
		{"openai", model.Nothing, "/v1/chat/completions", `{"max_tokens":2048,` + messages + `,"model":"m","seed":1,"temperature":0}`},
		{"anthropic", "", "/v1/messages", `{` + claudes + `,"tool_choice":{"disable_parallel_tool_use":true,"name":"answer","type":"tool"},"tools":[{"name":"answer","description":"Gives the answer.","input_schema":{"type":"object","properties":{"answer":` + schema + `},"required":["answer"],"additionalProperties":false}}]}`},
		{"anthropic", model.Nothing, "/v1/messages", `{` + claudes + `}`},
		{"ollama", "", "/v1/api/chat", `{"format":` + schema + `,` + messages + `,"model":"m",` + options + `,"stream":false}`},
		{"ollama", model.Object, "/v1/api/chat", `{"format":"json",` + messages + `,"model":"m",` + options + `,"stream":false}`},
		{"ollama", model.Nothing, "/v1/api/chat", `{` + messages + `,"model":"m",` + options + `,"stream":false}`},
	} {
		t.Run(fmt.Sprint(row.provider, row.constrain), func(t *testing.T) {
			t.Parallel()
			s := serve(t, body(envelope(t, row.provider, fetchPlan, "stop")))
			if _, err := client(t, model.Config{Provider: row.provider, BaseURL: s.URL + "/v1/", APIKey: key, Constrain: row.constrain}).Complete(t.Context(), request); err != nil {
				t.Fatal(err)
			}
			a := s.seen()[0]
			var got, want any
			if err := errors.Join(json.Unmarshal(a.body, &got), json.Unmarshal([]byte(row.body), &want)); err != nil {
				t.Fatal(err)
			}
			if a.method != "POST" || a.path != row.path || !cmp.Equal(got, want) {
				t.Errorf("%s %s\n%s", a.method, a.path, cmp.Diff(want, got))
			}
		})
	}
}

// TestNobodySamplesWhereTheEndpointDoes: what reasoning models refuse is left out.
func TestNobodySamplesWhereTheEndpointDoes(t *testing.T) {
	t.Parallel()
	for _, provider := range providers {
		for sampling, sent := range map[model.Sampling]bool{"": true, model.Fixed: true, model.Endpoint: false} {
			s := serve(t, body(envelope(t, provider, fetchPlan, "stop")))
			if _, err := client(t, model.Config{Provider: provider, BaseURL: s.URL, Sampling: sampling}).Complete(t.Context(), request); err != nil {
				t.Fatal(err)
			}
			got := string(s.seen()[0].body)
			if strings.Contains(got, `"temperature":0`) != sent || strings.Contains(got, `"seed":1`) != (sent && provider != "anthropic") || !strings.Contains(got, "2048") {
				t.Errorf("%s, sampling %q: %s", provider, sampling, got)
			}
		}
	}
}

// TestFamousAddressesAreAskedAsTheyTakeIt needs no network: a cassette answers
// only to the request that it holds.
func TestFamousAddressesAreAskedAsTheyTakeIt(t *testing.T) {
	t.Parallel()
	const rest = `"messages":[{"role":"system","content":"Choose."},{"role":"user","content":"{\"question\":\"<fetch>\",\"tools\":[]}"}],"model":"a/m"`
	for base, row := range map[string]struct{ url, body string }{
		"": {"https://api.openai.com/v1/chat/completions", `{"max_completion_tokens":2048,` + rest + `,"seed":1,"temperature":0}`},
		"https://generativelanguage.googleapis.com/v1beta/openai/": {"https://generativelanguage.googleapis.com/v1beta/openai/chat/completions", `{"max_tokens":2048,` + rest + `,"temperature":0}`},
		"https://api.groq.com/openai/v1":                           {"https://api.groq.com/openai/v1/chat/completions", `{"max_tokens":2048,` + rest + `,"seed":1,"temperature":0}`},
		"http://127.0.0.1:1234/v1":                                 {"http://127.0.0.1:1234/v1/chat/completions", `{"max_tokens":2048,` + rest + `,"seed":1,"temperature":0}`},
	} {
		line, err := json.Marshal(map[string]any{
			"method": "POST", "url": row.url, "request": row.body, "status": 200, "reply": map[string]string{"text": envelope(t, "openai", fetchPlan, "stop")},
		})
		if err != nil {
			t.Fatal(err)
		}
		c, err := cassette.Replay(bytes.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		cfg := model.Config{Provider: "openai", BaseURL: base, Model: "a/m", APIKey: key, Constrain: model.Nothing, Around: c.Around}
		if got, err := client(t, cfg).Complete(t.Context(), request); err != nil || string(got.Text) != fetchPlan {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func TestInstructionsAndDataStayApartForEveryModelName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"o1", "o3-mini", "gpt-5", "meta-llama/Llama-3"} {
		s := serve(t, body(envelope(t, "openai", fetchPlan, "stop")))
		if _, err := client(t, model.Config{Provider: "openai", BaseURL: s.URL, Model: name}).Complete(t.Context(), request); err != nil {
			t.Fatal(err)
		}
		if got := string(s.seen()[0].body); !strings.Contains(got, `"messages":[{"role":"system","content":"Choose."},{"role":"user"`) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAConfigurationThatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	good := model.Config{Provider: "openai", BaseURL: "http://127.0.0.1:1/v1", Model: "m", APIKey: key}
	for name, spoil := range map[string]func(*model.Config){
		"no provider":      func(c *model.Config) { c.Provider = "" },
		"unknown provider": func(c *model.Config) { c.Provider = "OpenAI" },
		"no model":         func(c *model.Config) { c.Model = "" },
		"home without key": func(c *model.Config) { c.BaseURL, c.APIKey = "", "" },
		"no scheme":        func(c *model.Config) { c.BaseURL = "127.0.0.1:1/v1" },
		"another scheme":   func(c *model.Config) { c.BaseURL = "file:///etc/passwd" },
		"no host":          func(c *model.Config) { c.BaseURL = "http:///v1" },
		"a port alone":     func(c *model.Config) { c.BaseURL = "http://:8000/v1" },
		"an empty port":    func(c *model.Config) { c.BaseURL = "http://127.0.0.1:/v1" }, // the library drops the colon
		"a password":       func(c *model.Config) { c.BaseURL = "http://u:" + key + "@127.0.0.1:1/" },
		"a query":          func(c *model.Config) { c.BaseURL += "?key=" + key },
		"a fragment":       func(c *model.Config) { c.BaseURL += "#" + key },
		"not a URL":        func(c *model.Config) { c.BaseURL = "http://[" + key },
		"a key with a CR":  func(c *model.Config) { c.APIKey += "\r\n" },
		"a quoted key":     func(c *model.Config) { c.APIKey = "“" + c.APIKey + "”" },
		"a constraint":     func(c *model.Config) { c.Constrain = "strict" },
		"a sampling":       func(c *model.Config) { c.Sampling = "random" },
	} {
		cfg := good
		spoil(&cfg)
		c, err := model.New(cfg)
		if verdict.CodeOf(err) != verdict.ModelUnconfigured || c != nil {
			t.Errorf("%s: %v", name, err)
		}
		clean(t, err)
	}
}

func TestAConfigurationNamesTheFieldAndQuotesNothing(t *testing.T) {
	t.Parallel()
	for want, cfg := range map[string]model.Config{
		"Provider is none of openai, anthropic, ollama": {Provider: "SECRET", Model: "m"},
		"Model is missing":                          {Provider: "ollama"},
		"Constrain is none of schema, object, none": {Provider: "ollama", Model: "m", Constrain: "SECRET"},
		"Sampling is none of fixed, endpoint":       {Provider: "ollama", Model: "m", Sampling: "SECRET"},
	} {
		_, err := model.New(cfg)
		if text := fmt.Sprint(err); !strings.HasSuffix(text, want) {
			t.Errorf("%s, want %s", text, want)
		}
	}
}

func TestNamesHoldAProviderAndAModel(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"openai/gpt-4o":             {"openai", "gpt-4o"},
		"openai/meta-llama/Llama-3": {"openai", "meta-llama/Llama-3"},
		"ollama/qwen3:8b":           {"ollama", "qwen3:8b"},
		"anthropic/":                {}, "/m": {}, "gpt-4o": {}, "OpenAI/m": {}, "": {}, "google/gemini": {},
	} {
		provider, m, ok := model.Named(name)
		if [2]string{provider, m} != want || ok != (want[0] != "") {
			t.Errorf("%q: %q %q %v", name, provider, m, ok)
		}
	}
}
