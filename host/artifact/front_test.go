package artifact

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A version manager's front is followed to the interpreter, or the error says that it
// cannot be. Any other command stays unchanged.
func TestAFrontIsFollowedToItsInterpreter(t *testing.T) {
	t.Parallel()
	python, err := filepath.EvalSymlinks("/usr/bin/python3")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(name, target string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	manager := script("libexec/vm", "#!/bin/sh\ncase \"$1\" in which) echo "+python+";; exec) shift 2; exec "+python+" \"$@\";; *) exec "+python+" \"$@\";; esac\n")
	shim := script("shims/python3", "#!/bin/bash\nset -e\nexec \""+manager+"\" exec python3 \"$@\"\n")
	server := script("shims/mcp-notes", "#!/bin/sh\nexec '"+manager+"' exec mcp-notes \"$@\"\n")
	throughShim := script("bin/notes", "#!"+shim+" -I\nprint()\n")
	broken := script("broken/python3", "#!/bin/sh\nexit 3\n")
	liar := script("liar/node", "#!/bin/sh\necho /bin/true\n")
	wrapper := script("wrapper/start", "#!/bin/sh\nexec "+python+" \"$@\"\n")
	plain := script("plain/notes", "#!"+python+"\nprint()\n")
	for name, c := range map[string]struct {
		path string
		want string
		args []string
		no   string
	}{
		"pyenv":               {shim, python, []string{"server.py"}, ""},
		"a front by a link":   {link("volta/python3", manager), python, []string{"server.py"}, ""},
		"a program of a shim": {server, python, []string{"server.py"}, ""},
		"a first line":        {throughShim, python, []string{"-I", throughShim, "server.py"}, ""},
		"no answer":           {broken, "", nil, "does not say which"},
		"another program":     {liar, "", nil, "is not one"},
		"a wrapper":           {wrapper, "", nil, "is a shell script"},
		"an interpreter":      {"/usr/bin/python3", "", nil, ""},
		"a link to one":       {link("venv/bin/python", "/usr/bin/python3"), "", nil, ""},
		"a script":            {plain, "", nil, ""},
		"a program":           {"/bin/true", "", nil, ""},
		"nothing":             {dir + "/nothing", "", nil, ""},
	} {
		path, args, err := Behind(t.Context(), Command{Path: c.path, Args: []string{"server.py"}, Dir: dir}, os.LookupEnv)
		switch {
		case c.no != "":
			if err == nil || !strings.Contains(err.Error(), c.no) {
				t.Errorf("%s: %q %q %v", name, path, args, err)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want == "" && path != "":
			t.Errorf("%s: %q", name, path)
		case c.want != "":
			if actual, _ := filepath.EvalSymlinks(path); actual != c.want || !slices.Equal(args, c.args) {
				t.Errorf("%s: %q %q", name, path, args)
			}
			if out, err := exec.Command(path, "-c", "").CombinedOutput(); err != nil {
				t.Errorf("%s: %v %s", name, err, out)
			}
		}
	}
}
