// Package gate stands between a plan and a server.
//
// An [Approved] vouches that a plan names an allowed tool and that its
// arguments fit the tool's schema. It can be redeemed once, and only against a
// synced trace record and the very descriptor it was approved with: [Approved.Redeem]
// is the one function of the program that yields a tool name with arguments.
// A [Typed] vouches that a result fits its declared type.
//
// Neither vouches that the call is wise, nor that the result is true.
//
// host approves and accepts; host/session redeems.
package gate

import (
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
	// MaxResult is the limit of one result in bytes; 0 means schema.ResultLimits.
	// A higher limit than that admits more values in proportion.
	MaxResult int
	// Types checks a typed result of "server/tool" against a Go type as well.
	// A type can only refuse.
	Types map[string]func(value []byte) error
	// Strict has a person approve every call that carries a mark, of a tool that
	// reads too.
	Strict bool
	// StrictOutputs refuses a result with a date-time that lacks its offset from UTC.
	StrictOutputs bool
	// OthersApprove has each call approved by someone other than its asker.
	OthersApprove bool
	// Rules find what no claim is made of.
	Rules scan.Rules
	// Accept are the differences between the approved descriptor and the live
	// one that pass without a person.
	Accept pin.Accept
	// Policy are the operator's rules; without a file the defaults hold.
	Policy rule.Policy
}

// Gate approves plans and accepts results. Compiled schemas are kept from one
// run to the next. It is safe for concurrent use.
type Gate struct {
	limits     schema.Limits
	types      map[string]func([]byte) error
	validators validators
	strict     bool
	others     bool // approve
	rules      scan.Rules
	accept     pin.Accept
	policy     rule.Policy

	strictOutputs bool
}

// New makes a gate.
func New(opt Options) *Gate {
	lim := schema.ResultLimits
	if opt.MaxResult > 0 {
		lim.Values = int(max(1, float64(opt.MaxResult)/float64(lim.Bytes)) * float64(lim.Values))
		lim.Bytes = opt.MaxResult
	}
	return &Gate{
		limits: lim, types: opt.Types, strict: opt.Strict, others: opt.OthersApprove, strictOutputs: opt.StrictOutputs,
		rules: opt.Rules, accept: opt.Accept, policy: opt.Policy,
	}
}

// validators keeps compiled schemas by the digest of their text and role.
type validators struct {
	mu     sync.Mutex
	kept   map[[sha256.Size]byte]schema.Validator
	weight int
}

// maxKept bounds the memory of a long-lived host, in bytes of compiled schemas:
// some two thousand typical ones. Past it the store starts again.
const maxKept = 64 << 20

func (v *validators) of(role schema.Role, s schema.Schema) (schema.Validator, error) {
	key := sha256.Sum256(append([]byte{byte(role)}, s.Raw()...))
	v.mu.Lock()
	c, ok := v.kept[key]
	v.mu.Unlock()
	if ok {
		return c, nil
	}
	c, err := s.Compile() // no caller waits for another's: the hardest take some 0.2 seconds
	if err != nil {
		return c, misfit(verdict.SchemaUnenforceable, err)
	}
	v.keep(key, c, s.Weight())
	return c, nil
}

func (v *validators) keep(key [sha256.Size]byte, c schema.Validator, weight int) {
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
