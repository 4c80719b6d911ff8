package replay

import (
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
)

// Memory is what replays of many traces read once: objects, listings, policies, and what a
// host admits and compiles. The traces must have the same objects. Its zero value is ready,
// its size is bounded, and it is safe for concurrent use.
type Memory struct {
	host     host.Memory
	objects  kept[jsontext.Value]
	listings kept[[]pin.Descriptor]
	policies kept[host.Policy]
	servers  kept[map[string]pin.Identity]
}

// kept are values by the text from which they were read. No caller writes into one.
type kept[V any] struct {
	mu    sync.Mutex
	known map[string]V
	bytes int
}

// maxKept bounds the texts and values that are kept of one kind, in bytes. Beyond it, all
// of them are read again.
const maxKept = 16 << 20

// of is the value of a text. read gives it, and its size in bytes besides the text. An
// error is not kept.
func (k *kept[V]) of(text []byte, read func() (V, int, error)) (V, error) {
	k.mu.Lock()
	v, has := k.known[string(text)]
	k.mu.Unlock()
	if has {
		return v, nil
	}
	v, size, err := read()
	if err != nil {
		return v, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bytes += len(text) + size; k.known == nil || k.bytes > maxKept {
		k.known, k.bytes = map[string]V{}, len(text)+size
	}
	k.known[string(text)] = v
	return v, nil
}
