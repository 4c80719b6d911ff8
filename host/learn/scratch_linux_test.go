package learn_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/learn"
)

// Files of the learning program are in no scope, for any attempt. Secrets, files that run
// at login and files of a repository that run later are only in a typed scope.
func TestNoScopeIsLearnedThatOnlyAPersonTypes(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		"ask/allowlist.json": "{}", "home/.bashrc": "", "home/.config/autostart/x.desktop": "", "repo/.git/config": "", "repo/README": "", "repo/src/a": "",
		"home/.netrc": "", "repo/package.json": "",
	})
	barred := []string{"/ask/allowlist.json", "/ask", "/home/.bashrc", "/home/.config/autostart/x.desktop", "/home/.netrc", "/repo/package.json", "/repo/.git/config", "/repo/.git/hooks/post-commit", "/repo/new"}
	var calls []learn.Call
	for _, path := range barred {
		calls = append(calls, writes("write", root+path))
	}
	calls = append(calls, reads("read", root+"/ask/allowlist.json"), reads("list", root+"/ask"), reads("read", root+"/home/.bashrc"), writes("write", root+"/repo/src/b"), writes("delete", root+"/ask/allowlist.json"))
	for _, typed := range []string{"", "/repo", "/ask"} {
		o := options(t, calls...)
		o.Approver, o.Program.Own = &yes{}, confine.Own{Dirs: []string{root + "/ask"}}
		want := []string{root + "/repo/src"}
		if typed != "" {
			o.Typed = []string{root + typed}
		}
		if typed == "/repo" {
			want = []string{root + "/repo"}
		}
		r, err := learn.Learn(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Manifest.Scopes
		if !slices.Equal(s.WritePaths, want) || len(s.ReadPaths) > 0 || len(s.DeletePaths) > 0 {
			t.Errorf("typed %q: %+v", typed, s)
		}
		if err := o.Program.Own.Forbids(*s); err != nil {
			t.Error(err)
		}
		for _, path := range barred[:2] {
			if !slices.ContainsFunc(r.Withheld, func(w learn.Withheld) bool { return strings.HasPrefix(root+path, w.Resource) && w.Why != "" }) {
				t.Errorf("%s was not reported: %+v", path, r.Withheld)
			}
		}
	}
}

// Calls that are not reading change copies, which later calls read, and of which
// nothing is left.
func TestCallsThatChangeSomethingChangeACopy(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"data/kept": "kept", "data/old": "old", "other/x": ""})
	if err := os.Symlink(root+"/data", root+"/way"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/data", "/way"} {
		traces := &memory{}
		o := options(t, reads("read", root+name+"/new"), writes("write", root+name+"/new"), writes("write", root+name+"/kept"), writes("delete", root+name+"/old"))
		o.Approver, o.Traces = &yes{}, traces
		o.Effective = []confine.Permission{confine.FilesRead, confine.FilesWrite, confine.FilesDelete}
		o.From = confine.Manifest{Description: "mine", Permissions: []confine.Permission{confine.FilesWrite, confine.FilesDelete}, Scopes: &confine.Scopes{
			WritePaths: confine.Paths{root + "/data"}, DeletePaths: confine.Paths{root + "/data"},
		}}
		r, err := learn.Learn(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range r.Answers {
			if a.Code != "" {
				t.Errorf("%s: %+v", name, a)
			}
		}
		for file, want := range map[string]string{"kept": "kept", "old": "old"} {
			if b, err := os.ReadFile(filepath.Join(root, "data", file)); string(b) != want || err != nil {
				t.Errorf("%s: %s is %q: %v", name, file, b, err)
			}
		}
		if _, err := os.Lstat(root + "/data/new"); err == nil {
			t.Errorf("%s: a file was made", name)
		}
		if s := r.Manifest.Scopes; !slices.Equal(s.ReadPaths, []string{root + "/data"}) || !slices.Equal(s.WritePaths, []string{root + "/data"}) {
			t.Errorf("%s: %+v", name, s)
		}
		copied := ""
		for _, run := range traces.runs {
			if found := regexp.MustCompile(`/[^"]*/onestep-learn-[0-9]+`).FindString(run.String()); found != "" {
				copied = found
			}
		}
		if _, err := os.Lstat(copied); copied == "" || !os.IsNotExist(err) {
			t.Errorf("%s: the copy %q is still there: %v", name, copied, err)
		}
	}
}

// What is far away has no copy: a call that is not reading reaches no host, whatever
// is granted for learning.
func TestCallsThatChangeSomethingReachNoHost(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(web.Close)
	host := strings.TrimPrefix(web.URL, "http://")
	o := options(t, writes("get", web.URL))
	o.Approver, o.Effective = &yes{}, []confine.Permission{confine.FilesRead, confine.NetworkClient}
	o.From = confine.Manifest{Description: "mine", Permissions: []confine.Permission{confine.NetworkClient}, Scopes: &confine.Scopes{AllowedHosts: []string{host}}}
	r, err := learn.Learn(t.Context(), o)
	if err != nil || reached.Load() != 0 || !slices.Contains(r.Manifest.Scopes.AllowedHosts, host) {
		t.Errorf("%v: %d connections, %+v", err, reached.Load(), r.Manifest.Scopes)
	}
}

// The last run is under the manifest, and says what it was refused and what it does
// not show.
func TestTheLastRunIsUnderTheManifest(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"a": "found", ".ssh/id": "key", "data/b": ""})
	o := options(t, reads("read", root+"/a"), reads("read", root+"/.ssh/id"), reads("start", "/usr/bin/true"), writes("write", root+"/data/c"))
	o.Approver = &yes{}
	r, err := learn.Learn(t.Context(), o)
	if err != nil || len(r.Proof.Answers) != 3 || !strings.Contains(r.Proof.Answers[0].Result, "found") {
		t.Fatalf("%v: %+v", err, r.Proof)
	}
	if !slices.ContainsFunc(r.Proof.Refused, func(a confine.Attempt) bool { return a.Resource == root+"/.ssh/id" }) {
		t.Errorf("refused %+v", r.Proof.Refused)
	}
	for _, name := range []string{"/usr/bin/true", "write", "delete", "chain"} {
		if !slices.ContainsFunc(r.Proof.Untried, func(u learn.Untried) bool { return u.Name == name && u.Why != "" }) {
			t.Errorf("%s is not among the untried: %+v", name, r.Proof.Untried)
		}
	}
	if slices.ContainsFunc(r.Proof.Untried, func(u learn.Untried) bool { return u.Name == "read" }) {
		t.Errorf("%+v", r.Proof.Untried)
	}
}
