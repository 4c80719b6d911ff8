package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Every command line that a message, a help text or a page recommends has a
// command that exists and flags that it takes.
func TestEveryRecommendedCommandExists(t *testing.T) {
	t.Parallel()
	root := (&app{App: cli.New("test")}).root()
	root.InitDefaultHelpCmd()
	all := map[string][]string{}
	for file, text := range recommending(t) {
		for _, line := range recommended(root, text, strings.HasSuffix(file, ".md")) {
			all[line] = append(all[line], file)
		}
	}
	const least = 200
	if len(all) < least {
		t.Errorf("%d command lines were found, of which there were %d", len(all), least)
	}
	for line, files := range all {
		if line == "ask nosuchcommand" { // docs/internals/benchmarks.md measures it
			continue
		}
		if wrong := mistaken(root, line); wrong != nil {
			t.Errorf("%s: %q: %q", strings.Join(files, ", "), line, wrong)
		}
	}
}

func TestAWrongRecommendationIsFound(t *testing.T) {
	t.Parallel()
	root := (&app{App: cli.New("test")}).root()
	for line, want := range map[string]string{
		"ask servers review files --all-tools": "", `ask "a question"`: "", "ask --demo -q Question": "", "ask call S/T --args {}": "", "ask": "",
		"ask servers reviews files":                     "there is no ask servers reviews",
		"ask servers review --al":                       "ask servers review has no --al",
		"ask trase list":                                "there is no ask trase",
		"ask login":                                     "there is no ask login",
		"ask config edit":                               "there is no ask config edit",
		"ask trace list --older 3":                      "ask trace list has no --older",
		"ask approve RUN --alow all":                    "ask approve has no --alow",
		"ask trace show latest -z":                      "ask trace show has no -z",
		"ask tools --live show a/b":                     "",
		`ask "a question" --jso`:                        "ask has no --jso",
		`ask call s/t --args '{"a": 1}' --no-inputs`:    "ask call has no --no-inputs",
		"ask servers fetch && ask servers tests":        "there is no ask servers tests",
		"for R in $(ask trace lst); do ask trace verfy": "there is no ask trace lst; there is no ask trace verfy",
		"X=1 ask servers import | ask modls":            "there is no ask modls",
		"make build test":                               "",
		"make biuld":                                    "there is no make biuld",
		"VERSION=v1 make release relaese":               "there is no make relaese",
		"go test ./gate/input -run '^$' -bench .":       "",
		"go install ./cmd/ask ./cmd/aks":                "there is no ./cmd/aks",
		"go build -o bin/ ./docs/recipes/...":           "",
		"ask eval pins --releases DI":                   "", // another program's flags
	} {
		if got := strings.Join(mistaken(root, line), "; "); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// recommending are the texts that may recommend a command: the string literals
// of the product's packages, one a line, and the pages.
func recommending(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	read := func(path string) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(b)
	}
	for _, page := range append(allPages(t), "../../CHANGELOG.md") {
		read(page)
	}
	for _, dir := range []string{"../../cmd/ask", "../../cmd/cli", "../../config", "../../gate", "../../host", "../../planner", "../../summarize", "../../trace"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "testdata") {
				texts[path] = literals(t, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// literals are the string literals of a Go file. What is put together of several
// is one text, with X for what is not a literal.
func literals(t *testing.T, path string) string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BinaryExpr, *ast.BasicLit:
			text, whole := literal(n.(ast.Expr))
			if whole {
				all.WriteString(text + "\n\n")
			}
			return !whole
		}
		return true
	})
	return all.String()
}

func literal(e ast.Expr) (text string, isText bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		left, isLeft := literal(e.X)
		right, isRight := literal(e.Y)
		return left + right, e.Op == token.ADD && (isLeft || isRight)
	}
	return "X", false
}

// recommended are the command lines of a text: the texts between back quotes, and the lines
// of an example.
func recommended(root *cobra.Command, text string, page bool) (lines []string) {
	span := regexp.MustCompile("`(ask(?: [^`\n]*)?)`")
	if page {
		span = regexp.MustCompile("`([^`]+)`")
	}
	for _, m := range span.FindAllStringSubmatch(strings.ReplaceAll(text, "```", ""), -1) {
		if regexp.MustCompile(`(?:^|[ (])(?:ask|make|go)(?:$|[ \n)])`).MatchString(m[1]) {
			lines = append(lines, strings.ReplaceAll(m[1], "\n", " "))
		}
	}
	example := regexp.MustCompile(`(?m)^ *(ask [^\n]*)$`)
	if page {
		example = regexp.MustCompile(`(?m)^    (?:\$ )?(ask [^\n]*)$`)
	}
	for _, m := range example.FindAllStringSubmatch(text, -1) {
		if page || !prose(root, m[1]) {
			lines = append(lines, m[1])
		}
	}
	return lines
}

// misadvice says what is wrong with the words of a recommended command: "" where a
// command takes them. A quoted word is a value.
func misadvice(root *cobra.Command, words []string) string {
	at, own := root, true
	for _, word := range words[1:] {
		word = strings.Trim(word, "[](),.;")
		switch {
		case word == "-": // stdin
		case word == "--" || at.DisableFlagParsing && !at.Hidden:
			return ""
		case strings.HasPrefix(word, "-"):
			if !takes(at, word) {
				return at.CommandPath() + " has no " + word
			}
		case own && regexp.MustCompile(`^[a-z]+$`).MatchString(word) && at.HasSubCommands():
			below := child(at, word)
			if below == nil {
				return "there is no " + at.CommandPath() + " " + word
			}
			at = below
		default:
			own = own && !at.HasSubCommands() // a name that a user chooses, or the value of a flag
		}
	}
	return ""
}

// prose reports whether a line is a sentence that begins with the verb: what
// follows neither is a command nor nearly one.
func prose(root *cobra.Command, line string) bool {
	words := strings.Fields(line)
	if len(words) < 2 {
		return false
	}
	word := strings.TrimRight(words[1], ",:")
	return regexp.MustCompile(`^[a-z]+$`).MatchString(word) && child(root, word) == nil && verdict.Near(word, cli.Names(root)) == "" && !explained(root, word)
}

func child(of *cobra.Command, name string) *cobra.Command {
	for _, c := range of.Commands() {
		if c.Name() == name && !c.Hidden {
			return c
		}
	}
	return nil
}

func takes(cmd *cobra.Command, word string) bool {
	name, _, _ := strings.Cut(word, "=")
	if long, is := strings.CutPrefix(name, "--"); is {
		return long == "help" || cmd.Flag(long) != nil
	}
	short := strings.TrimPrefix(name, "-")
	return short == "h" || len(short) == 1 && (cmd.LocalFlags().ShorthandLookup(short) != nil || cmd.InheritedFlags().ShorthandLookup(short) != nil)
}

// explained reports whether a command is there only to say that it does not exist.
func explained(of *cobra.Command, name string) bool {
	return slices.ContainsFunc(of.Commands(), func(c *cobra.Command) bool { return c.Name() == name && c.Hidden })
}

// An unknown path would complete nothing, and the path of a command must not be explained as
// absent.
func TestTheTablesOfCommandsFitTheCommands(t *testing.T) {
	t.Parallel()
	a := &app{App: cli.New("test")}
	root := a.root()
	find := func(path string) *cobra.Command {
		at := root
		for _, word := range strings.Fields(path) {
			if at = child(at, word); at == nil {
				return nil
			}
		}
		return at
	}
	completed := map[string]bool{}
	for _, c := range commands {
		completed[c.path] = c.words != nil
		if find(c.path) == nil {
			t.Errorf("ask %s has work and no help", c.path)
		}
	}
	for _, f := range flagWords {
		path := f.path
		completed[path] = true
		command, flag, _ := strings.Cut(path, "--")
		if cmd := find(command); cmd == nil || !takes(cmd, "--"+flag) {
			t.Errorf("ask %s is completed, which does not exist", path)
		}
	}
	for _, path := range filesToo {
		if !completed[path] {
			t.Errorf("ask %s takes files, and is not completed", path)
		}
	}
	absent := regexp.MustCompile(`(?m)^# ask ([a-z ]*?)([a-z]+)\n- `).FindAllStringSubmatch(help, -1)
	for _, path := range absent {
		at := find(path[1])
		if at == nil || !explained(at, path[2]) {
			t.Fatalf("ask %s is not explained", path[1]+path[2])
		}
		if child(at, path[2]) != nil {
			t.Errorf("ask %s exists", path[1]+path[2])
		}
	}
	if n := strings.Count(help, "\n- ") / 2; len(absent) != n || n == 0 {
		t.Errorf("%d commands are explained as absent, not %d", len(absent), n)
	}
}

// Every command has a group in the help, and every group's command exists.
func TestHelpGroupsEveryCommand(t *testing.T) {
	t.Parallel()
	root := (&app{App: cli.New("test")}).root()
	root.InitDefaultHelpCmd()
	grouped := map[string]bool{}
	for _, c := range root.Commands() {
		grouped[c.Name()] = c.GroupID != ""
		if !c.Hidden && c.GroupID == "" {
			t.Errorf("ask %s is in no group: add it to groups", c.Name())
		}
	}
	for _, g := range groups {
		for name := range strings.FieldsSeq(g.commands) {
			if !grouped[name] {
				t.Errorf("ask %s is in the group %s, and does not exist", name, g.title)
			}
		}
	}
}
