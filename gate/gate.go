// Package gate decides between a plan and a server.
//
// An [Approved] vouches that a plan names an allowed tool and that its arguments fit
// the tool's schema. It can be redeemed once, and only against a synced trace record
// and the very descriptor of its approval: [Approved.Redeem] is the one function of
// the program that returns a tool name with arguments. A [Typed] vouches that a result
// fits its declared type.
//
// Neither vouches that the call is wise, nor that the result is true.
//
// host approves and accepts; host/session redeems.
package gate

import (
	"cmp"
	"crypto/sha256"
	"sync"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Options of [New].
type Options struct {
	// MaxResult bounds one result, in bytes; 0 means schema.ResultLimits. A higher
	// limit admits more values in proportion.
	MaxResult int
	// Types checks a typed result of "server/tool" against a Go type as well.
	// A type can only refuse.
	Types map[string]func(value []byte) error
	// Strict requires a person's approval for every call with a mark, also for a tool
	// that reads.
	Strict bool
	// StrictOutputs refuses a result with a date-time that lacks its offset from UTC.
	StrictOutputs bool
	// OthersApprove requires that someone other than its asker approves each call.
	OthersApprove bool
	// Rules find the texts that no claim may use.
	Rules scan.Rules
	// Accept are the differences between the approved and the live descriptor that
	// need no person.
	Accept pin.Accept
	// Policy is the operator's rules; without a file the defaults apply.
	Policy rule.Policy
	// Validators keeps compiled schemas for other gates, too; nil keeps them for this gate.
	Validators *Validators
}

// Gate approves plans and accepts results. It keeps compiled schemas from one run to
// the next. It is safe for concurrent use.
type Gate struct {
	opt        Options
	limits     schema.Limits
	validators *Validators
}

// New makes a gate.
func New(opt Options) *Gate {
	lim := schema.ResultLimits
	if opt.MaxResult > 0 {
		lim.Values = int(max(1, float64(opt.MaxResult)/float64(lim.Bytes)) * float64(lim.Values))
		lim.Bytes = opt.MaxResult
	}
	return &Gate{opt: opt, limits: lim, validators: cmp.Or(opt.Validators, &Validators{})}
}

// Validators keeps compiled schemas by the digest of their text and role. Its zero value
// is ready, and it is safe for concurrent use.
type Validators struct {
	mu     sync.Mutex
	kept   map[[sha256.Size]byte]schema.Validator
	weight int
}

// maxKept bounds the memory of a long-lived host, in bytes of compiled schemas: some
// two thousand typical ones. Beyond it, the store is emptied.
const maxKept = 64 << 20

func (v *Validators) of(role schema.Role, s schema.Schema) (schema.Validator, error) {
	key := sha256.Sum256(append([]byte{byte(role)}, s.Raw()...))
	v.mu.Lock()
	c, ok := v.kept[key]
	v.mu.Unlock()
	if ok {
		return c, nil
	}
	c, err := s.Compile() // no caller waits for another caller's schema: the hardest take some 0.2 seconds
	if err != nil {
		return c, misfit(verdict.SchemaUnenforceable, err)
	}
	v.keep(key, c, s.Weight())
	return c, nil
}

func (v *Validators) keep(key [sha256.Size]byte, c schema.Validator, weight int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, twice := v.kept[key]; twice {
		return
	}
	if v.weight += weight; v.kept == nil || v.weight > maxKept {
		v.kept, v.weight = map[[sha256.Size]byte]schema.Validator{}, weight
	}
	v.kept[key] = c
}
