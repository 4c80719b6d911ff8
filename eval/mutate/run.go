package mutate

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// Finding is the result of one mutant.
type Finding struct {
	Gate    string   `json:"gate"`
	Mutant  string   `json:"mutant"`
	Files   []string `json:"files"`
	Test    *Catch   `json:"test"`             // of the room's own tests, null if none failed
	Suite   *Catch   `json:"evaluation"`       // of the evaluations, null if none failed
	Apart   string   `json:"not_reachable_by"` // why no evaluation reaches it, or ""
	Error   string   `json:"error,omitempty"`  // why the result is unknown
	Seconds float64  `json:"seconds"`
}

// Hole describes the hole that the finding shows, or "".
func (f Finding) Hole() string {
	switch {
	case f.Error != "":
		return "ERROR: " + f.Error
	case f.Test == nil:
		return "SURVIVES the tests of its room"
	case f.Suite == nil && f.Apart == "":
		return "SURVIVES the evaluation"
	}
	return ""
}

// judges are the tests of an evaluation that check the gates. Its other tests check
// the measurement.
var judges = map[string]string{
	"eval/offline":   "^TestTheGatesAreRightAboutEveryCase$",
	"eval/e2e":       "^(TestOnestepDoesNoHarmWhateverIsSaid|TestAgentsMeetEveryExpectationWhereNobodyAttacks)$",
	"eval/pins":      "^TestEveryAttackIsCaughtAndNothingHarmlessOverstated$",
	"eval/grounding": "^(TestFrozenCasesShowTheirContext|TestNeighboursAreShown)$",
	"eval/requests":  "^TestBuiltInRulesHoldTheirAimsOnPublicRequests$",
}

// Baseline runs all tests that the mutants name on the unchanged source. A failure
// there would look like a catch.
func Baseline(ctx context.Context, root string, mutants []Mutant) error {
	rooms := map[string]bool{}
	for _, m := range mutants {
		for _, room := range slices.Concat(m.Tests, m.Suites) {
			rooms[room] = true
		}
	}
	// Without further flags, `go test` does not repeat tests that just passed.
	args := []string{"test"}
	for room := range rooms {
		args = append(args, "./"+room)
	}
	slices.Sort(args[1:])
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("without any mutant: %w\n%s", err, out)
	}
	return nil
}

// Limits are for one run.
type Limits struct {
	Jobs int           // mutants at a time
	Time time.Duration // after it no mutant begins; 0 means no end
}

// Run tries the mutants, and returns the findings in their order. The last mutants
// have no finding if the time was too short. see may be nil; it receives each finding
// when it is known.
func Run(ctx context.Context, root string, mutants []Mutant, limits Limits, see func(Finding)) []Finding {
	findings := make([]Finding, len(mutants))
	start := time.Now()
	next := make(chan int)
	var done sync.WaitGroup
	var seeing sync.Mutex
	for range max(limits.Jobs, 1) {
		done.Go(func() {
			for i := range next {
				findings[i] = try(ctx, root, mutants[i])
				seeing.Lock()
				if see != nil {
					see(findings[i])
				}
				seeing.Unlock()
			}
		})
	}
	begun := 0
	for ; begun < len(mutants) && (limits.Time == 0 || time.Since(start) < limits.Time); begun++ {
		next <- begun
	}
	close(next)
	done.Wait()
	return findings[:begun]
}

// try runs the tests and the suites on one mutant.
func try(ctx context.Context, root string, m Mutant) Finding {
	f := Finding{Gate: m.Gate, Mutant: m.Name, Apart: m.Apart}
	start := time.Now()
	err := f.fill(ctx, root, m)
	f.Seconds = float64(time.Since(start).Round(100*time.Millisecond)) / float64(time.Second)
	if err != nil {
		f.Error = err.Error()
	}
	return f
}

func (f *Finding) fill(ctx context.Context, root string, m Mutant) error {
	dir, err := os.MkdirTemp("", "mutate-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	files, err := m.Files(os.DirFS(root))
	if err != nil {
		return err
	}
	f.Files = slices.Sorted(maps.Keys(files))
	overlay, err := lay(dir, root, files)
	if err != nil {
		return err
	}
	run := func(room, tests string) (*Catch, error) {
		return gotest(ctx, root, dir, []string{"-overlay=" + overlay, "-count=1", "-run=" + tests}, room)
	}
	first := func(rooms []string) (*Catch, error) {
		for _, room := range rooms {
			if caught, err := run(room, judges[room]); caught != nil || err != nil {
				return caught, err
			}
		}
		return nil, nil //nolint:nilnil // no failure and no error: nothing was caught
	}
	if m.By != "" {
		if f.Test, err = run(m.ByRoom, "^"+m.By+"$"); err != nil {
			return err
		}
	}
	if f.Test == nil {
		f.Test, err = first(m.Tests)
	}
	if err != nil {
		return err
	}
	f.Suite, err = first(m.Suites)
	return err
}

// lay writes the files, and the overlay that replaces the module's own files by them;
// `go help build` has its form.
func lay(dir, root string, files map[string]string) (string, error) {
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	for name, text := range files {
		own := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
			return "", err
		}
		overlay.Replace[filepath.Join(root, filepath.FromSlash(name))] = own
	}
	b, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, b, 0o600)
}
