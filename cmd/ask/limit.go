package main

import (
	"context"
	"sync"
	"time"
)

// limit is the time limit of a run. It stands still while a person reads: a
// context's own deadline cannot.
type limit struct {
	context.Context //nolint:containedctx // it is one, with an end that can be put off
	cancel          context.CancelFunc

	mu    sync.Mutex
	timer *time.Timer
	left  time.Duration
	since time.Time
	over  bool
}

func withLimit(parent context.Context, d time.Duration) (context.Context, *limit) {
	l := &limit{left: d}
	l.Context, l.cancel = context.WithCancel(parent)
	l.resume()
	return l, l
}

// Err tells the end of the time from an interrupt.
func (l *limit) Err() error {
	err := l.Context.Err()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil && l.over {
		return context.DeadlineExceeded
	}
	return err
}

func (l *limit) resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.since = time.Now()
	l.timer = time.AfterFunc(l.left, func() {
		l.mu.Lock()
		l.over = true
		l.mu.Unlock()
		l.cancel()
	})
}

func (l *limit) pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer.Stop() {
		l.left = max(0, l.left-time.Since(l.since))
	}
}

func (l *limit) end() {
	l.pause()
	l.cancel()
}
