package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/schema"
)

// The effects of rules that decide nothing. [Limit] bounds how often calls leave.
// [Log] names the arguments that the audit shows with their values.
const (
	Limit Effect = "limit"
	Log   Effect = "audit"
)

// Decides reports whether a rule takes part in a decision.
func (r *Rule) Decides() bool { return r.Effect != Limit && r.Effect != Log }

// periods are in seconds.
var periods = map[string]int{"minute": 60, "hour": 3600, "day": 24 * 3600}

// Limits returns the buckets that a call of a tool takes from, without their current
// levels.
func (p Policy) Limits(server, tool string) (all []grant.Bucket) {
	for _, r := range p.rules {
		if r.Effect != Limit || !r.Speaks(server, tool) {
			continue
		}
		b := grant.Bucket{Rule: r.Name(), Key: r.key(), Rate: r.Rate, Why: r.Why}
		if !slices.ContainsFunc(all, func(other grant.Bucket) bool { return other.Key == b.Key }) {
			all = append(all, b)
		}
	}
	return all
}

// key returns the same key for rules with the same content. So the counts stay when a
// file moves, or when its lines do.
func (r *Rule) key() string {
	said := append([]string{fmt.Sprint(r.Rate.Calls, r.Rate.Seconds)}, slices.Sorted(slices.Values(r.Tools))...)
	sum := sha256.Sum256([]byte(strings.Join(said, "\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Logged returns the arguments of a tool that the audit shows with their values, as
// sorted JSON Pointers.
func (p Policy) Logged(server, tool string) (all []string) {
	for _, r := range p.rules {
		if r.Effect == Log && r.Speaks(server, tool) {
			all = append(all, r.Logs...)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// rate reads a limit.
func (p parser) rate(r *Rule, m schema.Member) error {
	var said struct {
		Calls int    `json:"calls"`
		Per   string `json:"per"`
	}
	err := schema.Decode(m.Value, &said, fileLimits)
	r.Effect, r.Rate = Limit, grant.Rate{Calls: said.Calls, Seconds: periods[said.Per]}
	counted := 1 <= said.Calls && said.Calls <= grant.MaxCalls
	if err != nil || !counted || r.Rate.Seconds == 0 {
		return p.fail(m.At, `write "limit": {"calls": 20, "per": "hour"}`, "limit is not a number of calls from 1 to %d per minute, hour or day", grant.MaxCalls)
	}
	return nil
}

// arguments reads a list of names or JSON Pointers of arguments, as JSON Pointers.
func (p parser) arguments(m schema.Member, next string) (all []string, err error) {
	if err := schema.Decode(m.Value, &all, fileLimits); err != nil || len(all) == 0 || len(all) > maxTools {
		return nil, p.fail(m.At, next, "%s is not a list of at most %d arguments", m.Name, maxTools)
	}
	for i, name := range all {
		all[i] = catalog.ArgumentOf(name)
	}
	return all, nil
}
