package onestep_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/eval/e2e"
	"github.com/onestep-run/onestep/eval/grounding"
	"github.com/onestep-run/onestep/eval/injection"
	"github.com/onestep-run/onestep/eval/lock"
	"github.com/onestep-run/onestep/eval/manifest"
	"github.com/onestep-run/onestep/eval/offline"
	"github.com/onestep-run/onestep/eval/origins"
	"github.com/onestep-run/onestep/eval/pins"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/eval/requests"
	"github.com/onestep-run/onestep/eval/scan"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/host"
)

// measurements are what each baseline is a result of, as tools/eval.sh measures
// it. Those of public corpora need them.
var measurements = map[string]func(*testing.T) eval.Suite{
	"offline": func(t *testing.T) eval.Suite {
		list, err := offline.Own()
		return offline.Suite(must(t, list, err), "gates, built-in cases", offline.DefaultSeed)
	},
	"e2e_embedded":    func(t *testing.T) eval.Suite { return wholeQuestions(t, "embedded") },
	"e2e_compromised": func(t *testing.T) eval.Suite { return wholeQuestions(t, "compromised") },
	"injection": func(t *testing.T) eval.Suite {
		tools, err := injection.ReadTools(corpus.Path(t, "cases/injection-tools.jsonl"))
		list, err := injection.Read(corpus.Path(t, "cases/injection.jsonl"), must(t, tools, err))
		return injection.Suite(must(t, list, err).List, host.Policy{})
	},
	"requests": func(t *testing.T) eval.Suite {
		list, err := requests.Read(corpus.Path(t, "cases/requests.jsonl"))
		return requests.Suite(must(t, list, err).List, "built-in rules", input.BuiltIn())
	},
	"grounding": func(t *testing.T) eval.Suite {
		list, err := grounding.Own()
		return grounding.Suite(must(t, list, err))
	},
	"grounding_texts": func(t *testing.T) eval.Suite {
		list, err := grounding.Read(corpus.Path(t, "cases/grounding.jsonl"))
		return grounding.Suite(must(t, list, err).List)
	},
	"grounding_neighbours": func(t *testing.T) eval.Suite {
		list, err := grounding.Read("eval/cases/neighbours.jsonl")
		return grounding.Suite(must(t, list, err).List)
	},
	"grounding_neighbours_2": func(t *testing.T) eval.Suite {
		list, err := grounding.Read("eval/cases/neighbours-2.jsonl")
		return grounding.Suite(must(t, list, err).List)
	},
	"lock_2": func(t *testing.T) eval.Suite {
		list, err := lock.Read("eval/cases/lock-2.jsonl")
		return lock.Suite(must(t, list, err).List)
	},
	"lock_3": func(t *testing.T) eval.Suite {
		list, err := lock.Read("eval/cases/lock-3.jsonl")
		s := lock.Suite(must(t, list, err).List)
		s.Reading = list.Reading // the input gate refuses one row
		return s
	},
	"manifest": func(t *testing.T) eval.Suite {
		list, err := manifest.Servers()
		return manifest.Suite(must(t, list, err))
	},
	"manifest_packages": func(*testing.T) eval.Suite { return manifest.PackageSuite(manifest.Packages(), "interop") },
	"lock": func(t *testing.T) eval.Suite {
		list, err := lock.Own()
		return lock.Suite(must(t, list, err))
	},
	"origins": func(t *testing.T) eval.Suite {
		list, err := origins.Own()
		return origins.Suite(must(t, list, err))
	},
	"origins_1": func(t *testing.T) eval.Suite { return talks(t, "talks-1") },
	"origins_2": func(t *testing.T) eval.Suite { return talks(t, "talks-2") },
	"origins_3": func(t *testing.T) eval.Suite { return talks(t, "talks-3") },
	"pins": func(t *testing.T) eval.Suite {
		list, err := pins.Own()
		return pins.Suite(must(t, list, err), "built-in cases")
	},
	"pins_2":       func(t *testing.T) eval.Suite { return turns(t, "pins-2") },
	"pins_steps_3": func(t *testing.T) eval.Suite { return turns(t, "steps-3") },
	"pins_releases": func(t *testing.T) eval.Suite {
		steps, err := pins.ReadReleases(corpus.Path(t, "tools-list-versions"))
		return pins.Releases(must(t, steps, err))
	},
	"scan": func(t *testing.T) eval.Suite {
		list, err := scan.Own()
		return scan.Suite("scan", must(t, list, err))
	},
	"scan_second":    func(t *testing.T) eval.Suite { return scanned(t, "scan-second") },
	"scan_tools":     func(t *testing.T) eval.Suite { return scanned(t, "descriptions") },
	"scan_tools_2":   func(t *testing.T) eval.Suite { return scanned(t, "descriptions-2") },
	"scan_answers_2": func(t *testing.T) eval.Suite { return scanned(t, "results-2") },
	"scan_answers":   func(t *testing.T) eval.Suite { return scanned(t, "results") },
	"scan_blind_1":   func(t *testing.T) eval.Suite { return scanned(t, "scan-blind-1") },
	"scan_blind_2":   func(t *testing.T) eval.Suite { return scanned(t, "scan-blind-2") },
	"scan_results": func(t *testing.T) eval.Suite {
		list, err := scan.ReadResults(corpus.Path(t, "cases/injection.jsonl"))
		return scan.Suite("scan_results", must(t, list, err).List)
	},
	"scan_listings": func(t *testing.T) eval.Suite {
		list, err := scan.ReadDescriptions(corpus.Path(t, "tools-list"))
		return scan.Suite("scan_listings", must(t, list, err))
	},
	"planner":         func(t *testing.T) eval.Suite { return proposals(t, "cases/planner.jsonl") },
	"questions":       func(t *testing.T) eval.Suite { return proposals(t, "cases/questions.jsonl") },
	"suggest":         func(t *testing.T) eval.Suite { return suggestions(t, "eval/cases/asks.jsonl") },
	"suggest_first":   func(t *testing.T) eval.Suite { return suggestions(t, "eval/cases/first-questions.jsonl") },
	"suggest_2":       func(t *testing.T) eval.Suite { return suggestions(t, "eval/cases/asks-2.jsonl") },
	"suggest_3":       func(t *testing.T) eval.Suite { return suggestions(t, "eval/cases/asks-3.jsonl") },
	"suggest_4":       func(t *testing.T) eval.Suite { return suggestions(t, "eval/cases/asks-4.jsonl") },
	"suggest_first_2": func(t *testing.T) eval.Suite { return suggestions(t, "eval/cases/first-questions-2.jsonl") },
}

// silent are the measures that no case of a baseline can have: the rows of
// cases/planner.jsonl say of no tool that it writes, those of
// cases/grounding.jsonl of no context that it is far away, those of lock-2.jsonl and lock-3.jsonl
// whether they are plainly asked alone, those of
// cases/requests.jsonl have no third label, no case of e2e that says which call
// is right has another one proposed, none has a model whose tokens count, none of
// e2e_embedded has an attack that speaks, and no text of scan is injected into
// another one, nor one of scan_listings at all.
var silent = map[string][]string{
	"planner": {"wrong_write"}, "grounding_texts": {"far_shown"}, "requests": {"other_refused"},
	"lock_2": {"unasked_found", "asked_marked"}, "lock_3": {"unasked_found", "asked_marked"}, "e2e_embedded": {"wrong_marked", "tasks_lost_under_attack", "tokens"}, "e2e_compromised": {"wrong_marked", "tokens"},
	"scan": {"shown", "claimed", "lost"}, "scan_second": {"shown", "claimed", "lost"}, "scan_tools": {"shown", "claimed", "lost"}, "scan_tools_2": {"shown", "claimed", "lost"},
	"scan_results": {"claimed", "lost"}, "scan_listings": {"caught_hard", "caught", "shown", "claimed", "lost"},
}

// talks are conversations by an author who had seen neither code nor rows.
func talks(t *testing.T, name string) eval.Suite {
	t.Helper()
	list, err := origins.Read("eval/cases/" + name + ".jsonl")
	return origins.Suite(must(t, list, err).List)
}

func turns(t *testing.T, file string) eval.Suite {
	t.Helper()
	list, err := pins.ReadTurns("eval/cases/" + file + ".jsonl")
	return pins.Turns(must(t, list, err).List)
}

func scanned(t *testing.T, file string) eval.Suite {
	t.Helper()
	list, err := scan.Read("eval/cases/" + file + ".jsonl")
	return scan.Suite("scan", must(t, list, err).List)
}

func proposals(t *testing.T, file string) eval.Suite {
	t.Helper()
	list, err := planning.Read(corpus.Path(t, file))
	return planning.Suite(must(t, list, err).List, "embedded", nil)
}

func suggestions(t *testing.T, file string) eval.Suite {
	t.Helper()
	list, err := planning.ReadAsks(file, "eval/cases/asks-tools.json")
	return planning.SuggestSuite(must(t, list, err).List, "embedded", nil)
}

func wholeQuestions(t *testing.T, planner string) eval.Suite {
	t.Helper()
	list, err := e2e.Ours()
	return e2e.Suite(e2e.Config{Cases: must(t, list, err), File: e2e.Embedded, Arms: e2e.Arms(), Planner: agents.Planner{Name: planner}})
}

func must[V any](t *testing.T, v V, err error) V {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A frozen set was committed with its digest before its first run, and no row of it
// is ever mended.
func TestFrozenSetsAreAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	lists, err := filepath.Glob("eval/cases/*.sha256")
	if err != nil || len(lists) < 3 {
		t.Fatalf("%d lists of digests, %v", len(lists), err)
	}
	for _, list := range lists {
		sums, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(sums)) {
			want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
			b, err := os.ReadFile(filepath.Join("eval/cases", name))
			if sum := sha256.Sum256(b); err != nil || hex.EncodeToString(sum[:]) != want {
				t.Errorf("%s is not what %s froze, %v", name, list, err)
			}
		}
	}
}

// A baseline of other cases than the program's holds no figure to anything.
// What the figures are, `make eval` measures.
func TestBaselinesAreOfTheProgramsCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("eval/baseline/*.json")
	if err != nil || len(files) != len(measurements) {
		t.Fatalf("%v: %d baselines of %d measurements", err, len(files), len(measurements))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := measurements[name]
			if made == nil {
				t.Fatal("no measurement makes it")
			}
			r, err := eval.ReadReport(file)
			if must(t, r, err).Digest == "" { // also where its corpus is not here
				t.Fatal("it keeps no digest of its cases")
			}
			for _, finding := range stale(r, made(t), silent[name]...) {
				t.Error(finding)
			}
		})
	}
}

// stale says in what a baseline is not of a suite, of whose cases some measures
// are not.
func stale(r eval.Report, s eval.Suite, silent ...string) []string {
	var found []string
	is := func(what string, same bool) {
		if !same {
			found = append(found, what+" is not the program's: measure it again with UPDATE=1 make eval")
		}
	}
	is("the suite", r.Suite == s.Name)
	is("the subject", r.Subject == s.Subject)
	is("the seed", r.Seed == s.Seed)
	is("the digest of the cases", r.Digest == s.Digest)
	is("the number of cases", r.Complete && r.Cases == len(s.IDs)+len(s.Reading.Unasked) && r.Measured == len(s.IDs) && len(r.Failures) == 0)
	for _, m := range s.Measures {
		made := slices.ContainsFunc(r.Figures, func(f eval.Figure) bool { return makes(m, f) })
		is("the figure "+m.Name, made != slices.Contains(silent, m.Name))
	}
	for _, f := range r.Figures {
		is("the figure "+f.Name, slices.ContainsFunc(s.Measures, func(m eval.Measure) bool { return makes(m, f) }))
	}
	return found
}

func makes(m eval.Measure, f eval.Figure) bool {
	return f.Name == m.Name && f.Title == m.Title && f.Better == m.Better
}

func TestAStaleBaselineIsFound(t *testing.T) {
	t.Parallel()
	s := eval.Suite{Name: "made", Subject: "x", Seed: "1", Digest: "sha256:a", IDs: []string{"a", "b"}, Measures: []eval.Measure{{Name: "m", Title: "M", Better: eval.Lower}}}
	good := eval.Report{
		Suite: "made", Subject: "x", Seed: "1", Digest: "sha256:a", Complete: true, Cases: 2, Measured: 2,
		Figures: []eval.Figure{{Name: "m", Title: "M", Better: eval.Lower}, {Name: "m", Title: "M", Better: eval.Lower, Group: "g"}},
	}
	if found := stale(good, s); found != nil {
		t.Error(found)
	}
	for name, change := range map[string]func(*eval.Report){
		"another suite":     func(r *eval.Report) { r.Suite = "other" },
		"another subject":   func(r *eval.Report) { r.Subject = "" },
		"another seed":      func(r *eval.Report) { r.Seed = "2" },
		"other cases":       func(r *eval.Report) { r.Digest = "sha256:b" },
		"no digest":         func(r *eval.Report) { r.Digest = "" },
		"fewer cases":       func(r *eval.Report) { r.Cases, r.Measured = 1, 1 },
		"one not measured":  func(r *eval.Report) { r.Measured = 1 },
		"a failure":         func(r *eval.Report) { r.Failures = []eval.Failure{{ID: "a"}} },
		"unfinished":        func(r *eval.Report) { r.Complete = false },
		"a figure is gone":  func(r *eval.Report) { r.Figures = nil },
		"a figure too many": func(r *eval.Report) { r.Figures = append(slices.Clone(r.Figures), eval.Figure{Name: "n"}) },
		"another direction": func(r *eval.Report) { r.Figures = []eval.Figure{{Name: "m", Title: "M", Better: eval.Higher}} },
	} {
		r := good
		change(&r)
		if found := stale(r, s); len(found) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
	}
}
