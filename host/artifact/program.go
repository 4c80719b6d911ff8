package artifact

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
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
	"node": "--enable-source-maps --experimental-strip-types --max-old-space-size --no-deprecation --no-warnings --trace-warnings",
	"bash": "-e -u -x -eu -eux", "dash": "-e -u -x -eu -eux", "sh": "-e -u -x -eu -eux", "zsh": "-e -u -x -eu -eux",
	"perl": "-T -t -w", "php": "-n -q", "python": "-B -E -I -O -OO -P -S -b -q -s -u", "ruby": "-w",
	"nodejs": "", "ts-node": "", "tsx": "",
}

// unpinned are commands that find out what to run when they are started, such
// as start another command, and interpreters with a command line of their own.
const unpinned = "npm npx pnpm yarn bun bunx uv uvx pipx poetry pdm hatch pixi docker podman make go cargo dotnet dnx nix nix-shell mise deno java " +
	"env sudo nice nohup setsid stdbuf timeout xargs ssh wsl cmd powershell pwsh"

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
	if s.folder(arg) || s.folder(value) || len(arg) > 2 && arg[0] == '-' && s.folder(arg[2:]) {
		return false
	}
	if regular(s.path(arg)) || value != "" && regular(s.path(value)) {
		return true
	}
	words := strings.FieldsFunc(web.ReplaceAllLiteralString(arg, " "), parts)
	return slices.ContainsFunc(words, s.file) || slices.ContainsFunc(strings.Fields(arg), command)
}

// web is an address that is dialled, and no file.
var web = regexp.MustCompile(`\b(?:https?|wss?)://\S*`)

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

// folder reports whether a text is the path of a directory. A path may hold
// blanks, at which a line for a shell is cut.
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

// firstLine is how much of a file is read for its "#!".
const firstLine = 1024

// shebang reports whether the first line of a script names an interpreter, and
// with which options: "#!/usr/bin/env node", "#!/usr/bin/env -S node --flag".
func shebang(file, interpreter string) (options []string, ok bool) {
	words := firstWords(file)
	if len(words) == 0 || !strings.HasPrefix(filepath.Base(words[0]), interpreter) {
		return nil, false
	}
	return words[1:], true
}

// firstWords are the words of a script's first line, without env, which looks the
// first one up; nil of another file.
func firstWords(path string) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, firstLine)).ReadString('\n') // a last line has no end
	rest, script := strings.CutPrefix(line, "#!")
	words := strings.Fields(rest)
	if len(words) > 0 && filepath.Base(words[0]) == "env" {
		words = words[1:]
		if len(words) > 0 && words[0] == "-S" {
			words = words[1:]
		}
	}
	if !script {
		return nil
	}
	return words
}

// pipShell is how pip begins a script whose interpreter has a long path: a shell
// finds that, and Python reads past it.
const pipShell = "#!/bin/sh\n'''exec' "

// pythonScript reports whether a file is a script that Python runs.
func pythonScript(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, len(pipShell))
	_, err = io.ReadFull(f, begin)
	if err == nil && string(begin) == pipShell {
		return true
	}
	_, ok := shebang(file, "python")
	return ok
}

// calledAs is what a command is called: its file without directories, and
// without what Windows adds.
func calledAs(command string) string {
	name := filepath.Base(command)
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}
