package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// Limits bound the time and memory of an expression or a template. Neither can be
// interrupted at every point, so a watcher runs next to it. Beyond a limit it is
// abandoned with an error, and the process should end.
type Limits struct {
	Time   time.Duration // without the time of a slow reader
	Memory uint64        // bytes, in addition to the process's memory so far
}

// maxMade bounds the output, in bytes. The longest document with a result of the
// default size fits, even with every byte escaped.
const maxMade = 64 << 20

// watchEvery is how often memory and time are checked: a text that doubles is stopped
// a few doublings after the limit.
const watchEvery = 5 * time.Millisecond

// run runs write within the limits.
func (l Limits) run(ctx context.Context, w io.Writer, write func(context.Context, io.Writer) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := &output{to: w}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("a panic: %.300v", p)
			}
		}()
		done <- write(ctx, out)
	}()
	var err error
	select {
	case err = <-done:
	case err = <-l.watch(ctx, out):
	}
	return errors.Join(err, out.end())
}

// watch reports the limit that was passed, or the end of the context. It ends with the
// context.
func (l Limits) watch(ctx context.Context, out *output) <-chan error {
	passed := make(chan error, 1)
	go func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		var used time.Duration
		for before, last := held(), time.Now(); ; {
			select {
			case <-ctx.Done():
				passed <- context.Cause(ctx)
				return
			case <-tick.C:
			}
			now := time.Now()
			if !out.writing.Load() {
				used += now.Sub(last)
			}
			last = now
			switch {
			case used > l.Time:
				passed <- fmt.Errorf("it takes longer than %v", l.Time)
				return
			case l.full(before):
				passed <- fmt.Errorf("it takes more than %d MiB of memory", l.Memory>>20)
				return
			}
		}
	}()
	return passed
}

// full reports whether the memory is used up. Up to twice the limit it first collects
// garbage, and does not count it. That takes a while, in which a text may double.
func (l Limits) full(before uint64) bool {
	switch now := held(); {
	case now <= before+l.Memory:
		return false
	case now > before+2*l.Memory:
		return true
	}
	runtime.GC()
	return held() > before+l.Memory
}

// held returns how many bytes the process uses.
func held() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() + samples[1].Value.Uint64()
}

// output accepts at most maxMade bytes, and no bytes after its end.
type output struct {
	to      io.Writer
	writing atomic.Bool // to the reader

	mu     sync.Mutex
	made   int
	buffer []byte
	err    error
}

// bufferSize saves a system call for each word of a template.
const bufferSize = 32 << 10

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.made += len(b); o.err == nil && o.made > maxMade {
		o.err = fmt.Errorf("it writes more than %d MiB", maxMade>>20)
	}
	if o.err != nil {
		return 0, o.err
	}
	o.buffer = append(o.buffer, b...)
	if len(o.buffer) >= bufferSize {
		o.flush()
	}
	if o.err != nil {
		return 0, o.err
	}
	return len(b), nil
}

// flush writes the buffer. The caller has the lock.
func (o *output) flush() {
	o.writing.Store(true)
	defer o.writing.Store(false)
	if len(o.buffer) > 0 {
		_, o.err = o.to.Write(o.buffer)
		o.buffer = o.buffer[:0]
	}
}

// end writes the rest of the buffer, and makes every later write fail.
func (o *output) end() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	failed := o.err != nil
	o.flush()
	if err := o.err; !failed && err != nil {
		return err
	}
	o.err = errors.New("it is over")
	return nil
}
