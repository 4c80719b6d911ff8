package grant

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Rate is how many calls of a rule's tools, all together, leave in a time.
type Rate struct {
	Calls   int `json:"calls"`
	Seconds int `json:"per_seconds"`
}

// MaxCalls bounds the calls of one rate.
const MaxCalls = 1_000_000

// per is the time in which all of the calls come back.
func (r Rate) per() time.Duration { return time.Duration(r.Seconds) * time.Second }

// step is the time in which one call comes back. It is rounded up: no more calls
// leave than the rule says.
func (r Rate) step() time.Duration {
	calls := int64(max(1, r.Calls))
	return time.Duration((r.per().Microseconds()+calls-1)/calls) * time.Microsecond
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
	left = max(0, r.Calls-int(min((missing+step-1)/step, MaxCalls)))
	if left == 0 {
		return 0, full, missing - step*time.Duration(r.Calls-1)
	}
	return left, full.Add(step), 0
}

// Bucket is a limit of the policy, and what was left of it before a call.
type Bucket struct {
	Rule string `json:"rule"`
	Key  string `json:"key"` // of what the rule says, wherever it is written
	Rate
	Left int    `json:"left"`
	Wait int64  `json:"wait_ms,omitzero"` // until the next call can leave, where none is left
	Why  string `json:"why,omitempty"`
}

// Recorded gives limits what was left of them in a run. One that the run did not have
// is not known to be exhausted, and is left out.
func Recorded(limits, run []Bucket) (known []Bucket) {
	for _, b := range limits {
		if i := slices.IndexFunc(run, func(was Bucket) bool { return was.Key == b.Key }); i >= 0 {
			b.Left, b.Wait, b.Why = run[i].Left, run[i].Wait, run[i].Why
			known = append(known, b)
		}
	}
	return known
}

// Exhausted is the refusal of a call of which a bucket has nothing left, nil
// where each has. It is computed of the counters alone, so that a replay computes
// it again.
func Exhausted(all []Bucket) error {
	for _, b := range all {
		if b.Left > 0 {
			continue
		}
		no := verdict.Deny(verdict.RuleRate, "%s lets %d calls leave, and one more every %s; none is left: %s", b.Rule, b.Calls, b.step(), cmp.Or(b.Why, "a limit of the policy"))
		no.Hint = fmt.Sprintf("ask again in %s, or change the limit", max(time.Second, (time.Duration(b.Wait)*time.Millisecond).Round(time.Second)))
		no.Rules = []string{string(verdict.RuleRate), b.Rule}
		return no
	}
	return nil
}
