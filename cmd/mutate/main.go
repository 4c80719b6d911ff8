// Command mutate opens one gate after another, at build time, and says which
// test and which evaluation notices. The exit code is 1 where one does not.
//
// It runs in the module's root: `make mutate`. See docs/internals/mutation.md.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/eval/mutate"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("out", "eval/results", "the `folder` that mutate.json is written to")
	jobs := flags.Int("jobs", runtime.NumCPU()+1, "mutants at a `time`; some wait more than they compute")
	only := flags.String("only", "", "only the gates and mutants whose names hold this `text`, or the functions that it lists")
	rooms := flags.String("rooms", "", "only mutants of these `folders`, or tested in one of them; empty means all")
	quick := flags.Bool("quick", false, "run the tests alone, and no evaluation")
	limit := flags.Duration("for", 0, "begin no mutant after this `time`, and say how many were left out")
	seed := flags.String("seed", "", "try them in the order that this `text` gives, so that each has its turn under -for")
	ablate := flags.String("ablate", "", "open each gate as a whole instead, ask whole questions, and put the harm into this `page`")
	rules := flags.String("rules", "", "switch off one function of this `package` after another instead, and measure on rows that no author read")
	page := flags.String("page", "", "with -rules, the `page` that the table is put into")
	tested := flags.Bool("tested", false, "the tests have just passed: do not run them first without any mutant")
	if err := flags.Parse(args); err != nil {
		return err
	}
	mutants, err := mutate.All()
	if err != nil {
		return err
	}
	if *rules != "" {
		return ruleTable(ctx, *rules, *only, *page, *jobs, stdout, stderr)
	}
	if *ablate != "" {
		return ablation(ctx, *ablate, mutants, stdout)
	}
	in := strings.Fields(*rooms)
	mutants = slices.DeleteFunc(mutants, func(m mutate.Mutant) bool {
		return !strings.Contains(m.Gate+": "+m.Name, *only) || len(in) > 0 && !m.In(in)
	})
	if *quick {
		for i := range mutants {
			mutants[i].Suites, mutants[i].Apart = nil, "left out with -quick"
		}
	}
	progress := func(format string, args ...any) { _, _ = fmt.Fprintf(stderr, format+"\n", args...) } // nothing hangs on it
	progress("%d mutants", len(mutants))
	if !*tested {
		progress("first the tests without any")
		if err := mutate.Baseline(ctx, ".", mutants); err != nil {
			return err
		}
	}
	if *seed != "" {
		order := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(*seed)))) //nolint:gosec // an order, not a secret
		order.Shuffle(len(mutants), func(i, k int) { mutants[i], mutants[k] = mutants[k], mutants[i] })
	}
	findings := mutate.Run(ctx, ".", mutants, mutate.Limits{Jobs: *jobs, Time: *limit}, func(f mutate.Finding) {
		progress("%5.1f s  %s: %s  %s", f.Seconds, f.Gate, f.Mutant, f.Hole())
	})
	if n := len(mutants) - len(findings); n > 0 {
		progress("%d of %d mutants were left out: %v was over", n, len(mutants), *limit)
	}
	return report(mutate.NewReport(findings), *out, stdout)
}

// report shows what was found and saves it. A mutant that is not caught is an error.
func report(r mutate.Report, folder string, stdout io.Writer) error {
	if err := r.Table(stdout); err != nil {
		return err
	}
	if _, err := r.Save(folder); err != nil {
		return err
	}
	if n := len(r.Holes); n > 0 {
		return fmt.Errorf("%d of %d mutants are not caught", n, r.Mutants)
	}
	return nil
}

// ablation opens one gate after another and puts what it finds into a page.
func ablation(ctx context.Context, page string, mutants []mutate.Mutant, stdout io.Writer) error {
	var all []mutate.Ablation
	for _, m := range mutate.Openings(mutants) {
		a, err := mutate.Ablate(ctx, ".", m)
		if err != nil {
			return err
		}
		all = append(all, a)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	table := mutate.AblationTable(all)
	if text, err = mutate.PutTable(text, table); err != nil {
		return err
	}
	if _, err := io.WriteString(stdout, table); err != nil {
		return err
	}
	return os.WriteFile(page, text, 0o600)
}

// ruleTable switches off one rule of a package after another, and shows what each
// changes.
func ruleTable(ctx context.Context, room, only, page string, jobs int, stdout, stderr io.Writer) error {
	suites, all, err := mutate.Rules(ctx, ".", room, strings.Fields(only), jobs, func(e mutate.Effect) {
		_, _ = fmt.Fprintf(stderr, "%s: %s\n", e.Name, e.Verdict()) // progress alone
	})
	if err != nil {
		return err
	}
	table := mutate.RulesTable(room, suites, all)
	if _, err := io.WriteString(stdout, table); err != nil || page == "" || only != "" {
		return err
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	if text, err = mutate.PutRules(text, room, table); err != nil {
		return err
	}
	return os.WriteFile(page, text, 0o600)
}
