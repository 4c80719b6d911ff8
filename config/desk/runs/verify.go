package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// Verified is the result of a check of one trace.
type Verified struct {
	SchemaVersion int           `json:"schema_version"`
	Path          string        `json:"path"`
	Lines         int           `json:"lines"`   // intact lines
	Objects       int           `json:"objects"` // objects that these lines refer to
	Missing       []string      `json:"missing_objects"`
	Altered       []string      `json:"altered_objects"`
	Consistent    bool          `json:"consistent"`
	Digest        string        `json:"digest,omitempty"`
	Error         *host.Failure `json:"error,omitempty"`
}

// Verify checks the chain of a trace, its objects, and its digest against the digest that its
// run printed. Without that digest a trace that was rewritten whole is not detected.
func (r Runs) Verify(name, digest string) (Verified, error) {
	v, err := r.scan(name)
	if err == nil && digest != "" && digest != v.Digest {
		err = verdict.Fail(verdict.TraceDigest, nil, "the chain is consistent, but its digest is %s: it is another trace, or it was rewritten", v.Digest)
	}
	if err == nil {
		err = v.lost()
	}
	v.Consistent, v.Error = err == nil, host.FailureOf(err)
	return v, err
}

// scan reads the trace once and keeps no line in memory, whatever its length. It hashes the
// bytes of each line's objects.
func (r Runs) scan(name string) (Verified, error) {
	path, f, err := r.Open(name)
	v := Verified{SchemaVersion: host.SchemaVersion, Path: path, Missing: []string{}, Altered: []string{}}
	if err != nil {
		return v, err
	}
	defer f.Close()
	var order []trace.Hash
	inside := map[trace.Hash]bool{} // the objects, and whether the file contains them
	sum, err := trace.Scan(f, func(e trace.Event) {
		v.Lines++
		for _, h := range e.Objects {
			if _, known := inside[h]; !known {
				inside[h], order = false, append(order, h)
			}
		}
	}, func(h trace.Hash, _ jsontext.Value) { inside[h] = true })
	if err == nil {
		v.Digest = sum.Digest()
	}
	v.Objects = len(order)
	for _, h := range order {
		if !inside[h] {
			v.check(h)
		}
	}
	return v, err
}

func (v *Verified) check(h trace.Hash) {
	_, err := objectsOf(v.Path)(h)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.Missing = append(v.Missing, h.Digest())
	case err != nil:
		v.Altered = append(v.Altered, h.Digest())
	}
}

func (v *Verified) lost() error {
	var found []string
	if n := len(v.Missing); n > 0 {
		found = append(found, fmt.Sprintf("%s missing: %s", verdict.Count(n, "object"), strings.Join(v.Missing, ", ")))
	}
	if n := len(v.Altered); n > 0 {
		found = append(found, fmt.Sprintf("%s altered: %s", verdict.Count(n, "object"), strings.Join(v.Altered, ", ")))
	}
	if found == nil {
		return nil
	}
	return verdict.Fail(verdict.TraceObject, nil, "chain consistent, %s", strings.Join(found, "; "))
}
