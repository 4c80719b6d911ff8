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

// calledAs is what a command is called: its file without directories, and
// without what Windows adds.
func calledAs(command string) string {
	name := filepath.Base(command)
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}
