package onestep_test

import (
	"bytes"
	"fmt"
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sizeLimit is how far a row of the sizes may be off, as a share of the true size.
const sizeLimit = 0.1

// sizesOf is the table of docs/internals/architecture.md: lines without tests by folder, as
// `make size` counts them for Linux. A table that is nearly right stays as it is,
// so that not every change changes a page.
func sizesOf(t *testing.T, old string) string {
	t.Helper()
	lines := map[string]int{}
	linux := build.Default
	linux.GOOS, linux.GOARCH, linux.CgoEnabled = "linux", "amd64", false
	for room := range reached(sources(t), "cmd/ask") {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(room), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			built, err := linux.MatchFile(filepath.Dir(file), filepath.Base(file))
			if err != nil {
				t.Fatal(err)
			}
			if !built || strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.HasPrefix(text, []byte("// Code generated ")) {
				continue
			}
			folder, _, _ := strings.Cut(room, "/")
			lines[folder] += bytes.Count(text, []byte("\n"))
		}
	}
	table, near := "| folder | lines |\n|---|---|\n", true
	total := 0
	for _, folder := range append(slices.Sorted(maps.Keys(lines)), "in all") {
		n := lines[folder]
		if folder == "in all" {
			n = total
		}
		total += n
		table += fmt.Sprintf("| %s | %d |\n", folder, n)
		was := 0
		_, row, _ := strings.Cut(old, "| "+folder+" | ")
		_, _ = fmt.Sscan(row, &was) // a row that is missing has none
		near = near && float64(max(was-n, n-was)) <= sizeLimit*float64(n)
	}
	if near && strings.Count(old, "\n") == strings.Count(table, "\n") {
		return old
	}
	return table
}
