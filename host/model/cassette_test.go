package model_test

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/internal/testing/cassette"
	"github.com/onestep-run/onestep/planner"
)

// through asks one request with a cassette in the way.
func through(t *testing.T, c *cassette.Cassette, provider, base string, r planner.Request) (planner.Reply, error) {
	t.Helper()
	return client(t, model.Config{Provider: provider, BaseURL: base, APIKey: key, MaxReply: 64 << 10, Around: c.Around}).Complete(t.Context(), r)
}

func replays(t *testing.T, file []byte) *cassette.Cassette {
	t.Helper()
	c, err := cassette.Replay(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWhatWasRecordedReplaysWithoutItsServer(t *testing.T) {
	t.Parallel()
	for _, provider := range providers {
		for name, answer := range map[string]http.HandlerFunc{
			"a plan":        status(200, envelope(t, provider, fetchPlan, "stop"), "X-Litellm-Response-Cost", "0.5"),
			"invalid UTF-8": body("\xff"),
			"429":           status(429, `{"error":{"message":"slow down"}}`, "Retry-After", "30"),
			"401":           status(401, `{"error":{"message":"no `+key[:9]+`***"}}`),
			"500 masked":    status(500, `{"error":{"message":"no `+key[:9]+`***"}}`),
			"too large":     body(strings.Repeat(" ", 65<<10)),
		} {
			t.Run(provider+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, answer)
				var file bytes.Buffer
				said, live := through(t, cassette.Record(&file), provider, s.URL, request)
				s.Close()
				if strings.Contains(file.String(), key[:9]) || strings.Count(file.String(), "\n") != 1 {
					t.Fatalf("recorded %s", file.Bytes())
				}
				c := replays(t, file.Bytes())
				again, err := through(t, c, provider, s.URL, request)
				if string(again.Text) != string(said.Text) || string(again.Raw) != string(said.Raw) || again.Usage != said.Usage || c.Left() != 0 {
					t.Errorf("said %s, replayed %s", said.Raw, again.Raw)
				}
				if verdict.CodeOf(err) != verdict.CodeOf(live) || name == "429" && advice(err) != advice(live) {
					t.Errorf("%v, replayed %v", live, err)
				}
				if len(s.seen()) != 1 {
					t.Errorf("%d requests", len(s.seen()))
				}
			})
		}
	}
}

func advice(err error) string {
	var f *verdict.Fault
	if !errors.As(err, &f) {
		return ""
	}
	return f.Advice()
}

// TestAnUnrecordedRequestIsAnErrorAndNoDial keeps a server up that would answer.
func TestAnUnrecordedRequestIsAnErrorAndNoDial(t *testing.T) {
	t.Parallel()
	s := serve(t, body(envelope(t, "openai", fetchPlan, "stop")))
	var file bytes.Buffer
	if _, err := through(t, cassette.Record(&file), "openai", s.URL, request); err != nil {
		t.Fatal(err)
	}
	other := request
	other.Data = `{"question":"another"}`
	c := replays(t, file.Bytes())
	for name, ask := range map[string]func() (planner.Reply, error){
		"another prompt":  func() (planner.Reply, error) { return through(t, c, "openai", s.URL, other) },
		"another address": func() (planner.Reply, error) { return through(t, c, "openai", s.URL+"/v1", request) },
		"another format":  func() (planner.Reply, error) { return through(t, c, "ollama", s.URL, request) },
		"no cassette":     func() (planner.Reply, error) { return through(t, &cassette.Cassette{}, "openai", s.URL, request) },
	} {
		if got, err := ask(); verdict.CodeOf(err) != verdict.ModelReply || !strings.Contains(err.Error(), "no such exchange") || got.Text != nil {
			t.Errorf("%s: %q, %v", name, got.Text, err)
		}
	}
	if _, err := through(t, c, "openai", s.URL, request); err != nil || c.Left() != 0 {
		t.Errorf("%v, %d left", err, c.Left())
	}
	if _, err := through(t, c, "openai", s.URL, request); err == nil {
		t.Error("one line answered twice")
	}
	if len(s.seen()) != 1 {
		t.Errorf("%d requests", len(s.seen()))
	}
}

func TestAReplyWithTheKeyIsNotRecorded(t *testing.T) {
	t.Parallel()
	for name, answer := range echoes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var file bytes.Buffer
			_, err := through(t, cassette.Record(&file), "openai", serve(t, answer).URL, request)
			if err == nil || strings.Contains(file.String(), key) || strings.Contains(file.String(), `\u0073k-`) {
				t.Errorf("%v; recorded %s", err, file.Bytes())
			}
			clean(t, err)
		})
	}
}

func TestACassetteThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	const line = `{"method":"POST","url":"u","request":"","status":200,"reply":{"text":""}}`
	for _, file := range []string{"x", "{}x", "[]", `{"method":"POST","other":1}`, line + line, line + "\n\n" + line, strings.Replace(line, `"text":""`, `"base64":"!"`, 1)} {
		if c, err := cassette.Replay(strings.NewReader(file)); verdict.CodeOf(err) != verdict.ConfigInvalid || c != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	if c := replays(t, []byte(line+"\n"+line)); c.Left() != 2 {
		t.Errorf("%d lines", c.Left())
	}
}

// FuzzReplay: what reads as a cassette answers no request that it does not hold.
func FuzzReplay(f *testing.F) {
	f.Add([]byte(`{"method":"POST","url":"u","request":"","status":200,"reply":{"text":""}}`))
	f.Add([]byte("{}\n{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := cassette.Replay(bytes.NewReader(b))
		if err != nil {
			return
		}
		left := c.Left()
		got, err := through(t, c, "openai", "http://127.0.0.1:1", request)
		if c.Left() == left && (err == nil || got.Raw != nil) {
			t.Fatalf("answered %s", got.Raw)
		}
	})
}
