// Package eval measures onestep on cases: rows of a file that say what is
// asked and what would be right.
//
// It vouches that every row of a file is measured or named as not measured,
// that what is right is decided by comparing, with no repair and no benefit
// of the doubt, and that the same rows give the same figures. It does not
// vouch that the rows are like anybody's questions: a figure is as good as
// its cases. It approves nothing and calls no tool.
//
// `ask eval` calls it, and so do the tests that hold figures of the
// documentation. What runs a question never imports it.
package eval

import (
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// SchemaVersion is the version of the result documents.
const SchemaVersion = 1

// Noon is what a planner that is measured takes for the time, 21 November 2026,
// 12:00 UTC, so that "next Friday" is as right tomorrow as it is today.
func Noon() time.Time { return time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC) }

// MakeDir makes the folder of the results. It is asked for before anything is
// measured: an hour's figures with no place to go would be lost.
func MakeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return unwritable(err)
	}
	return nil
}

// Save writes a result document. An earlier one of the same name stays whole
// until the new one is.
func Save(dir, name string, document any) (path string, err error) {
	b, err := json.Marshal(document, jsontext.Multiline(true), jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return "", verdict.Fail(verdict.Internal, err, "the results cannot be written as JSON: %v", err)
	}
	path = filepath.Join(dir, name)
	if err := replace(path, append(b, '\n')); err != nil {
		return "", unwritable(err)
	}
	return path, nil
}

func replace(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".eval-*")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error that counts is the first one
	}
	return err
}

func unwritable(err error) error {
	f := verdict.Fail(verdict.UsageArgument, err, "the results cannot be written: %v", err)
	f.Hint = "name a folder that can be written with --out"
	return f
}
