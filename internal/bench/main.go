// Command bench writes the pages of figures from the output of `go test -bench`, which it
// reads on stdin. Its own benchmarks, behind the build tag bench, run whole processes next to
// a peer or to an earlier commit. `make bench` runs everything:
//
//	bench FACT...             prints the table of aims
//	bench -docs DIR FACT...   also writes benchmarks.md, benchmarks-details.md and the table of wrap.md
//
// A FACT is a line for the head of the page, such as the machine.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader, stdout io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	docs := flags.String("docs", "", "the folder `DIR` of the pages")
	planner := flags.String("planner", "", "a `FILE` with the planner's table")
	held := flags.String("held", "", "a `PAGE`, whose aims must still be met")
	if err := flags.Parse(args); err != nil {
		return err
	}
	f, err := parseFigures(stdin)
	if err != nil {
		return err
	}
	if len(f.values) == 0 {
		return errors.New("no benchmark ran")
	}
	results := f.judgeAll(aims)
	p := page{Facts: flags.Args(), Aims: results, Parts: f.judgeAll(parts), figures: f}
	if *planner != "" {
		text, err := os.ReadFile(*planner)
		if err != nil {
			return err
		}
		p.Planner = string(text)
	}
	if *docs != "" {
		if err := p.write(*docs); err != nil {
			return err
		}
	}
	if err := p.execute(stdout, "benchmarks.md"); err != nil {
		return err
	}
	if *held != "" {
		return hold(*held, results)
	}
	return nil
}

func (f figures) judgeAll(all []aim) (results []result) {
	for _, a := range all {
		results = append(results, f.judge(a))
	}
	return results
}
