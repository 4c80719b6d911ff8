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
	for _, name := range []string{"srv", "node", "node.exe", "python3.12", "sh", "npm", "cmd.exe", "timeout", "a.js", "b.py"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"srv":                     "srv",
		"srv a.js":                "srv", // its own argument
		"node a.js":               "a.js",
		"node --inspect a.js x":   "a.js",
		"node " + dir + "/a.js":   "a.js",
		"python3.12 -u b.py":      "b.py",
		"node":                    "",
		"node none.js":            "",
		"node -e 1":               "",
		"node --import a.js a.js": "",
		"node --import=a.js a.js": "",
		"python3.12 -m http":      "",
		"sh -c a.js":              "",
		"node.exe a.js":           "a.js",
		"cmd.exe /c npx srv":      "",
		"timeout 5 srv":           "",
		"npm start":               "",
		"none":                    "",
	} {
		words := strings.Fields(text)
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
