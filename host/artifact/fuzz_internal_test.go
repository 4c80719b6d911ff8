package artifact

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

// What is read of a command line stays in it, and no package has a place
// outside of the cache.
func FuzzPackageOf(f *testing.F) {
	for _, line := range []string{
		"npx -y @a/b@1.0.0 /data", "npx -p a@1 -p b@1 run", "npx @../..@1.0.0", "npx ..@1.0.0", "uvx --from a[b]==1.0 c", "uvx a[../../x]==1.0", "pipx run --spec", "pipx run a==1!2.0",
		"docker run -v /a:/b a/b:1@sha256:" + strings.Repeat("a", 64), "podman run x", "bunx --bun a@1.0.0", "npx --package=", "npx", "node a.js",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, " ")
		command, args := words[0], words[1:]
		p := PackageOf(command, args)
		if p.Registry == "" {
			if p != (Package{}) {
				t.Errorf("%q is half a package: %+v", line, p)
			}
			return
		}
		bare := p.Unversioned(args)
		again := PackageOf(command, bare)
		if len(bare) != len(args) || p.rest > len(args) || again.Name != p.Name || again.Version != "" || !slices.Equal(again.Unversioned(bare), bare) {
			t.Errorf("%q without its version is %q: %+v and %+v", line, bare, p, again)
		}
		if p.fetchable(nil) {
			if dir, err := filepath.Rel("/cache/"+p.Registry, Cache("/cache").dir(p)); err != nil || strings.ContainsRune(dir, filepath.Separator) || dir == "." || dir == ".." {
				t.Errorf("%q is kept at %s", line, dir)
			}
		}
	})
}

// An accepted list has one integrity, however it is written; a refused one none.
func FuzzLists(f *testing.F) {
	for _, text := range []string{
		`{"packages":{"":{},"node_modules/a":{"version":"1.0.0","integrity":"sha512-a"}}}`, `{"packages":{"node_modules/a":{"link":true}}}`, `{"packages":null}`, `{"packages":{"a":null}}`,
		`{"install":[{"metadata":{"name":"a","version":"1"},"download_info":{"url":"https://h/a.whl","archive_info":{"hashes":{"sha256":"aa"}}}}]}`, `{"install":[null]}`, `[]`, ``, `{"bin":{}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for name, read := range map[string]func([]byte) (string, error){"npm": npmIntegrity, "pip": pipIntegrity} {
			got, err := read(text)
			if (got == "") != (err != nil) {
				t.Errorf("%s: %q, %v", name, got, err)
			}
			if err != nil {
				continue
			}
			c, err := schema.Canonical(text)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := read(c); err != nil || again != got {
				t.Errorf("%s: written otherwise it is %s, not %s, %v", name, again, got, err)
			}
		}
	})
}
