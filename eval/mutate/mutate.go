// Package mutate checks for every gate whether a test would notice that it is open. A
// mutant is a permissive variant of a gate, kept as a small patch under mutants/ and
// laid over the source at build time by `go test -overlay`: the program itself has no
// switch that turns a gate off.
//
// It vouches that each mutant compiles, that it was one change of the current source,
// and that the named test failed with it and passed without it. One test is in the
// gate's own room, and one is an evaluation, if an evaluation can reach the gate. It
// does not vouch that the mutants are all the ways in which a gate can be wrong, nor
// that a test fails for the right reason: the report quotes the test's message.
//
// cmd/mutate, which `make mutate` runs, calls it.
package mutate

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Mutant is one permissive variant of a gate.
type Mutant struct {
	Gate    string
	Name    string   // what the gate lets through
	Opens   []string // the gates that it opens as a whole, together with the other mutants that name them
	Changes []Change // in one file or several
	Tests   []string // the rooms with the tests to run, nearest first
	By      string   // the test that caught it last, which runs first; "" if unknown
	ByRoom  string   // the test's room
	Suites  []string // the evaluations to run, as rooms
	Apart   string   // why no evaluation can reach it, if none can
}

// Change replaces whole lines of a file.
type Change struct {
	File string // from the module's root, with slashes
	Old  string // is there exactly once
	New  string
}

//go:embed mutants/*.txt
var data embed.FS

// All returns the mutants of the program, by gate.
func All() ([]Mutant, error) {
	files, err := fs.Glob(data, "mutants/*.txt")
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, file := range files {
		b, err := data.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := Parse(string(b))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Base(file), err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// In reports whether the mutant changes or is tested in one of these rooms.
func (m Mutant) In(rooms []string) bool {
	for _, c := range m.Changes {
		if slices.Contains(rooms, path.Dir(c.File)) {
			return true
		}
	}
	return slices.ContainsFunc(m.Tests, func(room string) bool { return slices.Contains(rooms, room) })
}

// Files returns the changed files, whole, by name. It is an error if the old text of a
// change is gone or occurs twice, because the mutant would no longer be the described
// one.
func (m Mutant) Files(root fs.FS) (map[string]string, error) {
	files := map[string]string{}
	for _, c := range m.Changes {
		text, ok := files[c.File]
		if !ok {
			b, err := fs.ReadFile(root, c.File)
			if err != nil {
				return nil, err
			}
			text = string(b)
		}
		var err error
		if files[c.File], err = c.apply(text); err != nil {
			return nil, fmt.Errorf("%s: %w", c.File, err)
		}
	}
	return files, nil
}

func (c Change) apply(text string) (string, error) {
	lines, old := "\n"+text, "\n"+c.Old // from the start of a line
	at := strings.Index(lines, old)
	switch {
	case at < 0:
		return "", fmt.Errorf("these lines stand there no more; adapt the mutant:\n%s", c.Old)
	case strings.Contains(lines[at+1:], old):
		return "", fmt.Errorf("these lines occur more than once; add a line of context:\n%s", c.Old)
	}
	return text[:at] + c.New + text[at+len(c.Old):], nil
}

// check reports what a mutant lacks.
func (m Mutant) check() error {
	switch {
	case m.Name == "":
		return errors.New("a mutant has no name")
	case len(m.Changes) == 0:
		return fmt.Errorf("%q changes nothing", m.Name)
	case len(m.Tests) == 0:
		return fmt.Errorf("%q names no tests", m.Name)
	case m.By == "" && m.ByRoom != "", m.By != "" && !slices.Contains(m.Tests, m.ByRoom):
		return fmt.Errorf("%q is caught by a test of none of its rooms", m.Name)
	case len(m.Suites) == 0 == (m.Apart == ""):
		return fmt.Errorf("%q must name either suites or the reason why it has none", m.Name)
	}
	for _, c := range m.Changes {
		if c.Old == "" || c.Old == c.New || !fs.ValidPath(c.File) {
			return fmt.Errorf("%q has a change of %q that changes nothing, or has no place", m.Name, c.File)
		}
	}
	return nil
}
