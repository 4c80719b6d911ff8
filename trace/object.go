package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Object is a value that many runs have in common: what a server lists, a
// policy, how the servers are reached. A [Keeper] keeps it once, under the
// SHA-256 of its bytes, and a line refers to it. With any other sink the line
// holds the value itself.
type Object struct {
	digest    Hash
	reference jsontext.Value
	size      int
	value     func() jsontext.Value
}

// NewObject makes an object. The value is made once for its digest, and again
// where it has to be written: what is known need not stay in memory.
func NewObject(value func() jsontext.Value) Object {
	v := value()
	digest := Hash(sha256.Sum256(v))
	return Object{digest, reference(digest), len(v), value}
}

// Inline is the object itself, for a line that holds it in any case.
func (o Object) Inline() jsontext.Value { return o.value() }

// Keeper is a sink that keeps objects as well. Its Sync promises the same of
// them as of lines.
type Keeper interface {
	Sink
	// Keep makes sure that an object of this digest and of this many bytes is
	// there. It asks for the value only where it has to write it.
	Keep(digest Hash, size int, value func() jsontext.Value) error
}

// Share is what a line holds of an object: the reference to it, or the value
// where the sink keeps no objects or the reference would be longer. An object
// that cannot be kept shows at the next line: the log takes nothing more.
func (l *Log) Share(o Object) jsontext.Value {
	keeper, keeps := l.sink.(Keeper)
	if !keeps || o.size <= len(o.reference) {
		return o.value()
	}
	if l.err != nil {
		return nil
	}
	if err := keeper.Keep(o.digest, o.size, o.value); err != nil {
		l.err = fmt.Errorf("object %s: %w", o.digest.Digest(), err)
		return nil
	}
	return o.reference
}

// A reference has one spelling. Anything else is a value.
const before, after = `{"object":"`, `"}`

func reference(h Hash) jsontext.Value { return jsontext.Value(before + h.Digest() + after) }

// refersTo is the digest in a reference.
func refersTo(v jsontext.Value) (h Hash, is bool) {
	text, opened := strings.CutPrefix(string(v[:min(len(v), len(reference(h))+1)]), before)
	text, closed := strings.CutSuffix(text, after)
	h, err := ParseDigest(text)
	return h, opened && closed && err == nil
}

// ParseDigest reads a digest as [Hash.Digest] writes it, and no other way.
func ParseDigest(s string) (h Hash, err error) {
	b, err := hex.DecodeString(strings.TrimPrefix(s, algorithm))
	if err != nil || copy(h[:], b) != len(h) || h.Digest() != s {
		return Hash{}, errors.New("it is not a digest: sha256: and 64 digits of 0-9 a-f")
	}
	return h, nil
}

// Objects gives the object of a digest, and vouches for it: its bytes have that
// digest. Its error is of the code trace.object.
type Objects func(Hash) (jsontext.Value, error)

// Value is the value that v is, or the one that v refers to.
func (get Objects) Value(v jsontext.Value) (jsontext.Value, error) {
	h, is := refersTo(v)
	switch {
	case !is:
		return v, nil
	case get == nil:
		return nil, lost(h, fs.ErrNotExist)
	}
	return get(h)
}

// ReadObject reads the object of a digest from the file that should be it.
func ReadObject(r io.Reader, h Hash) (jsontext.Value, error) {
	var b bytes.Buffer
	_, err := b.ReadFrom(io.LimitReader(r, int64(lineLimits.Bytes)+1))
	switch {
	case err != nil:
		return nil, verdict.Fail(verdict.TraceObject, err, "the object %s cannot be read: %v", h.Digest(), err)
	case b.Len() > lineLimits.Bytes, sha256.Sum256(b.Bytes()) != h:
		return nil, verdict.Fail(verdict.TraceObject, nil, "the object %s was altered", h.Digest())
	}
	return b.Bytes(), nil
}

// lost is the error of an object that is not there; errors.Is finds fs.ErrNotExist.
func lost(h Hash, err error) error {
	return verdict.Fail(verdict.TraceObject, err, "the object %s is missing", h.Digest())
}
