package confine

import (
	"bufio"
	"debug/elf"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/verdict"
)

// runtimeFiles are files that programs read before their own work: libraries, time zones,
// certificates, and settings for resolving names. They contain no file of a user and no
// secret.
var runtimeFiles = []string{
	"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/local/lib",
	"/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/ca-certificates", "/usr/share/nodejs", "/usr/share/terminfo",
	"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/timezone", "/etc/locale.alias",
	"/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted", "/etc/ca-certificates",
	"/etc/hosts", "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols", "/etc/mime.types",
	"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/uptime", "/proc/version", "/proc/filesystems",
	"/proc/sys/kernel/random", "/proc/sys/kernel/osrelease", "/proc/sys/kernel/cap_last_cap", "/proc/sys/net/core/somaxconn", "/proc/sys/vm/overcommit_memory",
	"/sys/devices/system/cpu", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage",
}

const (
	ofRuntime = "the minimum that every program needs"
	ofProgram = "the server's own program"
)

// program finds the file to execute, and grants the minimum for it.
func (p *Policy) program(program Program) error {
	p.optional(read, ofRuntime, runtimeFiles...)
	p.optional(device, ofRuntime, "/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
	p.optional(read, ofRuntime, "/dev/zero") // a shared mapping that can be written would be memory that no limit counts
	if program.Path == "" {
		return nil
	}
	path, err := exec.LookPath(program.Path)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return verdict.Fail(verdict.ServerStart, err, "%.200s: %v", filepath.Base(program.Path), cause(unwrapExec(err))).WithHint("name a program that exists")
	}
	chain, err := p.executable(path, ofProgram)
	if err != nil {
		return verdict.Fail(verdict.ServerStart, err, "%.200s: %v", filepath.Base(path), cause(err))
	}
	p.argv = slices.Concat(chain, program.Args)
	p.libraries(p.argv, path, program.Dir, ofProgram)
	for _, tree := range program.Tree {
		if err := p.grant(tree, read, ofProgram); err != nil {
			return verdict.Fail(verdict.ServerStart, err, "%.200s: %v", filepath.Base(tree), cause(err))
		}
	}
	return nil
}

// libraries grants reading the files that the command at a path loads: its interpreter's
// installation, and the package of its script.
func (p *Policy) libraries(argv []string, path, dir, why string) {
	for _, at := range []string{argv[0], path} {
		p.optional(read, why, installed(at)...)
	}
	if script := scriptOf(argv, dir); script != "" {
		p.optional(read, why, script, packageOf(script))
	}
}

func unwrapExec(err error) error {
	if e, is := errors.AsType[*exec.Error](err); is {
		return e.Err
	}
	return err
}

// executable grants execution of a program. It also grants the dynamic loader, or the
// interpreter in its first line, which the kernel starts for it. It returns the command
// that needs no further lookup.
func (p *Policy) executable(path, why string) ([]string, error) {
	if err := p.grant(path, execute, why); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return []string{path}, nil // it can be executed but not read, so it is not a script
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 256)).ReadString('\n') // the last line may have no newline
	rest, script := strings.CutPrefix(line, "#!")
	if !script {
		if loader := loaderOf(f); loader != "" {
			return []string{path}, p.grant(loader, execute, why)
		}
		return []string{path}, nil
	}
	words := strings.Fields(rest)
	if len(words) > 1 && filepath.Base(words[0]) == "env" {
		if why != ofProgram { // the server starts it, so the kernel starts env
			if _, err := p.executable(words[0], why); err != nil {
				return nil, err
			}
		} // otherwise the name is looked up here
		words = slices.DeleteFunc(words[1:], func(w string) bool { return w == "-S" })
	}
	if len(words) == 0 {
		return nil, errors.New("its first line names no interpreter")
	}
	interpreter, err := exec.LookPath(words[0])
	if err != nil {
		return nil, unwrapExec(err)
	}
	chain, err := p.executable(interpreter, why)
	return slices.Concat(chain, words[1:], []string{path}), err
}

// loaderOf returns the dynamic loader that a program names, or "" for a static program.
func loaderOf(f io.ReaderAt) string {
	e, err := elf.NewFile(f)
	if err != nil {
		return ""
	}
	for _, segment := range e.Progs {
		if segment.Type != elf.PT_INTERP || segment.Filesz > 4096 {
			continue
		}
		b, err := io.ReadAll(segment.Open())
		if err != nil {
			return ""
		}
		return strings.TrimRight(string(b), "\x00")
	}
	return ""
}

// interpreters keep libraries next to their bin directory.
var interpreters = []string{"node", "nodejs", "perl", "php", "python", "ruby"}

func interprets(path string) bool {
	return slices.Contains(interpreters, strings.TrimRight(filepath.Base(path), "0123456789."))
}

// installed returns the places of an interpreter's own libraries. They are next to its
// bin directory, and next to that of the Python that a virtual environment extends.
func installed(path string) []string {
	if !interprets(path) {
		return nil
	}
	var found []string
	actual, err := filepath.EvalSymlinks(path)
	if err != nil {
		actual = path
	}
	for _, at := range []string{path, actual} {
		prefix := filepath.Dir(filepath.Dir(at))
		if filepath.Base(filepath.Dir(at)) == "bin" && prefix != "/" {
			found = append(found, filepath.Join(prefix, "lib"), filepath.Join(prefix, "pyvenv.cfg"))
		}
	}
	return found
}

// scriptOf returns the script that an interpreter is started with, or "". It is the first
// argument that is not an option, if that is a file.
func scriptOf(argv []string, dir string) string {
	if !interprets(argv[0]) {
		return ""
	}
	for _, arg := range argv[1:] {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(dir, arg)
		}
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			return arg
		}
		return ""
	}
	return ""
}

// packageOf returns the directory of the packages that contain a script, or the script
// itself. Any other directory that contains the script may be a user's home.
func packageOf(script string) string {
	if actual, err := filepath.EvalSymlinks(script); err == nil {
		script = actual
	}
	if before, _, in := strings.Cut(script, "/node_modules/"); in {
		return before + "/node_modules"
	}
	for _, dir := range []string{filepath.Dir(script), filepath.Dir(filepath.Dir(script))} {
		if _, err := os.Stat(filepath.Join(dir, "package.json")); err == nil && !holdsHome(dir) {
			return dir
		}
	}
	return script
}

// holdsHome reports whether a directory is the user's home or above it. Many users keep a
// package.json there, next to their keys.
func holdsHome(dir string) bool {
	home, err := os.UserHomeDir()
	if err != nil {
		return true // then any directory may be the home
	}
	if actual, err := filepath.EvalSymlinks(home); err == nil {
		home = actual
	}
	return beneath(dir, home)
}
