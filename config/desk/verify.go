package desk

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// Verified is what a check of one trace found.
type Verified struct {
	SchemaVersion int           `json:"schema_version"`
	Path          string        `json:"path"`
	Lines         int           `json:"lines"`   // intact ones
	Objects       int           `json:"objects"` // that these lines refer to
	Missing       []string      `json:"missing_objects"`
	Altered       []string      `json:"altered_objects"`
	Consistent    bool          `json:"consistent"`
	Digest        string        `json:"digest,omitempty"`
	Error         *host.Failure `json:"error,omitempty"`
}

// Verify checks the chain of a trace, the objects that it refers to, and its
// digest against the one that its run printed. Without that digest a trace that
// was rewritten whole goes unnoticed.
func (r Runs) Verify(name, digest string) (Verified, error) {
	v, err := r.scan(name)
	if err == nil && digest != "" && digest != v.Digest {
		err = verdict.Fail(verdict.TraceDigest, nil, "the chain is consistent and its digest is %s: it is not the one that was asked for, or it was rewritten", v.Digest)
	}
	if err == nil {
		err = v.lost()
	}
	if v.Consistent = err == nil; err != nil {
		v.Error = host.FailureOf(err)
	}
	return v, err
}

// scan reads the trace once and keeps no line of it, however long it is. Of each
// line's objects the bytes are hashed.
func (r Runs) scan(name string) (Verified, error) {
	path, f, err := r.Open(name)
	v := Verified{SchemaVersion: host.SchemaVersion, Path: path, Missing: []string{}, Altered: []string{}}
	if err != nil {
		return v, err
	}
	defer f.Close()
	var order []trace.Hash
	inside := map[trace.Hash]bool{} // of those: whether the file holds it
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

// check hashes an object next to the trace.
func (v *Verified) check(h trace.Hash) {
	_, err := objectsOf(v.Path)(h)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.Missing = append(v.Missing, h.Digest())
	case err != nil:
		v.Altered = append(v.Altered, h.Digest())
	}
}

// lost names the objects that a consistent chain lacks.
func (v *Verified) lost() error {
	var found []string
	if n := len(v.Missing); n > 0 {
		found = append(found, fmt.Sprintf("%d objects missing: %s", n, strings.Join(v.Missing, ", ")))
	}
	if n := len(v.Altered); n > 0 {
		found = append(found, fmt.Sprintf("%d objects altered: %s", n, strings.Join(v.Altered, ", ")))
	}
	if found == nil {
		return nil
	}
	return verdict.Fail(verdict.TraceObject, nil, "chain consistent, %s", strings.Join(found, "; "))
}

// NewPolicy is what flags change of the recorded policy: nil for nothing. Only what
// a flag names takes the recorded part's place.
func NewPolicy(flags config.Flags, o setup.Options) (func(host.Policy) host.Policy, error) {
	if flags.Config == "" && len(flags.Given) == 0 {
		return nil, nil
	}
	paths, err := config.FindPaths(o.Env)
	if err != nil {
		return nil, err
	}
	s, err := config.Load(paths, o.Env, flags)
	if err != nil {
		return nil, err
	}
	listed := s.Allowlist.Origin.Kind == config.FromFlag || s.Allowlist.Origin == config.Origin{Kind: config.FromFile, Name: flags.Config}
	if flags.Config == "" && !listed {
		return nil, nil
	}
	named, err := setup.Policy(s)
	if err != nil {
		return nil, err
	}
	return func(p host.Policy) host.Policy {
		allowlist := p.Allowlist
		if listed {
			allowlist = config.LoadAllowlist(s.Allowlist.V)
		}
		if flags.Config != "" {
			p = named
		}
		p.Allowlist = allowlist
		return p
	}, nil
}
