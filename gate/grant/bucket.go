package grant

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Rate is how many calls of a rule's tools, all together, may leave in a period.
type Rate struct {
	Calls   int `json:"calls"`
	Seconds int `json:"per_seconds"`
}

// MaxCalls bounds the calls of one rate.
const MaxCalls = 1_000_000

// per is the period in which all calls come back.
func (r Rate) per() time.Duration { return time.Duration(r.Seconds) * time.Second }

// step is the time in which one call comes back. It is rounded up, so that no more
// calls leave than the rule allows.
func (r Rate) step() time.Duration {
	calls := int64(max(1, r.Calls))
	return time.Duration((r.per().Microseconds()+calls-1)/calls) * time.Microsecond
}

// Take takes one call from a token bucket, which fills up at the time full. The bucket
// allows the rate's calls at once, and then one more in each step. Take returns how
// many calls were left, and when the bucket is full after this call. If none was left,
// the bucket does not change, and wait is the time until one is. If the clock was set
// back, fewer calls are left.
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

// Bucket is a limit of the policy, and how many calls were left before a call.
type Bucket struct {
	Rule string `json:"rule"`
	Key  string `json:"key"` // digest of the rule's content, wherever the rule is
	Rate
	Left int    `json:"left"`
	Wait int64  `json:"wait_ms,omitzero"` // until the next call can leave, if none is left
	Why  string `json:"why,omitempty"`
}

// Recorded completes limits with the calls that were left in a run. It omits limits
// that the run did not have, because they are not known to be exhausted.
func Recorded(limits, run []Bucket) (known []Bucket) {
	for _, b := range limits {
		if i := slices.IndexFunc(run, func(was Bucket) bool { return was.Key == b.Key }); i >= 0 {
			b.Left, b.Wait, b.Why = run[i].Left, run[i].Wait, run[i].Why
			known = append(known, b)
		}
	}
	return known
}

// Exhausted returns the refusal of a call with an empty bucket, or nil if no bucket is
// empty. It computes it from the counters alone, so that a replay gets the same
// result.
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
