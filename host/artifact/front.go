package artifact

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host/launch"
)

// Version managers (pyenv, rbenv, nodenv, asdf, mise, volta and others) put a script or a
// program in front of an interpreter. Such a front cannot start anything if it is
// confined to its own program.

// whereabouts are arguments that make an interpreter print its own path.
var whereabouts = map[string][]string{
	"python": {"-c", "import sys; print(sys.executable)"}, "node": {"-p", "process.execPath"}, "nodejs": {"-p", "process.execPath"},
	"ruby": {"-e", "print RbConfig.ruby"}, "perl": {"-e", "print $^X"}, "php": {"-r", "echo PHP_BINARY;"},
}

// managed are the variables by which version managers find their place and the version.
const managed = "PATH HOME LANG PYENV_ROOT PYENV_VERSION RBENV_ROOT RBENV_VERSION NODENV_ROOT NODENV_VERSION ASDF_DIR ASDF_DATA_DIR ASDF_CONFIG_FILE " +
	"ASDF_PYTHON_VERSION ASDF_NODEJS_VERSION ASDF_RUBY_VERSION MISE_DATA_DIR MISE_CONFIG_DIR MISE_CACHE_DIR RTX_DATA_DIR VOLTA_HOME NVM_DIR NVM_BIN " +
	"FNM_DIR FNM_MULTISHELL_PATH PROTO_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME"

// Behind returns the path and arguments of the program behind such a front. The path is
// "" if the command is not a front. The error says what could not be followed. The front
// is not confined, because the user wrote it into the entry. It runs in the directory of
// the command, and is only asked about itself.
func Behind(ctx context.Context, c Command, lookup func(string) (string, bool)) (path string, args []string, err error) {
	front, err := exec.LookPath(c.Path)
	if err == nil {
		front, err = filepath.Abs(front)
	}
	if err != nil {
		return "", nil, nil //nolint:nilerr // another check reports a program that is missing
	}
	if fronts(front) {
		path, err = asked(ctx, front, c.Dir, lookup)
		return path, c.Args, err
	}
	words := firstWords(front)
	if len(words) == 0 {
		return "", nil, nil
	}
	interpreter, err := exec.LookPath(words[0])
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("the first line of %s names %s, which cannot be found", front, escape.Line(words[0], 128))
	case fronts(interpreter):
		path, err = asked(ctx, interpreter, c.Dir, lookup)
		return path, slices.Concat(words[1:], []string{front}, c.Args), err
	case slices.Contains([]string{"sh", "bash", "dash", "zsh"}, filepath.Base(interpreter)):
		path, err = which(ctx, front, c.Dir, lookup)
		return path, c.Args, err
	}
	return "", nil, nil
}

func family(path string) string { return strings.TrimRight(filepath.Base(path), "0123456789.") }

// fronts reports whether a path is named like an interpreter and is another program.
func fronts(path string) bool {
	if whereabouts[family(path)] == nil {
		return false
	}
	actual, err := filepath.EvalSymlinks(path)
	return err == nil && (len(firstWords(path)) > 0 || whereabouts[family(actual)] == nil)
}

// asked makes a front start its interpreter, which prints its path.
func asked(ctx context.Context, front, dir string, lookup func(string) (string, bool)) (string, error) {
	said, err := aboutFront(ctx, front, whereabouts[family(front)], dir, lookup)
	if err != nil {
		return "", fmt.Errorf("%s stands in front of an interpreter, and does not say which: %w", front, err)
	}
	if whereabouts[family(said)] == nil {
		return "", fmt.Errorf("%s says that its interpreter is %s, which is not one", front, escape.Line(said, 300))
	}
	return said, behind(front, said)
}

// which asks the version manager that a script starts for the program behind it.
func which(ctx context.Context, front, dir string, lookup func(string) (string, bool)) (string, error) {
	text, err := os.ReadFile(front)
	if err != nil || len(text) > 64<<10 {
		return "", fmt.Errorf("%s is a shell script, and what it starts is not granted", front)
	}
	manager := regexp.MustCompile(`(?m)^\s*exec\s+["']?(/[^"'\s]+)["']?\s+exec\s`).FindSubmatch(text)
	if manager == nil {
		return "", fmt.Errorf("%s is a shell script, and what it starts is not granted: write the program itself into the entry", front)
	}
	said, err := aboutFront(ctx, string(manager[1]), []string{"which", filepath.Base(front)}, dir, lookup)
	if err != nil {
		return "", fmt.Errorf("%s is a script of a version manager, which does not say what it starts: %w", front, err)
	}
	return said, behind(front, said)
}

// behind refuses a path unless it is a program, or a script with an interpreter that exists.
func behind(front, path string) error {
	if !filepath.IsAbs(path) || path == front || fronts(path) {
		return fmt.Errorf("%s leads to %s, which is not a program", front, escape.Line(path, 300))
	}
	if f, err := elf.Open(path); err == nil {
		return f.Close()
	}
	if words := firstWords(path); len(words) > 0 && whereabouts[family(words[0])] != nil && !fronts(words[0]) {
		return nil
	}
	return fmt.Errorf("%s leads to %s, which is not a program", front, escape.Line(path, 300))
}

func aboutFront(ctx context.Context, path string, args []string, dir string, lookup func(string) (string, bool)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, configTime)
	defer cancel()
	env := map[string]string{}
	for name := range strings.FieldsSeq(managed) {
		if value, set := lookup(name); set {
			env[name] = value
		}
	}
	b, err := ended(ctx, filepath.Base(path), launch.Command{Path: path, Args: args, Env: env, Dir: dir})
	return strings.TrimSpace(string(b)), err
}
