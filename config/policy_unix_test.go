//go:build unix

package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

const (
	denies = `{"rules":[{"effect":"deny","tools":["a/b"]}]}`
	allows = `{"rules":[{"effect":"allow","tools":["a/b"]}]}`
)

func policyFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func of(kind config.Kind, paths ...string) (all []config.Value[string]) {
	for _, path := range paths {
		all = append(all, config.Value[string]{V: path, Origin: config.Origin{Kind: kind, Name: "policy"}})
	}
	return all
}

// A policy file that was named and cannot be used leaves no policy: the program
// does not go on without its denials.
func TestAPolicyFileThatCannotBeUsedEndsTheProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := policyFile(t, dir, "good.json", denies)
	for name, c := range map[string]struct {
		path string
		code verdict.Code
		want string
	}{
		"missing":         {filepath.Join(dir, "none.json"), verdict.ConfigUnreadable, "no such file"},
		"empty":           {policyFile(t, dir, "empty.json", ""), verdict.ConfigInvalid, "empty.json:1"},
		"broken":          {policyFile(t, dir, "broken.json", "{\"rules\":[\n{]}"), verdict.ConfigInvalid, "broken.json:2"},
		"a directory":     {dir, verdict.ConfigUnreadable, "not a regular file"},
		"a symbolic link": {linked(t, dir, good), verdict.ConfigUnreadable, "symbolic link"},
		"a link to none":  {linked(t, t.TempDir(), filepath.Join(dir, "none.json")), verdict.ConfigUnreadable, "symbolic link"},
		"of others":       {writable(t, policyFile(t, dir, "others.json", denies), 0o602), verdict.ConfigUnreadable, "others can write"},
		"of a group":      {writable(t, policyFile(t, dir, "group.json", denies), 0o620), verdict.ConfigUnreadable, "others can write"},
		"too long":        {policyFile(t, dir, "long.json", denies+strings.Repeat(" ", 4<<20)), verdict.ConfigUnreadable, "too long"},
	} {
		for _, kind := range []config.Kind{config.FromFile, config.FromVariable, config.FromFlag} {
			p, err := config.LoadPolicy(of(kind, good, c.path))
			_, fault := verdict.First(err)
			if fault == nil || fault.Code != c.code || fault.Code.Entry().Exit != 2 || p.Configured() {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if !strings.Contains(fault.Reason, c.want) || fault.Advice() == "" {
				t.Errorf("%s: %s", name, fault.Reason)
			}
		}
	}
}

func linked(t *testing.T, dir, to string) string {
	t.Helper()
	path := filepath.Join(dir, "link.json")
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func writable(t *testing.T, path string, mode os.FileMode) string {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPolicyFilesOfEveryLayerAddUp(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	none := config.Value[string]{V: filepath.Join(dir, "policy.json")}
	p, err := config.LoadPolicy([]config.Value[string]{none})
	if err != nil || p.Configured() {
		t.Errorf("without any file: %v", err)
	}
	policyFile(t, dir, "policy.json", allows)
	all := append([]config.Value[string]{none}, of(config.FromFile, policyFile(t, other, "policy.json", denies))...)
	all = append(all, of(config.FromFlag, filepath.Join(dir, "policy.json"))...) // once more
	if p, err = config.LoadPolicy(all); err != nil || len(p.Rules()) != 2 {
		t.Fatalf("%d rules, %v", len(p.Rules()), err)
	}
	if p.Rules()[0].Name() == p.Rules()[1].Name() {
		t.Errorf("two rules are called %s", p.Rules()[0].Name())
	}
	none.V = linked(t, t.TempDir(), "nowhere")
	if _, err = config.LoadPolicy([]config.Value[string]{none}); verdict.CodeOf(err) != verdict.ConfigUnreadable {
		t.Errorf("the default file is a link to nothing: %v", err)
	}
}

// A file of the working directory that a flag or a variable names narrows, and no more.
func TestAFileOfTheWorkingDirectoryOnlyNarrows(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp(".", "policy-*") //nolint:usetesting // it has to be below the working directory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	deny, allow := policyFile(t, dir, "deny.json", denies), policyFile(t, dir, "allow.json", allows)
	elsewhere := policyFile(t, t.TempDir(), "allow.json", allows)
	absolute, err := filepath.Abs(allow)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []config.Kind{config.FromFlag, config.FromVariable} {
		for path, ok := range map[string]bool{deny: true, allow: false, absolute: false, elsewhere: true} {
			if _, err := config.LoadPolicy(of(kind, path)); (err == nil) != ok {
				t.Errorf("%v %s: %v", kind, path, err)
			}
		}
	}
	if _, err := config.LoadPolicy(of(config.FromFile, absolute)); err != nil {
		t.Errorf("named by the user's own file: %v", err)
	}
}

// A file of another user, who can change it, decides nothing: neither rules, allowlist,
// input rules and manifests nor servers and settings. One of root does.
func TestAFileOfAnotherUserDecidesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text string
		code verdict.Code
		read func(path string) error
	}{
		"policy": {denies, verdict.ConfigUnreadable, func(path string) error {
			_, err := config.LoadPolicy(of(config.FromFile, path))
			return err
		}},
		"allowlist":   {`{"a":["b"]}`, verdict.AllowInvalid, func(path string) error { return config.LoadAllowlist(path).Permits("a", "b") }},
		"input rules": {`{"rules":[]}`, verdict.ConfigUnreadable, func(path string) error { _, err := config.LoadRules(of(config.FromFile, path)); return err }},
		"servers":     {`{"mcpServers":{}}`, verdict.ConfigUnreadable, func(path string) error { _, err := config.LoadServers(path); return err }},
		"settings": {"intent = \"strict\"\n", verdict.ConfigUnreadable, func(path string) error {
			_, err := config.Load(config.Paths{}, nil, config.Flags{Config: path})
			return err
		}},
		"a named file": {"x", verdict.ConfigUnreadable, func(path string) error { _, err := config.ReadFile(path); return err }},
	} {
		path := policyFile(t, dir, name, c.text)
		if err := c.read(path); verdict.CodeOf(err) == c.code {
			t.Fatalf("%s: before: %v", name, err)
		}
		if os.Getuid() != 0 {
			continue // only root gives files away; TestTrusted says what holds for others
		}
		if err := os.Chown(path, 12345, -1); err != nil {
			t.Fatal(err)
		}
		err := c.read(path)
		if verdict.CodeOf(err) != c.code || !strings.Contains(err.Error(), "another user (12345)") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
