package confine

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
)

// What led elsewhere when the policy was made may lead to a scope when the server is
// started.
func TestAScopeIsComparedAgainWhenItIsOpened(t *testing.T) {
	t.Parallel()
	root, own := ownTree(t)
	for name, change := range map[string]func() error{
		"a link leads into the scope":         func() error { return leadTo(root+"/home/work/ours", root+"/home/state") },
		"a file of ours has a name in it":     func() error { return os.Link(root+"/home/config/ask/allowlist.json", root+"/home/work/late") },
		"a link in our directory leads there": func() error { return leadTo(root+"/home/work/policy.json", root+"/home/config/ask/policy.json") },
	} {
		p, err := Resolve(asksAll, Scopes{WritePaths: Paths{root + "/home/work"}}, Program{Path: "/bin/sh", Args: []string{"-c", "exit 0"}, Own: own})
		if err != nil {
			t.Fatal(err)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		runtime.LockOSThread()
		cmd := &exec.Cmd{}
		c, err := Start(cmd, p, Options{})
		runtime.UnlockOSThread()
		if verdict.CodeOf(err) != verdict.ManifestInvalid || c != nil || cmd.Process != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, path := range []string{"/home/work/late", "/home/state", "/home/config/ask/policy.json"} {
			_ = os.Remove(root + path)
		}
	}
}

// leadTo replaces what is at a path by a link.
func leadTo(target, link string) error {
	_ = os.Remove(link)
	return os.Symlink(target, link)
}
