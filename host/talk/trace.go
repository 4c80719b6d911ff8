package talk

import (
	"context"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/origin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/trace"
)

// Tracer traces the arguments of one wrap's calls. It is safe for concurrent use.
type Tracer struct {
	Store Store
	Words bool // the sources have words of messages: the setting record_words

	mu    sync.Mutex
	talks map[string]*cached
}

// cached is a conversation as far as it was read.
type cached struct {
	talk  origin.Talk
	rows  int
	first Row // these two change if earlier rows ended
	last  Row
}

// maxTalks bounds the conversations of one wrap.
const maxTalks = 64

// Session is the conversation of a call. It is "" if no hook reported the call: the sources of
// its arguments are not known.
func (t *Tracer) Session(ids []string, c origin.Call) string {
	return t.Store.Find(ids, c.Tool, c.Args)
}

// Origins are the sources of the arguments of a call, nil if the conversation cannot be read.
func (t *Tracer) Origins(session string, c origin.Call) []trace.OriginBody {
	rows, err := t.Store.Rows(session)
	if err != nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.talks[session]
	if k == nil || k.rows > 0 && !k.begins(rows) {
		if t.talks == nil || len(t.talks) >= maxTalks {
			t.talks = map[string]*cached{}
		}
		k = &cached{talk: origin.Talk{Words: t.Words}}
		t.talks[session] = k
	}
	for _, r := range rows[k.rows:] {
		k.add(r)
	}
	if k.rows = len(rows); k.rows > 0 {
		k.first, k.last = rows[0], rows[k.rows-1]
	}
	return k.talk.Of(c)
}

// begins reports whether these rows begin with those that were read.
func (k *cached) begins(rows []Row) bool {
	return k.rows <= len(rows) && k.first == rows[0] && k.last == rows[k.rows-1]
}

func (k *cached) add(r Row) {
	if r.How != "" {
		k.talk.Say(origin.Message{Text: r.Text, How: r.How})
		return
	}
	a := origin.Answer{Run: r.Run, Server: r.Server, Tool: r.Tool, Open: r.Open, Text: r.Text}
	if text := jsontext.Value(r.Text); text.Kind() == '{' {
		a.Text, a.Structured = values(text)
	}
	k.talk.Return(a)
}

// values are the text and the structured value of a tool result.
func values(result jsontext.Value) (text string, structured jsontext.Value) {
	var r struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		Structured jsontext.Value `json:"structuredContent"`
	}
	if schema.DecodeOpen(result, &r, schema.ResultLimits) != nil {
		return string(result), nil
	}
	for _, c := range r.Content {
		text += c.Text + "\n"
	}
	return text, r.Structured
}

// Returned adds a call's result to its conversation. Without a conversation it does nothing.
func (t *Tracer) Returned(ctx context.Context, session string, a origin.Answer, result []byte) {
	if session == "" || result == nil {
		return
	}
	// Without the row, a value of this result has no known source, which is a mark.
	_ = t.Store.Add(ctx, Row{Session: session, Text: string(result), Run: a.Run, Server: a.Server, Tool: a.Tool, Open: a.Open})
}
