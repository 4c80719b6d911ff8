package artifact

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// scripted are the interpreters whose command lines can be read: each with the
// options that load nothing and take no value, so that the script comes next.
// Any other option may run a text, or load a file of its own.
var scripted = map[string]string{
	"node": "--enable-source-maps --experimental-strip-types --inspect --max-old-space-size --no-deprecation --no-warnings --trace-warnings",
	"bash": "-e -u -x -eu -eux", "dash": "-e -u -x -eu -eux", "sh": "-e -u -x -eu -eux", "zsh": "-e -u -x -eu -eux",
	"perl": "-T -t -w", "php": "-n -q", "python": "-B -E -I -O -OO -P -S -b -q -s -u", "ruby": "-w",
	"nodejs": "", "ts-node": "", "tsx": "",
}

// unpinned are commands that find out what to run when they are started, such
// as start another command, and interpreters with a command line of their own.
const unpinned = "npm npx pnpm yarn bun bunx uv uvx pipx poetry pdm hatch pixi docker podman make go cargo dotnet dnx nix nix-shell mise deno java " +
	"env sudo nice nohup setsid stdbuf timeout xargs ssh wsl cmd powershell pwsh"

// injected are variables that have a program load code besides its own; so do
// those that begin with LD_ or DYLD_.
const injected = "NODE_OPTIONS NODE_PATH PYTHONHOME PYTHONPATH PYTHONUSERBASE PERL5LIB PERL5OPT RUBYLIB RUBYOPT BASH_ENV ENV ZDOTDIR PHPRC PHP_INI_SCAN_DIR"

func injects(name string) bool {
	return lists(injected, name) || strings.HasPrefix(name, "LD_") || strings.HasPrefix(name, "DYLD_")
}

// ofFile is what is known of a command that no launcher starts: its file, or
// the script that an interpreter is to run. It does not cover what those load.
func ofFile(s Command) Artifact {
	if s.Path == "" {
		return Artifact{}
	}
	a := Artifact{Kind: fileKind, Program: s.Path}
	if a.Floating = s.floats(); a.Floating != "" {
		return a
	}
	if s.interpreted() {
		a.Program = s.script()
	}
	var err error
	if a.Integrity, err = digestFile(a.Program); err != nil {
		a.Floating = "its program cannot be read"
	}
	return a
}

// interpreted reports whether the command runs a script. A version may be part
// of its name.
func (s Command) interpreted() bool {
	_, known := scripted[s.interpreter()]
	return known
}

func (s Command) interpreter() string { return strings.TrimRight(calledAs(s.Path), "0123456789.") }

// floats says why no file of the command line decides alone what is run, ""
// where one does. What cannot be read with certainty floats: the digest of
// another file than the one that runs would be worse than none.
func (s Command) floats() string {
	switch name := calledAs(s.Path); {
	case !filepath.IsAbs(s.Path) || !filepath.IsAbs(s.Dir):
		return "its program cannot be found"
	case lists(unpinned, name):
		return name + " finds what it runs when it starts"
	case s.interpreted() && s.script() == "":
		return name + " is not started with a script alone"
	case s.interpreted():
		return ""
	}
	if i := slices.IndexFunc(s.Args, s.names); i >= 0 { // the argument itself may be a secret
		return fmt.Sprintf("it may run what its argument %d names", i+1)
	}
	return ""
}

// script is the file that an interpreter is to run, "" where that is in doubt.
// A word without a dot or a slash is none: it may be a subcommand.
func (s Command) script() string {
	for _, arg := range s.Args {
		if option, _, _ := strings.Cut(arg, "="); strings.HasPrefix(arg, "-") {
			if lists(scripted[s.interpreter()], option) {
				continue
			}
			return ""
		}
		if path := s.path(arg); strings.ContainsAny(arg, `./\`) && regular(path) {
			return path
		}
		return ""
	}
	return ""
}

// names reports whether an argument may name a program: a file that is there,
// as itself or within an option, a URL or a line for a shell; or a command.
// Neither tells a program from a file of settings, so both count. A directory
// does not, nor does a word that nothing is called.
func (s Command) names(arg string) bool {
	_, value, _ := strings.Cut(arg, "=")
	for _, path := range append(strings.FieldsFunc(arg, parts), arg, value) {
		if s.file(path) || len(path) > 2 && path[0] == '-' && s.file(path[2:]) {
			return true
		}
	}
	return slices.ContainsFunc(strings.Fields(arg), command)
}

// command reports whether a word is a program of the PATH.
func command(word string) bool {
	_, err := exec.LookPath(word)
	return err == nil && filepath.Base(word) == word
}

// parts reports whether a character ends a path within an argument.
func parts(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("'\"`=:,;|&(){}<>[]@$", r) }

func (s Command) file(path string) bool { return path != "" && regular(s.path(path)) }

func (s Command) path(arg string) string {
	if filepath.IsAbs(arg) {
		return arg
	}
	return filepath.Join(s.Dir, arg)
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
