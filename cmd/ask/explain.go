package main

import (
	"strings"

	"github.com/onestep-run/onestep/planner/lexical"
)

// explain says on stderr how the embedded planner chose.
func (a *app) explain(x lexical.Explanation) {
	for i, k := range x.Candidates {
		a.Say("%d. %s/%s  rank %.2f  score %.2f  said %.2f  known %.2f%s", i+1, k.Server, k.Tool, k.Rank, k.Score, k.Said, k.Known, against(k))
	}
	for _, arg := range x.Arguments {
		a.Say("  %s = %s  from the %s: %s", arg.Path, arg.Value, arg.Origin, arg.Words)
	}
	if len(x.Missing) > 0 {
		a.Say("  missing: %s", strings.Join(x.Missing, ", "))
	}
	if x.Declined != "" {
		a.Say("declined: %s", x.Declined)
	}
}

// against says what speaks against a candidate, and the words that do.
func against(k lexical.Candidate) string {
	s := ""
	if k.Against != "" {
		s = "  against: " + k.Against
	}
	if len(k.Words) > 0 {
		s += "  left over: " + strings.Join(k.Words, " ")
	}
	return s
}
