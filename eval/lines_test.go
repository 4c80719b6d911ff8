package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
)

// word is a case of these tests: the line is its id.
func word(line []byte) (id string, c string, err error) {
	if strings.Contains(string(line), "bad") {
		return "", "", fmt.Errorf("%q is bad", line)
	}
	return string(line), string(line), nil
}

func TestLinesForPeopleAreNoCases(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"as it is":          {"a\nb\n", "[a b]"},
		"a mark before it":  {"\uFEFFa\nb", "[a b]"},
		"blank lines":       {"\n \t\r\na\n\n\nb\n\n", "[a b]"},
		"comments":          {"# what follows\na\n  // and this\n#b\nb", "[a b]"},
		"a mark, a comment": {"\uFEFF# what follows\na", "[a]"},
		"windows":           {"a\r\nb\r\n", "[a b]"},
		"a mark amid it":    {"a\n\uFEFFb", "[a \uFEFFb]"}, // which no decoder takes
	} {
		got, err := eval.ParseCases("cases", strings.NewReader(c.file), word)
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestALineIsNamedByItsPlaceInTheFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, says string }{
		"a bad line":         {"\n# a\na\nbad", `cases:4: "bad" is bad`},
		"twice":              {"# a\na\n\nb\na", `cases:5: the id "a" is in line 2 already`},
		"nothing":            {"", "cases holds no rows"},
		"a mark":             {"\uFEFF", "cases holds no rows"},
		"nothing for a case": {"\n# a\n//b\n", "cases holds no rows"},
		"too long":           {"\n\n" + strings.Repeat("a", 2<<20), "cases:3: a line of more than"},
	} {
		got, err := eval.ParseCases("cases", strings.NewReader(c.file), word)
		if got != nil || verdict.CodeOf(err) != verdict.EvalCases || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
