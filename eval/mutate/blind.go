package mutate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/onestep-run/onestep/eval"
)

// blind is a suite whose rows no author of a rule has read.
type blind struct {
	name string
	args string // of ask-eval
	half string // of its rows that are blind, "" for all
}

const askTools = " --tools eval/cases/asks-tools.json"

var (
	steps = []blind{
		{"steps-3", "pins --steps eval/cases/steps-3.jsonl", ""},
		{"pins-2", "pins --steps eval/cases/pins-2.jsonl", ""},
	}
	asked = []blind{
		{"asks-3", "suggest --cases eval/cases/asks-3.jsonl" + askTools, ""},
		{"asks-4", "suggest --cases eval/cases/asks-4.jsonl" + askTools, ""},
		{"first-questions-2", "suggest --cases eval/cases/first-questions-2.jsonl" + askTools, ""},
	}
)

// blinds are the suites that measure the rules of a package.
var blinds = map[string][]blind{
	"planner/lexical": append(slices.Clone(asked),
		blind{"BFCL", "suggest --cases ../shared/data/cases/planner.jsonl", "sealed"}),
	"gate/intent": {
		{"lock-2", "lock --cases eval/cases/lock-2.jsonl", ""},
		{"lock-3", "lock --cases eval/cases/lock-3.jsonl", ""},
		asked[1],
	},
	"gate/scan": append(slices.Clone(steps),
		blind{"scan-blind-1", "scan --cases eval/cases/scan-blind-1.jsonl", ""},
		blind{"scan-blind-2", "scan --cases eval/cases/scan-blind-2.jsonl", ""}),
	"gate/pin": append(slices.Clone(steps),
		blind{"pins", "pins", ""},
		blind{"releases", "pins --releases ../shared/data/tools-list-versions", ""}),
}

// Rooms are the packages that [Rules] knows suites for.
func Rooms() []string { return slices.Sorted(maps.Keys(blinds)) }

// Effect is what changes if a rule is off.
type Effect struct {
	Rule
	Suites []SuiteEffect // in the order of the table's columns
}

// SuiteEffect is the change of one suite.
type SuiteEffect struct {
	Figures []string // such as "tool −2": the change of a count of rows
	Gain    int      // rows that get better, less those that get worse, over all figures
	Rows    int      // rows that are answered in another way
	Broken  string   // why the suite was not measured, or ""
}

// A bench is a build of ask-eval in which each rule of a package has its switch.
type bench struct {
	root, dir, program string
	suites             []blind
	before             []measured
}

// measured is what one run of a suite found.
type measured struct {
	figures map[figureKey]eval.Figure
	rows    []string
}

type figureKey struct{ name, agent string }

// Rules switches off one rule of a package after another. see, which may be nil,
// receives each effect as it is known; only are the functions to try, or empty for all. Rows are compared whole, so that a rule
// that changes an answer but no figure is not called unused.
func Rules(ctx context.Context, root, room string, only []string, jobs int, see func(Effect)) (suites []string, all []Effect, err error) {
	dir, err := os.MkdirTemp("", "rules-*")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	b := bench{root: root, dir: dir, suites: blinds[room]}
	if len(b.suites) == 0 {
		return nil, nil, fmt.Errorf("no suite is known for %q, but for %s", room, strings.Join(Rooms(), ", "))
	}
	rules, err := b.build(ctx, room)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range b.suites {
		suites = append(suites, s.name)
		m, err := b.run(ctx, s, 0)
		if err != nil {
			return nil, nil, err
		}
		b.before = append(b.before, m)
	}
	all = make([]Effect, len(rules))
	var wait sync.WaitGroup
	var seeing sync.Mutex
	turns := make(chan struct{}, max(1, jobs))
	for i, r := range rules {
		if len(only) > 0 && !slices.Contains(only, r.Name[strings.LastIndexByte(r.Name, '.')+1:]) {
			continue
		}
		turns <- struct{}{}
		wait.Go(func() {
			all[i] = b.effect(ctx, r, i+1)
			<-turns
			seeing.Lock()
			defer seeing.Unlock()
			if see != nil {
				see(all[i])
			}
		})
	}
	wait.Wait()
	return suites, slices.DeleteFunc(all, func(e Effect) bool { return e.Name == "" }), ctx.Err()
}

func (b *bench) build(ctx context.Context, room string) ([]Rule, error) {
	files, rules, err := Switches(os.DirFS(b.root), room)
	if err != nil {
		return nil, err
	}
	overlay, err := lay(b.dir, b.root, files)
	if err != nil {
		return nil, err
	}
	b.program = filepath.Join(b.dir, "ask-eval")
	build := exec.CommandContext(ctx, "go", "build", "-overlay="+overlay, "-o", b.program, "./cmd/ask-eval")
	build.Dir = b.root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", room, err, out)
	}
	return rules, nil
}

// ruleTime bounds one suite with a rule off, which may never end.
const ruleTime = 2 * time.Minute

// run measures one suite with one rule off, or with all on for rule 0.
func (b *bench) run(ctx context.Context, s blind, rule int) (m measured, err error) {
	ctx, stop := context.WithTimeout(ctx, ruleTime)
	defer stop()
	out, err := os.MkdirTemp(b.dir, "out-*")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(out) //nolint:errcheck // a temporary folder
	cmd := exec.CommandContext(ctx, b.program, append(strings.Fields(s.args), "-q", "--out", out)...)
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", ruleOff, rule), "GOGC=400")
	said, ran := cmd.CombinedOutput()
	found, err := filepath.Glob(filepath.Join(out, "*_metrics.json"))
	if err != nil || len(found) != 1 {
		return m, fmt.Errorf("%s: %w\n%.2000s", s.args, errors.Join(ran, err), said)
	}
	report, err := eval.ReadReport(found[0])
	if err != nil || !report.Complete {
		return m, fmt.Errorf("%s: not every case was measured: %w", s.args, errors.Join(ran, err))
	}
	m.figures = map[figureKey]eval.Figure{}
	for _, f := range report.Figures {
		if f.Group == "" && f.Half == s.half || len(report.Figures) == 1 {
			m.figures[figureKey{f.Name, f.Agent}] = f
		}
	}
	rows, err := os.ReadFile(strings.TrimSuffix(found[0], "_metrics.json") + "_runs.jsonl")
	if err != nil {
		return m, err
	}
	half := fmt.Appendf(nil, `"half":%q`, s.half)
	for line := range bytes.Lines(rows) {
		if s.half == "" || bytes.Contains(line, half) {
			m.rows = append(m.rows, string(line))
		}
	}
	return m, nil
}

func (b *bench) effect(ctx context.Context, r Rule, number int) Effect {
	e := Effect{Rule: r}
	for i, s := range b.suites {
		now, err := b.run(ctx, s, number)
		if err != nil {
			e.Suites = append(e.Suites, SuiteEffect{Broken: err.Error()})
			continue
		}
		e.Suites = append(e.Suites, b.before[i].compare(now))
	}
	return e
}

func (before measured) compare(now measured) (e SuiteEffect) {
	for i, row := range now.rows {
		if i >= len(before.rows) || row != before.rows[i] {
			e.Rows++
		}
	}
	byName := func(a, b figureKey) int { return strings.Compare(a.name+a.agent, b.name+b.agent) }
	for _, k := range slices.SortedFunc(maps.Keys(before.figures), byName) {
		was, is := before.figures[k], now.figures[k]
		hits := 0
		if is.Rate != nil {
			hits = is.Rate.Hits
		}
		if hits == was.Rate.Hits {
			continue
		}
		change := hits - was.Rate.Hits
		e.Figures = append(e.Figures, strings.TrimSpace(fmt.Sprintf("%s %s", k.name, k.agent))+" "+signed(change))
		switch was.Better {
		case eval.Higher:
			e.Gain += change
		case eval.Lower:
			e.Gain -= change
		}
	}
	return e
}

func signed(n int) string {
	if n < 0 {
		return fmt.Sprintf("−%d", -n)
	}
	return fmt.Sprintf("+%d", n)
}

// Verdict is what the figures say of a rule, in a word.
func (e Effect) Verdict() string {
	gain, rows, figures := 0, 0, 0
	for _, s := range e.Suites {
		if s.Broken != "" {
			return "needed"
		}
		gain, rows, figures = gain+s.Gain, rows+s.Rows, figures+len(s.Figures)
	}
	switch {
	case rows == 0:
		return "**moves nothing**"
	case figures == 0:
		return "**moves no figure**"
	case gain > 0:
		return "**better without**"
	}
	return ""
}

// RulesTable is the table of a page, with a row for each rule.
func RulesTable(room string, suites []string, all []Effect) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s -->\n| %s: rule that is off | lines | %s | |\n%s|\n", rulesFrom(room), room, strings.Join(suites, " | "), strings.Repeat("|---", len(suites)+3))
	for _, e := range all {
		var cells []string
		for _, s := range e.Suites {
			cells = append(cells, s.cell())
		}
		fmt.Fprintf(&b, "| `%s` | %d | %s | %s |\n", e.Name, e.Lines, strings.Join(cells, " | "), e.Verdict())
	}
	return b.String() + rulesTo
}

func (s SuiteEffect) cell() string {
	switch {
	case s.Broken != "":
		return "fails"
	case s.Rows == 0:
		return ""
	}
	return strings.Join(append([]string{fmt.Sprintf("%d rows", s.Rows)}, s.Figures...), ", ")
}

// The lines before and after a table of rules.
func rulesFrom(room string) string { return "<!-- made by make ablation RULES=" + room }

const rulesTo = "<!-- end of the rules -->\n"
