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
	for _, folder := range []string{"plain", "with a blank"} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			testPrograms(t, filepath.Join(t.TempDir(), folder))
		})
	}
	if a := artifact.Cache("").Of(artifact.Command{}); a != (artifact.Artifact{}) || a.String() != "nothing is started" {
		t.Errorf("of nothing: %+v", a)
	}
}

func testPrograms(t *testing.T, dir string) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
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
		"srv --root DIR .":                    "srv",
		"srv --level=true":                    "srv",
		"srv none.js --c=none":                "srv",
		"srv --log=DIR/none.log":              "", // as for an existing file
		"srv --root=DIR":                      "srv",
		"srv -IDIR --in=DIR":                  "srv",
		"srv -IDIR/none":                      "",
		"srv none/a.js":                       "",
		"srv @scope/package":                  "",
		"srv --at https://a.example/x":        "srv",
		"srv --at=http://127.0.0.1:80/":       "srv",
		"srv --at file://DIR/none":            "",
		"srv a.js":                            "", // it may be an interpreter that is not known
		"srv --load a.js":                     "",
		"srv --load=a.js":                     "",
		"srv --load=DIR/a.js":                 "",
		"srv -ra.js":                          "",
		"srv -r./a.js":                        "",
		"srv -jar:a.js":                       "",
		"srv x,file://DIR/a.js":               "",
		"srv @a.js":                           "",
		"srv server":                          "",
		"srv -c exec\t./a.js;":                "",
		"wrap --quiet node":                   "", // a command of the PATH
		"wrap -- fetcher x":                   "",
		"node a.js":                           "a.js",
		"node --inspect a.js x":               "", // any program of this machine may then have it run code
		"node DIR/a.js":                       "a.js",
		"python3.12 -u b.py":                  "b.py",
		"node":                                "",
		"node none.js":                        "",
		"node server":                         "", // or server.js
		"node inspect a.js":                   "",
		"node -- a.js":                        "",
		"node -r./a.js a.js":                  "",
		"node --env-file=a.js a.js":           "",
		"node --no-warnings --inspect=1 a.js": "",
		"node --no-warnings a.js --inspect":   "a.js",
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
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "DIR", dir)
		}
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
}
