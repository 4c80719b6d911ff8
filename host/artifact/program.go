package artifact

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/onestep-run/onestep/gate/lex"
)

// scripted are the interpreters with command lines that can be read. Each has the options
// that load nothing and take no value, so that the script comes next. Any other option
// may run a text, or load another file.
var scripted = map[string]string{
	"node": "--enable-source-maps --experimental-strip-types --max-old-space-size --no-deprecation --no-warnings --trace-warnings",
	"bash": "-e -u -x -eu -eux", "dash": "-e -u -x -eu -eux", "sh": "-e -u -x -eu -eux", "zsh": "-e -u -x -eu -eux",
	"perl": "-T -t -w", "php": "-n -q", "python": "-B -E -I -O -OO -P -S -b -q -s -u", "ruby": "-w",
	"nodejs": "", "ts-node": "", "tsx": "",
}

// unpinned are commands that find out what to run when they start. Among them are
// commands that start another command, and interpreters with a different command line.
const unpinned = "npm npx pnpm yarn bun bunx uv uvx pipx poetry pdm hatch pixi docker podman make go cargo dotnet dnx nix nix-shell mise deno java " +
	"env sudo nice nohup setsid stdbuf timeout xargs ssh wsl cmd powershell pwsh"

// ofFile describes a command without a launcher. It identifies its file, or the script
// for an interpreter. It does not cover the files that those load.
func ofFile(s Command) Artifact {
	if s.Path == "" {
		return Artifact{}
	}
	a := Artifact{Kind: fileKind, Program: s.Path}
	if a.Floating = s.floats(); a.Floating != "" {
		return a
	}
	a.Program = s.program()
	var err error
	if a.Integrity, err = s.Ahead.of(a.Program); err != nil {
		a.Floating = "its program cannot be read"
	}
	return a
}

// program is the file that decides what runs: the script for an interpreter.
func (s Command) program() string {
	if s.interpreted() {
		return s.script()
	}
	return s.Path
}

// interpreted reports whether the command runs a script. Its name may include a version.
func (s Command) interpreted() bool {
	_, known := scripted[s.interpreter()]
	return known
}

func (s Command) interpreter() string { return strings.TrimRight(calledAs(s.Path), "0123456789.") }

// floats says why no file of the command line alone decides what runs, or "". A command
// that cannot be read with certainty floats: the digest of a file that does not run would
// be worse than none.
func (s Command) floats() string {
	switch name := calledAs(s.Path); {
	case !filepath.IsAbs(s.Path) || !filepath.IsAbs(s.Dir):
		return "its program cannot be found"
	case lists(unpinned, name):
		return name + " looks up its program when it starts"
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

// script returns the script for an interpreter, or "" if that is in doubt. A word without
// a dot or a slash is not a script: it may be a subcommand.
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

// names reports whether an argument may name a program: an existing file, a path with a
// slash, or a command. The path may be within an option, a URL or a line for a shell. A
// program looks like a file of settings here, so both count. A path counts before the
// file exists, because a server makes its log when it first runs. A directory does not
// count, nor does a word that nothing is called, nor an address of the web.
func (s Command) names(arg string) bool {
	_, value, _ := strings.Cut(arg, "=")
	if len(arg) > 2 && arg[0] == '-' && s.folder(arg[2:]) {
		return false
	}
	if s.folder(arg) || s.folder(value) {
		return false
	}
	if regular(s.path(arg)) || value != "" && regular(s.path(value)) {
		return true
	}
	words := strings.FieldsFunc(web().ReplaceAllLiteralString(arg, " "), parts)
	return slices.ContainsFunc(words, s.file) || slices.ContainsFunc(strings.Fields(arg), command)
}

// web matches an address that is dialled, which is not a file.
var web = lex.Pattern(`\b(?:https?|wss?)://\S*`)

func command(word string) bool {
	_, err := exec.LookPath(word)
	return err == nil && filepath.Base(word) == word
}

// parts reports whether a character ends a path within an argument.
func parts(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("'\"`=:,;|&(){}<>[]@$", r) }

// file reports whether a word is a file or has the form of a path to one. The word may
// begin with an option (-r./x.js).
func (s Command) file(word string) bool {
	if regular(s.path(word)) {
		return true
	}
	if len(word) > 2 && word[0] == '-' && word[1] != '-' {
		return s.file(word[2:])
	}
	return strings.ContainsAny(word, `/\`) && !directory(s.path(word))
}

// folder reports whether a text is the path of a directory. A path may contain blanks,
// which separate the words of a line for a shell.
func (s Command) folder(text string) bool { return text != "" && directory(s.path(text)) }

func (s Command) path(arg string) string {
	if filepath.IsAbs(arg) {
		return arg
	}
	return filepath.Join(s.Dir, arg)
}

func regular(path string) bool { return is(path, fs.FileMode.IsRegular) }

func directory(path string) bool { return is(path, fs.FileMode.IsDir) }

func is(path string, kind func(fs.FileMode) bool) bool {
	info, err := os.Stat(path)
	return err == nil && kind(info.Mode())
}

// firstLine is the number of bytes of a file that are read for its "#!".
const firstLine = 1024

// shebang reports whether the first line of a script names an interpreter, and returns
// the options: "#!/usr/bin/env node", "#!/usr/bin/env -S node --flag".
func shebang(file, interpreter string) (options []string, ok bool) {
	words := firstWords(file)
	if len(words) == 0 || !strings.HasPrefix(filepath.Base(words[0]), interpreter) {
		return nil, false
	}
	return words[1:], true
}

// firstWords returns the words of a script's first line, without env, which looks up the
// first word. It is nil for another file.
func firstWords(path string) []string {
	line, _, _ := strings.Cut(head(path, firstLine), "\n")
	rest, script := strings.CutPrefix(line, "#!")
	if !script {
		return nil
	}
	words := strings.Fields(rest)
	if len(words) == 0 || filepath.Base(words[0]) != "env" {
		return words
	}
	if words = words[1:]; len(words) > 0 && words[0] == "-S" {
		words = words[1:]
	}
	return words
}

func head(path string, size int64) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, size)) // a directory has no bytes
	return string(b)
}

// pipShell begins a script by pip if the path of its interpreter is long. A shell finds
// the interpreter, and Python reads past this beginning.
const pipShell = "#!/bin/sh\n'''exec' "

func pythonScript(file string) bool {
	_, ok := shebang(file, "python")
	return ok || head(file, int64(len(pipShell))) == pipShell
}

// calledAs is the name of a command, without its directories and .exe, .cmd or .bat.
func calledAs(command string) string {
	name := filepath.Base(command)
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}
