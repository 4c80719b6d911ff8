package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/onestep-run/onestep/trace"
)

// runID sets RUN to the id of the newest trace, TRACE to its path and DIGEST to
// the digits of its digest.
func runID(ts *testscript.TestScript, neg bool, args []string) {
	found, err := filepath.Glob(filepath.Join(ts.Getenv("ASK_HOME"), "traces", "trace_*.jsonl"))
	ts.Check(err)
	var newest string
	var at time.Time
	for _, path := range found {
		info, err := os.Stat(path)
		ts.Check(err)
		if info.ModTime().After(at) {
			newest, at = path, info.ModTime()
		}
	}
	if newest == "" {
		ts.Fatalf("no trace")
	}
	ts.Setenv("TRACE", newest)
	name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(newest), "trace_"), ".jsonl")
	ts.Setenv("RUN", name)
	b, err := os.ReadFile(newest)
	ts.Check(err)
	digest, err := trace.Verify(bytes.NewReader(b), nil)
	ts.Check(err)
	ts.Setenv("DIGEST", digest.String())
}

// reviewDigest sets REVIEW to the digest that the last command printed after
// --digest, or to that of a part, with the title in the review: review [TITLE].
func reviewDigest(ts *testscript.TestScript, _ bool, args []string) {
	after, text := "--digest ", ts.ReadFile("stderr")
	if len(args) == 1 {
		_, text, _ = strings.Cut(ts.ReadFile("stdout"), "\n"+args[0]+"  ")
		after = "digest     "
	}
	_, digest, found := strings.Cut(text, after)
	if !found {
		ts.Fatalf("no digest in %q", text)
	}
	digest, _, _ = strings.Cut(digest, "\n")
	ts.Setenv("REVIEW", strings.TrimSpace(digest))
}
