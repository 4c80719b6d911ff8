package artifact

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// firstLine is how much of a file is read for its "#!".
const firstLine = 1024

// shebang reports whether the first line of a script names an interpreter, and
// with which options: "#!/usr/bin/env node", "#!/usr/bin/env -S node --flag".
func shebang(file, interpreter string) (options []string, ok bool) {
	f, err := os.Open(file)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, firstLine)).ReadString('\n') // a last line has no end
	rest, found := strings.CutPrefix(line, "#!")
	words := strings.Fields(rest)
	if len(words) > 0 && filepath.Base(words[0]) == "env" {
		words = words[1:]
		if len(words) > 0 && words[0] == "-S" {
			words = words[1:]
		}
	}
	if !found || len(words) == 0 || !strings.HasPrefix(filepath.Base(words[0]), interpreter) {
		return nil, false
	}
	return words[1:], true
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

// interpreters run a script that their arguments name.
const interpreters = "node nodejs tsx ts-node python perl ruby php bun deno java sh bash zsh"

// unpinned are commands that find out what to run when they are started, and
// such as start another command.
const unpinned = "npm npx pnpm yarn bun bunx uv uvx pipx poetry pdm hatch pixi docker podman make go cargo dotnet dnx nix nix-shell mise " +
	"env sudo nice nohup setsid stdbuf timeout xargs ssh wsl cmd powershell pwsh"

// calledAs is what a command is called: its file without directories, and
// without what Windows adds.
func calledAs(command string) string {
	name := filepath.Base(command)
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// ofFile is what is known of a command that no launcher starts: the file, or
// the script that its arguments name. It does not cover what those load.
func ofFile(s Command) Artifact {
	if s.Path == "" {
		return Artifact{}
	}
	a := Artifact{Kind: fileKind, Program: s.Path}
	name := calledAs(s.Path)
	if s.interpreted() {
		a.Program = s.script()
	}
	if a.Program == "" || lists(unpinned, name) {
		return Artifact{Kind: fileKind, Program: s.Path, Floating: name + " finds what it runs when it starts"}
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
	return lists(interpreters, strings.TrimRight(calledAs(s.Path), "0123456789."))
}

// script is the first argument that is a file, "" where an option may come with
// a program of its own.
func (s Command) script() string {
	for _, arg := range s.Args {
		option, _, _ := strings.Cut(arg, "=")
		if lists("-c -e -m -p --eval --print -r --require --import --loader --experimental-loader", option) {
			return ""
		}
		if strings.HasPrefix(arg, "-") {
			continue
		}
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(s.Dir, arg)
		}
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			return arg
		}
		return ""
	}
	return ""
}
