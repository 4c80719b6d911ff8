package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
)

// Trial compares two policies over recorded calls.
type Trial struct {
	Calls      int      `json:"calls"`      // in the traces of the period
	Refused    int      `json:"refused"`    // newly refused by the new policy
	Changed    []Move   `json:"changed"`    // by the new policy; newly allowed ones first
	Idle       []string `json:"idle"`       // rules of the new policy that matched no call
	Unreadable int      `json:"unreadable"` // traces that could not be replayed
}

// Move is one call with a changed verdict.
type Move struct {
	RunID string    `json:"run_id"`
	Time  time.Time `json:"time"`
	Tool  string    `json:"tool"`
	Was   string    `json:"was"`
	Is    string    `json:"is"`
	By    string    `json:"by"` // the rule that now decides
}

// Try decides again on every call since a time, under the policy of the settings and under
// another. The other is a file in its place, or the policy with one more rule. Try opens the
// traces and the policy files, and nothing else.
func (d Desk) Try(ctx context.Context, since time.Time, file, more, version string) (Trial, error) {
	was, err := d.Policy("")
	if err != nil {
		return Trial{}, err
	}
	is, err := d.other(was, file, more)
	if err != nil {
		return Trial{}, err
	}
	all, err := runs.At(d.Desk).Runs().List(runs.Filter{Since: since})
	if err != nil {
		return Trial{}, err
	}
	found, met := Trial{Changed: []Move{}, Idle: []string{}}, map[string]bool{}
	all = slices.DeleteFunc(all, func(run runs.Run) bool { return run.Tool == "" })
	t := trial{runs: runs.At(d.Desk).Runs(), version: version, was: was, is: is}
	for i, one := range t.all(ctx, all) {
		found.add(all[i], one, met)
	}
	slices.SortStableFunc(found.Changed, func(a, b Move) int { return cmp.Compare(a.closes(), b.closes()) })
	for _, r := range is.Rules() {
		if r.Decides() && !met[r.Name()] {
			found.Idle = append(found.Idle, r.Name())
		}
	}
	return found, nil
}

// twice is the decisions of two policies on one run.
type twice struct {
	before, now host.Verdict
	by          rule.Decision // of the second policy
	ok          bool
}

// trial decides on recorded calls under two policies. Runs with the same tools and policy
// share what was read of them.
type trial struct {
	runs    runs.Runs
	version string
	was, is rule.Policy
	memory  replay.Memory
}

// all decides again on each run, on all processors.
func (t *trial) all(ctx context.Context, all []runs.Run) []twice {
	found := make([]twice, len(all))
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i, run := range all {
		workers.Go(func() error {
			found[i] = t.one(ctx, run)
			return nil
		})
	}
	_ = workers.Wait() // no run fails
	return found
}

func (t *trial) one(ctx context.Context, run runs.Run) (is twice) {
	recorded, err := t.runs.Read(run.Path)
	if err != nil && verdict.CodeOf(err) != verdict.TraceIncomplete {
		return is
	}
	opt := recorded.Replay(t.version)
	opt.Decide, opt.Memory = true, &t.memory
	if is.before, _, is.ok = decided(ctx, recorded, opt, t.was); is.ok {
		is.now, is.by, is.ok = decided(ctx, recorded, opt, t.is)
	}
	return is
}

// add counts one run. A run that an earlier gate refuses has nothing to decide.
func (t *Trial) add(run runs.Run, is twice, met map[string]bool) {
	before, now, by := is.before, is.now, is.by
	if !is.ok {
		t.Unreadable++
		return
	}
	if now.Verdict == "" {
		return
	}
	t.Calls++
	for _, s := range by.Spoke {
		met[s.Rule] = true
	}
	if now.Verdict == before.Verdict {
		return
	}
	if now.Verdict == "deny" {
		t.Refused++
	}
	t.Changed = append(t.Changed, Move{run.RunID, run.Time, run.Tool, before.Verdict, now.Verdict, by.By})
}

// closes is positive for a call that becomes harder to make.
func (m Move) closes() int {
	order := []string{"allow", "ask", "deny"}
	return cmp.Compare(slices.Index(order, m.Is), slices.Index(order, m.Was))
}

// tried is the file name of a rule that is in no file.
const tried = "(this rule)"

// other is the policy of a file, or p with one more rule. The rule is JSON, or an effect and
// tools, such as "deny tickets/close_*".
func (d Desk) other(p rule.Policy, file, more string) (rule.Policy, error) {
	if file != "" {
		return d.Policy(file)
	}
	text := []byte(more)
	if words := strings.Fields(more); !strings.HasPrefix(more, "{") {
		if len(words) < 2 {
			return p, verdict.Fail(verdict.UsageArgument, nil, "%.100q is not a rule: write an effect and tools, such as 'deny tickets/close_*', or a rule as JSON", more)
		}
		tools := make([]any, len(words)-1)
		for i, w := range words[1:] {
			tools[i] = w
		}
		text = schema.Literal(map[string]any{"effect": words[0], "tools": tools})
	}
	body := slices.Concat([]byte(`{`), zoneMember(p), []byte(`"rules":[`), text, []byte(`]}`))
	is, err := rule.Parse(append(p.Files(), rule.File{Name: tried, Text: body})...)
	if err == nil {
		err = is.Check(func(r *rule.Rule) bool { return r.File == tried })
	}
	if err != nil {
		return is, config.BadPolicy(err)
	}
	return is, nil
}

func zoneMember(p rule.Policy) []byte {
	if p.Zone() == "" {
		return nil
	}
	return slices.Concat([]byte(`"zone":`), schema.Literal(p.Zone()), []byte(`,`))
}

// decided is the verdict on a run's call under a policy, and the policy's decision. The
// verdict is empty if the run did not reach a call.
func decided(ctx context.Context, r runs.Recorded, opt replay.Options, p rule.Policy) (v host.Verdict, by rule.Decision, ok bool) {
	opt.Change = func(recorded host.Policy) host.Policy {
		recorded.CallRules = p
		return recorded
	}
	report, err := replay.Run(ctx, r.Events, opt)
	if err != nil {
		return v, by, false
	}
	for _, one := range report.Outcome.Verdicts {
		if one.Gate == "approve" {
			v = one
		}
	}
	by.By = "default"
	if d := report.Decision; d != nil {
		by.By = d.By
		for _, s := range d.Spoke {
			by.Spoke = append(by.Spoke, rule.Spoke{Rule: s.Rule})
		}
	}
	return v, by, true
}

// Case is an expected decision in a file next to the rules.
type Case struct {
	Call
	Want string `json:"want"`         // "allow", "ask" or "deny"
	By   string `json:"by,omitempty"` // the rule that must decide, as file:line
}

// Tested is the result of one test.
type Tested struct {
	Test  string        `json:"test"` // file and number
	Want  string        `json:"want"`
	Found Explained     `json:"found"`
	OK    bool          `json:"ok"`
	Error *host.Failure `json:"error,omitempty"`
}

var testLimits = schema.Limits{Bytes: 4 << 20, Depth: 64, Values: 100_000, Exponent: 308, Digits: 64}

// testsOf is the path of a policy file's tests.
func testsOf(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".test.json" }

// Test runs the expected decisions next to each policy file, NAME.test.json.
func Test(ctx context.Context, s servers.Servers, file string) (all []Tested, err error) {
	paths := []string{file}
	if file == "" {
		paths = nil
		for _, p := range s.Desk.Settings.Policy {
			paths = append(paths, p.V)
		}
	}
	j, err := newJudge(s, file)
	if err != nil {
		return nil, err
	}
	all = []Tested{}
	err = approved(ctx, s, func(c catalog.Catalog) error {
		for _, path := range paths {
			tests, err := readTests(testsOf(path))
			if err != nil {
				return err
			}
			for i, test := range tests {
				found, err := j.explained(s, c, test.Call)
				decided := found.Verdict == test.Want && (test.By == "" || test.By == found.By)
				ok := err == nil && decided
				found.Record = nil
				all = append(all, Tested{fmt.Sprintf("%s %d", testsOf(filepath.Base(path)), i+1), test.Want, found, ok, host.FailureOf(err)})
			}
		}
		return nil
	})
	failed := len(slices.DeleteFunc(slices.Clone(all), func(t Tested) bool { return t.OK }))
	switch {
	case err != nil:
	case len(all) == 0:
		err = verdict.Fail(verdict.ConfigMissing, nil, "there is no test next to a policy file: write {\"tests\": […]} into %s", testsOf(cmp.Or(append(paths, "policy.json")[0], "policy.json")))
	case failed > 0:
		err = verdict.Fail(verdict.RuleTest, nil, "%d of %d decisions are not as expected", failed, len(all))
	}
	return all, err
}

func readTests(path string) ([]Case, error) {
	b, err := config.ReadFile(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	var f struct {
		Tests []Case `json:"tests"`
	}
	if err := schema.Decode(b, &f, testLimits); err != nil {
		return nil, verdict.Fail(verdict.ConfigInvalid, nil, "%s has %v", path, err)
	}
	return f.Tests, nil
}
