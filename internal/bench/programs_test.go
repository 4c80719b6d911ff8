//go:build bench

// Benchmarks of whole processes, each next to a peer or to an earlier commit in turn. Each
// reports medians of its rounds: a series such as "ask-exit-ms" has the program's name
// before the first dash. `make bench` runs them with -benchtime 9x or more.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// earlier is the commit that ask is compared with.
const earlier = "5520155ae447fdb6e37513b4021fa678bf6a176d"

// clitest is the package that approves servers, here and in the earlier commit.
const (
	clitest     = "internal/testing/clitest"
	baseClitest = "cmd/cli/clitest"
)

// quick leaves out what needs a network, and makes the largest inputs smaller.
var quick = os.Getenv("QUICK") == "1"

// made is what the benchmarks build once, below this folder.
var made string

func TestMain(m *testing.M) {
	var err error
	if made, err = os.MkdirTemp("", "bench-*"); err != nil {
		panic(err)
	}
	code := m.Run()
	for name, why := range reasons {
		fmt.Printf("not run: %s: %s\n", name, why)
	}
	_ = os.RemoveAll(made)
	os.Exit(code)
}

// root is the folder of the module.
const root = "../.."

// built is a program of a folder of the module, as `make build` makes it. It is built once.
func built(b *testing.B, folder string) string {
	b.Helper()
	program := filepath.Join(made, filepath.Base(folder))
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if err := build(root, program, "./"+folder); err != nil {
		b.Fatal(err)
	}
	return program
}

func build(dir, to, what string) error {
	linked := to + ".linked"
	if err := command(dir, goCommand(), "build", "-trimpath", "-buildvcs=false", "-tags", "nethttpomithttp2", "-ldflags", "-s -w", "-o", linked, what); err != nil {
		return err
	}
	return copied(linked, to)
}

// copied copies a program. What the linker has just written starts a quarter slower than a
// copy of it, so that all programs here are copies.
func copied(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o700)
}

func goCommand() string { return cmp.Or(os.Getenv("GO"), "go") }

// command runs a command in a folder. Its error has what the command printed.
func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, lastLine(out))
	}
	return nil
}

func lastLine(out []byte) []byte {
	out = bytes.TrimSpace(out)
	return out[bytes.LastIndexByte(out, '\n')+1:]
}

// ask is the program that `make build` made.
func ask(b *testing.B) string {
	b.Helper()
	program := filepath.Join(made, "ask")
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if err := copied(root+"/bin/ask", program); err != nil {
		b.Fatal(err)
	}
	return program
}

// baseTree is the source of the earlier commit, in a folder of its own, with the files of
// tests that this package runs in both trees.
var baseTree = sync.OnceValues(func() (dir string, err error) {
	if exec.Command("git", "-C", root, "cat-file", "-e", earlier).Run() != nil {
		return "", fmt.Errorf("the history does not reach commit %.7s: it is a shallow clone or an archive", earlier)
	}
	dir = filepath.Join(made, "base")
	if err := command(root, "sh", "-c", "mkdir '"+dir+"' && git archive "+earlier+" | tar -x -C '"+dir+"'"); err != nil {
		return "", err
	}
	for from, to := range map[string]string{"/host/aims_test.go": "/host/aims_test.go", "/" + clitest + "/home_test.go": "/" + baseClitest + "/home_test.go"} {
		added, err := os.ReadFile(root + from)
		if err != nil {
			return "", err
		}
		added = bytes.ReplaceAll(added, []byte(clitest), []byte(baseClitest))
		if err := os.WriteFile(dir+to, added, 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
})

// baseProgram is ask of the earlier commit.
var baseProgram = sync.OnceValues(func() (program string, err error) {
	dir, err := baseTree()
	if err != nil {
		return "", err
	}
	program = filepath.Join(made, "ask-base")
	return program, build(dir, program, "./cmd/ask")
})

// asks are the two programs by their names; without the earlier commit it is one.
func asks(b *testing.B) map[string]string {
	b.Helper()
	both := map[string]string{"ask": ask(b)}
	if base, err := baseProgram(); err == nil {
		both["base"] = base
	} else {
		notRun("base", err)
	}
	return both
}

// reasons are why there are no figures of a program. The page repeats them. They are
// printed at the end, because a benchmark prints a part of its line before it runs.
var reasons = map[string]string{}

func notRun(name string, err error) {
	reasons[name] = strings.ReplaceAll(err.Error(), "\n", " ")
}
