package agents

import (
	"bufio"
	"bytes"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// tap reads the messages between an agent and one server, and keeps the calls. It
// changes no byte.
type tap struct {
	server string

	mu    sync.Mutex
	ids   []string // of the requests, parallel to calls
	calls []Arrival
}

// message is the part of a JSON-RPC message that a tap reads.
type message struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
	Result jsontext.Value `json:"result"`
}

// sent reads a message from the agent. A message that the tap cannot read counts as a
// call, because a server may accept JSON with repeated names or deep nesting.
func (t *tap) sent(line []byte) {
	var m message
	readable := schema.DecodeOpen(line, &m, answerLimits) == nil
	if readable && m.Method != "tools/call" || len(bytes.TrimSpace(line)) == 0 {
		return
	}
	var call struct {
		Name      string         `json:"name"`
		Arguments jsontext.Value `json:"arguments"`
	}
	// A call with unreadable parameters is still a call.
	_ = schema.DecodeOpen(m.Params, &call, answerLimits)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids = append(t.ids, string(m.ID))
	t.calls = append(t.calls, Arrival{Server: t.server, Tool: call.Name, Args: call.Arguments})
}

// came reads a message from the server.
func (t *tap) came(line []byte) {
	var m message
	if schema.DecodeOpen(line, &m, answerLimits) != nil || m.Result == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, id := range t.ids {
		if id == string(m.ID) {
			t.calls[i].Answer = m.Result
		}
	}
}

func (t *tap) arrived() []Arrival {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Arrival(nil), t.calls...)
}

// maxTapped bounds one message, in bytes; no agent accepts a longer one either.
const maxTapped = 32 << 20

// eachLine passes on the lines of a stream, also a last line without its end.
func eachLine(from io.Reader, see func(line []byte)) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxTapped)
	for lines.Scan() {
		see(lines.Bytes())
	}
}

// heardBody is a server's HTTP answer that is read as it passes. JSON is read at its
// end, an event stream line by line.
type heardBody struct {
	io.ReadCloser
	stream bool
	tap    *tap
	buffer bytes.Buffer
}

func (b *heardBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.buffer.Len()+n <= maxTapped {
		b.buffer.Write(p[:n])
	}
	for b.stream {
		line, rest, whole := bytes.Cut(b.buffer.Bytes(), []byte("\n"))
		if !whole {
			break
		}
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			b.tap.came(bytes.TrimSpace(data))
		}
		b.buffer.Next(b.buffer.Len() - len(rest))
	}
	if err != nil && !b.stream {
		b.tap.came(b.buffer.Bytes())
	}
	return n, err
}
