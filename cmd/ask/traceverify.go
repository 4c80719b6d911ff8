package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

func (a *app) verifyCommand() *cobra.Command {
	var digest string
	cmd := &cobra.Command{
		Use: "verify RUN", Short: "Check that a trace is what was written", Args: oneTrace,
		RunE: func(_ *cobra.Command, args []string) error { return a.verifyTrace(args[0], digest) },
	}
	cmd.Flags().StringVar(&digest, "digest", "", "the whole `DIGEST` that the run printed; without it a rewritten trace goes unnoticed")
	return cmd
}

// verified is what a look at one trace found.
type verified struct {
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

func (a *app) verifyTrace(name, digest string) error {
	v, err := a.verify(name)
	if err == nil && digest != "" && digest != v.Digest {
		err = verdict.Fail(verdict.TraceDigest, nil, "the chain is consistent and its digest is %s: it is not the one that was asked for, or it was rewritten", v.Digest)
	}
	if err == nil {
		err = v.lost()
	}
	if verdict.CodeOf(err) == verdict.TraceMissing {
		return err
	}
	if a.JSON {
		if v.Consistent = err == nil; err != nil {
			v.Error = host.FailureOf(err)
		}
		a.Document(v)
		return a.EndWith(err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "consistent: %d lines, %d objects, %s\n", v.Lines, v.Objects, v.Digest)
	if digest == "" {
		a.Say("Compare the digest with the one that the run printed: a chain alone can be computed anew by whoever rewrites a file.")
	}
	return nil
}

// verify reads the trace once and keeps no line of it, however long it is. Of
// each line's objects the bytes are hashed.
func (a *app) verify(name string) (verified, error) {
	path, f, err := a.openTrace(name)
	v := verified{SchemaVersion: host.SchemaVersion, Path: path, Missing: []string{}, Altered: []string{}}
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
			v.look(h)
		}
	}
	return v, err
}

// look hashes an object next to the trace.
func (v *verified) look(h trace.Hash) {
	_, err := beside(v.Path).Object(h)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.Missing = append(v.Missing, h.Digest())
	case err != nil:
		v.Altered = append(v.Altered, h.Digest())
	}
}

// lost names the objects that a consistent chain lacks.
func (v *verified) lost() error {
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
