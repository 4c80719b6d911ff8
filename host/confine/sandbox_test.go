package confine

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestADocumentOfNothingConfinedIsNone(t *testing.T) {
	t.Parallel()
	var none *Sandbox
	if none.Document() != nil || (&Sandbox{Off: true, Manifest: Manifest{Description: "x"}}).Document() != nil {
		t.Error("a server with the user's rights has a document")
	}
	if (&Sandbox{}).Document() == nil || !(&Sandbox{}).Confines() {
		t.Error("the zero sandbox confines nothing")
	}
}

// Order and repetition say nothing, and suggested scopes grant nothing.
func TestADocumentIsCanonical(t *testing.T) {
	t.Parallel()
	a := &Sandbox{Manifest: Manifest{Description: "d", Permissions: []Permission{FilesRead, EnvRead}}, Scopes: Scopes{ReadPaths: []string{"/b", "/a"}}}
	b := &Sandbox{
		Manifest: Manifest{Description: "d", Permissions: []Permission{EnvRead, FilesRead}, Scopes: &Scopes{ReadPaths: []string{"/"}}},
		Scopes:   Scopes{ReadPaths: []string{"/a", "/b", "/a"}},
	}
	if string(a.Document()) != string(b.Document()) {
		t.Errorf("%s\n%s", a.Document(), b.Document())
	}
	if a.Scopes.ReadPaths[0] != "/b" {
		t.Error("the scopes themselves were sorted")
	}
}

func TestWhatWidensASandboxIsNamedAndFirst(t *testing.T) {
	t.Parallel()
	base := Sandbox{
		Manifest: Manifest{Description: "d", Permissions: []Permission{FilesRead}},
		Scopes:   Scopes{ReadPaths: []string{"/a"}, Limits: Limits{MemoryMiB: 10}},
	}
	edit := func(f func(*Sandbox)) *Sandbox { s := base; f(&s); return &s }
	for _, c := range []struct {
		name  string
		now   *Sandbox
		steps string // the paths, with ! for wider
	}{
		{"the same", edit(func(*Sandbox) {}), ""},
		{"off", edit(func(s *Sandbox) { s.Off = true }), "!"},
		{"no sandbox", nil, "!"},
		{"another path to read", edit(func(s *Sandbox) { s.Scopes.ReadPaths = []string{"/a", "/b"} }), "!/scopes/readPaths"},
		{"a path in place of another", edit(func(s *Sandbox) { s.Scopes.ReadPaths = []string{"/"} }), "!/scopes/readPaths /scopes/readPaths"},
		{"nothing to read", edit(func(s *Sandbox) { s.Scopes.ReadPaths = nil }), "/scopes/readPaths"},
		{"writing", edit(func(s *Sandbox) { s.Scopes.WritePaths = []string{"/a"} }), "!/scopes/writePaths"},
		{"deleting", edit(func(s *Sandbox) { s.Scopes.DeletePaths = []string{"/a"} }), "!/scopes/deletePaths"},
		{"a host", edit(func(s *Sandbox) { s.Scopes.AllowedHosts = []string{"a:1"} }), "!/scopes/allowedHosts"},
		{"a port", edit(func(s *Sandbox) { s.Scopes.ListenPorts = []uint16{80} }), "!/scopes/listenPorts"},
		{"a variable", edit(func(s *Sandbox) { s.Scopes.EnvVars = []string{"A"} }), "!/scopes/envVars"},
		{"a command", edit(func(s *Sandbox) { s.Scopes.AllowedCommands = []string{"sh"} }), "!/scopes/allowedCommands"},
		{"a permission that is asked for", edit(func(s *Sandbox) { s.Manifest.Permissions = []Permission{FilesRead, Exec} }), "!/manifest/permissions"},
		{"a lower limit", edit(func(s *Sandbox) { s.Scopes.Limits.MemoryMiB = 9 }), "/scopes/limits/memoryMiB"},
		{"a higher limit", edit(func(s *Sandbox) { s.Scopes.Limits.MemoryMiB = 11 }), "!/scopes/limits/memoryMiB"},
		{"no limit", edit(func(s *Sandbox) { s.Scopes.Limits = Limits{} }), "!/scopes/limits/memoryMiB"},
		{"one more limit", edit(func(s *Sandbox) { s.Scopes.Limits.CPUSeconds = 1 }), "/scopes/limits/cpuSeconds"},
		{"files only", edit(func(s *Sandbox) { s.FilesOnly = true }), "!/files_only"},
		{"other words", edit(func(s *Sandbox) { s.Manifest.Description = "e" }), "/manifest/description"},
		{"narrower and wider", edit(func(s *Sandbox) {
			s.Scopes.ReadPaths, s.Scopes.EnvVars = nil, []string{"A"}
		}), "!/scopes/envVars /scopes/readPaths"},
	} {
		var got []string
		for _, s := range Compare(base.Document(), c.now.Document()) {
			mark := ""
			if s.Wider {
				mark = "!"
			}
			if s.Why == "" {
				t.Errorf("%s: %s has no words", c.name, s.Path)
			}
			got = append(got, mark+s.Path)
		}
		if have := strings.Join(got, " "); have != c.steps {
			t.Errorf("%s: %q, want %q", c.name, have, c.steps)
		}
	}
	if steps := Compare(nil, base.Document()); len(steps) != 1 || steps[0].Wider {
		t.Errorf("to confine a server widens it: %+v", steps)
	}
	if steps := Compare(jsontext.Value(`{"more":1}`), base.Document()); len(steps) != 1 || !steps[0].Wider {
		t.Errorf("a document that cannot be read: %+v", steps)
	}
}

// Without a supervisor what may be written may be deleted: that is in the document
// that is approved, and it is shown.
func TestFilesOnlyShowsThatWritingIncludesDeleting(t *testing.T) {
	t.Parallel()
	s := &Sandbox{Scopes: Scopes{WritePaths: Paths{"/srv/a"}, DeletePaths: Paths{"/srv/b"}}}
	was := s.Document()
	if strings.Contains(string(was), `"deletePaths":["/srv/a"`) {
		t.Errorf("%s", was)
	}
	alone := *s
	alone.FilesOnly = true
	now, err := ReadDocument(alone.Document())
	if err != nil || !slices.Equal(now.Scopes.DeletePaths, []string{"/srv/a", "/srv/b"}) {
		t.Errorf("%+v %v", now, err)
	}
	for _, shown := range []*Sandbox{&alone, now} {
		lines := shown.Lines()
		if !slices.Contains(lines, "without a supervisor it creates and deletes in /srv/a") || !slices.Contains(lines, "delete in /srv/b") {
			t.Errorf("%q", lines)
		}
	}
	if steps := Compare(was, alone.Document()); !slices.ContainsFunc(steps, func(s Step) bool { return s.Wider && s.Path == "/scopes/deletePaths" }) {
		t.Errorf("%+v", steps)
	}
}
