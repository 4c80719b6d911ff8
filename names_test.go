package onestep_test

import (
	"flag"
	"go/ast"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateNames = flag.Bool("names", false, "drop the rows of testdata/names.txt that nothing needs")

const (
	termsFile = "docs/internals/words.md"
	namesFile = "testdata/names.txt"
)

// name is a name that a package declares: a function, a method, a type, a field, or a
// constant or variable outside of functions.
type name struct {
	room, owner, word string // owner is the type of a method or field, or ""
	function          bool
}

func (n name) String() string {
	if n.owner != "" {
		return n.room + "." + n.owner + "." + n.word
	}
	return n.room + "." + n.word
}

// wrongName is a name that the list of words forbids.
type wrongName struct {
	room, word string // room is "" for every package
	function   bool   // only functions and methods that are not exported
	free       bool   // only functions, not methods
}

func (w wrongName) is(n name) bool {
	switch {
	case w.room != "" && w.room != n.room:
		return false
	case w.free:
		return n.function && n.owner == "" && n.word == w.word
	case w.function:
		return n.function && n.word == w.word
	}
	return strings.EqualFold(n.word, w.word)
}

var (
	termRow   = regexp.MustCompile("(?m)^\\| ([a-z]+) \\| [^|]+ \\| `([a-z/]+)\\.([A-Za-z.]+)` \\|(?: ([^|]*) \\|| \\|)$")
	nameRow   = regexp.MustCompile("(?m)^\\| (`[^|]+) \\| [^|]+ \\|$")
	wrongMark = regexp.MustCompile("`(func )?(?:([a-z/]+)\\.)?([A-Za-z]+)(\\(\\))?`")
)

// readTerms are the rows of the two tables of the page: a word, the room and the name of
// its owner, and the words that are wrong for it.
func readTerms(t *testing.T) (owners map[string]name, wrong []wrongName) {
	t.Helper()
	owners = map[string]name{}
	text := page(t, termsFile)
	var marks []string
	for _, row := range termRow.FindAllStringSubmatch(text, -1) {
		of, word, isMember := strings.Cut(row[3], ".")
		if !isMember {
			of, word = "", row[3]
		}
		owners[row[1]] = name{room: row[2], owner: of, word: word}
		marks = append(marks, row[4])
	}
	for _, row := range nameRow.FindAllStringSubmatch(text, -1) {
		marks = append(marks, row[1])
	}
	for _, mark := range wrongMark.FindAllStringSubmatch(strings.Join(marks, " "), -1) {
		wrong = append(wrong, wrongName{mark[2], mark[3], mark[4] != "", mark[1] != ""})
	}
	return owners, wrong
}

// One word means one thing: each term has an owner that exists, and its wrong words are no
// names of the source.
func TestNames(t *testing.T) {
	t.Parallel()
	owners, wrong := readTerms(t)
	var all []name
	for _, s := range sources(t) {
		all = append(all, namesOf(s)...)
	}
	for term, owner := range owners {
		if !slices.ContainsFunc(all, func(n name) bool { return n.String() == owner.String() }) {
			t.Errorf("%s: the owner of %q, %s, does not exist", termsFile, term, owner)
		}
	}
	if len(owners) < 40 || len(wrong) < 60 {
		t.Errorf("%s has %d terms and %d wrong names", termsFile, len(owners), len(wrong))
	}
	exceptions := newListed(t, namesFile)
	for _, n := range all {
		if slices.ContainsFunc(wrong, func(w wrongName) bool { return w.is(n) }) && !exceptions.has(n.String()) {
			t.Errorf("%s is a wrong name: see %s", n, termsFile)
		}
	}
	if *updateNames {
		exceptions.drop(t)
	}
	exceptions.used(t)
}

func TestWrongNamesAreFound(t *testing.T) {
	t.Parallel()
	owners, wrong := readTerms(t)
	for n, want := range map[name]bool{
		{room: "host", word: "teller"}:                                       true,
		{room: "host", owner: "run", word: "Known"}:                          true,
		{room: "host", word: "read", function: true}:                         true,
		{room: "host", owner: "run", word: "read", function: true}:           true,
		{room: "host", owner: "run", word: "read"}:                           false,
		{room: "trace", word: "Read", function: true}:                        false,
		{room: "host", word: "add", function: true}:                          true,
		{room: "host", owner: "list", word: "add", function: true}:           false,
		{room: "host/proxy", word: "line"}:                                   true,
		{room: "gate/rule", owner: "Error", word: "Line"}:                    false,
		{room: "planner/lexical", owner: "f", word: "calls", function: true}: true,
		{room: "host/inbox", owner: "Call", word: "Join", function: true}:    false,
	} {
		if got := slices.ContainsFunc(wrong, func(w wrongName) bool { return w.is(n) }); got != want {
			t.Errorf("%s, a function: %v, is wrong: %v, want %v", n, n.function, got, want)
		}
	}
	for term := range owners {
		if slices.ContainsFunc(wrong, func(w wrongName) bool { return w.room == "" && !w.function && !w.free && w.word == term }) {
			t.Errorf("%q is a term, and wrong for another", term)
		}
	}
}

// drop writes the file again, without the rows that nothing needs.
func (l listed) drop(t *testing.T) {
	t.Helper()
	var needed strings.Builder
	for line := range strings.Lines(page(t, l.file)) {
		row, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if needs, is := l.rows[row]; needs || !is {
			needed.WriteString(line)
		} else {
			delete(l.rows, row)
		}
	}
	if err := os.WriteFile(l.file, []byte(needed.String()), 0o600); err != nil {
		t.Error(err)
	}
}

// namesOf are the names that a file declares outside of functions.
func namesOf(s source) (all []name) {
	for _, d := range s.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			all = append(all, name{s.room, receiver(d), d.Name.Name, true})
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				all = append(all, specNames(s.room, spec)...)
			}
		}
	}
	return all
}

func specNames(room string, spec ast.Spec) (all []name) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			all = append(all, name{room: room, word: id.Name})
		}
	case *ast.TypeSpec:
		all = append(all, name{room: room, word: spec.Name.Name})
		ast.Inspect(spec.Type, func(n ast.Node) bool {
			field, is := n.(*ast.Field)
			if !is {
				return true
			}
			_, method := field.Type.(*ast.FuncType)
			for _, id := range field.Names {
				all = append(all, name{room, spec.Name.Name, id.Name, method})
			}
			return !method // the names of parameters are no fields
		})
	}
	return all
}

// receiver is the name of a method's type, or "".
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	if generic, is := of.(*ast.IndexExpr); is {
		of = generic.X
	}
	return of.(*ast.Ident).Name
}
