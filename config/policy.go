package config

import (
	"errors"
	"io/fs"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
)

// LoadAllowlist reads the allowlist. Where it is missing, unreadable or
// invalid, the list that comes back allows nothing and says why: that is a
// refusal of the question, not a failure of the program.
func LoadAllowlist(path string) catalog.Allowlist {
	b, err := readBounded(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return catalog.Nothing(verdict.Deny(verdict.AllowMissing, "there is no allowlist at %s", path))
	case err != nil:
		return catalog.Nothing(verdict.Deny(verdict.AllowInvalid, "the allowlist %s cannot be read: %v", path, cause(err)))
	}
	list, err := catalog.ParseAllowlist(b)
	var d *verdict.Denial
	if errors.As(err, &d) {
		return catalog.Nothing(verdict.Deny(d.Code, "%s: %s", path, d.Reason))
	}
	return list
}

// LoadRules reads the input rules of every layer and adds them up. With no
// file the built-in rules hold.
func LoadRules(paths []Value[string]) (input.Rules, error) {
	if len(paths) == 0 {
		return input.BuiltIn(), nil
	}
	var all input.Rules
	for i, p := range paths {
		b, err := readBounded(p.V)
		if err != nil {
			return input.Rules{}, verdict.Fail(verdict.ConfigUnreadable, err, "input rules %s (%s): %v", p.V, p.Origin, cause(err))
		}
		rules, err := input.ParseRules(b)
		if err != nil {
			return input.Rules{}, verdict.Fail(verdict.ConfigInvalid, err, "input rules %s: %v", p.V, err)
		}
		if i > 0 {
			rules = all.And(rules)
		}
		all = rules
	}
	return all, nil
}
