package session

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lines is the transport to a process: each message is a line. The SDK's own transport reads
// every line four times, with a buffer of 32 KiB for each; the lines from [frames] were read
// strictly, and most of them are stand-ins of this package.
type lines struct {
	in      *frames
	out     io.WriteCloser
	arrived chan arrival
	closed  chan struct{}
	close   func() error
}

type arrival struct {
	line []byte
	err  error // the end
}

func newLines(in *frames, out io.WriteCloser) *lines {
	l := &lines{in: in, out: out, arrived: make(chan arrival), closed: make(chan struct{})}
	l.close = sync.OnceValue(func() error {
		defer close(l.closed)
		if err := l.in.Close(); err != nil {
			return err
		}
		return l.out.Close()
	})
	return l
}

// Connect begins to read. The goroutine ends with the stream, or once nothing reads here
// after Close.
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	go func() {
		for a := (arrival{}); a.err == nil; {
			a.line, a.err = l.in.line()
			select {
			case l.arrived <- a:
			case <-l.closed:
				return
			}
		}
	}()
	return l, nil
}

func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.closed:
		return nil, io.EOF
	case a := <-l.arrived:
		if a.err != nil {
			return nil, a.err
		}
		if m := standsIn(a.line); m != nil {
			return m, nil
		}
		return jsonrpc.DecodeMessage(a.line)
	}
}

// Write writes one message. Its caller lets one write follow another.
func (l *lines) Write(ctx context.Context, m jsonrpc.Message) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	_, err = l.out.Write(append(b, '\n'))
	return err
}

func (l *lines) Close() error { return l.close() }

func (l *lines) SessionID() string { return "" }

// line returns the next line that is not blank, or the end of the stream.
func (f *frames) line() ([]byte, error) {
	for f.dead == nil {
		var b []byte
		if b, f.dead = f.next(); f.dead != nil && f.end != nil {
			close(f.end)
		}
		if b = bytes.TrimSpace(b); len(b) > 0 {
			return b, nil
		}
	}
	return nil, f.dead
}

// standsIn reads a message that [standInFor] made for a number as id. It returns nil for any
// other message.
func standsIn(line []byte) *jsonrpc.Response {
	const longest = 15 // digits of a number that a float64 keeps
	rest, begins := bytes.CutPrefix(line, []byte(standInBefore))
	digits, ends := bytes.CutSuffix(rest, standInAfter)
	n, err := strconv.ParseUint(string(digits), 10, 64)
	plain := err == nil && len(digits) <= longest && strconv.FormatUint(n, 10) == string(digits)
	if !begins || !ends || !plain {
		return nil
	}
	id, err := jsonrpc.MakeID(float64(n))
	if err != nil {
		return nil
	}
	return &jsonrpc.Response{ID: id, Result: standIn}
}
