package trace

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// An export is a trace in one file. After its end line come the objects that its lines
// refer to, each once, in the order of the first references.
//
//	{"object":"sha256:…","value":…}
//
// The objects are not part of the chain, so the digest is the trace's own. Each object is
// checked against its own digest, which is in a line of the chain.

// Export writes the export of a finished trace to w and returns its digest. Exporting an
// export gives the same bytes. After an error, the written data is not an export.
func Export(w io.Writer, r io.Reader, objects Objects) (digest Hash, err error) {
	var prev Hash
	var failed error
	embedded := false
	put := func(line []byte) {
		if failed == nil {
			_, failed = w.Write(line)
		}
	}
	var named references
	digest, err = Scan(r, func(e Event) {
		line := link(append(e.head(nil), e.Body...), prev)
		put(append(tail(line, e.Hash), '\n'))
		prev = e.Hash
		named.add(e.Objects)
	}, func(h Hash, v jsontext.Value) {
		embedded = true
		put(exported(h, v))
	})
	if err == nil && !embedded {
		for _, h := range named.order {
			v, missing := objects.Value(reference(h))
			if missing != nil {
				return Hash{}, missing
			}
			put(exported(h, v))
		}
	}
	if err == nil && failed != nil {
		err = fmt.Errorf("the export cannot be written: %w", failed)
	}
	return digest, err
}

// exported returns an object's line, for both writing and reading.
func exported(h Hash, v jsontext.Value) []byte {
	return fmt.Appendf(nil, `{"object":"%s","value":%s}`+"\n", h.Digest(), v)
}

// references are the digests of a trace's objects, in order.
type references struct {
	order []Hash
	known map[Hash]bool
}

func (r *references) add(hs []Hash) {
	for _, h := range hs {
		if r.known == nil {
			r.known = map[Hash]bool{}
		}
		if !r.known[h] {
			r.known[h], r.order = true, append(r.order, h)
		}
	}
}

// object reads the line of the next object, which must have exactly the bytes of
// exported.
func (r references) object(given int, line []byte) (h Hash, v jsontext.Value, why string) {
	if given >= len(r.order) {
		return h, nil, "it follows the end line"
	}
	h = r.order[given]
	start, end := `{"object":"`+h.Digest()+`","value":`, "}"
	v, opened := bytes.CutPrefix(line, []byte(start))
	v, closed := bytes.CutSuffix(v, []byte(end))
	switch {
	case !opened || !closed:
		return h, nil, "it follows the end line, and is not the object " + h.Digest()
	case sha256.Sum256(v) != h:
		return h, nil, "the object " + h.Digest() + " was altered"
	case schema.Check(v, lineLimits) != nil:
		return h, nil, "the object " + h.Digest() + " is not a JSON value"
	}
	return h, v, ""
}

// cutOff is the error for an export without all its objects.
func (r references) cutOff(given int) error {
	return verdict.Fail(verdict.TraceIncomplete, nil, "the export is cut off: it has %d of %d objects", given, len(r.order))
}
