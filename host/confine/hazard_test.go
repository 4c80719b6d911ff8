package confine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hazardTree makes empty files.
func hazardTree(t *testing.T, files ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Secrets and files executed at login count for every way to reach them. Files that run
// later count for a writer, in the directory and below it.
func TestWhichPathsNeedAPersonToTypeThem(t *testing.T) {
	t.Parallel()
	root := hazardTree(t, "repo/.git/config", "repo/src/main.go", "repo/docs/a", "deep/a/b/.envrc", "pkg/package.json", "bare/x.git/HEAD", "bare/x.git/objects/x",
		"bare/x.git/refs/x", "dot/.netrc", "keys/.ssh/id", "make/Makefile", "plain/notes/a", "repo/node_modules/x/index.js")
	if err := os.Symlink(root+"/repo/.git", root+"/plain/link"); err != nil {
		t.Fatal(err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	all := []Permission{FilesRead, FilesWrite, FilesDelete}
	changing := all[1:]
	for path, of := range map[string][]Permission{
		root + "/keys/.ssh": all, root + "/keys/.ssh/id": all, root + "/keys": all, root + "/dot": all, "/": all, home: all,
		home + "/.bashrc": all, home + "/.config/autostart/x.desktop": all, home + "/.config/systemd/user": all, home + "/.zshrc": all, home + "/.SSH/id": all,
		root + "/repo": changing, root + "/repo/.git": changing, root + "/repo/.git/hooks": changing, root + "/repo/.git/config": changing, root + "/deep": changing,
		root + "/pkg": changing, root + "/pkg/package.json": changing, root + "/bare": changing, root + "/bare/x.git": changing, root + "/make/Makefile": changing,
		root + "/plain/link": changing, root + "/repo/node_modules/x": changing, "/usr/local/lib/x": changing, "/etc/x": changing, root + "/plain/bin/x": changing,
		root + "/plain/notes/a": nil, root + "/repo/src": nil, root + "/repo/docs/a": nil,
	} {
		for _, p := range all {
			h, mind := HazardOf(p, path)
			if want := slices.Contains(of, p); mind != want || mind && (h.Scope != path || h.Why == "") {
				t.Errorf("%s %s: %v %+v, want %v", p, path, mind, h, want)
			}
		}
	}
	for _, p := range []Permission{Exec, NetworkClient, NetworkServer, EnvRead, ""} {
		if _, mind := HazardOf(p, root+"/repo"); mind {
			t.Errorf("%s", p)
		}
	}
}

// Each has a row of its own for the person who decides on the scopes.
func TestAScopeThatReachesMoreHasARowOfItsOwn(t *testing.T) {
	t.Parallel()
	root := hazardTree(t, "repo/.git/config", "plain/a", "keys/.aws/credentials")
	s := Sandbox{Scopes: Scopes{ReadPaths: Paths{root + "/keys"}, WritePaths: Paths{root + "/repo", root + "/plain"}, DeletePaths: Paths{Argument{Arg: "/p", Under: root + "/repo"}.Path()}}}
	var mind []string
	for _, line := range s.Lines() {
		if strings.HasPrefix(line, "mind: ") {
			mind = append(mind, line)
		}
	}
	for _, want := range []string{"mind: reading " + root + "/keys reaches " + root + "/keys/.aws: ", "mind: writing in " + root + "/repo reaches " + root + "/repo/.git: ", "mind: deleting in " + root + "/repo reaches "} {
		if !slices.ContainsFunc(mind, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("%q has no %s", mind, want)
		}
	}
	if len(mind) != 3 {
		t.Errorf("%q", mind)
	}
}
