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
	objects  cache[jsontext.Value]
	listings cache[[]pin.Descriptor]
	policies cache[host.Policy]
	servers  cache[map[string]pin.Identity]
}

// kept are values by the text from which they were read. No caller writes into one.
type cache[V any] struct {
	mu     sync.Mutex
	values map[string]V
	bytes  int
}

// maxCached bounds the texts and values of one kind, in bytes. Beyond it, all
// of them are read again.
const maxCached = 16 << 20

// of is the value of a text. read gives it, and its size in bytes besides the text. An
// error is not kept.
func (c *cache[V]) of(text []byte, read func() (V, int, error)) (V, error) {
	c.mu.Lock()
	v, has := c.values[string(text)]
	c.mu.Unlock()
	if has {
		return v, nil
	}
	v, size, err := read()
	if err != nil {
		return v, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes += len(text) + size; c.values == nil || c.bytes > maxCached {
		c.values, c.bytes = map[string]V{}, len(text)+size
	}
	c.values[string(text)] = v
	return v, nil
}
