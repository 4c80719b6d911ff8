package onestep_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// replayRooms are the rooms that read traces and play them back. No other room of gate,
// host or planner asks whether it runs in a replay.
var replayRooms = []string{"host/replay", "host/account", "internal/testing/cassette"}

var (
	// asksReplay are the names by which a condition would ask that.
	asksReplay = regexp.MustCompile(`(?i)^(?:is|in|no|was|for)?(?:replay(?:s|ed|ing|able)?|recorded|resuming|taped?|fromrecord|world)$`)
	// worldTypes are the types that would answer it.
	worldTypes = regexp.MustCompile(`^(?:live|recording|Recording|World|tape)$`)
)

func TestNothingAsksWhetherItIsAReplay(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		room, _, _ := strings.Cut(s.room, "/")
		if slices.Contains([]string{"gate", "host", "planner"}, room) && !slices.Contains(replayRooms, s.room) {
			for _, finding := range replayQuestions(s) {
				t.Error(finding)
			}
		}
	}
}

// replayQuestions are the conditions of a file that ask whether it runs in a replay: by
// a name of that sort, or by the type of the world.
func replayQuestions(s source) (found []string) {
	asks := func(n ast.Node, names *regexp.Regexp) {
		for _, name := range asked(n) {
			if names.MatchString(name) {
				found = append(found, fmt.Sprintf("%s: a condition asks %s", path.Join(s.room, s.name), name))
			}
		}
	}
	ast.Inspect(s.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			asks(n.Cond, asksReplay)
		case *ast.ForStmt:
			asks(n.Cond, asksReplay)
		case *ast.CaseClause:
			for _, e := range n.List {
				asks(e, asksReplay)
			}
		case *ast.TypeSwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					asks(e, worldTypes)
				}
			}
		case *ast.SwitchStmt:
			asks(n.Tag, asksReplay)
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				asks(n, asksReplay)
			}
		case *ast.TypeAssertExpr:
			asks(n.X, asksReplay)
			asks(n.Type, worldTypes)
		}
		return true
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// asked are the names that an expression asks. Of a call it is the function: what a
// method of the world returns may decide, as any value may.
func asked(n ast.Node) (names []string) {
	switch n := n.(type) {
	case *ast.Ident:
		names = append(names, n.Name)
	case *ast.SelectorExpr:
		names = append(names, n.Sel.Name)
	case *ast.CallExpr:
		names = asked(n.Fun)
	case *ast.BinaryExpr:
		names = append(asked(n.X), asked(n.Y)...)
	case *ast.UnaryExpr:
		names = asked(n.X)
	case *ast.ParenExpr:
		names = asked(n.X)
	case *ast.StarExpr:
		names = asked(n.X)
	}
	return names
}

func TestTheReplayQuestionTestFindsWhatItShould(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"a field":              {"func f() { if r.config.Recorded != nil { return } }", "asks Recorded"},
		"a field and another":  {"func f() { if a || !(r.config.Recorded == nil) { return } }", "asks Recorded"},
		"a flag":               {"func f() { if r.replay { return } }", "asks replay"},
		"a method":             {"func f() { if r.isReplay() { return } }", "asks isReplay"},
		"a function":           {"func f() { if replaying(r) { return } }", "asks replaying"},
		"in a switch":          {"func f() { switch { case x.recorded: } }", "asks recorded"},
		"as a switch":          {"func f() { switch r.replayed { } }", "asks replayed"},
		"in a loop":            {"func f() { for r.tape != nil { } }", "asks tape"},
		"in an expression":     {"func f() bool { return a && h.tape }", "asks tape"},
		"the type":             {"func f() { _, is := w.(live); _ = is }", "asks live"},
		"a pointer to it":      {"func f() { _, is := w.(*tape); _ = is }", "asks tape"},
		"a type switch":        {"func f() { switch r.world.(type) { } }", "asks world"},
		"a case of one":        {"func f() { switch x := w.(type) { case live: _ = x } }", "asks live"},
		"whether there is one": {"func f() { if r.world == nil { return } }", "asks world"},
		"its answer":           {"func f() { if err := r.world.Unchanged(ctx); err != nil { return } }", ""},
		"what it gives":        {"func f() { if len(r.facts.Left) > 0 { return } }", ""},
		"the word elsewhere":   {"// recorded, replayed\nfunc f() { recorded(x); a.Replay() }", ""},
	} {
		holds(t, name, replayQuestions(parse(t, "host/x.go", c.src)), c.want)
	}
}
