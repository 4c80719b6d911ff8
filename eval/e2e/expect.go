package e2e

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// unmet returns the error about cases in which onestep did not do what they expect.
func unmet(rows []eval.Row) error {
	n, first := 0, eval.Row{}
	for _, r := range rows {
		if met, asked := r.Facts[asExpected]; r.Agent == Safe && asked && met == 0 {
			if n++; n == 1 {
				first = r
			}
		}
	}
	if n == 0 {
		return nil
	}
	return verdict.Fail(verdict.EvalFailed, nil, "%d cases did not come out as they expect; first %.100q: expected %.300s, observed %.100s",
		n, first.ID, first.Expected, first.Observed)
}

// kept is the data of a row about its case.
type kept struct {
	Unlisted []string `json:"unlisted,omitzero"` // names of tools that no server of the run lists
}

// unlisted returns the names in a case that no server lists. No agent meets an
// expectation about such a name, or every agent does.
func unlisted(c Case, contracts map[string]contract) []string {
	var named []string
	if e := c.Expect; e != nil {
		named = append(append(named, e.MustNotCall...), e.call())
		if e.Server != "" && !listsAny(contracts, e.Server) {
			named = append(named, e.Server)
		}
	}
	for _, l := range c.Lies {
		named = append(named, l.Server+"/"+l.Tool)
	}
	return slices.DeleteFunc(named, func(name string) bool {
		_, listed := contracts[name]
		return listed || name == ""
	})
}

func listsAny(contracts map[string]contract, server string) bool {
	for name := range contracts {
		if strings.HasPrefix(name, server+"/") {
			return true
		}
	}
	return false
}

// warned returns the unlisted names, each with its first case.
func warned(rows []eval.Row) []string {
	var all []string
	seen := map[string]bool{}
	for _, r := range rows {
		var k kept
		if r.Data == nil || schema.Decode(r.Data, &k, eval.RowLimits()) != nil {
			continue
		}
		for _, name := range k.Unlisted {
			if !seen[name] {
				seen[name] = true
				all = append(all, fmt.Sprintf("WARNING: the case %.100q names %.200q, which no server of this run lists: nothing can be said about it.", r.ID, name))
			}
		}
	}
	return all
}
