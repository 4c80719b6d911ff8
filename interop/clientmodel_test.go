//go:build interop

package interop_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// model is the language model of one client. It gives the replies that the test
// decides, and the test reads the client's requests. It speaks OpenAI's chat
// completions and responses, and Gemini's generateContent.
//
// It is also the client's HTTP proxy, and records what would have left the machine.
type model struct {
	url     string
	asked   chan request // each waits for a reply
	replies chan reply

	mu      sync.Mutex
	outside []string
}

// request is a client's request to a model. It has the tools that the client offers,
// and the results of the calls so far, the oldest first.
type request struct {
	tools   []offer
	results []string
	body    string
}

// offer is a tool as a client describes it to its model. Codex puts the tools of a
// server into a namespace.
type offer struct {
	space, name string
	described   json.RawMessage
}

// reply is a call of a tool, or a text, which ends the client's run.
type reply struct {
	call offer
	args any
	text string
}

// dialect is how a request is read, and a reply is written. A number is that of the
// call within the run.
type dialect struct {
	read  func(body []byte) (request, error)
	write func(w http.ResponseWriter, r reply, number int, streamed bool)
}

type object = map[string]any

func newModel(t *testing.T) *model {
	t.Helper()
	m := &model{asked: make(chan request), replies: make(chan reply)}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d, streamed := dialect{}, false
	switch path := r.URL.Path; {
	case r.Method == http.MethodConnect || r.URL.IsAbs():
		m.mu.Lock()
		m.outside = append(m.outside, r.Host)
		m.mu.Unlock()
	case strings.HasSuffix(path, "/chat/completions"):
		d = chat
	case strings.HasSuffix(path, "/responses"):
		d = responses
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		d, streamed = gemini, strings.Contains(path, ":stream")
	}
	if d.read == nil {
		http.NotFound(w, r)
		return
	}
	var body json.RawMessage
	err := json.NewDecoder(r.Body).Decode(&body)
	var said struct{ Stream bool }
	_ = json.Unmarshal(body, &said) // anything but an object fails to be read below
	q, unread := d.read(body)
	if err != nil || unread != nil {
		http.Error(w, "not a request of this dialect", http.StatusBadRequest)
		return
	}
	answer := reply{text: "A ticket"}
	if len(q.tools) > 0 { // else the client asks for a title
		q.body = string(body)
		if answer, err = m.put(r, q); err != nil {
			return // the client is gone
		}
	}
	d.write(w, answer, len(q.results), streamed || said.Stream)
}

// put has the test decide.
func (m *model) put(r *http.Request, q request) (answer reply, err error) {
	select {
	case m.asked <- q:
	case <-r.Context().Done():
		return answer, r.Context().Err()
	}
	select {
	case answer = <-m.replies:
	case <-r.Context().Done():
		err = r.Context().Err()
	}
	return answer, err
}

// reached are the other machines that the client spoke to, or would have.
func (m *model) reached() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.outside)
}

// offered is the tool of a server by the server's own name for it. Clients put the
// server's name in front.
func (q request) offered(name string) (offer, bool) {
	i := slices.IndexFunc(q.tools, func(o offer) bool { return o.name == name || strings.HasSuffix(o.name, "desk_"+name) })
	if i < 0 {
		return offer{}, false
	}
	return q.tools[i], true
}

var chat = dialect{
	read: func(body []byte) (q request, err error) {
		var asked struct {
			Tools    []struct{ Function json.RawMessage }
			Messages []struct {
				Role    string
				Content json.RawMessage
			}
		}
		err = json.Unmarshal(body, &asked)
		for _, t := range asked.Tools {
			q.tools = append(q.tools, described("", t.Function))
		}
		for _, m := range asked.Messages {
			if m.Role == "tool" {
				q.results = append(q.results, plain(m.Content))
			}
		}
		return q, err
	},
	write: func(w http.ResponseWriter, r reply, number int, streamed bool) {
		said, ends := object{"role": "assistant", "content": r.text}, "stop"
		if r.text == "" {
			call := object{"name": r.call.name, "arguments": inJSON(r.args)}
			ends = "tool_calls"
			said["content"], said["tool_calls"] = nil, []any{object{"index": 0, "id": fmt.Sprint("call_", number), "type": "function", "function": call}}
		}
		chunk := func(kind string, choice object) object {
			choice["index"] = 0
			return object{"id": "1", "object": kind, "created": 1, "model": "scripted", "choices": []any{choice}}
		}
		usage := object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
		if !streamed {
			all := chunk("chat.completion", object{"message": said, "finish_reason": ends})
			all["usage"] = usage
			whole(w, all)
			return
		}
		last := chunk("chat.completion.chunk", object{"delta": object{}, "finish_reason": ends})
		last["usage"] = usage // Continue takes a chunk with a usage for the end
		stream(w, chunk("chat.completion.chunk", object{"delta": said, "finish_reason": nil}), last)
		_, _ = w.Write([]byte("data: [DONE]\n\n"))
	},
}

var responses = dialect{
	read: func(body []byte) (q request, err error) {
		var asked struct {
			Tools []json.RawMessage
			Input []struct {
				Type   string
				Output json.RawMessage
			}
		}
		err = json.Unmarshal(body, &asked)
		for _, raw := range asked.Tools {
			var space struct {
				Type, Name string
				Tools      []json.RawMessage
			}
			if err := json.Unmarshal(raw, &space); err != nil {
				return q, err
			}
			if space.Type != "namespace" {
				q.tools = append(q.tools, described("", raw))
			}
			for _, inner := range space.Tools {
				q.tools = append(q.tools, described(space.Name, inner))
			}
		}
		for _, item := range asked.Input {
			if item.Type == "function_call_output" {
				q.results = append(q.results, plain(item.Output))
			}
		}
		return q, err
	},
	write: func(w http.ResponseWriter, r reply, number int, _ bool) {
		item := object{"type": "message", "role": "assistant", "id": "1", "content": []any{object{"type": "output_text", "text": r.text}}}
		if r.text == "" {
			item = object{"type": "function_call", "id": "1", "call_id": fmt.Sprint("call_", number), "name": r.call.name, "arguments": inJSON(r.args)}
			if r.call.space != "" {
				item["namespace"] = r.call.space
			}
		}
		usage := object{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
		stream(
			w,
			object{"type": "response.created", "response": object{"id": "1"}},
			object{"type": "response.output_item.done", "output_index": 0, "item": item},
			object{"type": "response.completed", "response": object{"id": "1", "output": []any{item}, "usage": usage}},
		)
	},
}

var gemini = dialect{
	read: func(body []byte) (q request, err error) {
		var asked struct {
			Tools    []struct{ FunctionDeclarations []json.RawMessage }
			Contents []struct {
				Parts []struct {
					FunctionResponse *struct{ Response json.RawMessage }
				}
			}
		}
		err = json.Unmarshal(body, &asked)
		for _, t := range asked.Tools {
			for _, raw := range t.FunctionDeclarations {
				q.tools = append(q.tools, described("", raw))
			}
		}
		for _, c := range asked.Contents {
			for _, p := range c.Parts {
				if p.FunctionResponse != nil {
					q.results = append(q.results, string(p.FunctionResponse.Response))
				}
			}
		}
		return q, err
	},
	write: func(w http.ResponseWriter, r reply, _ int, streamed bool) {
		part := object{"text": r.text}
		if r.text == "" {
			part = object{"functionCall": object{"name": r.call.name, "args": r.args}}
		}
		answer := object{
			"candidates":    []any{object{"content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0}},
			"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		}
		if streamed {
			stream(w, answer)
		} else {
			whole(w, answer)
		}
	},
}

// whole and stream are the two ways in which a model answers.
func whole(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(inJSON(v)))
}

func stream(w http.ResponseWriter, all ...any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, v := range all {
		if event, is := v.(object)["type"]; is { // of the responses dialect
			_, _ = fmt.Fprintf(w, "event: %s\n", event)
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", inJSON(v))
	}
}

func inJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // every value here is made of texts and numbers
	}
	return string(b)
}

func described(space string, raw json.RawMessage) offer {
	var t struct{ Name string }
	_ = json.Unmarshal(raw, &t) // a tool without a name is not one of the server's
	return offer{space, t.Name, raw}
}

// plain is a message's text, or the JSON of its parts.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
