package rule

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The effects of rules that decide nothing: [Limit] bounds how often calls leave,
// [Log] names the arguments whose values the audit shows.
const (
	Limit Effect = "limit"
	Log   Effect = "audit"
)

// Decides reports whether a rule speaks in a decision.
func (r *Rule) Decides() bool { return r.Effect != Limit && r.Effect != Log }

// Rate is how many calls of a rule's tools, all together, leave in a time.
type Rate struct {
	Calls int
	Per   time.Duration
}

// maxCalls bounds the calls of one rate.
const maxCalls = 1_000_000

var periods = map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

// step is the time in which one call comes back. It is rounded up: no more calls
// leave than the rule says.
func (r Rate) step() time.Duration {
	calls := time.Duration(max(1, r.Calls))
	return (r.Per + calls*time.Microsecond - 1).Truncate(calls*time.Microsecond) / calls
}

// Take takes one call from a token bucket, which is full at a time: at once what
// the rate lets leave, and then one more in each of its steps. It gives how many
// calls were left, and when the bucket is full with one less. Where none was left
// the bucket stays, and wait is the time until one is. A clock that was set back
// finds fewer.
func (r Rate) Take(full, now time.Time) (left int, then time.Time, wait time.Duration) {
	if full.Before(now) {
		full = now
	}
	step := r.step()
	missing := full.Sub(now)
	left = max(0, r.Calls-int(min((missing+step-1)/step, maxCalls)))
	if left == 0 {
		return 0, full, missing - step*time.Duration(r.Calls-1)
	}
	return left, full.Add(step), 0
}

// Bucket is a limit, and what was left of it before a call.
type Bucket struct {
	Rule  string
	Key   string // of what the rule says, wherever it is written
	Rate  Rate
	Left  int
	Until time.Duration // the next call can leave, where none is left
	Why   string
}

// Limits are the buckets that a call of a tool takes from; what is left of them
// is not known here.
func (p Policy) Limits(server, tool string) (all []Bucket) {
	for _, r := range p.rules {
		if r.Effect != Limit || !r.Speaks(server, tool) {
			continue
		}
		b := Bucket{Rule: r.Name(), Key: r.key(), Rate: r.Rate, Why: r.Why}
		if !slices.ContainsFunc(all, func(other Bucket) bool { return other.Key == b.Key }) {
			all = append(all, b)
		}
	}
	return all
}

// key is the same for rules that say the same, so that a file that is moved or
// whose lines move keeps what was counted.
func (r *Rule) key() string {
	said := append([]string{fmt.Sprint(r.Rate.Calls, r.Rate.Per)}, slices.Sorted(slices.Values(r.Tools))...)
	sum := sha256.Sum256([]byte(strings.Join(said, "\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Exhausted is the refusal of a call of which a bucket has nothing left, nil
// where each has. It is computed of the counters alone, so that a replay computes
// it again.
func Exhausted(all []Bucket) error {
	for _, b := range all {
		if b.Left > 0 {
			continue
		}
		no := verdict.Deny(verdict.RuleRate, "%s lets %d calls leave, and one more every %s; they have left: %s", b.Rule, b.Rate.Calls, b.Rate.step(), cmp.Or(b.Why, "a limit of the policy"))
		no.Hint = fmt.Sprintf("ask again in %s, or change the limit", max(time.Second, b.Until.Round(time.Second)))
		no.Rules = []string{string(verdict.RuleRate), b.Rule}
		return no
	}
	return nil
}

// Logged are the arguments of a tool whose values the audit shows, as JSON
// Pointers, sorted.
func (p Policy) Logged(server, tool string) (all []string) {
	for _, r := range p.rules {
		if r.Effect == Log && r.Speaks(server, tool) {
			all = append(all, r.Logs...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// rate reads a limit.
func (p parser) rate(r *Rule, m schema.Member) error {
	var said struct {
		Calls int    `json:"calls"`
		Per   string `json:"per"`
	}
	err := schema.Decode(m.Value, &said, fileLimits)
	r.Effect, r.Rate = Limit, Rate{said.Calls, periods[said.Per]}
	if err != nil || said.Calls < 1 || said.Calls > maxCalls || r.Rate.Per == 0 {
		return p.fail(m.At, `write "limit": {"calls": 20, "per": "hour"}`, "limit is not a number of calls from 1 to %d per minute, hour or day", maxCalls)
	}
	return nil
}

// logs reads the arguments whose values the audit shows.
func (p parser) logs(r *Rule, m schema.Member) error {
	r.Effect = Log
	if err := schema.Decode(m.Value, &r.Logs, fileLimits); err != nil || len(r.Logs) == 0 || len(r.Logs) > maxTools {
		return p.fail(m.At, `write "audit": ["ticket_id"]`, "audit is not a list of at most %d arguments", maxTools)
	}
	for i, name := range r.Logs {
		r.Logs[i] = pointerOf(name)
	}
	return nil
}
