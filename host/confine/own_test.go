package confine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
)

// ownTree has directories of a program, one behind a link, and what is around them.
func ownTree(t *testing.T) (root string, own Own) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"home/config/ask/scopes", "home/work/deep", "disk/state", "bin", "plain"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"home/config/ask/allowlist.json", "disk/policy.json", "bin/ask", "bin/tool", "named.json"} {
		if err := os.WriteFile(filepath.Join(root, file), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"home/state": root + "/disk/state", "home/config/ask/policy.json": "../../../disk/policy.json",
		"way": root + "/home/config", "plain/in": root + "/home/config/ask/allowlist.json",
	} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	return root, Own{
		Dirs:  []string{root + "/home/config/ask", root + "/home/state", root + "/later/ask"},
		Files: []string{root + "/named.json", root + "/missing/audit.jsonl"}, Fixed: []string{root + "/bin/ask"},
	}
}

// No scope is one of the program's own files, is in one of its directories, or
// contains one, by whatever name.
func TestNoScopeReachesThisProgramsFiles(t *testing.T) {
	t.Parallel()
	root, own := ownTree(t)
	for path, reached := range map[string]string{
		"/home/config/ask":                "the directory",
		"/home/config/ask/scopes":         "what is in it",
		"/home/config/ask/allowlist.json": "a file in it",
		"/home/config":                    "what it is in",
		"/home":                           "what both are in",
		"/home/state":                     "a link",
		"/disk/state":                     "where a link leads",
		"/disk":                           "what that is in",
		"/disk/policy.json":               "where a link in the directory leads",
		"/way/ask":                        "another way to it",
		"/way":                            "another name of what it is in",
		"/plain/in":                       "a link to a file of it",
		"/HOME/Config/ASK":                "another spelling",
		"/later":                          "where it would be made",
		"/later/ask/x":                    "in it, before it is made",
		"/named.json":                     "a file that was named",
		"/missing":                        "where a file would be made",
	} {
		for _, s := range []Scopes{
			{ReadPaths: Paths{root + path}},
			{WritePaths: Paths{root + path}},
			{DeletePaths: Paths{root + path}},
			{ReadPaths: Paths{Argument{Arg: "/p", Under: root + path}.Path()}},
		} {
			if err := own.Forbids(s); verdict.CodeOf(err) != verdict.ManifestInvalid || !strings.Contains(err.Error(), "ask's own files") {
				t.Errorf("%s, %s: %v", path, reached, err)
			}
		}
	}
	for _, path := range []string{"/home/work", "/home/work/deep", "/plain", "/home/config/askew", "/bin/tool", "/bin/none"} {
		if err := own.Forbids(Scopes{ReadPaths: Paths{root + path}, WritePaths: Paths{root + path}}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := own.Forbids(Scopes{AllowedCommands: []string{root + "/home/config/ask/allowlist.json"}}); err == nil {
		t.Error("a file of ours can be started, and so read")
	}
}

// The running program can be read, and not written.
func TestTheRunningProgramIsNotWritten(t *testing.T) {
	t.Parallel()
	root, own := ownTree(t)
	if err := own.Forbids(Scopes{ReadPaths: Paths{root + "/bin"}, AllowedCommands: []string{root + "/bin/ask"}}); err != nil {
		t.Error(err)
	}
	for _, s := range []Scopes{{WritePaths: Paths{root + "/bin"}}, {DeletePaths: Paths{root + "/bin/ask"}}} {
		if err := own.Forbids(s); verdict.CodeOf(err) != verdict.ManifestInvalid {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// A hard link is the same file under another name, anywhere in a scope.
func TestNoScopeHasAnotherNameOfThisProgramsFiles(t *testing.T) {
	t.Parallel()
	root, own := ownTree(t)
	if err := os.Link(root+"/home/config/ask/allowlist.json", root+"/home/work/deep/notes"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/home/work", "/home/work/deep", "/home/work/deep/notes"} {
		if err := own.Forbids(Scopes{WritePaths: Paths{root + path}}); verdict.CodeOf(err) != verdict.ManifestInvalid {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := own.Forbids(Scopes{WritePaths: Paths{root + "/plain"}}); err != nil {
		t.Errorf("a scope without the link: %v", err)
	}
}

// A policy has the same limit before and after it is bound to a call. The files that a
// program needs to run grant none of our directories.
func TestAPolicyReachesNoneOfThisProgramsFiles(t *testing.T) {
	t.Parallel()
	root, own := ownTree(t)
	program := thisProgram(t)
	program.Own = own
	if _, err := Resolve(asksAll, Scopes{ReadPaths: Paths{root + "/home"}}, program); verdict.CodeOf(err) != verdict.ManifestInvalid {
		t.Errorf("%v", err)
	}
	p, err := Resolve(asksAll, Scopes{ReadPaths: Paths{Argument{Arg: "/p", Under: root + "/home/work"}.Path()}}, program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(root+"/home/config/ask/allowlist.json", root+"/home/work/late"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Bind([]byte(`{"p":"` + root + `/home/work/late"}`)); verdict.CodeOf(err) != verdict.ManifestInvalid {
		t.Errorf("an argument names a file of ours: %v", err)
	}
	script := root + "/home/config/ask/server.js"
	for file, text := range map[string]string{script: "", root + "/home/config/ask/package.json": "{}"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/bin/true", root+"/plain/node"); err != nil {
		t.Fatal(err)
	}
	p, err = Resolve(asksAll, Scopes{}, Program{Path: root + "/plain/node", Args: []string{script}, Own: own})
	if err != nil {
		t.Fatal(err)
	}
	if p.holds(root+"/home/config/ask/allowlist.json", read) || !p.holds(script, read) {
		t.Errorf("%+v", p.grants)
	}
}

var asksAll = Manifest{Description: "a test's", Permissions: []Permission{FilesRead, FilesWrite, FilesDelete, Exec}}
