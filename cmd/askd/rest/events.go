package rest

import (
	"cmp"
	"context"
	"io"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	defaultKeepAlive = 15 * time.Second
	// writeLimit is how long a client may take to read one event.
	writeLimit = 30 * time.Second
	// permitAge is how long at most events are sent to a token that was revoked.
	permitAge = time.Second
)

// events sends the events of a stream until the sequence, the client or its permission
// ends.
func (h *handler) events(w http.ResponseWriter, r *Request, o *row, input jsontext.Value, permit func() error) error {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	all, err := o.stream(ctx, r, input)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	every := cmp.Or(h.KeepAlive, defaultKeepAlive)
	s := &stream{w: w, control: http.NewResponseController(w), permit: permit, age: min(every, permitAge), checked: time.Now()}
	if err := s.write(""); err != nil || r.Method == http.MethodHead {
		return nil // the client is gone
	}
	var live sync.WaitGroup
	live.Go(func() { s.keepAlive(ctx, every, cancel) })
	err = guarded(func() error { return s.all(all) })
	gone := ctx.Err() != nil
	cancel()
	live.Wait()
	switch {
	case s.refused != nil:
		err = s.refused
	case gone, err == nil:
		return nil
	}
	p, expected := problemOf(err)
	if !expected {
		h.Errors(err)
	}
	_ = s.send("event: problem\ndata: " + string(h.document(p)) + "\n\n")
	return nil
}

// stream is the answer of a stream of events.
type stream struct {
	mu      sync.Mutex
	w       io.Writer
	control *http.ResponseController

	permit  func() error
	age     time.Duration // after which the permission is checked again
	checked time.Time
	refused error // ended the stream
}

// all sends the events of a sequence.
func (s *stream) all(events iter.Seq2[Event[any], error]) error {
	for e, err := range events {
		if err != nil {
			return err
		}
		data, err := json.Marshal(e.Data, json.Deterministic(true))
		if err != nil {
			return err
		}
		text := "data: " + string(data) + "\n\n"
		if e.ID != "" {
			text = "id: " + opaque(e.ID) + "\n" + text
		}
		if s.write(text) != nil {
			return nil // the client is gone, or the permission
		}
	}
	return nil
}

// write sends a text while the caller is permitted to read it.
func (s *stream) write(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); s.refused == nil && now.Sub(s.checked) >= s.age {
		s.checked, s.refused = now, s.permit()
	}
	if s.refused != nil {
		return s.refused
	}
	return s.send(text)
}

// send sends a text at once. It fails if the client is gone or does not read.
func (s *stream) send(text string) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeLimit)) // of a server that has deadlines
	if _, err := io.WriteString(s.w, text); err != nil {
		return err
	}
	return s.control.Flush()
}

// keepAlive sends comments, so that no proxy ends the stream, and ends it if the client or
// its permission is gone.
func (s *stream) keepAlive(ctx context.Context, every time.Duration, gone func()) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if s.write(":\n\n") != nil {
				gone()
				return
			}
		}
	}
}
