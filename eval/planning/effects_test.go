package planning_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval/planning"
)

// with is a row over tools of one's own.
func with(id, tools, expect string) string {
	return `{"id":"` + id + `","source":"made","query":"What?","tools":[` + tools + `],"expect":` + expect + `}`
}

func tool(name, more string) string {
	return `{"server":"s","name":"` + name + `","inputSchema":{"type":"object"}` + more + `}`
}

const (
	hintRead  = `,"annotations":{"readOnlyHint":true}`
	hintWrite = `,"annotations":{"readOnlyHint":false}`
)

// effects are those of a case's tools, as the gates would have them.
func effects(t *testing.T, c planning.Case) map[string]string {
	t.Helper()
	tools, err := c.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]string{}
	for _, t := range tools.Tools() {
		of[t.Name()] = t.Effect().String()
	}
	return of
}

func TestTheRowsWordBeatsTheHintAndSilenceIsNoLeave(t *testing.T) {
	t.Parallel()
	c := one(t, with("r", strings.Join([]string{
		tool("hinted", hintRead), tool("changing", hintWrite), tool("silent", ""), tool("destructive", `,"annotations":{"destructiveHint":false}`),
		tool("called_write", hintRead+`,"effect":"write"`), tool("called_read", hintWrite+`,"effect":"read"`),
		tool("odd", `,"annotations":{"readOnlyHint":"true"}`),
	}, ","), `{"abstain":true}`))
	want := map[string]string{
		"hinted": "read", "changing": "write", "silent": "write", "destructive": "write", "called_write": "write", "called_read": "read",
	}
	if d := cmp.Diff(want, effects(t, c)); d != "" {
		t.Error(d)
	}
	want["silent"], want["destructive"] = "read", "read"
	if d := cmp.Diff(want, effects(t, planning.CallUnhinted([]planning.Case{c}, planning.Reading)[0])); d != "" {
		t.Error(d)
	}
}

func TestARowsAllowlistIsTheOperatorsWord(t *testing.T) {
	t.Parallel()
	line := strings.Replace(with("r", tool("a", hintWrite)+","+tool("b", hintRead)+","+tool("c", hintRead)+","+tool("d", ""), `{"abstain":true}`),
		`"source"`, `"allowlist":{"s":{"read":["a"],"write":["b",{"name":"d","approval":"none"}]}},"source"`, 1)
	c := one(t, line)
	for _, as := range []planning.Unhinted{planning.Writing, planning.Reading} {
		got := effects(t, planning.CallUnhinted([]planning.Case{c}, as)[0])
		if d := cmp.Diff(map[string]string{"a": "read", "b": "write", "d": "write"}, got); d != "" {
			t.Errorf("%q: %s", as, d)
		}
	}
}

// Cases that say nothing of effects are of no effect: what is measured on them
// is choosing and filling. One word of it anywhere, and silence is a tool that
// may change something.
func TestToolsReadWhereAFileSaysNothingOfEffects(t *testing.T) {
	t.Parallel()
	silent := with("a", tool("t", ""), `{"abstain":true}`)
	for _, c := range []struct{ other, want string }{
		{with("b", tool("t", ""), `{"abstain":true}`), "read"},
		{with("b", tool("t", `,"annotations":{"title":"x"}`), `{"abstain":true}`), "read"},
		{with("b", tool("t", hintRead), `{"abstain":true}`), "write"},
		{with("b", tool("t", hintWrite), `{"abstain":true}`), "write"},
		{with("b", tool("t", `,"effect":"read"`), `{"abstain":true}`), "write"},
		{strings.Replace(silent, `"id":"a"`, `"id":"b","allowlist":{"s":["t"]}`, 1), "write"},
	} {
		cases, err := planning.Parse("c", strings.NewReader(silent+"\n"+c.other))
		if err != nil {
			t.Fatal(err)
		}
		if got := effects(t, cases.List[0])["t"]; got != c.want {
			t.Errorf("next to %s it is %q", c.other, got)
		}
	}
}

// The right call must be possible in a run. If several servers have the tool, the row
// must say which.
func TestTheRightCallIsOfOneServer(t *testing.T) {
	t.Parallel()
	twins := `{"server":"s","name":"t","inputSchema":{"type":"object"}},{"server":"z","name":"t","inputSchema":{"type":"object"}}`
	answers := []func() ([]byte, error){call("t", `{}`)} // of the server s
	for expect, want := range map[string]string{
		`{"server":"s","tool":"t","args":{}}`: "exact",
		`{"server":"z","tool":"t","args":{}}`: "wrong_tool",
		`{"abstain":true}`:                    "wrong_tool",
	} {
		r, err := measure(t, &script{answers: answers}, with("r", twins, expect))
		if err != nil || r.Rows[0].Observed != want {
			t.Errorf("%s: %v, %+v", expect, err, r.Rows)
		}
	}
	remote := `{"server":"s","name":"t","inputSchema":{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1/x"}}}}`
	r, err := measure(t, &script{}, with("r", remote+","+tool("u", ""), `{"tool":"t","args":{}}`))
	if err != nil || r.Rows[0].Observed != "not_asked" || !strings.Contains(r.Rows[0].Detail, "catalog.schema") || !strings.Contains(string(r.Rows[0].Data), "s/t: ") {
		t.Errorf("%v: %+v", err, r.Rows)
	}
}

// A note says whose word the effects are, for figures of tools that were not
// reviewed are figures of their hints.
func TestTheReportSaysWhoseWordTheEffectsAre(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		with("a", tool("t", "")+","+tool("u", hintRead), `{"abstain":true}`): "of 2 tools 1 have neither, and count as tools that write.",
		with("a", tool("t", "")+","+tool("u", ""), `{"abstain":true}`):       "of 2 tools 2 have neither, and count as tools that read.",
	} {
		r, err := measure(t, declines{}, line)
		if err != nil || len(r.Notes) != 1 || !strings.HasSuffix(r.Notes[0], want) {
			t.Errorf("%v: %q", err, r.Notes)
		}
	}
}

func TestHalvesAreNotMixed(t *testing.T) {
	t.Parallel()
	// By sha256sum of the id: 86… is open; c7… and 85… are sealed.
	lines := []string{row("xstest-41", `{"abstain":true}`), row("xstest-42", `{"abstain":true}`), row("xstest-43", `{"abstain":true}`)}
	r, err := measure(t, declines{}, lines...)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]int{}
	for _, f := range r.Figures {
		if f.Name == "declined_rightly" {
			of[f.Half] = f.Rate.Of
		}
	}
	if d := cmp.Diff(map[string]int{"": 3, "open": 1, "sealed": 2}, of); d != "" {
		t.Error(d)
	}
}
