package onestep_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/corpus"
)

// corpusRow is a row of the table of docs/internals/evaluation.md: a path in the corpora, its
// digest, and the digest of the part that `make corpora` gets, if that is another.
var corpusRow = regexp.MustCompile("(?m)^\\| `([a-z/.-]+)` \\|.*\\| `([0-9a-f]{64})`(?:, or by `make corpora` `([0-9a-f]{64})`)? \\|$")

// A figure is of the rows that are named, or it means nothing.
func TestTheCorporaAreTheOnesThatAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/internals/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := corpusRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) != 10 {
		t.Fatalf("the page names %d corpora", len(rows))
	}
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			t.Parallel()
			if got := digestOf(t, corpus.Path(t, row[1])); got != row[2] && got != row[3] {
				t.Errorf("its digest is %s", got)
			}
		})
	}
}

// digestOf is a file's SHA-256. A folder's is the SHA-256 of sha256sum's output for
// its files in order.
func digestOf(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !info.IsDir() {
		return sum(t, path)
	}
	var files []string
	err = filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, err := filepath.Rel(path, file)
			files = append(files, "./"+filepath.ToSlash(rel))
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(files, strings.Compare)
	var list bytes.Buffer
	for _, file := range files {
		fmt.Fprintf(&list, "%s  %s\n", sum(t, filepath.Join(path, file)), file)
	}
	all := sha256.Sum256(list.Bytes())
	return hex.EncodeToString(all[:])
}

func sum(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	of := sha256.Sum256(b)
	return hex.EncodeToString(of[:])
}
