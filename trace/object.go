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

// Object is a value that many runs have in common: a server's listing, a policy, the
// servers. A [Keeper] keeps it once, under the SHA-256 of its bytes, and a line refers to
// it. With any other sink the line contains the value itself.
type Object struct {
	digest    Hash
	reference jsontext.Value
	size      int
	value     func() jsontext.Value
}

// NewObject makes an object. It calls value once for the digest, and again if the value
// has to be written, so that a known value need not stay in memory.
func NewObject(value func() jsontext.Value) Object {
	v := value()
	digest := Hash(sha256.Sum256(v))
	return Object{digest, reference(digest), len(v), value}
}

// Digest is the digest of the object's bytes, as [Hash.Digest] writes it.
func (o Object) Digest() string { return o.digest.Digest() }

// Inline returns the object's value, for a line that always contains it.
func (o Object) Inline() jsontext.Value { return o.value() }

// Keeper is a sink that also keeps objects. Its Sync promises the same for objects as for
// lines.
type Keeper interface {
	Sink
	// Keep makes sure that an object with this digest and size in bytes is stored. It
	// calls value only if it has to write the object.
	Keep(digest Hash, size int, value func() jsontext.Value) error
}

// Share returns the form of an object in a line. It is the reference, or the value if the
// sink keeps no objects or the reference would be longer. If an object cannot be stored,
// the log fails from the next line on.
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

// A reference has exactly one spelling. Anything else is a value.
const before, after = `{"object":"`, `"}`

func reference(h Hash) jsontext.Value { return jsontext.Value(before + h.Digest() + after) }

// refersTo returns the digest in a reference.
func refersTo(v jsontext.Value) (h Hash, is bool) {
	text, opened := strings.CutPrefix(string(v[:min(len(v), len(reference(h))+1)]), before)
	text, closed := strings.CutSuffix(text, after)
	h, err := ParseDigest(text)
	return h, opened && closed && err == nil
}

// ParseDigest reads a digest, only in the form that [Hash.Digest] writes.
func ParseDigest(s string) (h Hash, err error) {
	b, err := hex.DecodeString(strings.TrimPrefix(s, algorithm))
	if err != nil || copy(h[:], b) != len(h) || h.Digest() != s {
		return Hash{}, errors.New("it is not a digest: sha256: and 64 digits of 0-9 a-f")
	}
	return h, nil
}

// Objects returns the object of a digest, and vouches that its bytes have that digest.
// Its error has the code trace.object.
type Objects func(Hash) (jsontext.Value, error)

// Value returns v, or the value that v refers to.
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

// ReadObject reads the object of a digest from its file, and checks the digest.
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

// lost is the error for a missing object; errors.Is finds fs.ErrNotExist.
func lost(h Hash, err error) error {
	return verdict.Fail(verdict.TraceObject, err, "the object %s is missing", h.Digest())
}
