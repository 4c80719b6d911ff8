package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// packed is a package of npm with those files.
func packed(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func corpus(rows string) map[string]string {
	return map[string]string{parsing.rows: "// made\n\nexport default " + rows + "\n", parsing.license: "MIT", "package/index.js": "x"}
}

func TestThePackageBecomesFilesAndWhatItHasLostIsCounted(t *testing.T) {
	t.Parallel()
	files, lost, err := parsing.files(packed(t, corpus(`[{"name":"y_a.json","input":"[]"},{"name":"n_b.json","input":"[\u0000","error":true},{"name":"n_c.json","input":"\ufffd"}]`)))
	if err != nil || lost != 1 || !slices.Equal(slices.Sorted(maps.Keys(files)), []string{"LICENSE", "n_b.json", "y_a.json"}) || string(files["n_b.json"]) != "[\x00" {
		t.Fatalf("%q, %d lost, %v", files, lost, err)
	}
	to := filepath.Join(t.TempDir(), "data", parsing.folder)
	if err := write(to, files); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(to, "n_b.json")); err != nil || string(b) != "[\x00" {
		t.Errorf("%q, %v", b, err)
	}
	if err := write(to, files); err == nil {
		t.Error("a folder that is there is written to")
	}
	if left, err := os.ReadDir(filepath.Dir(to)); err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestAnotherShapeIsNoCorpus(t *testing.T) {
	t.Parallel()
	for name, b := range map[string][]byte{
		"no package":         []byte("hello"),
		"half a package":     packed(t, corpus(`[]`))[:60],
		"an empty one":       packed(t, nil),
		"no license":         packed(t, map[string]string{parsing.rows: "export default []"}),
		"a program":          packed(t, corpus(`[{"name":"y_a.json","input":String(1)}]`)),
		"a path":             packed(t, corpus(`[{"name":"../y_a.json","input":"[]"}]`)),
		"a file of no suite": packed(t, corpus(`[{"name":"LICENSE","input":"[]"}]`)),
		"a name":             packed(t, corpus(`[{"name":7,"input":"[]"}]`)),
	} {
		if files, _, err := parsing.files(b); err == nil {
			t.Errorf("%s: %q", name, files)
		}
	}
}

// Nothing is written, whatever is wrong, and each is said in words of its own.
func TestWhatCannotBeHadIsSaid(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.tgz")
	if err := os.WriteFile(other, packed(t, corpus(`[]`)), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	for says, args := range map[string][]string{
		"npm is not here; nothing was written":   nil,
		"its digest is another one; nothing was": {"-from", other},
		"no such file":                           {"-from", "missing.tgz"},
		"flag provided but not defined":          {"-all"},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		err := run(t.Context(), args, dir, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", args, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%q: something is written", args)
		}
	}
}

func TestACorpusThatIsThereStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, parsing.folder), 0o700); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	if err := run(t.Context(), nil, dir, &said, io.Discard); err != nil || !strings.Contains(said.String(), "is there already") || !strings.Contains(said.String(), "docs/internals/evaluation.md") {
		t.Errorf("%q, %v", said.String(), err)
	}
}

// The pinned digest is one of SHA-512, as npm writes it.
func TestThePinIsADigest(t *testing.T) {
	t.Parallel()
	if b, err := base64.StdEncoding.DecodeString(parsing.sha512); err != nil || len(b) != sha512.Size {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}
