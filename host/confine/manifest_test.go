package confine

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
)

func TestAManifestIsReadStrictly(t *testing.T) {
	t.Parallel()
	good := `{"description":"reads notes","permissions":["mcp.ac.filesystem.read","mcp.ac.clipboard.read"],"scopes":{"readPaths":["/srv"],"limits":{"memoryMiB":64}}}`
	m, err := Parse([]byte(good))
	if err != nil || len(m.Permissions) != 2 || m.Scopes == nil || m.Scopes.Limits.MemoryMiB != 64 {
		t.Errorf("%+v, %v", m, err)
	}
	for text, want := range map[string]string{
		`{"description":"","permissions":[]}`:                                       "/description is empty",
		`{"description":" \n","permissions":[]}`:                                    "/description is empty",
		`{"permissions":[]}`:                                                        "/description is empty",
		`{"description":"x","permissions":["mcp.ac.filesystem.reed"]}`:              "/permissions/0 is \"mcp.ac.filesystem.reed\", which is not a permission",
		`{"description":"x","permissions":["MCP.AC.FILESYSTEM.READ"]}`:              "/permissions/0",
		`{"description":"x","permissions":["mcp.ac.location","mcp.ac.location"]}`:   "/permissions/1 repeats",
		`{"description":"x","permissions":[],"permits":[]}`:                         "permits",
		`{"description":"x","description":"y","permissions":[]}`:                    "same key twice",
		`{"description":"x","Permissions":[]}`:                                      "Permissions",
		`{"description":"x","permissions":"mcp.ac.location"}`:                       "permissions",
		`{"description":"x","permissions":[],"scopes":{"readpaths":["/"]}}`:         "readpaths",
		`{"description":"x","permissions":[],"scopes":{"listenPorts":[70000]}}`:     "listenPorts",
		`{"description":"x","permissions":[],"scopes":{"listenPorts":["80"]}}`:      "listenPorts",
		`{"description":"x","permissions":[],"scopes":{"limits":{"memoryMiB":-1}}}`: "memoryMiB",
		`{"description":"x","permissions":[]} {}`:                                   "something after",
		`null`: "null",
		`[]`:   "",
		``:     "",
	} {
		_, err := Parse([]byte(text))
		if verdict.CodeOf(err) != verdict.ManifestInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"description":"x","permissions":["mcp.ac.filesystem.read"],"scopes":{"readPaths":["/srv"]}}`))
	f.Add([]byte(`{"description":"x"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Parse(b)
		if err != nil {
			return
		}
		for _, p := range m.Permissions {
			if _, known := p.info(); !known {
				t.Errorf("%q was taken for a permission", p)
			}
		}
		if strings.TrimSpace(m.Description) == "" {
			t.Error("a manifest without a description was taken")
		}
	})
}

func TestTheVocabularyIsThePapers(t *testing.T) {
	t.Parallel()
	enforced := 0
	for _, p := range Permissions() {
		if !strings.HasPrefix(string(p.Name), "mcp.ac.") || p.Means == "" {
			t.Errorf("%+v", p)
		}
		if p.Scope != "" {
			enforced++
		}
	}
	if n := len(Permissions()); n != 18 || enforced != 7 {
		t.Errorf("there are %d permissions, of which %d are enforced", n, enforced)
	}
}

// The seven are granted by a scope, if the manifest asks; the others never.
func TestConsentIsNotGivenToWhatIsNotEnforced(t *testing.T) {
	t.Parallel()
	all := Manifest{Description: "x"}
	for _, p := range Permissions() {
		all.Permissions = append(all.Permissions, p.Name)
	}
	for _, p := range Permissions() {
		want := verdict.Code("")
		if p.Scope == "" {
			want = verdict.ManifestUnenforceable
		}
		if got := verdict.CodeOf(all.Consent(p.Name)); got != want {
			t.Errorf("%s: %q, want %q", p.Name, got, want)
		}
		if err := (Manifest{}).Consent(p.Name); err == nil {
			t.Errorf("%s was granted to a manifest that does not ask for it", p.Name)
		}
	}
	if err := all.Consent("mcp.ac.everything"); err == nil {
		t.Error("an unknown permission was granted")
	}
}

func thisProgram(tb testing.TB) Program {
	tb.Helper()
	path, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	return Program{Path: path}
}

func TestScopesThatCannotBeUsedAreErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	command := filepath.Join(dir, "command")
	if err := os.WriteFile(command, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	all := Manifest{Description: "x", Permissions: []Permission{FilesRead, FilesWrite, FilesDelete, NetworkClient, NetworkServer, EnvRead, Exec}}
	for want, s := range map[string]Scopes{
		"/scopes/readPaths/0 is \"notes\", a relative path":           {ReadPaths: []string{"notes"}},
		"/scopes/readPaths/1 is \"\", a relative path":                {ReadPaths: []string{dir, ""}},
		"/scopes/readPaths/0 is \"~/notes\", a relative path":         {ReadPaths: []string{"~/notes"}},
		"/scopes/writePaths/0 has .. in it":                           {WritePaths: []string{dir + "/../x"}},
		"/scopes/deletePaths/0 is \"" + dir + "/absent\", which does": {DeletePaths: []string{dir + "/absent"}},
		"/scopes/allowedHosts/0 names no port":                        {AllowedHosts: []string{"api.example.com"}},
		"/scopes/allowedHosts/0 has the port":                         {AllowedHosts: []string{"api.example.com:0"}},
		"/scopes/allowedHosts/0 is not a host name":                   {AllowedHosts: []string{"*:443"}},
		"/scopes/allowedHosts/1 is not a host name":                   {AllowedHosts: []string{"a.b:443", "*.*.b:443"}},
		"/scopes/allowedHosts/0 is not an address":                    {AllowedHosts: []string{"2001:db8::1:443"}},
		"/scopes/listenPorts/0 is 0":                                  {ListenPorts: []uint16{0}},
		"/scopes/envVars/0 is \"A=b\"":                                {EnvVars: []string{"A=b"}},
		"/scopes/envVars/0 is TMPDIR":                                 {EnvVars: []string{"TMPDIR"}},
		"/scopes/allowedCommands/0 is \"./x\", a relative path":       {AllowedCommands: []string{"./x"}},
		"/scopes/allowedCommands/0 is \"no-such-command-anywhere\"":   {AllowedCommands: []string{"no-such-command-anywhere"}},
		command + " can be started, and a writePath covers it":        {AllowedCommands: []string{command}, WritePaths: []string{dir}},
	} {
		_, err := Resolve(all, s, thisProgram(t))
		var f *verdict.Fault
		if verdict.CodeOf(err) != verdict.ManifestInvalid || !strings.Contains(err.Error(), want) || !errors.As(err, &f) || f.Hint == "" {
			t.Errorf("%+v: %v, want %q", s, err, want)
		}
	}
}

// A scope without its permission grants nothing, and a permission without a
// scope neither.
func TestAPolicyIsWhatIsAskedForAndGranted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asks := Manifest{Description: "x", Permissions: []Permission{FilesRead}}
	p, err := Resolve(asks, Scopes{}, thisProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	if p.holds(dir, read) || p.connects() || p.runs() || p.writes() {
		t.Error("a permission without a scope grants something")
	}
	if _, err := Resolve(Manifest{Description: "x"}, Scopes{ReadPaths: []string{dir}}, thisProgram(t)); verdict.CodeOf(err) != verdict.ManifestInvalid {
		t.Errorf("a scope without its permission: %v", err)
	}
	if p, err = Resolve(asks, Scopes{ReadPaths: []string{dir}}, thisProgram(t)); err != nil || !p.holds(filepath.Join(dir, "x"), read) || p.holds(dir+"x", read) || p.holds(dir, write) {
		t.Errorf("a scope with its permission: %v", err)
	}
	if _, err := Resolve(asks, Scopes{AllowedHosts: []string{"a.b:1"}}, thisProgram(t)); err == nil {
		t.Error("a host was granted to a manifest that asks for files")
	}
}

func TestAPatchIsWhatTheManifestLacks(t *testing.T) {
	t.Parallel()
	none := &Policy{manifest: Manifest{Description: "x"}}
	some := &Policy{manifest: Manifest{Description: "x", Permissions: []Permission{FilesRead}}, scopes: Scopes{ReadPaths: []string{"/a"}}}
	for _, c := range []struct {
		p    *Policy
		p2   Permission
		r    string
		want []string
	}{
		{none, FilesRead, "/b", []string{"add /permissions", "add /scopes"}},
		{some, FilesRead, "/b", []string{"add /scopes/readPaths/-"}},
		{some, FilesWrite, "/b", []string{"add /permissions/-", "add /scopes/writePaths"}},
		{some, NetworkServer, "80", []string{"add /permissions/-", "add /scopes/listenPorts"}},
		{some, NetworkServer, "any", nil},
		{some, "mcp.ac.location", "", nil},
	} {
		var got []string
		for _, change := range c.p.patch(c.p2, c.r) {
			got = append(got, change.Op+" "+change.Path)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %q, want %q", c.p2, c.r, got, c.want)
		}
	}
}

func TestAnAttemptIsALineThatCannotForgeAnother(t *testing.T) {
	t.Parallel()
	a := Attempt{Action: "read", Resource: "/x\nblocked: \x1b[2J\u202e", Permission: FilesRead, Scope: "readPaths"}
	if s := a.String(); strings.ContainsAny(s, "\n\x1b\u202e") {
		t.Errorf("the line is %q", s)
	}
}

// A package.json next to a user's keys makes no package of the whole home.
func TestAHomeIsNotAPackage(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	apart := filepath.Join(home, "work", "server")
	if err := os.MkdirAll(filepath.Join(home, "node_modules", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(apart, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"package.json", "index.js", "work/server/package.json", "work/server/index.js", "node_modules/x/index.js"} {
		if err := os.WriteFile(filepath.Join(home, path), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for script, want := range map[string]string{"index.js": "index.js", "work/server/index.js": "work/server", "node_modules/x/index.js": "node_modules"} {
		if got := packageOf(filepath.Join(home, script)); got != filepath.Join(home, want) {
			t.Errorf("%s is of %s", script, got)
		}
	}
}
