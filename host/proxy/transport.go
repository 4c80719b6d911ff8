package proxy

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/schema"
)

const (
	maxLine  = 16 << 20 // bytes of one message
	maxBatch = 64       // messages of one line
	maxID    = 256      // bytes of an id, which is sent back
	maxOpen  = 256      // requests that are not answered yet

	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
	methodList       = "tools/list"
	methodLevel      = "logging/setLevel"
	methodCall       = "tools/call"
	noteCancelled    = "notifications/cancelled"
	noteProgress     = "notifications/progress"
	noteLog          = "notifications/message"

	stateless = "2026-07-28" // the oldest version without a handshake
	batching  = "2025-03-26" // the newest with batches

	metaVersion = "io.modelcontextprotocol/protocolVersion"
	metaLevel   = "io.modelcontextprotocol/logLevel"
)

// lineLimits bound a message before the SDK decodes it. The arguments of a call
// are never decoded here.
var lineLimits = schema.Limits{Bytes: maxLine, Depth: 64, Values: 100_000, Exponent: 308, Digits: 64}

// transport connects the SDK's server and a client's two pipes. The SDK's own transport
// ends at the first line that is not a message; this one answers it and goes on. The
// arguments and the result of a call pass here as raw JSON: the SDK decodes and answers
// dummies.
type transport struct {
	in   io.Reader
	out  io.Writer
	life context.Context //nolint:containedctx // the session's own
	end  context.CancelFunc
	// there is the client: it ends when the client closes its end, and every call with it.
	there context.Context //nolint:containedctx // as life
	leave context.CancelFunc

	read  chan []jsonrpc.Message // the messages of one line
	ready []jsonrpc.Message      // of a batch
	gone  error                  // why no further line comes; set before read is closed
	write chan []byte
	last  chan struct{} // closed when no more is to be written than is in write
	wrote chan struct{} // closed when nothing is written any more

	version atomic.Value // that initialize agreed on, a reader

	mu   sync.Mutex
	next int64
	open map[int64]*request // by the id that the SDK knows it by
}

func newTransport(ctx context.Context, in io.Reader, out io.Writer) *transport {
	t := &transport{in: in, out: out, read: make(chan []jsonrpc.Message), write: make(chan []byte, 16), last: make(chan struct{}), wrote: make(chan struct{}), open: map[int64]*request{}}
	t.life, t.end = context.WithCancel(ctx)
	t.there, t.leave = context.WithCancel(t.life)
	return t
}

// Connect makes it the SDK's transport.
func (t *transport) Connect(context.Context) (mcp.Connection, error) {
	go t.readAll()
	go t.writeAll()
	return t, nil
}

func (*transport) SessionID() string { return "" }

// Close ends the session. A read that is under way is left behind: nothing
// interrupts one of a pipe.
func (t *transport) Close() error { t.end(); return nil }

// flushTime is how long a client may take to read the last answers.
const flushTime = 2 * time.Second

// flush waits for the last answers to be written. The channel stays open: the reader may
// still answer lines that are not messages.
func (t *transport) flush() {
	close(t.last)
	timer := time.NewTimer(flushTime)
	defer timer.Stop()
	select {
	case <-t.wrote:
	case <-timer.C:
	}
}

func (t *transport) writeAll() {
	defer close(t.wrote)
	for {
		select {
		case b := <-t.write:
			t.writeOne(b)
		case <-t.last:
			for len(t.write) > 0 {
				t.writeOne(<-t.write)
			}
			return
		}
	}
}

func (t *transport) writeOne(b []byte) {
	if _, err := t.out.Write(b); err != nil {
		t.end() // the client is gone
	}
}

// oneLine maps the characters that end a line for some reader to an equivalent in JSON. Raw
// JSON may be spread over lines. A newline occurs only between its tokens, where a space
// means the same. The separators of Unicode can occur only in strings.
var oneLine = map[string]string{"\n": " ", "\r": " ", "\u2028": `\u2028`, "\u2029": `\u2029`}

// put writes one message, as one line.
func (t *transport) put(b []byte) {
	for was, is := range oneLine {
		b = bytes.ReplaceAll(b, []byte(was), []byte(is))
	}
	b = append(b, '\n')
	select {
	case t.write <- b:
	case <-t.life.Done():
	}
}

// notify sends a notification.
func (t *transport) notify(method string, params []byte) {
	t.put(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// left is false: what is not sent is found when the answer is written.
func (*transport) left() bool { return false }

// readAll reads lines until there are no more. A client that closes its end
// wants nothing more: every call ends.
func (t *transport) readAll() {
	in := bufio.NewReaderSize(t.in, 64<<10)
	for {
		b, long, err := readLine(in)
		var all []jsonrpc.Message
		switch {
		case long:
			t.put(failure(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message of more than %d bytes", maxLine)))
		case len(bytes.TrimSpace(b)) > 0:
			all = t.readMessages(bytes.TrimSpace(b))
		}
		if len(all) > 0 {
			select {
			case t.read <- all:
			case <-t.life.Done():
			}
		}
		if err != nil || t.life.Err() != nil {
			t.gone = cmp.Or(err, io.EOF)
			t.leave()
			close(t.read)
			return
		}
	}
}

// readLine is one line without its end. long reports that it was too long.
func readLine(in *bufio.Reader) (b []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(b)+len(part) > maxLine+1; long {
			b = nil
		} else {
			b = append(b, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return b, long, err
		}
	}
}

// Read gives the SDK the next message.
func (t *transport) Read(ctx context.Context) (jsonrpc.Message, error) {
	for len(t.ready) == 0 {
		select {
		case all, more := <-t.read:
			if !more {
				return nil, t.gone
			}
			t.ready = all
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-t.life.Done():
			return nil, io.EOF
		}
	}
	m := t.ready[0]
	t.ready = t.ready[1:]
	return m, nil
}

// readMessages reads one line, and answers messages that are malformed.
func (t *transport) readMessages(b []byte) (all []jsonrpc.Message) {
	if b[0] != '[' {
		return t.one(b, nil)
	}
	var parts []jsontext.Value
	if err := schema.DecodeOpen(b, &parts, schema.Limits{Bytes: maxLine, Depth: lineLimits.Depth, Values: lineLimits.Values, Exponent: 308, Digits: 64}); err != nil {
		t.put(failure(nil, jsonrpc.CodeParseError, "not one JSON message: "+err.Error()))
		return nil
	}
	version := t.reader()
	batches := version != "" && version <= batching
	if !batches || len(parts) == 0 || len(parts) > maxBatch {
		t.put(failure(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("an array: this version of the protocol has no batches, or it holds none or more than %d messages", maxBatch)))
		return nil
	}
	group := &batch{left: 1} // left counts one more until the whole line was read
	for _, part := range parts {
		all = append(all, t.one(part, group)...)
	}
	t.answered(group, nil)
	return all
}

// Write sends an answer or a notification of the SDK's.
func (t *transport) Write(_ context.Context, m jsonrpc.Message) error {
	a, answer := m.(*jsonrpc.Response)
	if !answer {
		b, err := jsonrpc.EncodeMessage(m)
		if err != nil {
			return err
		}
		t.put(b)
		return nil
	}
	n, _ := a.ID.Raw().(int64)
	t.mu.Lock()
	r := t.open[n]
	delete(t.open, n)
	cancelled := r != nil && r.cancelled.Load()
	t.mu.Unlock()
	if r == nil {
		return nil
	}
	var b []byte
	switch {
	case !cancelled: // the protocol has no answer to a request that was cancelled
		b = r.answer(a)
	case r.unwanted != nil:
		r.unwanted()
	}
	if r.batch != nil {
		t.answered(r.batch, b)
	} else if b != nil {
		t.put(b)
	}
	return nil
}

// reader is the version that decides which schemas the client can read.
func (t *transport) reader() reader {
	agreed, _ := t.version.Load().(reader)
	return agreed
}
