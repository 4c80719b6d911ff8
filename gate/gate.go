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
}

// Gate approves plans and accepts results. Compiled schemas are kept from one
// run to the next. It is safe for concurrent use.
type Gate struct {
	limits     schema.Limits
	types      map[string]func([]byte) error
	validators validators
}

// New makes a gate.
func New(opt Options) *Gate {
	lim := schema.ResultLimits
	if opt.MaxResult > 0 {
		lim.Values = int(max(1, float64(opt.MaxResult)/float64(lim.Bytes)) * float64(lim.Values))
		lim.Bytes = opt.MaxResult
	}
	return &Gate{limits: lim, types: opt.Types}
}

// validators keeps compiled schemas by the digest of their text and role.
type validators struct {
	mu   sync.Mutex
	kept map[[sha256.Size]byte]schema.Validator
}

// keepValidators bounds the memory of a long-lived host. Past it the store
// starts anew: compiling again costs less than a millisecond.
const keepValidators = 1024

func (v *validators) of(role schema.Role, s schema.Schema) (schema.Validator, error) {
	key := sha256.Sum256(append([]byte{byte(role)}, s.Raw()...))
	v.mu.Lock()
	defer v.mu.Unlock()
	if c, ok := v.kept[key]; ok {
		return c, nil
	}
	c, err := s.Compile()
	if err != nil {
		return schema.Validator{}, misfit(verdict.SchemaUnenforceable, err)
	}
	if v.kept == nil || len(v.kept) >= keepValidators {
		v.kept = map[[sha256.Size]byte]schema.Validator{}
	}
	v.kept[key] = c
	return c, nil
}
