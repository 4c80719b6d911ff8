package eval

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// MakeDir makes the folder of the results, and writes and removes a file in it. It
// runs before the measurement, because an hour's figures without a place would be
// lost.
func MakeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return unwritable(err)
	}
	f, err := os.CreateTemp(dir, ".eval-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return unwritable(err)
	}
	return nil
}

// Save writes a result document. An earlier one of the same name stays whole until the
// new one is complete.
func Save(dir, name string, document any) (path string, err error) {
	b, err := json.Marshal(document, jsontext.Multiline(true), jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return "", verdict.Fail(verdict.Internal, err, "the results cannot be written as JSON: %v", err)
	}
	return SaveText(dir, name, append(b, '\n'))
}

// SaveRows writes rows, one JSON object a line, as [Save] writes a document.
func SaveRows(dir, name string, rows []Row) (path string, err error) {
	var b bytes.Buffer
	for _, r := range rows {
		line, err := json.Marshal(r, json.Deterministic(true))
		if err != nil {
			return "", verdict.Fail(verdict.Internal, err, "a row cannot be written as JSON: %v", err)
		}
		b.Write(append(line, '\n'))
	}
	return SaveText(dir, name, b.Bytes())
}

// SaveText writes a file, as [Save] writes a document.
func SaveText(dir, name string, b []byte) (path string, err error) {
	path = filepath.Join(dir, name)
	if err := replace(path, b); err != nil {
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
		_ = os.Remove(f.Name()) // the first error counts
	}
	return err
}

func unwritable(err error) error {
	return verdict.Fail(verdict.UsageArgument, err, "the results cannot be written: %v", err).
		WithHint("name a folder that can be written with --out, and files in such folders with --report")
}
