package model_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/planner"
)

const plan = `{"type":"call_tool","server":"kb","tool":"fetch","args":{"id":"p-2"}}`

// nearPlans are what a parser must refuse, and what nobody repairs on the way.
var nearPlans = map[string]string{
	"prose before":        "Here is the plan: " + plan,
	"prose after":         plan + "\nHope this helps!",
	"a fenced block":      "```json\n" + plan + "\n```",
	"two objects":         plan + plan,
	"a duplicate key":     `{"type":"call_tool","server":"kb","tool":"fetch","tool":"drop","args":{}}`,
	"a key in other case": `{"type":"call_tool","server":"kb","TOOL":"fetch","args":{}}`,
	"an unknown tool":     `{"type":"call_tool","server":"kb","tool":"drop","args":{}}`,
	"a nested argument":   `{"type":"call_tool","server":"kb","tool":"fetch","args":{"id":"p-2","filter":{"cc":"x@example.com"}}}`,
	"thinking aloud":      "<think>hm</think>" + plan,
	"cut JSON":            plan[:30],
	"odd characters":      "\u202e\x1b[2J\x00",
}

func TestTextComesBackByteForByte(t *testing.T) {
	t.Parallel()
	for _, provider := range providers {
		for name, text := range nearPlans {
			t.Run(provider+"/"+name, func(t *testing.T) {
				t.Parallel()
				sent := envelope(t, provider, text, "stop")
				s := serve(t, body(sent))
				got, err := complete(t, s, provider)
				if err != nil || string(got.Text) != text || string(got.Raw) != sent {
					t.Fatalf("said %q, heard %q, %v", text, got.Text, err)
				}
				if got.Usage != (planner.Usage{Input: 11, Output: 5}) || len(s.seen()) != 1 {
					t.Errorf("usage %+v after %d requests", got.Usage, len(s.seen()))
				}
			})
		}
	}
}

func TestAWrappedAnswerIsUnwrappedAndNotRewritten(t *testing.T) {
	t.Parallel()
	const inner = `{ "type":"call_tool","server":"kb", "tool":"fetch","args":{"n":9007199254740993,"z":1,"a":2.50}}`
	s := serve(t, body(`{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"answer","input":{"answer":`+inner+`}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}`))
	got, err := complete(t, s, "anthropic")
	if err != nil || string(got.Text) != inner {
		t.Errorf("got %s, %v", got.Text, err)
	}
}

// openAIText and its like put a raw JSON value where the text stands.
func choice(message, reason string) string {
	return `{"choices":[{"message":` + message + `,"finish_reason":` + reason + `}]}`
}

func claudeSays(content, reason string) string {
	return `{"type":"message","role":"assistant","content":` + content + `,"stop_reason":"` + reason + `","usage":{"input_tokens":1,"output_tokens":2}}`
}

func TestEveryMisbehaviourEndsInItsCode(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		provider string
		answer   http.HandlerFunc
		code     verdict.Code
	}{
		"401":                    {"openai", status(401, `{"error":{"message":"bad key"}}`), verdict.ModelAuth},
		"403":                    {"openai", status(403, ``), verdict.ModelAuth},
		"400":                    {"openai", status(400, `{"error":{"message":"no response_format"}}`), verdict.ModelReply},
		"404":                    {"openai", status(404, `<html>not found</html>`), verdict.ModelReply},
		"429":                    {"openai", status(429, ``, "Retry-After", "30"), verdict.ModelRateLimited},
		"500":                    {"openai", status(500, `boom`), verdict.ModelFailed},
		"503":                    {"openai", status(503, `{"error":"overloaded"}`), verdict.ModelFailed},
		"529":                    {"anthropic", status(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), verdict.ModelFailed},
		"204":                    {"openai", status(204, ``), verdict.ModelReply},
		"an error under 200":     {"openai", body(`{"error":{"message":"upstream is down","code":502}}`), verdict.ModelFailed},
		"an Ollama error":        {"ollama", body(`{"error":"model runner has stopped"}`), verdict.ModelFailed},
		"nothing":                {"openai", body(``), verdict.ModelReply},
		"null":                   {"openai", body(`null`), verdict.ModelReply},
		"an array":               {"openai", body(`[]`), verdict.ModelReply},
		"HTML":                   {"openai", body(`<html>login</html>`), verdict.ModelReply},
		"two documents":          {"openai", body(envelope(t, "openai", plan, "stop") + envelope(t, "openai", plan, "stop")), verdict.ModelReply},
		"an event stream":        {"openai", body("data: " + choice(`{"content":"x"}`, `"stop"`) + "\n\ndata: [DONE]\n\n"), verdict.ModelReply},
		"invalid UTF-8":          {"openai", body("{\"choices\":[{\"message\":{\"content\":\"\xff\"}}]}"), verdict.ModelReply},
		"a key twice":            {"openai", body(`{"choices":[{"message":{"content":"a","content":"b"}}]}`), verdict.ModelReply},
		"depth 2000":             {"openai", body(strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000)), verdict.ModelReply},
		"choices of null":        {"openai", body(`{"choices":[null]}`), verdict.ModelReply},
		"choices null":           {"openai", body(`{"choices":null}`), verdict.ModelReply},
		"no choice":              {"openai", body(`{"choices":[]}`), verdict.ModelReply},
		"two choices":            {"openai", body(`{"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}]}`), verdict.ModelReply},
		"a choice in other case": {"openai", body(`{"Choices":[{"message":{"content":"a"}}]}`), verdict.ModelReply},
		"text in other case":     {"openai", body(`{"choices":[{"message":{"Content":"a"}}]}`), verdict.ModelReply},
		"empty content":          {"openai", body(choice(`{"content":""}`, `"stop"`)), verdict.ModelReply},
		"blank content":          {"openai", body(choice(`{"content":" \n"}`, `"stop"`)), verdict.ModelReply},
		"null content":           {"openai", body(choice(`{"content":null}`, `"stop"`)), verdict.ModelReply},
		"content in parts":       {"openai", body(choice(`{"content":[{"type":"text","text":"a"}]}`, `"stop"`)), verdict.ModelReply},
		"a refusal":              {"openai", body(choice(`{"content":null,"refusal":"I cannot help with that"}`, `"stop"`)), verdict.ModelRefused},
		"a filter":               {"openai", body(choice(`{"content":"{}"}`, `"content_filter"`)), verdict.ModelRefused},
		"cut at the limit":       {"openai", body(choice(`{"content":"{\"type\":\"call_to"}`, `"length"`)), verdict.ModelTruncated},
		"whole, yet cut":         {"openai", body(envelope(t, "openai", plan, "length")), verdict.ModelTruncated},
		"a function call":        {"openai", body(choice(`{"content":"x"}`, `"function_call"`)), verdict.ModelReply}, // panics the library as well
		"a tool call":            {"openai", body(choice(`{"content":"`+"x"+`","tool_calls":[{"id":"1","type":"function","function":{"name":"drop","arguments":"{}"}}]}`, `"tool_calls"`)), verdict.ModelReply},
		"a fractional usage":     {"openai", body(`{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":0.5}}`), verdict.ModelReply},

		"Anthropic: a refusal":      {"anthropic", body(claudeSays(`[]`, "refusal")), verdict.ModelRefused},
		"Anthropic: cut":            {"anthropic", body(claudeSays(`[{"type":"tool_use","id":"t","name":"answer","input":{}}]`, "max_tokens")), verdict.ModelTruncated},
		"Anthropic: no content":     {"anthropic", body(claudeSays(`[]`, "end_turn")), verdict.ModelReply},
		"Anthropic: null content":   {"anthropic", body(claudeSays(`null`, "end_turn")), verdict.ModelReply},
		"Anthropic: a null block":   {"anthropic", body(claudeSays(`[null]`, "end_turn")), verdict.ModelReply},
		"Anthropic: prose and tool": {"anthropic", body(claudeSays(`[{"type":"text","text":"Sure"},{"type":"tool_use","id":"t","name":"answer","input":{"answer":{}}}]`, "tool_use")), verdict.ModelReply},
		"Anthropic: two answers":    {"anthropic", body(claudeSays(`[{"type":"tool_use","id":"t","name":"answer","input":{"answer":{}}},{"type":"tool_use","id":"u","name":"answer","input":{"answer":{}}}]`, "tool_use")), verdict.ModelReply},
		"Anthropic: another tool":   {"anthropic", body(claudeSays(`[{"type":"tool_use","id":"t","name":"drop","input":{"answer":{}}}]`, "tool_use")), verdict.ModelReply},
		"Anthropic: beside answer":  {"anthropic", body(claudeSays(`[{"type":"tool_use","id":"t","name":"answer","input":{"answer":{},"also":1}}]`, "tool_use")), verdict.ModelReply},
		"Anthropic: no answer":      {"anthropic", body(claudeSays(`[{"type":"tool_use","id":"t","name":"answer","input":{}}]`, "tool_use")), verdict.ModelReply},
		"Anthropic: unknown block":  {"anthropic", body(claudeSays(`[{"type":"image","text":"x"}]`, "end_turn")), verdict.ModelReply},

		"Ollama: empty content": {"ollama", body(envelope(t, "ollama", "", "stop")), verdict.ModelReply},
		"Ollama: no message":    {"ollama", body(`{"done":true}`), verdict.ModelReply},
		"Ollama: not done":      {"ollama", body(`{"done":false,"message":{"content":"{}"}}`), verdict.ModelReply},
		"Ollama: in pieces":     {"ollama", body(`{"done":false,"message":{"content":"{"}}` + "\n" + `{"done":true,"message":{"content":"}"}}`), verdict.ModelReply},
		"Ollama: cut":           {"ollama", body(envelope(t, "ollama", plan, "length")), verdict.ModelTruncated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, row.answer)
			got, err := complete(t, s, row.provider)
			if verdict.CodeOf(err) != row.code || got.Text != nil {
				t.Errorf("got %q, %v; want %s", got.Text, err, row.code)
			}
			if n := len(s.seen()); n != 1 {
				t.Errorf("%d requests", n)
			}
			clean(t, err)
		})
	}
}

func TestAReplyThatPanicsTheLibraryIsAFault(t *testing.T) {
	t.Parallel()
	s := serve(t, body(choice(`{"content":"x","function_call":null}`, `"function_call"`)))
	got, err := complete(t, s, "openai")
	if verdict.CodeOf(err) != verdict.ModelReply || got.Raw == nil {
		t.Errorf("got %q, %v", got.Raw, err)
	}
}

func TestHintsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		answer http.HandlerFunc
		hint   string
	}{
		"seconds":       {status(429, ``, "Retry-After", " 90 "), "1m30s (Retry-After)"},
		"a date":        {status(429, ``, "Retry-After", "Fri, 02 Jan 2026 03:04:05 GMT"), "2026-01-02T03:04:05Z"},
		"neither":       {status(429, ``, "Retry-After", "soon; then run rm"), "wait, then ask again"},
		"negative":      {status(429, ``, "Retry-After", "-1"), "wait, then ask again"},
		"a wrong path":  {status(404, ``), "LLM_BASE_URL"},
		"no schema":     {status(400, ``), `"object"`},
		"a wrong key":   {status(401, ``), "LLM_API_KEY"},
		"a moved place": {status(308, ``, "Location", "https://example.com/"), "redirect"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := complete(t, serve(t, row.answer), "openai")
			var f *verdict.Fault
			if !errors.As(err, &f) || !strings.Contains(f.Advice(), row.hint) || strings.Contains(f.Advice(), "rm") {
				t.Errorf("%v; advice %q", err, f.Advice())
			}
		})
	}
}

func TestAnEndlessReplyIsReadToTheLimitAndNoFurther(t *testing.T) {
	t.Parallel()
	const all = 300 << 20
	for name, declared := range map[string]bool{"declared": true, "chunked": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrote := make(chan int, 1)
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if declared {
					w.Header().Set("Content-Length", fmt.Sprint(all))
				}
				n, piece := 0, []byte(strings.Repeat(" ", 64<<10))
				for n < all {
					m, err := w.Write(piece)
					n += m
					if err != nil {
						break
					}
				}
				wrote <- n
			})
			_, err := complete(t, s, "openai")
			if verdict.CodeOf(err) != verdict.ModelTooLarge || len(s.seen()) != 1 {
				t.Errorf("%v after %d requests", err, len(s.seen()))
			}
			if n := <-wrote; n >= all/4 {
				t.Errorf("the server could send %d bytes", n)
			}
		})
	}
}

func TestSilenceEndsInATimeout(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"no headers": hang,
		"half a body": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"choices":[`)
			w.(http.Flusher).Flush()
			hang(w, r)
		},
	} {
		for _, provider := range providers {
			t.Run(name+"/"+provider, func(t *testing.T) {
				t.Parallel()
				s := serve(t, answer)
				_, err := client(t, model.Config{Provider: provider, BaseURL: s.URL, APIKey: key, Timeout: soon}).Complete(t.Context(), request)
				if verdict.CodeOf(err) != verdict.ModelTimeout || !errors.Is(err, context.DeadlineExceeded) || len(s.seen()) != 1 {
					t.Errorf("%v after %d requests", err, len(s.seen()))
				}
			})
		}
	}
}

func TestAnInterruptIsNotTheModelsFault(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, cancelling(cancel))
	_, err := client(t, model.Config{Provider: "openai", BaseURL: s.URL}).Complete(ctx, request)
	if verdict.CodeOf(err) != verdict.CallInterrupted || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestBrokenConnectionsAreNotTriedAgain(t *testing.T) {
	t.Parallel()
	hijack := func(write string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(conn, write)
			conn.Close()
		}
	}
	for name, answer := range map[string]http.HandlerFunc{
		"closed without a word": hijack(""),
		"no HTTP":               hijack("220 mail ready\r\n\r\n"),
		"a body cut short":      hijack("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"choices\":[{\"message\":{\"content\":\"x\"}}]}"),
		"chunks cut short":      hijack("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{\"choices\":[{\"messag"),
		"endless headers":       hijack("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, answer)
			_, err := complete(t, s, "openai")
			if verdict.CodeOf(err) != verdict.ModelFailed || len(s.seen()) != 1 {
				t.Errorf("%v after %d requests", err, len(s.seen()))
			}
			clean(t, err)
		})
	}
}

func TestNoConnectionIsUnreachable(t *testing.T) {
	t.Parallel()
	s := serve(t, hang)
	gone := serve(t, hang)
	gone.Close()
	for _, base := range []string{gone.URL, strings.Replace(s.URL, "http:", "https:", 1)} {
		_, err := client(t, model.Config{Provider: "openai", BaseURL: base, APIKey: key}).Complete(t.Context(), request)
		if verdict.CodeOf(err) != verdict.ModelUnreachable {
			t.Errorf("%s: %v", base, err)
		}
		clean(t, err)
	}
	if len(s.seen()) != 0 {
		t.Error("a request arrived")
	}
}

func TestARedirectIsNotFollowedAndTheKeyDoesNotTravel(t *testing.T) {
	t.Parallel()
	for _, provider := range providers {
		for _, code := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprint(provider, code), func(t *testing.T) {
				t.Parallel()
				elsewhere := serve(t, body(envelope(t, provider, plan, "stop")))
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
			if err == nil || strings.Contains(string(got.Raw)+string(got.Text), key) {
				t.Errorf("got %q, %v", got.Raw, err)
			}
			clean(t, err)
		})
	}
}

func TestTheKeyGoesIntoOneHeaderOnly(t *testing.T) {
	t.Parallel()
	for provider, header := range map[string]string{"openai": "Authorization", "anthropic": "X-Api-Key", "ollama": "Authorization"} {
		s := serve(t, body(envelope(t, provider, plan, "stop")))
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
		s := serve(t, body(envelope(t, provider, plan, "stop")))
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
	asJSON, err := json.Marshal(cfg.APIKey)
	if err != nil {
		t.Fatal(err)
	}
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "client", c, "config", cfg, "key", cfg.APIKey)
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("x", "config", cfg, "key", cfg.APIKey)
	for _, v := range []any{cfg, &cfg, c, *c, cfg.APIKey} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			fmt.Fprintf(&logged, verb, v)
		}
	}
	logged.Write(asJSON)
	if s := logged.String(); strings.Contains(s, key) || strings.Contains(s, fmt.Sprintf("%x", key)) {
		t.Error("the key is printed")
	}
}

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
			s := serve(t, body(envelope(t, row.provider, plan, "stop")))
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

func TestInstructionsAndDataStayApartForEveryModelName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"o1", "o3-mini", "gpt-5", "meta-llama/Llama-3"} {
		s := serve(t, body(envelope(t, "openai", plan, "stop")))
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
		"a password":       func(c *model.Config) { c.BaseURL = "http://u:" + key + "@127.0.0.1:1/" },
		"a query":          func(c *model.Config) { c.BaseURL += "?key=" + key },
		"a fragment":       func(c *model.Config) { c.BaseURL += "#" + key },
		"not a URL":        func(c *model.Config) { c.BaseURL = "http://[" + key },
		"a key with a CR":  func(c *model.Config) { c.APIKey += "\r\n" },
		"a quoted key":     func(c *model.Config) { c.APIKey = "“" + c.APIKey + "”" },
		"a constraint":     func(c *model.Config) { c.Constrain = "strict" },
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
