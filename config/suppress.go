package config

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/guard"
)

// GuardRules are the rules of the scan, without what the tables of servers
// suppress.
func (s Settings) GuardRules() (guard.Rules, error) {
	var rules guard.Rules
	for _, server := range slices.Sorted(maps.Keys(s.Of)) {
		if text := s.Of[server].Suppress.V; text != "" {
			var err error
			if rules, err = suppress(rules, server, text); err != nil {
				return guard.Rules{}, err
			}
		}
	}
	return rules, nil
}

func suppressible(text string) bool {
	_, err := suppress(guard.Rules{}, "any", text)
	return err == nil
}

// suppress reads "RULE, RULE: REASON".
func suppress(rules guard.Rules, server, text string) (guard.Rules, error) {
	ids, reason, found := strings.Cut(text, ":")
	if !found {
		return guard.Rules{}, errors.New("there is no reason")
	}
	var all []guard.Suppression
	for id := range strings.SplitSeq(ids, ",") {
		all = append(all, guard.Suppression{Server: server, Rule: strings.TrimSpace(id), Reason: strings.TrimSpace(reason)})
	}
	return rules.Suppress(all...)
}
