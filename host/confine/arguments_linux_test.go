package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v2 "github.com/go-json-experiment/json"
	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/gate/verdict"
)

func TestAScopeNamesAnArgument(t *testing.T) {
	t.Parallel()
	scopes, err := ParseScopes([]byte(`{"readPaths": ["/srv", {"arg": "/path", "under": "/data"}], "writePaths": [{"arg": "/to", "under": "/data", "scope": "directory"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Paths{"/srv", Argument{Arg: "/path", Under: "/data"}.Path()}
	if len(scopes.ReadPaths) != 2 || scopes.ReadPaths[0] != want[0] || scopes.ReadPaths[1] != want[1] {
		t.Errorf("readPaths are %q", scopes.ReadPaths)
	}
	m := Manifest{Description: "d", Permissions: []Permission{FilesRead, FilesWrite}, Scopes: &scopes}
	b, err := v2.Marshal(m)
	written := string(b)
	if err != nil || !strings.Contains(written, `["/srv",{"arg":"/path","under":"/data"}]`) {
		t.Errorf("the manifest is written as %s, %v", written, err)
	}
	again, err := Parse([]byte(written))
	if err != nil || len(again.Scopes.WritePaths) != 1 || again.Scopes.WritePaths[0] != scopes.WritePaths[0] {
		t.Errorf("and read as %+v, %v", again.Scopes, err)
	}
	for text, part := range map[string]string{
		`{"readPaths": [{"arg": "/path", "under": "/data", "extra": 1}]}`: "/readPaths/0 has an object with an unknown key at /extra",
		`{"readPaths": [{"arg": 1, "under": "/data"}]}`:                   "/readPaths/0 has a value of another type than expected at /arg",
		`{"readPaths": {}}`: "/readPaths",
	} {
		if _, err := ParseScopes([]byte(text)); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, without %q", text, err, part)
		}
	}
}

func TestAnArgumentThatCannotBeARuleIsNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for part, a := range map[string]Argument{
		"/scopes/readPaths/0/arg is":                 {Arg: "path", Under: dir},
		"/scopes/readPaths/0/scope is":               {Arg: "/path", Under: dir, Scope: "file"},
		"/scopes/readPaths/0/under is \"data\", a r": {Arg: "/path", Under: "data"},
		"/scopes/readPaths/0/under has ..":           {Arg: "/path", Under: dir + "/../x"},
		"which does not exist":                       {Arg: "/path", Under: dir + "/none"},
		"which is not a directory":                   {Arg: "/path", Under: "/etc/passwd"},
	} {
		_, err := Resolve(everything, Scopes{ReadPaths: Paths{a.Path()}}, Program{})
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%+v: %v, without %q", a, err, part)
		}
	}
	if _, err := Resolve(everything, Scopes{ReadPaths: Paths{`{"arg":"/path"`}}, Program{}); err == nil {
		t.Error("half an argument is a rule")
	}
	number, err := ParseScopes([]byte(`{"readPaths": [7]}`))
	if err == nil {
		_, err = Resolve(everything, number, Program{})
	}
	if err == nil || !strings.Contains(err.Error(), `/scopes/readPaths/0 is "7", a relative path`) {
		t.Errorf("a number as a path: %v", err)
	}
	written, err := ParseScopes([]byte(`{"readPaths": ["{\"arg\":\"/path\",\"under\":\"/\"}"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Resolve(everything, written, Program{}); err == nil || !strings.Contains(err.Error(), "relative path") {
		t.Errorf("a path that is written like an argument: %v", err)
	}
}

// tree is a directory with the files a, b and c/d, a device, and links.
func tree(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "c"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c/d"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"inside": "a", "outside": outside(t), "up": ".."} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// bound is a policy for a probe of this test, for a call with one argument.
func bound(t *testing.T, scopes Scopes, argument string, probe ...string) (*Policy, error) {
	t.Helper()
	arguments, err := json.Marshal(map[string]any{"path": argument, "other": "/etc/passwd"})
	if err != nil {
		t.Fatal(err)
	}
	return server{scopes: scopes, args: probe}.policy(t).Bind(arguments)
}

func TestAnArgumentGrantsTheFileThatItNames(t *testing.T) {
	t.Parallel()
	dir := tree(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	rule := Argument{Arg: "/path", Under: dir}
	reads := Scopes{ReadPaths: Paths{rule.Path()}}
	writes := Scopes{WritePaths: Paths{rule.Path()}}
	deletes := Scopes{DeletePaths: Paths{rule.Path()}}
	rule.Scope = "directory"
	siblings := Scopes{WritePaths: Paths{rule.Path()}}
	for _, c := range []struct {
		scopes   Scopes
		argument string
		want     string
		probe    []string
	}{
		{reads, "a", "ok", []string{"read", at("a")}},
		{reads, "a", "EACCES", []string{"read", at("b")}},
		{reads, "a", "EACCES", []string{"write", at("a")}},
		{reads, "a", "EACCES", []string{"list", dir}},
		{reads, "inside", "ok", []string{"read", at("a")}},
		{reads, "c", "ok", []string{"read", at("c/d")}},
		{reads, "c", "EACCES", []string{"read", at("a")}},
		{reads, "none", "ENOENT", []string{"read", at("none")}},
		{writes, "a", "ok", []string{"write", at("a")}},
		{writes, "a", "EACCES", []string{"write", at("b")}},
		{writes, "a", "EACCES", []string{"replace", at("a")}},
		{siblings, "a", "ok", []string{"replace", at("a")}},
		{siblings, "c/new", "ok", []string{"write", at("c/new")}},
		{siblings, "c/new", "EACCES", []string{"write", at("a")}},
		{deletes, "b", "EACCES", []string{"unlink", at("a")}},
		{deletes, "b", "ok", []string{"unlink", at("b")}},
	} {
		p, err := bound(t, c.scopes, at(c.argument), c.probe...)
		if err != nil {
			t.Errorf("%s: %v", c.argument, err)
			continue
		}
		expect(t, fmt.Sprint(c.argument, " ", c.probe), strings.TrimSpace(runPolicy(t, p, server{}).out), c.want)
	}
	expect(t, "without a call", try(t, reads, "read", at("a")), "EACCES")
}

func TestAnArgumentThatNamesSomethingElseIsRefused(t *testing.T) {
	t.Parallel()
	dir := tree(t)
	rule := Argument{Arg: "/path", Under: dir}
	reads, writes := Scopes{ReadPaths: Paths{rule.Path()}}, Scopes{WritePaths: Paths{rule.Path()}}
	for _, c := range []struct {
		scopes         Scopes
		argument, part string
	}{
		{reads, "/etc/passwd", "is not in"},
		{reads, dir + "x/a", "is not in"},
		{reads, "a", "a relative path"},
		{reads, dir + "/c/../../x", "has .. in it"},
		{reads, dir + "/outside", "cannot be granted: invalid cross-device link"},
		{reads, dir + "/up/x", "cannot be granted: invalid cross-device link"},
		{reads, dir + "/pipe", "cannot be granted: it is a p"},
		{writes, dir + "/new", `"directory"`},
	} {
		_, err := bound(t, c.scopes, c.argument, "temp")
		if err == nil || !strings.Contains(err.Error()+remedy(err), c.part) {
			t.Errorf("%s: %v, without %q", c.argument, err, c.part)
		}
		if strings.Contains(fmt.Sprint(err), c.argument+`"`) {
			t.Errorf("%s: it is repeated: %v", c.argument, err)
		}
	}
}

// remedy is what an error says to do.
func remedy(err error) string {
	f := (*verdict.Fault)(nil)
	if errors.As(err, &f) {
		return f.Hint
	}
	return ""
}

func TestEveryItemOfAnArgumentIsGranted(t *testing.T) {
	t.Parallel()
	dir := tree(t)
	scopes := Scopes{ReadPaths: Paths{Argument{Arg: "/paths", Under: dir}.Path()}}
	arguments, err := json.Marshal(map[string]any{"paths": []string{dir + "/a", dir + "/c/d"}, "path": dir + "/b", "deep": map[string]any{"paths": dir + "/b"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := server{scopes: scopes, args: []string{"read", dir + "/c/d"}}.policy(t).Bind(arguments)
	if err != nil {
		t.Fatal(err)
	}
	got := p.Bound()
	if len(got) != 2 || got[0] != (Bound{Pointer: "/paths/0", Path: dir + "/a", Permission: FilesRead, ID: got[0].ID}) || got[1].Pointer != "/paths/1" {
		t.Errorf("granted is %+v", got)
	}
	expect(t, "the second", strings.TrimSpace(runPolicy(t, p, server{}).out), "ok")
	if answer := p.Why(dir + "/b")[0]; answer.Allowed || !strings.Contains(answer.Because, "argument /paths names it") {
		t.Errorf("of a file that is not named: %+v", answer)
	}
}

// Another file replaces the approved file between approval and start. An editor that
// saves does this, and an attacker.
func TestAFileThatWasReplacedStartsNothing(t *testing.T) {
	t.Parallel()
	dir := tree(t)
	scopes := Scopes{ReadPaths: Paths{Argument{Arg: "/path", Under: dir}.Path()}}
	p, err := bound(t, scopes, dir+"/a", "read", dir+"/a")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir+"/b", dir+"/a"); err != nil {
		t.Fatal(err)
	}
	c, err := Start(&exec.Cmd{}, p, Options{})
	if err == nil {
		_ = c.Close()
		t.Fatal("a server was started with another file")
	}
	if !strings.Contains(err.Error(), "another file") {
		t.Error(err)
	}
}

// A call that makes a program of the server's own writable starts nothing.
func TestAnArgumentDoesNotMakeAProgramWritable(t *testing.T) {
	t.Parallel()
	dir := tree(t)
	program := filepath.Join(dir, "program")
	if err := copyProgram(program); err != nil {
		t.Fatal(err)
	}
	scopes := Scopes{WritePaths: Paths{Argument{Arg: "/path", Under: dir}.Path()}, AllowedCommands: []string{program}}
	if _, err := bound(t, scopes, program, "temp"); err == nil || !strings.Contains(err.Error(), "a writePath covers it") {
		t.Errorf("a call that writes the program: %v", err)
	}
}

// The lists of bound files before and after show whether the file is another.
func TestWhatWasBoundTellsAnotherFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		argument, scope string
		change          func(dir string) error
		same            bool
	}{
		"nothing":                   {"a", "", func(string) error { return nil }, true},
		"an edit in place":          {"a", "", func(dir string) error { return os.WriteFile(dir+"/a", []byte("edited"), 0o600) }, true},
		"a rename":                  {"a", "", func(dir string) error { return os.Rename(dir+"/b", dir+"/a") }, false},
		"a link":                    {"inside", "", func(dir string) error { return relink(dir, "b") }, false},
		"another name of the file":  {"a", "", func(dir string) error { return os.Link(dir+"/a", dir+"/e") }, true},
		"a sibling":                 {"a", wholeDirectory, func(dir string) error { return os.WriteFile(dir+"/e", nil, 0o600) }, true},
		"a rename in the directory": {"a", wholeDirectory, func(dir string) error { return os.Rename(dir+"/b", dir+"/a") }, false},
		"a link in the directory":   {"inside", wholeDirectory, func(dir string) error { return relink(dir, "b") }, false},
		"a new file":                {"new", wholeDirectory, func(dir string) error { return os.WriteFile(dir+"/new", nil, 0o600) }, false},
	} {
		dir := tree(t)
		scopes := Scopes{ReadPaths: Paths{Argument{Arg: "/path", Under: dir, Scope: c.scope}.Path()}}
		if c.scope != "" {
			scopes = Scopes{WritePaths: scopes.ReadPaths}
		}
		was, err := bound(t, scopes, dir+"/"+c.argument, "temp")
		if err == nil {
			err = c.change(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		now, err := bound(t, scopes, dir+"/"+c.argument, "temp")
		if err != nil {
			t.Fatal(err)
		}
		if same := slices.Equal(was.Bound(), now.Bound()); same != c.same {
			t.Errorf("%s: the same is %t: %+v and %+v", name, same, was.Bound(), now.Bound())
		}
		was.Release()
		now.Release()
	}
}

// relink has the link "inside" lead to another file.
func relink(dir, to string) error {
	return errors.Join(os.Remove(dir+"/inside"), os.Symlink(to, dir+"/inside"))
}

// While what was bound is open no other file gets its number.
func TestABoundFileKeepsItsNumber(t *testing.T) {
	t.Parallel()
	dir := tree(t)
	p, err := bound(t, Scopes{ReadPaths: Paths{Argument{Arg: "/path", Under: dir}.Path()}}, dir+"/a", "temp")
	if err != nil {
		t.Fatal(err)
	}
	held := p.grants[len(p.grants)-1]
	for range 100 {
		if err := errors.Join(os.Remove(dir+"/a"), os.WriteFile(dir+"/a", nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(dir + "/a")
		if err != nil {
			t.Fatal(err)
		}
		if os.SameFile(info, held.info) {
			t.Fatal("a later file has the number of the one that was bound")
		}
	}
	p.Release()
	if _, err := held.held.Stat(); err == nil {
		t.Error("it is open after its release")
	}
}
