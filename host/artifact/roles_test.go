package artifact_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/host/artifact"
)

// This test binary plays npm, Python with its pip, and node. `make test` needs none of
// them, and `make interop` fetches with the real ones. The package's name states its
// defect.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); name {
	case "npm", "python3":
		if err := map[string]func([]string) error{"npm": npm, "python3": python}[name](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "fetcher":
		c, how := commandOf("npx", "-y", os.Args[2]), anywhere
		if how.Unconfined = func(why string) { fmt.Fprintln(os.Stderr, "unconfined", why) }; slices.Contains(os.Args, "refuse") {
			how.Unconfined = nil
		}
		if _, err := artifact.Cache(os.Args[1]).Fetch(t0, c, os.Environ(), how); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(withRoles(m))
}

// withRoles runs the tests with the roles as the only programs of the PATH.
func withRoles(m *testing.M) int {
	bin, err := os.MkdirTemp("", "roles")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(bin)
	self, err := os.Executable()
	for _, role := range []string{"npm", "python3", "node", "fetcher"} {
		err = errors.Join(err, os.Symlink(self, filepath.Join(bin, role)))
	}
	if err := errors.Join(err, os.Setenv("PATH", bin)); err != nil {
		panic(err)
	}
	return m.Run()
}

// write puts a file into the working directory.
func write(file, text string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600))
}

// nowhere is a registry that no test asks.
const nowhere = "http://127.0.0.1:9/"

func npm(args []string) error {
	if args[0] == "config" {
		all := map[string]any{"registry": nowhere, "prefix": "/none", "proxy": nil, "all": true}
		for _, one := range os.Environ() {
			if key, value, _ := strings.Cut(one, "="); value != "" && strings.HasPrefix(key, "npm_config_") {
				all[strings.TrimPrefix(key, "npm_config_")] = value
			}
		}
		return json.MarshalWrite(os.Stdout, all)
	}
	if !slices.Contains(args, "--ignore-scripts") {
		return errors.New("scripts would be run")
	}
	if args[0] == "ci" {
		return npmInstalls()
	}
	spec := args[len(args)-1]
	name := spec[:strings.LastIndex(spec, "@")]
	if dated := strings.Contains(strings.Join(args, " "), " --before=2026-06-01T00:00:00Z "); dated != (name == "dated") {
		return fmt.Errorf("of a registry as it was once: %t", dated)
	}
	part := map[string]string{
		"scripts":  `"integrity":"sha512-a","hasInstallScript":true`,
		"optional": `"integrity":"sha512-a","hasInstallScript":true,"optional":true`,
		"git":      `"resolved":"git+ssh://git@h/r.git#1"`,
		"file":     `"resolved":"file:../x","integrity":"sha512-a"`,
		"linked":   `"resolved":"../x","link":true,"integrity":"sha512-a"`,
		"bundled":  `"inBundle":true`,
		"unsigned": `"resolved":"https://r.example/x.tgz"`,
		"remote":   `"integrity":"sha512-a","dependencies":{"dep":"https://r.example/dep.tgz"}`,
		"plain":    `"integrity":"sha512-a","dependencies":{"dep":"http://r.example/dep.tgz"}`,
		"hub":      `"integrity":"sha512-a","dependencies":{"dep":"user/dep"}`,
		"gitdep":   `"integrity":"sha512-a","dependencies":{"dep":"git+https://r.example/dep.git"}`,
		"filedep":  `"integrity":"sha512-a","dependencies":{"dep":"file:../dep"}`,
		"tarball":  `"integrity":"sha512-a","dependencies":{"dep":"dep.TGZ"}`,
		"folder":   `"integrity":"sha512-a","dependencies":{"dep":".."}`,
		"maybe":    `"integrity":"sha512-a","optionalDependencies":{"dep":"https://r.example/dep.tgz"}`,
		"peer":     `"integrity":"sha512-a","peerDependencies":{"dep":"https://r.example/dep.tgz"}`,
		"alias":    `"integrity":"sha512-a","dependencies":{"dep":"npm:@other/dep@^1.0.0 || 2.x"}`,
		"absent":   `"integrity":"sha512-a","peerDependencies":{"gone":"https://r.example/dep.tgz","dep":">=1.0.0-rc.1 <2 || latest"}`,
	}[name]
	if part == "" {
		part = `"resolved":"https://r.example/x.tgz","integrity":"sha512-a"`
	}
	switch name {
	case "straying":
		return dial(os.Getenv("npm_config_test_stray"))
	case "prying":
		b, err := os.ReadFile(os.Getenv("npm_config_test_pry"))
		return errors.Join(errors.New("it read "+string(b)), err, write(os.Getenv("npm_config_test_pry")+".new", "x"), exec.CommandContext(t0, "npm", "ci").Run())
	case "telling":
		rc, err := os.ReadFile(os.Getenv("npm_config_userconfig"))
		return errors.Join(errors.New("its npmrc has "+string(rc)), err)
	case "missing":
		return errors.New("npm error code E404\nnpm error 404 Not Found - GET " + os.Getenv("npm_config_registry"))
	case "tell":
		return errors.New("it sees " + strings.Join(os.Environ(), " "))
	case "empty":
		return write("package-lock.json", `{"packages":{"":{}}}`)
	case "garbled":
		return write("package-lock.json", `{"packages":`)
	}
	today := os.Getenv("npm_config_test_today") // what it depends on is another one every day
	return write("package-lock.json", `{"lockfileVersion":3,"packages":{"":{"version":"0"},"node_modules/`+name+`":{"version":"1.0.0",`+part+`,"bin":{}},
		"node_modules/dep":{"version":"1.0.0","integrity":"sha512-dep`+today+`"}}}`)
}

func npmInstalls() error {
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(lock), "node_modules/")
	name, _, _ := strings.Cut(rest, `"`)
	home := "node_modules/" + name
	bin := map[string]string{
		"text":    `"dist/index.js"`,
		"several": `{"several":"dist/index.js","other":"dist/other.js"}`,
		"shell":   `{"shell":"dist/index.sh"}`,
		"outside": `{"outside":"../../../x.js"}`,
		"sibling": `{"sibling":"../dep/index.js"}`,
		"none":    `{}`,
	}[name]
	if bin == "" {
		bin = `{"run-it":"dist/index.js"}`
	}
	err = errors.Join(write(home+"/package.json", `{"name":"x","bin":`+bin+`}`), write(home+"/dist/lib.js", "// lib"),
		write(home+"/dist/index.js", "#!/usr/bin/env node\n//"+name), write(home+"/dist/other.js", "#!/usr/bin/env -S node --flag\n"), write(home+"/dist/index.sh", "#!/bin/sh\n"))
	err = errors.Join(err, os.MkdirAll("node_modules/.bin", 0o700), os.Symlink("../"+name+"/dist/index.js", "node_modules/.bin/run-it"))
	if name == "linking" {
		err = errors.Join(err, os.Symlink("/tmp/lib.js", home+"/dist/lib2.js"))
	}
	if name == "sibling" {
		err = errors.Join(err, write("node_modules/dep/index.js", "#!/usr/bin/env node\n"))
	}
	if addr := os.Getenv("npm_config_test_halt"); addr != "" { // half of it exists: report this, and stop
		return dial(addr)
	}
	return err
}

// dial connects to an address, and reads its answer to the end.
func dial(addr string) error {
	c, err := net.Dial("tcp", addr)
	if err == nil {
		_, err = io.Copy(io.Discard, c)
	}
	return err
}

func python(args []string) error {
	switch {
	case args[0] == "-c":
		fmt.Println(strings.Join([]string{os.Args[0], "/none", "/none", "/none", "/none"}, "\n"))
		return nil
	case args[2] == "config":
		fmt.Println("global.index-url='" + nowhere + "'")
		return nil
	case args[1] == "venv":
		return errors.Join(os.MkdirAll("venv/bin", 0o700), os.Symlink("/bin/sh", "venv/bin/python"))
	}
	if !strings.Contains(strings.Join(args, " "), "--only-binary=:all:") {
		return errors.New("more than wheels would be taken")
	}
	name, version, _ := strings.Cut(args[len(args)-1], "==")
	if dated := strings.Contains(strings.Join(args, " "), " --uploaded-prior-to=2026-06-01T00:00:00Z "); dated != (name == "dated" || name == "oldpip") {
		return fmt.Errorf("of an index as it was once: %t", dated)
	}
	if name == "oldpip" {
		return errors.New("no such option: --uploaded-prior-to")
	}
	if name == "source" {
		return errors.New("ERROR: No matching distribution found for source==" + version)
	}
	wheel := map[string]string{
		"sdist":    `"url":"https://i.example/x.tar.gz","archive_info":{"hashes":{"sha256":"aa"}}},"is_direct":false`,
		"direct":   `"url":"https://i.example/x.whl","archive_info":{"hashes":{"sha256":"aa"}}},"is_direct":true`,
		"folder":   `"url":"file:///wheels/x.whl","archive_info":{"hashes":{"sha256":"aa"}}},"is_direct":false`,
		"unhashed": `"url":"https://i.example/x.whl","archive_info":{"hashes":{"md5":"aa"}}},"is_direct":false`,
		"vcs":      `"url":"https://i.example/x.whl","vcs_info":{"vcs":"git"}},"is_direct":false`,
	}[name]
	if wheel == "" {
		wheel = `"url":"https://i.example/x.whl","archive_info":{"hashes":{"sha256":"aa"}}},"is_direct":false`
	}
	report := `{"version":"1","install":[{"metadata":{"name":"` + name + `","version":"` + version + `"},"download_info":{` + wheel + `}]}`
	first := map[string]string{"long": "#!/bin/sh\n'''exec' \"/a long way/python\" \"$0\" \"$@\"\n' '''\n", "shell": "#!/bin/sh\necho\n"}[name]
	if first == "" {
		first = "#!/tmp/x/venv/bin/python3.11\nimport sys\n"
	}
	return errors.Join(write("pip-report.json", report), write("venv/bin/"+strings.TrimSuffix(name, "[cli]"), first), write("venv/bin/activate", "# a shell's\n"),
		write("venv/lib/x.py", "x = 1\n"), write("venv/lib/__pycache__/x.pyc", "1"))
}
