package session

import "github.com/onestep-run/onestep/gate/verdict"

// fail remembers the first thing that went wrong on this connection: by the
// time an error has come through the SDK, what it was is often lost.
func (w *wire) fail(code verdict.Code, cause error, format string, args ...any) *verdict.Fault {
	f := verdict.Fail(code, cause, format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.trouble == nil {
		w.trouble = f
	}
	return f
}

// refuse keeps how the server refused what the SDK asked it for. From the SDK
// it could not be told: it uses the same type of error, with codes that servers
// use too (-32001, -32003 to -32005), for what went wrong on the way.
func (w *wire) refuse(r *refusal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refusal = r
}

// refused is the last such refusal, or nil.
func (w *wire) refused() *refusal {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.refusal
}

func (w *wire) failed() *verdict.Fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.trouble
}
