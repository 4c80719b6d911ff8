package session

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// around is a message without its id: the bytes before it and after it.
type around struct{ before, after []byte }

// repeat is an expected message. The server sent it before at this place of its
// listing, with another id. A server usually lists the same tools before each
// call. Such a message is compared while it arrives, and neither kept nor read again.
type repeat struct {
	x       *exchange
	id      []byte
	arrived int // how many of its bytes have arrived
}

// repeated returns the expected message that begins like a part, or nil.
func (w *wire) repeated(part []byte) *repeat {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, p := range w.open {
		if p.exchange == nil || !p.exchange.like.repeatable() {
			continue
		}
		r := repeatOf(id, p.exchange)
		if _, is := r.equal(part); is {
			return r
		}
	}
	return nil
}

// repeatable reports whether the page came in a message, and not from a server inside this
// program.
func (j *judged) repeatable() bool { return j != nil && len(j.before) > 0 }

func repeatOf(id jsonrpc.ID, x *exchange) *repeat {
	n, _ := id.Raw().(int64) // as the SDK numbers its requests
	return &repeat{x: x, id: strconv.AppendInt(nil, n, 10)}
}

func (r *repeat) pieces() [3][]byte { return [3][]byte{r.x.like.before, r.id, r.x.like.after} }

// advance reports whether the next bytes are the expected ones. If not, it keeps its place.
func (r *repeat) advance(part []byte) bool {
	if r == nil {
		return false
	}
	n, is := r.equal(part)
	if is {
		r.arrived += n
	}
	return is
}

// equal compares a part with the bytes that are expected next, and returns its length.
func (r *repeat) equal(part []byte) (n int, is bool) {
	n, at := len(part), r.arrived
	for _, piece := range r.pieces() {
		rest := piece[min(at, len(piece)):]
		at = max(at-len(piece), 0)
		k := min(len(part), len(rest))
		if !bytes.Equal(part[:k], rest[:k]) {
			return 0, false
		}
		part = part[k:]
	}
	return n, len(part) == 0
}

// whole reports whether every byte of the message has arrived.
func (r *repeat) whole() bool {
	return r != nil && r.arrived == len(r.x.like.before)+len(r.id)+len(r.x.like.after)
}

// prefix returns the bytes that have arrived.
func (r *repeat) prefix() []byte {
	if r == nil {
		return nil
	}
	all := r.pieces()
	return slices.Concat(all[:]...)[:r.arrived]
}

// put answers the request, and returns what the SDK gets.
func (r *repeat) put() []byte {
	like := r.x.like
	r.x.put(answer{result: like.raw, around: like.around})
	return standInFor(r.id)
}

func standInFor(id []byte) []byte { return slices.Concat([]byte(standInBefore), id, standInAfter) }

// standInBefore and standInAfter are around the id of a message with a [standIn].
const standInBefore = `{"jsonrpc":"2.0","id":`

var standInAfter = fmt.Appendf(nil, `,"result":%s}`, standIn)
