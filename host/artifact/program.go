package artifact

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// names reports whether an argument may name a program: a file that is there or
// a path with a slash, as itself or within an option, a URL or a line for a
// shell; or a command. Neither tells a program from a file of settings, so both
// count. A path counts before anything is there, for a server makes its log when
// it first runs. A directory does not count, nor does a word that nothing is
// called, nor an address of the web.
func (s Command) names(arg string) bool {
	_, value, _ := strings.Cut(arg, "=")
	if regular(s.path(arg)) || value != "" && regular(s.path(value)) {
		return true
	}
	words := strings.FieldsFunc(web.ReplaceAllLiteralString(arg, " "), parts)
	return slices.ContainsFunc(words, s.file) || slices.ContainsFunc(strings.Fields(arg), command)
}

// web is an address that is dialled, and no file.
var web = regexp.MustCompile(`\b(?:https?|wss?)://\S*`)

// command reports whether a word is a program of the PATH.
func command(word string) bool {
	_, err := exec.LookPath(word)
	return err == nil && filepath.Base(word) == word
}

// parts reports whether a character ends a path within an argument.
func parts(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("'\"`=:,;|&(){}<>[]@$", r) }

// file reports whether a word is a file or has the form of a path to one. An
// option's value may stand in the same word (-r./x.js).
func (s Command) file(word string) bool {
	if regular(s.path(word)) {
		return true
	}
	if len(word) > 2 && word[0] == '-' && word[1] != '-' {
		return s.file(word[2:])
	}
	return strings.ContainsAny(word, `/\`) && !directory(s.path(word))
}

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

func directory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
