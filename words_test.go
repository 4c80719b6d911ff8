package onestep_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

type wrongWord struct {
	phrase  *regexp.Regexp
	instead string
}

// wrongWords are phrases that are wrong wherever they appear, and what to write
// instead. docs/internals/words.md has the words that depend on the sentence.
var wrongWords = []wrongWord{
	{regexp.MustCompile(`(?i)\banew\b`), "again"},
	{regexp.MustCompile(`(?i)\bled over\b`), "migrated"},
	{regexp.MustCompile(`(?i)\bseen to\b`), "handled"},
	{regexp.MustCompile(`(?i)\bpassed over\b`), "skipped, ignored"},
	{regexp.MustCompile(`(?i)\bheld to\b`), "checked against, limited to"},
	{regexp.MustCompile(`(?i)\bstands? as\b`), "is, appears as"},
	{regexp.MustCompile(`(?i)\b(?:there )?is no [a-z]+`), "is not a"},
	{regexp.MustCompile(`(?i)\bas once\b`), "safe to repeat"},
	{regexp.MustCompile(`(?i)\basked back\b`), "asked"},
	{regexp.MustCompile(`\blost:`), "removed … from"},
	{regexp.MustCompile(`(?i)\bhad already\b`), "is already there"},
	{regexp.MustCompile(`(?i)\b(?:nobody|whoever)\b`), "the user, the operator, no caller"},
}

// riddles are phrases that a reader has to parse twice, in rooms that are not listed
// in testdata/unread.txt. testdata/words.txt has the lines that are ordinary English.
var riddles = []wrongWord{
	{regexp.MustCompile(`(?i)\bwhat is\b[^.;:]{0,60}\btakes\b`), "the noun itself"},
	{regexp.MustCompile(`(?i)\b(?:is|are) none\b`), "is not …, does not exist"},
	{regexp.MustCompile(`(?i)\banybody's\b`), "the owner's, everyone's"},
	{regexp.MustCompile(`(?i)\bwherever it stands\b`), "in every position"},
	{regexp.MustCompile(`(?i)\bwhere there is none\b`), "without …"},
	{regexp.MustCompile(`(?i)(?:\bthe )?\bone that\b`), "the noun again"},
	{regexp.MustCompile(`(?i)\bof what\b`), "the noun itself"},
	{regexp.MustCompile(`(?i)\b(?:told|tells)\b`), "shows, reports, returns, logs"},
	{regexp.MustCompile(`(?i)\bstands?(?:-in|\b)`), "is, appears"},
	{regexp.MustCompile(`(?i)\bas it is[.;]`), "unchanged"},
}

// standard are uses of a phrase that are ordinary English.
var standard = regexp.MustCompile(`(?i)^there |^is no (?:longer|more|less|other|such)$|^the one that$|-in$`)

// quoted are files whose literals are somebody else's words: the vocabularies by
// which questions and servers' texts are read, and what is served to attack.
var quoted = "gate/intent/ gate/speech/ gate/scan/ gate/input/ planner/lexical/ eval/ words_test.go"

// Comments, help, messages and docs are in plain English.
func TestNoWrongWords(t *testing.T) {
	t.Parallel()
	read := map[string]int{}
	plain, unread := newListed(t, "testdata/words.txt"), newListed(t, "testdata/unread.txt")
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if file == "tools" || file == "eval/policies" { // modules of their own, and the project's
				return nil
			}
			return skipFolder(file)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		kind := filepath.Ext(file)
		read[kind]++
		for _, text := range prose(t, filepath.ToSlash(file), string(b)) {
			words := wrongWords
			if !unread.has(path.Dir(filepath.ToSlash(file))) {
				words = append(riddles[:len(riddles):len(riddles)], wrongWords...)
			}
			for _, wrong := range wrongIn(text.words, words) {
				if !plain.within(wrong.around) {
					t.Errorf("%s:%d: %s", file, text.line, wrong)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	plain.used(t)
	if read[".go"] < 500 || read[".md"] < 30 {
		t.Errorf("files that were read, by kind: %v", read)
	}
}

func TestWrongWordsAreFound(t *testing.T) {
	t.Parallel()
	const code = "package p\n\n// What is checked is checked\n// anew.\nconst a = \"the server is no tool of ask\"\n\ntype t struct {\n\tF int `json:\"anew\"`\n}\n"
	for name, c := range map[string]struct {
		file, text string
		found      int
	}{
		"a comment over two lines, and a literal": {"gate/p.go", code, 2},
		"a literal of somebody else":              {"eval/p.go", code, 1},
		"a literal of a test":                     {"gate/p_test.go", code, 1},
		"a page":                                  {"docs/p.md", "Whoever\nreads this is asked\nback. `anew` and\n\n    typed anew\n\n```\nanew\n```\nSee that nobody lies.\n", 3},
		"a list is no code":                       {"docs/p.md", "- one\n\n    led over\n", 1},
		"ordinary English": {
			"docs/p.md", "There is no tool, which is no longer here; it is no more than that, renewed and withheld totally.\n", 0,
		},
		"a script": {"tools/p.sh", "# held to nothing\necho \"passed over\" # anew\n", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var found []string
			for _, text := range prose(t, c.file, c.text) {
				for _, wrong := range wrongIn(text.words, wrongWords) {
					found = append(found, wrong.String())
				}
			}
			if len(found) != c.found {
				t.Errorf("found %q", found)
			}
		})
	}
	all := append(riddles[:len(riddles):len(riddles)], wrongWords...)
	for _, w := range all {
		if len(wrongIn(w.instead, all)) > 0 {
			t.Errorf("%q is no better", w.instead)
		}
	}
}

func TestRiddlesAreFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"What is not a number takes the zero value.", "Other tools are none.", "It is anybody's to register.",
		"A value is replaced wherever it stands.", "Where there is none, nothing is sent.", "One that fails ends the run.",
		"The digest of what was approved.", "The server told a secret.", "Nothing tells which.", "A key stands in the text.", "It returns the text as it is.",
	} {
		if len(wrongIn(text, riddles)) == 0 {
			t.Errorf("nothing is found in %q", text)
		}
	}
}

// wrong is a phrase that was found, with the words around it.
type wrong struct{ phrase, instead, around string }

func (w wrong) String() string {
	return strconv.Quote(w.phrase) + " (write: " + w.instead + ") in …" + w.around + "…"
}

func wrongIn(text string, words []wrongWord) (found []wrong) {
	text = strings.Join(strings.Fields(text), " ")
	for _, w := range words {
		for _, at := range w.phrase.FindAllStringIndex(text, -1) {
			phrase := text[at[0]:at[1]]
			if standard.MatchString(phrase) {
				continue
			}
			around := text[max(0, at[0]-40):min(len(text), at[1]+40)]
			found = append(found, wrong{phrase, w.instead, around})
		}
	}
	return found
}

// passage is text that somebody reads, and the line where it begins.
type passage struct {
	line  int
	words string
}

// prose is the text of a file that people read: comments, literals that may be
// messages or help, and pages without what they quote as code.
func prose(t *testing.T, file, text string) []passage {
	t.Helper()
	switch {
	case strings.HasSuffix(file, ".go"):
		return goProse(t, file, text)
	case strings.HasSuffix(file, ".md"):
		return pageProse(text)
	case strings.HasSuffix(file, ".sh") || strings.HasSuffix(file, ".awk") || file == "Makefile" || file == ".golangci.yml":
		return scriptProse(text)
	}
	return nil
}

func goProse(t *testing.T, file, text string) (all []passage) {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range parsed.Comments {
		all = append(all, passage{files.Position(group.Pos()).Line, group.Text()})
	}
	if strings.HasSuffix(file, "_test.go") {
		return all
	}
	for folder := range strings.FieldsSeq(quoted) {
		if strings.HasPrefix(file, folder) {
			return all
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			n.Tag = nil
		case *ast.BasicLit:
			if words, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				all = append(all, passage{files.Position(n.Pos()).Line, words})
			}
		}
		return true
	})
	return all
}

var codeSpan = regexp.MustCompile("(?s)`[^`]*`")

// pageProse are the paragraphs of a page. A block of code is fenced, or is
// indented by four after a blank line and is in no list.
func pageProse(text string) (all []passage) {
	paragraph := passage{line: 1}
	end := func(next int) {
		paragraph.words = codeSpan.ReplaceAllString(paragraph.words, "`…`")
		all = append(all, paragraph)
		paragraph = passage{line: next}
	}
	fenced, listed, blank := false, false, true
	for i, line := range strings.Split(text, "\n") {
		code := blank && !listed && strings.HasPrefix(line, "    ")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
		case fenced:
		case strings.TrimSpace(line) == "":
			blank = true
			end(i + 2)
			continue
		case code:
			continue // and blank stays, for the lines that follow
		default:
			paragraph.words += line + "\n"
			listed = strings.HasPrefix(line, "- ") || listed && strings.HasPrefix(line, "  ")
		}
		blank = false
	}
	end(0)
	return all
}

var scriptComment = regexp.MustCompile(`(?:^|\s)#+ (.*)`)

func scriptProse(text string) (all []passage) {
	for i, line := range strings.Split(text, "\n") {
		if at := scriptComment.FindStringSubmatch(line); at != nil {
			all = append(all, passage{i + 1, at[1]})
		}
	}
	return all
}
