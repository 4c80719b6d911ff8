package permissions_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/onestep-run/onestep/eval/permissions"
)

// read gives the uses of one file, each as its permission's last part, its line and
// its name.
func read(t *testing.T, file, source string) []string {
	t.Helper()
	f, err := permissions.Read(t.Context(), fstest.MapFS{file: {Data: []byte(source)}})
	if err != nil || len(f.Unread) > 0 {
		t.Fatalf("%s: %v %v\n%s", file, f.Unread, err, source)
	}
	all := []string{}
	for _, u := range f.Uses {
		all = append(all, strings.TrimPrefix(string(u.Permission), "mcp.ac.")+" "+u.Name)
	}
	return slices.Compact(all)
}

func TestAUseIsNamedByItsModule(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, source, want string }{
		{"a.js", `const { readFile: r } = require("fs/promises"); r("x")`, "filesystem.read fs.readFile"},
		{"a.mjs", `import { promises as p } from "node:fs"; await p.rm("x")`, "filesystem.delete fs.rm"},
		{"a.mjs", `import fs from "fs"; const f = fs.promises; export const a = () => f["writeFile"]("x", "")`, "filesystem.write fs.writeFile"},
		{"a.js", `const { open } = require("fs"); open("x", "w", () => {})`, "filesystem.write fs.open"},
		{"a.js", `const fs = require("fs"); fs.open("x", () => {})`, "filesystem.read fs.open"},
		{"a.mjs", `const { spawn } = await import("node:child_process"); spawn("ls")`, "system.exec child_process.spawn"},
		{"a.js", `const run = require("util").promisify(require("child_process").exec); run("ls")`, "system.exec child_process.exec"},
		{"a.ts", `import axios, { type AxiosInstance } from "axios"; const c: AxiosInstance = axios.create({}); c.get("/")`, "network.client axios.create"},
		{"a.mjs", `import express from "express"; const app = express(); app.listen(1)`, "network.server express().listen"},
		{"a.ts", `class C { private h = require("http"); go(): void { globalThis.fetch("x") } }`, "network.client fetch"},
		{"a.js", `const e = process.env; const k = e.KEY ?? ""`, "system.env.read process.env.KEY"},
		{"a.py", "from os import path, remove as rm\nrm(path.join('a', 'b'))", "filesystem.delete os.remove"},
		{"a.py", "import pathlib\nclass C:\n  def __init__(self, p: pathlib.Path): self.p = p\n  def go(self): return (self.p / 'x').read_text()", "filesystem.read pathlib.Path().read_text"},
		{"a.py", "from pathlib import Path\nfor p in sorted(Path('.').glob('*')): p.unlink()", "filesystem.delete pathlib.Path().unlink"},
		{"a.py", "import httpx\nasync def f():\n  async with httpx.AsyncClient() as c: return await c.get('x')", "network.client httpx.AsyncClient"},
		{"a.py", "import asyncio\nasync def f(): await asyncio.create_subprocess_exec('ls')", "system.exec asyncio.create_subprocess_exec"},
		{"a.py", "def f(how): return open('x', mode=how)", "filesystem.read open"},
		{"a.go", "package a\nimport run \"os/exec\"\nfunc f() { run.Command(\"ls\") }", "system.exec os/exec.Command"},
		{"a.go", "package a\nimport \"net/http\"\nvar c = http.Client{}", "network.client net/http.Client"},
	} {
		if got := read(t, c.file, c.source); !slices.Contains(got, c.want) {
			t.Errorf("%s: %q, without %q", c.source, got, c.want)
		}
	}
}

func TestWhatOnlyLooksLikeAUseIsNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, source string }{
		{"a.js", `// fs.writeFile("x")` + "\n" + `const s = "require('child_process').exec('ls')"`},
		{"a.js", `const fs = require("fs"); const path = require("path"); module.exports = path.join("a", "b")`},
		{"a.js", `/x/.exec("y"); ({ open() {} }).open(); new Map().get("fetch")`},
		{"a.js", `function fetch(x) { return x } fetch(1)`},
		{"a.ts", `import type { Stats } from "fs"; interface A { readFile(): Stats }`},
		{"a.js", `const fs = require("./fs"); fs.readFile("x")`},
		{"a.js", `const fs = require("fs"); fs.existsSync("x")`},
		{"a.py", "import os, requests\nprint(os.path.exists('x'), os.sep)\nclass requests2: pass"},
		{"a.py", "def open(x): return x\nopen('x')"},
		{"a.py", "'''subprocess.run('ls')'''\nd = {}\nd.get('os.environ')"},
		{"a.py", "from requests.exceptions import HTTPError\ntry: pass\nexcept HTTPError: pass"},
		{"a.py", "from .os import remove\nremove('x')"},
		{"a.go", "package a\nimport \"os\"\nfunc f() { _ = os.Args; _ = os.Stdin }"},
		{"a.go", "package a\ntype t struct{}\nfunc (t) ReadFile() {}\nfunc f() { os := t{}; os.ReadFile() }"},
		{"a.go", "package a\nimport \"net/http\"\nvar s = http.StatusOK"},
		{"node_modules/x/a.js", `require("fs").readFileSync("x")`},
		{"a.test.js", `require("fs").readFileSync("x")`},
		{"a_test.go", "package a\nimport \"os\"\nfunc f() { os.Remove(\"x\") }"},
	} {
		if got := read(t, c.file, c.source); len(got) > 0 {
			t.Errorf("%s: %q", c.source, got)
		}
	}
}

// Lines are those of the source, whatever the parsers were given.
func TestLinesAreThoseOfTheSource(t *testing.T) {
	t.Parallel()
	for file, source := range map[string]string{
		"a.ts": "import {\n  readFile,\n} from 'fs/promises';\ntype A = {\n  b: string;\n};\n\nexport async function f(a: A): Promise<string> {\n  // here\n  return readFile(a.b, 'utf8');\n}\n",
		"a.py": "import os\n\n\n\n\n\n\n\n\nos.remove('x')\n",
		"a.go": "package a\n\nimport \"os\"\n\n\n\n\nfunc f() {\n\t// here\n\tos.Remove(\"x\")\n}\n",
	} {
		f, err := permissions.Read(t.Context(), fstest.MapFS{file: {Data: []byte(source)}})
		if err != nil || len(f.Uses) != 1 || f.Uses[0].Line != 10 || f.Uses[0].File != file {
			t.Errorf("%s: %+v %v", file, f, err)
		}
	}
}

// A file that cannot be read is named, and the others count.
func TestWhatNoParserTakesIsNamed(t *testing.T) {
	t.Parallel()
	f, err := permissions.Read(t.Context(), fstest.MapFS{
		"a.js": {Data: []byte("const = ;")}, "b.py": {Data: []byte("def")}, "c.go": {Data: []byte("package c\nimport \"os\"\nvar x = os.Remove(\"x\")")},
		"large.js": {Data: []byte(strings.Repeat(" ", 3<<20))},
	})
	if err != nil || len(f.Unread) != 3 || len(f.Permissions) != 1 {
		t.Errorf("%+v %v", f, err)
	}
}

// What is read is not run, and names no file of this machine.
func TestASourceIsNotRun(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "made")
	f, err := permissions.Read(t.Context(), fstest.MapFS{
		"a.py": {Data: []byte("open('" + file + "', 'w')\n")},
		"a.js": {Data: []byte("require('fs').writeFileSync('" + file + "', '')\n//# sourceMappingURL=" + file + "\n")},
	})
	if err != nil || len(f.Unread) > 0 || len(f.Uses) != 2 {
		t.Errorf("%+v %v", f, err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the source was run")
	}
}
