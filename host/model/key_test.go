package model_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
)

func TestARedirectIsNotFollowedAndTheKeyDoesNotTravel(t *testing.T) {
	t.Parallel()
	for _, provider := range providers {
		for _, code := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprint(provider, code), func(t *testing.T) {
				t.Parallel()
				elsewhere := serve(t, body(envelope(t, provider, fetchPlan, "stop")))
				s := serve(t, status(code, ``, "Location", elsewhere.URL+"/v1/chat/completions"))
				_, err := complete(t, s, provider)
				if verdict.CodeOf(err) != verdict.ModelReply || len(s.seen()) != 1 || len(elsewhere.seen()) != 0 {
					t.Errorf("%v; %d and %d requests", err, len(s.seen()), len(elsewhere.seen()))
				}
			})
		}
	}
}

// echoes are the places where an endpoint can repeat the key that it was sent.
var echoes = map[string]http.HandlerFunc{
	"401":           status(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`),
	"401 masked":    status(401, `{"error":{"message":"Incorrect API key provided: `+key[:8]+`****`+key[18:]+`"}}`),
	"400":           status(400, `{"error":{"message":"got Bearer `+key+`"}}`),
	"400 masked":    status(400, `{"error":{"message":"got `+key[6:14]+`********"}}`),
	"400 escaped":   status(400, `{"error":{"message":"got \u0073k-test-5f2c9a7be1d04468"}}`),
	"400 shouted":   status(400, `{"error":{"message":"got `+strings.ToUpper(key)+`"}}`),
	"500":           status(500, `{"message":"`+key+`"}`),
	"Retry-After":   status(429, ``, "Retry-After", key),
	"Location":      status(302, ``, "Location", "/?k="+key),
	"content":       body(choice(`{"content":"`+key+`"}`, `"stop"`)),
	"content, \\u":  body(choice(`{"content":"\u0073k-test-5f2c9a7be1d04468"}`, `"stop"`)),
	"id":            body(`{"id":"` + key + `","choices":[{"message":{"content":"x"}}]}`),
	"id, \\u":       body(`{"id":"\u0073k-test-5f2c9a7be1d04468","choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`),
	"a name, \\u":   body(`{"sk-test-5f2c9a7be1d0446\u0038":1,"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`),
	"refusal":       body(choice(`{"refusal":"no, `+key+`"}`, `"stop"`)),
	"refusal, \\u":  body(choice(`{"refusal":"no, \u0073k-test-5f2c9a7be1d04468"}`, `"stop"`)),
	"error and 200": body(`{"error":"` + key + `"}`),
}

func TestAKeyThatComesBackIsNotPassedOn(t *testing.T) {
	t.Parallel()
	for name, answer := range echoes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := complete(t, serve(t, answer), "openai")
			if err == nil || strings.Contains(string(got.Raw)+string(got.Text), key) || strings.Contains(string(got.Raw), "test-5f2c9a7be1d0446") {
				t.Errorf("got %q, %v", got.Raw, err)
			}
			clean(t, err)
		})
	}
}

func TestTheKeyGoesIntoOneHeaderOnly(t *testing.T) {
	t.Parallel()
	for provider, header := range map[string]string{"openai": "Authorization", "anthropic": "X-Api-Key", "ollama": "Authorization"} {
		s := serve(t, body(envelope(t, provider, fetchPlan, "stop")))
		if _, err := complete(t, s, provider); err != nil {
			t.Fatal(err)
		}
		a := s.seen()[0]
		if got := strings.TrimPrefix(a.header.Get(header), "Bearer "); got != key {
			t.Errorf("%s: %s is %q", provider, header, got)
		}
		a.header.Del(header)
		if rest := fmt.Sprint(a); strings.Contains(rest, key) || strings.Contains(rest, "of-the-environment") || strings.Contains(rest, base64.StdEncoding.EncodeToString([]byte(key))) {
			t.Errorf("%s: %s", provider, rest)
		}
	}
}

func TestNoKeySendsNone(t *testing.T) {
	t.Parallel()
	for _, provider := range providers {
		s := serve(t, body(envelope(t, provider, fetchPlan, "stop")))
		if _, err := client(t, model.Config{Provider: provider, BaseURL: s.URL}).Complete(t.Context(), request); err != nil {
			t.Fatal(err)
		}
		if h := s.seen()[0].header; h.Get("Authorization") != "" || h.Get("X-Api-Key") != "" {
			t.Errorf("%s: %v", provider, h)
		}
	}
}

func TestNothingPrintsAKey(t *testing.T) {
	t.Parallel()
	cfg := model.Config{Provider: "openai", BaseURL: "http://127.0.0.1:1", Model: "m", APIKey: key}
	c := client(t, cfg)
	later := client(t, model.Config{Provider: "openai", BaseURL: "http://127.0.0.1:1", FindKey: func(context.Context) (model.Found, error) {
		return model.Found{Key: key}, nil
	}})
	if err := later.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(cfg.APIKey)
	if err != nil {
		t.Fatal(err)
	}
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "client", c, "config", cfg, "key", cfg.APIKey)
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("x", "config", cfg, "key", cfg.APIKey)
	for _, v := range []any{cfg, &cfg, c, *c, later, *later, model.Found{Key: key}, cfg.APIKey} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			fmt.Fprintf(&logged, verb, v)
		}
	}
	logged.Write(asJSON)
	if s := logged.String(); strings.Contains(s, key) || strings.Contains(s, fmt.Sprintf("%x", key)) {
		t.Error("the key is printed")
	}
}
