package artifact_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/host/artifact"
)

func TestAProgramIsItsFileOrItsScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"srv", "node", "node.exe", "python3.12", "sh", "npm", "cmd.exe", "timeout", "a.js", "b.py",
		"dash", "perl", "ruby", "env", "deno", "java", "tsx", "wrap", "server",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"srv":                                 "srv",
		"srv --stdio -v":                      "srv",
		"srv stdio --port 8080":               "srv",
		"srv --root " + dir + " .":            "srv",
		"srv --level=true":                    "srv",
		"srv none.js --c=none":                "srv",
		"srv --log=" + dir + "/none.log":      "", // as when it is there
		"srv --root=" + dir:                   "srv",
		"srv -I" + dir + " --in=" + dir:       "srv",
		"srv -I" + dir + "/none":              "",
		"srv none/a.js":                       "",
		"srv @scope/package":                  "",
		"srv --at https://a.example/x":        "srv",
		"srv --at=http://127.0.0.1:80/":       "srv",
		"srv --at file://" + dir + "/none":    "",
		"srv a.js":                            "", // it may be an interpreter that is not known
		"srv --load a.js":                     "",
		"srv --load=a.js":                     "",
		"srv --load=" + dir + "/a.js":         "",
		"srv -ra.js":                          "",
		"srv -r./a.js":                        "",
		"srv -jar:a.js":                       "",
		"srv x,file://" + dir + "/a.js":       "",
		"srv @a.js":                           "",
		"srv server":                          "",
		"srv -c exec\t./a.js;":                "",
		"wrap --quiet node":                   "", // a command of the PATH
		"wrap -- fetcher x":                   "",
		"node a.js":                           "a.js",
		"node --inspect a.js x":               "a.js",
		"node " + dir + "/a.js":               "a.js",
		"python3.12 -u b.py":                  "b.py",
		"node":                                "",
		"node none.js":                        "",
		"node server":                         "", // or server.js
		"node inspect a.js":                   "",
		"node -- a.js":                        "",
		"node -r./a.js a.js":                  "",
		"node --env-file=a.js a.js":           "",
		"node --no-warnings --inspect=1 a.js": "a.js",
		"dash a.js b.py":                      "a.js",
		"sh -eu ./a.js":                       "a.js",
		"sh -s a.js":                          "",
		"tsx a.js":                            "a.js",
		"tsx watch a.js":                      "",
		"perl -w a.js":                        "a.js",
		"perl -MFoo a.js":                     "",
		"ruby -r./a.js b.py":                  "",
		"python3.12 -mserver b.py":            "",
		"python3.12 -W error b.py":            "",
		"env VAR=1 node a.js":                 "",
		"deno run -A npm:x":                   "",
		"java -cp . Main":                     "",
		"node -e 1":                           "",
		"node --import a.js a.js":             "",
		"node --import=a.js a.js":             "",
		"python3.12 -m http":                  "",
		"sh -c a.js":                          "",
		"node.exe a.js":                       "a.js",
		"cmd.exe /c npx srv":                  "",
		"timeout 5 srv":                       "",
		"npm start":                           "",
		"none":                                "",
	} {
		words := strings.Split(text, " ")
		s := artifact.Command{Path: filepath.Join(dir, words[0]), Args: words[1:], Dir: dir}
		a, seen := artifact.Cache("").Of(s), artifact.Cache("").Inspect(s)
		digest := ""
		if want != "" {
			sum := sha256.Sum256([]byte(want))
			digest = "sha256:" + hex.EncodeToString(sum[:])
		}
		if a.Integrity != digest || (a.Floating == "") != (want != "") || a.Kind != "file" || want != "" && a.Program != filepath.Join(dir, want) {
			t.Errorf("%s: %+v", text, a)
		}
		if seen.Integrity != a.Integrity || (seen.Interpreter != "") != (want != "" && want != "srv") {
			t.Errorf("%s: a look at all of it is %+v", text, seen)
		}
	}
	if a := artifact.Cache("").Of(artifact.Command{}); a != (artifact.Artifact{}) || a.String() != "nothing is started" {
		t.Errorf("of nothing: %+v", a)
	}
}

// TestWhatIsRunBesidesTheScriptFloats: of neither a variable nor a missing
// directory does a digest say what is run.
func TestWhatIsRunBesidesTheScriptFloats(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"srv", "node", "a.js"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	srv := artifact.Command{Path: filepath.Join(dir, "srv"), Dir: dir}
	node := artifact.Command{Path: filepath.Join(dir, "node"), Args: []string{"a.js"}, Dir: dir}
	for name, s := range map[string]artifact.Command{
		"of options":       {Path: node.Path, Args: node.Args, Dir: dir, Env: []string{"A", "NODE_OPTIONS"}},
		"of modules":       {Path: node.Path, Args: node.Args, Dir: dir, Env: []string{"PYTHONPATH"}},
		"of libraries":     {Path: srv.Path, Dir: dir, Env: []string{"LD_PRELOAD"}},
		"of a package":     {Package: artifact.PackageOf("docker", []string{"run", "a@sha256:" + strings.Repeat("a", 64)}), Env: []string{"DYLD_X"}},
		"no path":          {Path: "srv", Dir: dir},
		"no directory":     {Path: node.Path, Args: node.Args},
		"none of a server": {Path: srv.Path, Dir: "."},
	} {
		if a := artifact.Cache("").Of(s); a.Floating == "" || a.Integrity != "" {
			t.Errorf("%s: %+v", name, a)
		}
	}
	for _, s := range []artifact.Command{srv, node} {
		s.Env = []string{"NODE_ENV", "PYTHONUNBUFFERED", "OLD_PATH", "TOKEN"}
		if a := artifact.Cache("").Of(s); a.Floating != "" || a.Integrity == "" {
			t.Errorf("a variable that loads nothing counts: %+v", a)
		}
	}
}
