package onestep_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// listed is a file of exceptions: one a line, with its reason after a tab.
type listed struct {
	file string
	rows map[string]bool // whether it was needed
}

func newListed(t *testing.T, file string) listed {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	l := listed{file, map[string]bool{}}
	for line := range strings.Lines(string(b)) {
		row, reason, _ := strings.Cut(strings.TrimSpace(line), "\t")
		switch {
		case row == "" || strings.HasPrefix(row, "#"):
		case reason == "":
			t.Errorf("%s: %q has no reason", file, row)
		default:
			l.rows[row] = false
		}
	}
	return l
}

// has reports whether a row is in the list.
func (l listed) has(row string) bool {
	_, is := l.rows[row]
	if is {
		l.rows[row] = true
	}
	return is
}

// within reports whether a row of the list is a part of the text, or all of it for a
// row that begins with "=".
func (l listed) within(text string) bool {
	for row := range l.rows {
		whole, all := strings.CutPrefix(row, "=")
		if text == whole || !all && strings.Contains(text, row) {
			return l.has(row)
		}
	}
	return false
}

// used fails for rows that nothing needs any more.
func (l listed) used(t *testing.T) {
	t.Helper()
	for row, needed := range l.rows {
		if !needed {
			t.Errorf("%s: nothing needs the row %q", l.file, row)
		}
	}
}

// maxFirst is how many words the first sentence of a doc comment may have.
const maxFirst = 22

// The first sentence of a doc comment is short: lists of symbols show nothing else.
func TestFirstSentencesAreShort(t *testing.T) {
	t.Parallel()
	unread := newListed(t, "testdata/unread.txt")
	for _, s := range sources(t) {
		if unread.has(s.room) {
			continue
		}
		for _, long := range longSentences(t, path.Join(s.room, s.name)) {
			t.Error(long)
		}
	}
}

// longSentences are the positions and texts of first sentences that are too long.
func longSentences(t *testing.T, file string) (long []string) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		comment := docOf(n)
		if comment == nil {
			return true
		}
		first := new(doc.Package).Synopsis(comment.Text())
		if words := len(strings.Fields(first)); words > maxFirst {
			long = append(long, set.Position(comment.Pos()).String()+": "+first)
		}
		return true
	})
	return long
}

func docOf(n ast.Node) *ast.CommentGroup {
	switch n := n.(type) {
	case *ast.File:
		return n.Doc
	case *ast.FuncDecl:
		return n.Doc
	case *ast.GenDecl:
		return n.Doc
	case *ast.TypeSpec:
		return n.Doc
	case *ast.ValueSpec:
		return n.Doc
	case *ast.Field:
		return n.Doc
	}
	return nil
}

var boolean = regexp.MustCompile(`&&|\|\|`)

// A line has at most two boolean operators: of a thousand lines of a room, one may have more.
func TestLinesAreNotDense(t *testing.T) {
	t.Parallel()
	lines, dense := map[string]int{}, map[string][]string{}
	for _, s := range sources(t) {
		b, err := os.ReadFile(path.Join(s.room, s.name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			lines[s.room]++
			if len(boolean.FindAllString(line, -1)) > 2 {
				dense[s.room] = append(dense[s.room], s.name+": "+strings.TrimSpace(line))
			}
		}
	}
	later := newListed(t, "testdata/dense.txt")
	for room, found := range dense {
		if len(found)*1000 > lines[room] && !later.has(room) {
			t.Errorf("%s has %d dense lines in %d:\n%s", room, len(found), lines[room], strings.Join(found, "\n"))
		}
	}
	later.used(t)
}
