package eval_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
)

// word is a case of these tests: its id, and what it calls.
type word struct {
	ID   string `json:"id"`
	Call struct {
		Tool string `json:"tool"`
	} `json:"call"`
	Label string `json:"label"`
}

func parseWord(l *eval.Line) (id string, c string, err error) {
	w, err := eval.Decode[word](l)
	switch {
	case err != nil:
		return "", "", err
	case w.Call.Tool == "bad":
		return w.ID, "", errors.New("a bad tool")
	case w.Label != "":
		l.Remark("the label %q", w.Label)
	}
	return w.ID, w.ID, nil
}

func words(t *testing.T, text string) eval.Cases[string] {
	t.Helper()
	c, err := eval.ParseCases(parseWord, "cases", strings.NewReader(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return c
}

const a, b = `{"id":"a"}`, `{"id":"b"}`

func TestLinesForPeopleAreNoCases(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"as it is":          a + "\n" + b + "\n",
		"a mark before it":  "\uFEFF" + a + "\n" + b,
		"blank lines":       "\n \t\r\n" + a + "\n\n\n" + b + "\n\n",
		"comments":          "# what follows\n" + a + "\n  // and this\n#b\n" + b,
		"a mark, a comment": "\uFEFF# what follows\n" + a + "\n" + b,
		"windows":           a + "\r\n" + b + "\r\n",
	} {
		if c := words(t, text); !slices.Equal(c.List, []string{"a", "b"}) || c.Strict() != nil {
			t.Errorf("%s: %q, %v", name, c.List, c.Strict())
		}
	}
}

func TestARowThatCannotBeAskedIsNamedAndCostsTheOthersNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, id, why string }{
		"half a row":          {`{"id":`, "", "ends too early"},
		"prose":               {`hello`, "", "malformed"},
		"two values":          {b + b, "", "something after"},
		"a list":              {`[` + b + `]`, "", "another type"},
		"null":                {`null`, "", "null"},
		"a mark amid it":      {"\uFEFF" + b, "", "malformed"},
		"invalid UTF-8":       {"{\"id\":\"\xff\"}", "", "malformed"},
		"the same key twice":  {`{"id":"x","id":"x"}`, "", "same key twice"},
		"a number for an id":  {`{"id":1}`, "", "another type"},
		"no id":               {`{}`, "", "without an id"},
		"another case's id":   {`{"ID":"x"}`, "", "without an id"},
		"the same id":         {a, "a", `the id "a" is in cases:1 already`},
		"of another type":     {`{"id":"x","call":7}`, "x", "expected at /call"},
		"what its suite says": {`{"id":"x","call":{"tool":"bad"}}`, "x", "a bad tool"},
		"too long":            {`{"id":"` + strings.Repeat("x", 3<<20) + `"}`, "", "a line of more than"},
	} {
		got := words(t, a+"\n\n"+c.line+"\n"+b)
		if !slices.Equal(got.List, []string{"a", "b"}) || len(got.Unasked) != 1 {
			t.Errorf("%s: %q is asked, and not %v", name, got.List, got.Unasked)
			continue
		}
		if u := got.Unasked[0]; u.Place != "cases:3" || u.ID != c.id || !strings.Contains(u.Reason, c.why) {
			t.Errorf("%s: %+v", name, u)
		}
		if err := got.Strict(); verdict.CodeOf(err) != verdict.EvalCases || !strings.Contains(err.Error(), "cases:3") {
			t.Errorf("%s: strictly it is %v", name, err)
		}
	}
}

func TestWhatNoSuiteKnowsIsKeptAndReported(t *testing.T) {
	t.Parallel()
	c := words(t, `{"note":{"by":["me"]},"id":"a"}`+"\n"+`{"id":"b","call":{"tool":"t","why":1e3},"note":7}`+"\n"+`{"id":"c","label":"odd"}`)
	if !slices.Equal(c.List, []string{"a", "b", "c"}) || len(c.Unasked) != 0 {
		t.Fatalf("%+v", c)
	}
	want := "[cases:1: no suite knows the member /note, in 2 rows cases:2: no suite knows the member /call/why cases:3: the label \"odd\"]"
	if got := fmt.Sprint(c.Remarks); got != want {
		t.Error(got)
	}
	if err := c.Strict(); verdict.CodeOf(err) != verdict.EvalCases || !strings.Contains(err.Error(), "cases:1: ") {
		t.Error(err)
	}
	r, err := measured(t, c)
	if err != nil || r.Cases != 3 || r.Measured != 3 || !r.Complete || len(r.Remarks) != 3 || !strings.Contains(strings.Join(r.Notes, "\n"), "/call/why") {
		t.Errorf("%v: %+v", err, r)
	}
	for i, want := range []string{`{"/note":{"by":["me"]}}`, `{"/call/why":1e3,"/note":7}`, ``} {
		if got := string(r.Rows[i].Extra); got != want {
			t.Errorf("%s keeps %s", r.Rows[i].ID, got)
		}
	}
}

func TestRowsThatCannotBeAskedAreInNoFigureAndInTheReport(t *testing.T) {
	t.Parallel()
	var rest strings.Builder
	for range 12 {
		rest.WriteString("{}\n")
	}
	r, err := measured(t, words(t, a+"\n"+rest.String()+b))
	if err != nil || r.Cases != 14 || r.Measured != 2 || !r.Complete || len(r.Unasked) != 12 || len(r.Rows) != 2 || r.Figures[0].Rate.Of != 2 {
		t.Errorf("%v: %+v", err, r)
	}
	if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "12 of 14 rows could not be asked: cases:2: a row without an id; ") || !strings.HasSuffix(r.Notes[0], "and 2 more, which the results name") {
		t.Error(r.Notes)
	}
}

func TestFilesAreReadAsOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first, second := file("1", a), file("2", b+"\n"+a)
	c, err := eval.ReadCases(parseWord, first, second)
	if err != nil || len(c.List) != 2 || len(c.Unasked) != 1 || c.Unasked[0].Place != second+":2" || !strings.Contains(c.Unasked[0].Reason, first+":1 already") {
		t.Errorf("%v: %+v", err, c)
	}
	for path, says := range map[string]string{
		file("empty", ""): "holds no rows", file("mark", "\uFEFF"): "holds no rows", file("comments", "\n# a\n//b\n"): "holds no rows",
		file("none", "\n{}\nhello"): "no row can be asked; first ", filepath.Join(dir, "missing"): "no such file", dir: "directory",
	} {
		c, err := eval.ReadCases(parseWord, first, path)
		if path == filepath.Join(dir, "none") {
			c, err = eval.ReadCases(parseWord, path)
		}
		if len(c.List) > 0 || verdict.CodeOf(err) != verdict.EvalCases || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %d cases, %v", path, len(c.List), err)
		}
	}
	if _, err := eval.ReadCases(parseWord, filepath.Join(dir, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Of the program's own cases none is skipped, and none is odd.
func TestOwnCasesAreStrict(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"good": {Data: []byte(a)}, "bad": {Data: []byte(b + "\n{}")}, "odd": {Data: []byte(`{"id":"c","note":1}`)}}
	if list, err := eval.OwnCases(parseWord, files, "good"); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
	for name, says := range map[string]string{"bad": "bad:2: ", "odd": "odd:1: ", "none": "none"} {
		if _, err := eval.OwnCases(parseWord, files, "good", name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// measured are words that were measured: each passes.
func measured(t *testing.T, c eval.Cases[string]) (eval.Report, error) {
	t.Helper()
	s := eval.Suite{Name: "words", IDs: c.List, Reading: c.Reading, Measures: []eval.Measure{{Name: "said", Title: "said"}}}
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) {
		return []eval.Row{{ID: c.List[i], Passed: true, Facts: map[string]int{"said": 1}}}, nil
	}
	return s.Run(t.Context(), eval.Options{})
}
