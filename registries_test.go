package onestep_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// registries are hosts of public registries, in two parts so that this file names
// none. npm and pip say themselves which registry they ask; rows of tests have hosts
// of RFC 2606, such as registry.example.
var registries = [][2]string{
	{"npmjs", "org"},
	{"npmjs", "com"},
	{"yarnpkg", "com"},
	{"jsr", "io"},
	{"pypi", "org"},
	{"pythonhosted", "org"},
	{"crates", "io"},
	{"maven", "org"},
	{"maven.apache", "org"},
	{"sonatype", "org"},
	{"sonatype", "com"},
	{"rubygems", "org"},
	{"proxy.golang", "org"},
	{"sum.golang", "org"},
	{"goproxy", "io"},
	{"goproxy", "cn"},
	{"debian", "org"},
	{"archive.ubuntu", "com"},
	{"docker", "io"},
	{"ghcr", "io"},
	{"quay", "io"},
	{"packagist", "org"},
	{"nuget", "org"},
}

// registryHosts finds the hosts of registries in a text.
func registryHosts(text string) (found []string) {
	text = strings.ToLower(text)
	for _, r := range registries {
		host := r[0] + "." + r[1]
		for _, after := range strings.Split(text, host)[1:] {
			if after == strings.TrimLeft(after, "abcdefghijklmnopqrstuvwxyz0123456789-_") {
				found = append(found, host)
			}
		}
	}
	return found
}

// built are folders that hold what is built, installed or measured.
var built = []string{".git", "bin", "dist", "node_modules", "venv", "venv-larger", "eval/results"}

func TestNoFileNamesAPublicRegistry(t *testing.T) {
	t.Parallel()
	read := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.Type().IsRegular():
			if slices.Contains(built, file) || slices.Contains(built, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		b, err := os.ReadFile(file)
		read++
		for _, host := range registryHosts(string(b)) {
			t.Errorf("%s names %s", file, host)
		}
		return err
	})
	if err != nil || read < 1000 {
		t.Errorf("%d files were read, %v", read, err)
	}
}

func TestHostsOfRegistriesAreFound(t *testing.T) {
	t.Parallel()
	for _, r := range registries {
		host := r[0] + "." + r[1]
		for _, text := range []string{host, "https://registry." + host + "/x", "//" + strings.ToUpper(host) + ":443/", "from " + host + ", or"} {
			if found := registryHosts(text); len(found) != 1 {
				t.Errorf("%q: %q", text, found)
			}
		}
	}
	for _, text := range []string{"registry.example", "npm", "rubygems_0123", "docker", "github.com/goproxy/goproxy", "maven", "docker.iox"} {
		if found := registryHosts(text); len(found) > 0 {
			t.Errorf("%q: %q", text, found)
		}
	}
}
