package verdict_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
)

var update = flag.Bool("update", false, "write docs/codes.md again")

const codesFile = "../../docs/codes.md"

type exit struct {
	code    int
	meaning string
}

// exits are all the ways the process may end.
var exits = []exit{
	{0, "answered"},
	{1, "internal failure"},
	{2, "usage, unreadable or invalid configuration, trace unwritable before the call"},
	{3, "refused by a gate, also when the allowlist is missing or empty"},
	{4, "an approval is needed, or the given one is for another call"},
	{5, "a call left and there is no usable answer"},
	{6, "server unreachable, failed to start, or needs login; no call left"},
	{7, "model or planner failure; no call left"},
	{8, "needs more information"},
	{9, "evidence or trace verification failed; a replay by the same version differs under the same policy"},
	{10, "an eval, preflight or doctor found failures; verdicts change under a new policy or between versions"},
	{124, "the run reached its time limit; the outcome's `call` says whether a call had left"},
	{129, "hung up (SIGHUP); the same"},
	{130, "interrupted (SIGINT); the same"},
	{131, "quit (SIGQUIT); the same"},
	{143, "terminated (SIGTERM); the same"},
}

var families = []string{
	"internal", "input", "server", "manifest", "sandbox", "login", "catalog", "plan", "allow", "schema", "intent", "rule", "decision", "approval", "pin", "org", "grant",
	"call", "run", "output", "summary", "model", "config", "state", "audit", "trace", "eval", "usage",
}

func TestTheDocumentListsEveryCode(t *testing.T) {
	t.Parallel()
	want := document()
	if *update {
		if err := os.WriteFile(codesFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(codesFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/codes.md is not what the entries say; write it again with: go test ./gate/verdict -update")
	}
}

func TestEveryDeclaredCodeHasExactlyOneEntry(t *testing.T) {
	t.Parallel()
	declared := declaredCodes(t)
	listed := map[verdict.Code]int{}
	for _, e := range verdict.Entries() {
		listed[e.Code]++
		if !slices.Contains(declared, e.Code) {
			t.Errorf("%s has an entry and is declared nowhere", e.Code)
		}
	}
	for _, c := range declared {
		if listed[c] != 1 {
			t.Errorf("%s has %d entries", c, listed[c])
		}
	}
}

func TestEveryEntrySaysWhatToDo(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[a-z]+\.[a-z]+(_[a-z]+)*$`)
	for _, e := range verdict.Entries() {
		if !form.MatchString(string(e.Code)) || !slices.Contains(families, family(e.Code)) {
			t.Errorf("%s is of no family", e.Code)
		}
		if e.Exit == 0 || !slices.ContainsFunc(exits, func(x exit) bool { return x.code == e.Exit }) {
			t.Errorf("%s leads to exit %d", e.Code, e.Exit)
		}
		if e.Exit == 5 && e.Retryable {
			t.Errorf("%s may follow a call that left, and calls itself retryable", e.Code)
		}
		for _, text := range []string{e.Meaning, e.Remedy} {
			if text == "" || strings.HasSuffix(text, ".") || strings.ContainsAny(text, "\n|") {
				t.Errorf("%s: %q is not one clause", e.Code, text)
			}
		}
	}
}

func TestAnUnlistedCodeIsAnInternalFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []verdict.Code{"", "call.spent ", "CALL.SPENT", "call", "nothing.known"} {
		if got := c.Entry().Code; got != verdict.Internal {
			t.Errorf("the entry of %q is %s's", c, got)
		}
	}
	for _, c := range declaredCodes(t) {
		if got := c.Entry().Code; got != c {
			t.Errorf("the entry of %s is %s's", c, got)
		}
	}
}

func TestTheListCannotBeChangedByItsReaders(t *testing.T) {
	t.Parallel()
	verdict.Entries()[0].Exit = 0
	if verdict.Internal.Entry().Exit != 1 {
		t.Error("a reader of Entries changed the list")
	}
}

// ofRulings separates the other constants of the package from the codes.
func ofRulings(d *ast.GenDecl) bool {
	kind, ok := d.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident)
	return ok && kind.Name == "Ruling"
}

// declaredCodes reads the package's constants from the source, where a
// forgotten entry cannot hide. All of them are codes or rulings.
func declaredCodes(t *testing.T) []verdict.Code {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var codes []verdict.Code
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.CONST && !ofRulings(d) {
				for _, spec := range d.Specs {
					codes = append(codes, codeOf(t, spec.(*ast.ValueSpec)))
				}
			}
		}
	}
	if len(codes) == 0 {
		t.Fatal("no code is declared")
	}
	return codes
}

// codeOf is the value of `Name Code = "text"`, the one form of a constant here.
func codeOf(t *testing.T, spec *ast.ValueSpec) verdict.Code {
	t.Helper()
	typ, named := spec.Type.(*ast.Ident)
	if !named || typ.Name != "Code" || len(spec.Names) != 1 || len(spec.Values) != 1 {
		t.Fatalf("%v is not declared as one literal of type Code", spec.Names)
	}
	lit, ok := spec.Values[0].(*ast.BasicLit)
	if !ok {
		t.Fatalf("%v is not declared as one literal of type Code", spec.Names)
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		t.Fatal(err)
	}
	return verdict.Code(text)
}

func family(c verdict.Code) string {
	name, _, _ := strings.Cut(string(c), ".")
	return name
}

func document() string {
	var b strings.Builder
	b.WriteString(`# Exits and codes

Made from gate/verdict/entries.txt by ` + "`go test ./gate/verdict -update`" + `; not edited by hand.

Scripts may rely on both: an exit keeps its meaning, and a code its name. A *denial* is a gate's refusal; a *fault* is a
failure at an edge. Both have a code, a reason and a remedy. "Retryable" means that the same command may succeed later,
unchanged, and that repeating it does no harm.

| exit | meaning |
|---|---|
`)
	for _, x := range exits {
		fmt.Fprintf(&b, "| %d | %s |\n", x.code, x.meaning)
	}
	last := ""
	for _, e := range verdict.Entries() {
		if f := family(e.Code); f != last {
			fmt.Fprintf(&b, "\n## %s\n\n| code | exit | retryable | meaning | what to do |\n|---|---|---|---|---|\n", f)
			last = f
		}
		fmt.Fprintf(&b, "| `%s` | %d | %s | %s | %s |\n", e.Code, e.Exit, yes(e.Retryable), e.Meaning, e.Remedy)
	}
	return b.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// TestWhatAReviewCanApproveExitsAlike: the exit code shows a script that a person has
// to look, whichever code the denial has.
func TestWhatAReviewCanApproveExitsAlike(t *testing.T) {
	t.Parallel()
	for _, e := range verdict.Entries() {
		if of, _, _ := strings.Cut(string(e.Code), "."); of == "pin" && (e.Exit == verdict.ApprovalNeeded.Entry().Exit) != e.Code.WaitsForReview() {
			t.Errorf("%s exits %d, and a review can approve it: %v", e.Code, e.Exit, e.Code.WaitsForReview())
		}
	}
}
