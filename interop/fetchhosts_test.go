//go:build interop

package interop_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// private is a registry of npm and an index of PyPI on this machine. The package's
// name decides where its archive is. Both require a password.
type private struct {
	registry, other *httptest.Server
	reached         atomic.Int32 // requests at the other one
	archives        map[string][]byte
}

const password = "hunter2-token"

func newPrivate(t *testing.T) *private {
	t.Helper()
	p := &private{archives: map[string][]byte{".tgz": packed(t), ".whl": wheel(t)}}
	p.other = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.reached.Add(1)
		_, _ = w.Write(p.archives[filepath.Ext(r.URL.Path)])
	}))
	p.registry = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.registry.Close)
	t.Cleanup(p.other.Close)
	return p
}

func (p *private) serve(w http.ResponseWriter, r *http.Request) {
	name, index := strings.CutPrefix(strings.Trim(r.URL.Path, "/"), "simple/")
	ending := filepath.Ext(name)
	_, given, _ := r.BasicAuth()
	switch at := map[string]string{"elsewhere": p.other.URL, "metadata": "http://169.254.169.254"}[name]; {
	case p.archives[ending] != nil && strings.HasPrefix(name, "redirected"):
		http.Redirect(w, r, p.other.URL+r.URL.Path, http.StatusFound)
	case p.archives[ending] != nil:
		_, _ = w.Write(p.archives[ending])
	case index && given != password, !index && r.Header.Get("Authorization") != "Bearer "+password:
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	case index:
		fmt.Fprintf(w, `<a href="%s/%s-1.0-py3-none-any.whl#sha256=%x">x</a>`, at, name, sha256.Sum256(p.archives[".whl"]))
	default:
		if at == "" {
			at = p.registry.URL
		}
		sum := sha512.Sum512(p.archives[".tgz"])
		fmt.Fprintf(w, `{"name":%q,"dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":%q,"version":"1.0.0","bin":"index.js","dist":{"tarball":"%s/%s.tgz","integrity":"sha512-%s"}}}}`,
			name, name, at, name, base64.StdEncoding.EncodeToString(sum[:]))
	}
}

// packed is an archive of npm with one program.
func packed(t *testing.T) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{"package.json": `{"name":"x","version":"1.0.0","bin":"index.js"}`, "index.js": "#!/usr/bin/env node\n"} {
		if err := w.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if w.Close() != nil || z.Close() != nil {
		t.Fatal("the archive cannot be made")
	}
	return b.Bytes()
}

// wheel is a wheel with one program. Its name is that of every package here.
func wheel(t *testing.T) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	const info = "home-1.0.dist-info/"
	for name, text := range map[string]string{
		"home.py": "def main(): pass\n", info + "METADATA": "Metadata-Version: 2.1\nName: home\nVersion: 1.0\n", info + "entry_points.txt": "[console_scripts]\nhome = home:main\n",
		info + "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n", info + "RECORD": "home.py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n",
	} {
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// fetches adds a server and has its package fetched. It uses the real npm or pip,
// which know the registry from their own configuration.
func (p *private) fetches(t *testing.T, command string, args ...string) (output string, fetched bool) {
	t.Helper()
	home := t.TempDir()
	at := strings.TrimPrefix(p.registry.URL, "http://")
	for name, text := range map[string]string{
		".npmrc":   "registry=" + p.registry.URL + "/\n//" + at + "/:_authToken=${CORP_PAT}\nfetch-retries=0\n",
		".netrc":   "machine 127.0.0.1 login u password " + password + "\n",
		"mcp.json": `{"mcpServers":{"one":{"command":"` + strings.ReplaceAll(command, " ", `","args":["`) + `"]}}}`,
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), abs(t, "../bin/ask"), append([]string{"servers", "fetch", "one", "--no-start", "--servers", "mcp.json"}, args...)...)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "ASK_HOME=" + home + "/ask", "PATH=" + os.Getenv("PATH"), "CORP_PAT=" + password, "PIP_INDEX_URL=" + p.registry.URL + "/simple", "PIP_RETRIES=0"}
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), password) {
		t.Errorf("%s: the password is in the output: %s", command, out)
	}
	return string(out), err == nil && strings.Contains(string(out), "sha256:")
}

// The real npm and pip reach the registry of their configuration, with its password,
// and no other host. Neither the address of an archive nor a redirect leads them
// elsewhere.
func TestFetchesStayAtTheirRegistry(t *testing.T) {
	t.Parallel()
	p := newPrivate(t)
	for _, command := range []string{"npx home@1.0.0", "uvx home==1.0"} {
		if out, fetched := p.fetches(t, command); !fetched {
			t.Errorf("%s: %s", command, out)
		}
	}
	other := strings.TrimPrefix(p.other.URL, "http://")
	for command, at := range map[string]string{
		"npx elsewhere@1.0.0": other, "uvx elsewhere==1.0": other, "npx redirected@1.0.0": other, "uvx redirected==1.0": other,
		"npx metadata@1.0.0": "169.254.169.254:80", "uvx metadata==1.0": "169.254.169.254:80",
	} {
		out, fetched := p.fetches(t, command)
		if fetched {
			t.Errorf("%s was fetched: %s", command, out)
		}
		if !strings.Contains(out, " was sent to "+at+", ") || !strings.Contains(out, "`ask servers fetch one --host "+at+"`") {
			t.Errorf("%s does not name %s: %s", command, at, out)
		}
	}
	if n := p.reached.Load(); n != 0 {
		t.Errorf("%d requests reached the other host", n)
	}
	if out, fetched := p.fetches(t, "npx elsewhere@1.0.0", "--host", other); !fetched {
		t.Errorf("with --host: %s", out)
	}
	if n := p.reached.Load(); n == 0 {
		t.Error("the other host was not reached with --host")
	}
}
