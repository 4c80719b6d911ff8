package learn_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/learn"
)

// script is a server whose tools do what their arguments say, and count
// themselves in the file that their first argument names.
const script = `import json, os, subprocess, sys, urllib.request
def schema(): return {"type": "object", "properties": {"a": {"type": "string"}}}
def act(tool, a):
    if tool == "read": return open(a).read()
    if tool == "list": return " ".join(os.listdir(a))
    if tool == "write": open(a, "w").write("x")
    if tool == "delete": os.remove(a)
    if tool == "get": return urllib.request.urlopen(a, timeout=20).read().decode()
    if tool == "start": return str(subprocess.run([a]).returncode)
    if tool == "variable": return os.environ.get(a, "unset")
    if tool == "maybe":
        try: open(a).close()
        except OSError: pass
    if tool == "chain": return open(open(a).read()).read()
    if tool == "other": return open(a).read() and open("/proc/self/status").read() and str(open(a + ".out", "w"))
    return "done"
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {"jsonrpc": "2.0", "id": m["id"]}
    if m["method"] == "initialize":
        r["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    elif m["method"] == "tools/list":
        r["result"] = {"tools": [{"name": n, "inputSchema": schema()} for n in "read list write delete get start variable chain maybe other".split()]}
    elif m["method"] == "tools/call":
        try: t, e = act(m["params"]["name"], m["params"]["arguments"].get("a", "")), False
        except Exception as x: t, e = str(x), True
        r["result"] = {"content": [{"type": "text", "text": t}], "isError": e}
    else:
        r["error"] = {"code": -32601, "message": "no"}
    print(json.dumps(r), flush=True)
`

// memory has the traces of a test.
type memory struct {
	mu   sync.Mutex
	runs []*recorded
}

func (m *memory) Create(context.Context, string) (host.TraceSink, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs = append(m.runs, &recorded{})
	return m.runs[len(m.runs)-1], "", nil
}

type recorded struct{ bytes.Buffer }

func (*recorded) Sync() error  { return nil }
func (*recorded) Close() error { return nil }

// yes approves, and counts how often it was asked.
type yes struct{ asked atomic.Int32 }

func (y *yes) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	y.asked.Add(1)
	return gate.Yes{Approval: r.Digest, By: "test", How: "terminal"}, nil
}

func python(t *testing.T) confine.Program {
	t.Helper()
	const path = "/usr/bin/python3"
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "server.py")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	return confine.Program{Path: path, Args: []string{file}}
}

func options(t *testing.T, calls ...learn.Call) learn.Options {
	t.Helper()
	return learn.Options{Program: python(t), Calls: calls, Policy: host.Policy{Rules: input.BuiltIn()}, Traces: &memory{}}
}

func reads(tool, a string) learn.Call {
	return learn.Call{Tool: tool, Arguments: jsontext.Value(`{"a":"` + a + `"}`), Reading: true}
}

func writes(tool, a string) learn.Call {
	c := reads(tool, a)
	c.Reading = false
	return c
}

// tree makes files, and gives the directory with its links resolved.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Resources that reading calls are refused are granted, narrowly, until nothing new is
// attempted. The second file is known only once the first can be read.
func TestReadingRepeatsUntilNothingNewIsAttempted(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"b": "found", "dir/c": "", "never": ""})
	first := filepath.Join(tree(t, map[string]string{"a": filepath.Join(root, "b")}), "a")
	r, err := learn.Learn(t.Context(), options(t, reads("chain", first), reads("list", root+"/dir")))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{first, root + "/b", root + "/dir"} {
		if !slices.Contains(r.Manifest.Scopes.ReadPaths, want) {
			t.Errorf("readPaths are %q, without %s", r.Manifest.Scopes.ReadPaths, want)
		}
	}
	if slices.Contains(r.Manifest.Scopes.ReadPaths, root) || r.Rounds < 3 {
		t.Errorf("readPaths are %q after %d rounds", r.Manifest.Scopes.ReadPaths, r.Rounds)
	}
	if len(r.Answers) != 2 || !strings.Contains(r.Answers[0].Result, "found") {
		t.Errorf("the last answers are %+v", r.Answers)
	}
}

// Each round says which it is while its server starts, and the proving run too.
func TestEveryRoundIsWaitedFor(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"a": "found"})
	o := options(t, reads("chain", root+"/a"))
	var mu sync.Mutex
	waited, open := map[string]int{}, 0
	o.Name, o.Waits = "notes", func(what string) func() {
		mu.Lock()
		defer mu.Unlock()
		waited[what]++
		open++
		return func() {
			mu.Lock()
			defer mu.Unlock()
			open--
		}
	}
	r, err := learn.Learn(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for n := range r.Rounds {
		if round := fmt.Sprintf("round %d", n+1); waited["starting notes (python3 …), "+round] == 0 || waited[round+" of notes"] != 1 {
			t.Errorf("%s of %v", round, waited)
		}
	}
	if waited["starting notes (python3 …), the proving run"] == 0 || open != 0 {
		t.Errorf("%d are open of %v", open, waited)
	}
}

// A call that is not reading is made once, approved, and the files that it would change
// stay unchanged.
func TestOtherCallsAreMadeOnceAndChangeNothing(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"kept": "kept", "old": "old"})
	who := &yes{}
	o := options(t, reads("read", root+"/kept"), writes("write", root+"/kept"), writes("write", root+"/new"), writes("delete", root+"/old"))
	o.Approver = who
	r, err := learn.Learn(t.Context(), o)
	if err != nil || who.asked.Load() != 3 {
		t.Errorf("%v: asked %d times", err, who.asked.Load())
	}
	for name, want := range map[string]string{"kept": "kept", "old": "old"} {
		if b, err := os.ReadFile(filepath.Join(root, name)); string(b) != want || err != nil {
			t.Errorf("%s is %q: %v", name, b, err)
		}
	}
	if _, err := os.Stat(root + "/new"); err == nil {
		t.Error("a file was made")
	}
	s := r.Manifest.Scopes
	if !slices.Equal(s.WritePaths, []string{root}) || !slices.Equal(s.DeletePaths, []string{root}) {
		t.Errorf("writePaths %q, deletePaths %q", s.WritePaths, s.DeletePaths)
	}
}

// The next call reads a written file, which may be another file by then. So its directory
// is granted, and no other.
func TestWhatWasWrittenIsReadAgain(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"graph/keep": "", "b": "found"})
	o := options(t, reads("read", root+"/graph/new"), reads("read", root+"/b"), writes("write", root+"/graph/new"))
	o.Approver = &yes{}
	o.From = confine.Manifest{Description: "mine", Permissions: []confine.Permission{confine.FilesWrite}, Scopes: &confine.Scopes{WritePaths: []string{root + "/graph"}}}
	r, err := learn.Learn(t.Context(), o)
	if s := r.Manifest.Scopes; err != nil || !slices.Equal(s.ReadPaths, []string{root + "/b", root + "/graph"}) {
		t.Errorf("%v: readPaths are %q", err, s.ReadPaths)
	}
	if len(r.Answers) != 3 || r.Answers[0].Tool != "read" || r.Answers[0].Result == "" || r.Answers[0].Code != "" || r.Answers[2].Tool != "write" {
		t.Errorf("%+v", r.Answers)
	}
}

// A secret next to what is written is not granted with it.
func TestASecretNextToWhatIsWrittenIsNotGranted(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"note": "n", ".netrc": "password"})
	o := options(t, reads("read", root+"/note"), reads("read", root+"/.netrc"))
	o.From = confine.Manifest{Description: "mine", Permissions: []confine.Permission{confine.FilesWrite}, Scopes: &confine.Scopes{WritePaths: []string{root}}}
	r, err := learn.Learn(t.Context(), o)
	if s := r.Manifest.Scopes; err != nil || !slices.Equal(s.ReadPaths, []string{root + "/note"}) || len(r.Withheld) != 1 {
		t.Errorf("%v: readPaths are %q, withheld is %v", err, s.ReadPaths, r.Withheld)
	}
}

// Without an approver nothing but what is called reading leaves.
func TestWithoutAnApproverOtherCallsDoNotLeave(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"kept": "kept"})
	r, err := learn.Learn(t.Context(), options(t, writes("write", root+"/kept")))
	if verdict.CodeOf(err) != verdict.ApprovalNeeded || len(r.Manifest.Scopes.WritePaths) > 0 {
		t.Errorf("%v: %+v", err, r.Manifest.Scopes)
	}
}

// What is learned of the network and of programs does not take effect, unless
// the operator says so.
func TestConnectionsAndProgramsDoNotTakeEffectByThemselves(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		_, _ = w.Write([]byte("hello"))
	}))
	t.Cleanup(web.Close)
	host := strings.TrimPrefix(web.URL, "http://")
	o := options(t, reads("get", web.URL), reads("start", "/usr/bin/true"))
	r, err := learn.Learn(t.Context(), o)
	s := r.Manifest.Scopes
	if err != nil || !slices.Contains(s.AllowedHosts, host) || !slices.Contains(s.AllowedCommands, "/usr/bin/true") {
		t.Errorf("%v: %+v", err, s)
	}
	if reached.Load() != 0 {
		t.Error("a connection was made")
	}
	o.Effective = []confine.Permission{confine.FilesRead, confine.NetworkClient, confine.Exec}
	r, err = learn.Learn(t.Context(), o)
	if err != nil || reached.Load() == 0 || !strings.Contains(r.Answers[0].Result, "hello") || !strings.Contains(r.Answers[1].Result, `"0"`) {
		t.Errorf("%v: %d connections, %+v", err, reached.Load(), r.Answers)
	}
}

// Where secrets are is granted for no attempt, and neither is a directory that
// they are in.
func TestSecretsAreNotGranted(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{".ssh/id": "key", ".aws/credentials": "key", "plain": ""})
	r, err := learn.Learn(t.Context(), options(t, reads("read", root+"/.ssh/id"), reads("list", root), reads("list", "/"), reads("read", root+"/plain")))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range r.Manifest.Scopes.ReadPaths {
		if path == "/" || path == root || strings.Contains(path, ".ssh") {
			t.Errorf("%s is granted", path)
		}
	}
	if len(r.Withheld) < 3 || !slices.Contains(r.Manifest.Scopes.ReadPaths, root+"/plain") {
		t.Errorf("withheld %v, granted %q", r.Withheld, r.Manifest.Scopes.ReadPaths)
	}
	for _, a := range r.Answers {
		if strings.Contains(a.Result, "key") {
			t.Errorf("a secret was read: %+v", a)
		}
	}
}

// What is tried and not needed is taken back; what another call needs is not.
func TestWhatIsNotNeededIsTakenBack(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"a": "needed", "b": "tried", "c": "by another call"})
	o := options(t, reads("read", root+"/a"), reads("maybe", root+"/b"), reads("maybe", root+"/c"), writes("other", root+"/c"))
	o.Approver = &yes{}
	r, err := learn.Learn(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Manifest.Scopes.ReadPaths; !slices.Equal(got, []string{root + "/a", root + "/c"}) {
		t.Errorf("readPaths are %q", got)
	}
	needless := func(path string) bool {
		return slices.ContainsFunc(r.Needless, func(a confine.Attempt) bool { return a.Resource == path })
	}
	if !needless(root+"/b") || needless(root+"/a") || needless(root+"/c") {
		t.Errorf("needless are %v", r.Needless)
	}
}

// A variable is what the operator hands over, and a manifest that is learned can
// be the beginning of the next.
func TestAManifestIsContinued(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"b": "found"})
	o := options(t, reads("variable", "GIVEN"))
	o.Env = map[string]string{"GIVEN": "value"}
	o.From = confine.Manifest{Description: "mine", Permissions: []confine.Permission{confine.FilesWrite}, Scopes: &confine.Scopes{WritePaths: []string{root}}}
	r, err := learn.Learn(t.Context(), o)
	m := r.Manifest
	if err != nil || m.Description != "mine" || !slices.Equal(m.Scopes.WritePaths, []string{root}) || !slices.Equal(m.Scopes.EnvVars, []string{"GIVEN"}) {
		t.Errorf("%v: %+v %+v", err, m, m.Scopes)
	}
	if len(r.Answers) != 1 || !strings.Contains(r.Answers[0].Result, "value") {
		t.Errorf("%+v", r.Answers)
	}
	if _, err := confine.Resolve(m, *m.Scopes, o.Program); err != nil {
		t.Errorf("what was learned cannot be resolved: %v", err)
	}
}
