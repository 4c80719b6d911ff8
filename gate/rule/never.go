package rule

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/schema"
)

// Never returns why no call of a tool with this input can meet a rule, or "" if it
// finds no reason. It reads the short form and finds two mistakes: a text that the
// decision record or the input does not list, and a min above the max. A rule without
// such a mistake may still never be met.
func (r *Rule) Never(input schema.Schema) string {
	if why := r.when.never(recordRoot()); why != "" {
		return "when: " + why
	}
	if why := r.where.never(input.Root()); why != "" {
		return "where: " + why
	}
	return ""
}

func (c *clause) never(root *schema.Node) string {
	v, err := schema.Any(c.said)
	members, _ := v.(object)
	if err != nil || members["schema"] != nil {
		return ""
	}
	for key, value := range members {
		path := pathOf(catalog.ArgumentOf(key))
		all, is := value.([]any)
		if !is {
			all = []any{value}
		}
		if o, is := all[0].(object); is {
			if why := crossed(o); why != "" {
				return fmt.Sprintf("%.100q: %s", key, why)
			}
			if o["has"] == nil {
				continue
			}
			path, all = append(path, item), []any{o["has"]}
		}
		listed := listedTexts(walk(root, path))
		if len(listed) > 0 && !slices.ContainsFunc(all, func(v any) bool { text, is := v.(string); return !is || slices.Contains(listed, text) }) {
			return fmt.Sprintf("%.100q is only ever %s", key, strings.Join(listed, ", "))
		}
	}
	return ""
}

// crossed returns why no number is between two bounds.
func crossed(o object) string {
	low, _ := o["min"].(schema.Numeral)
	high, _ := o["max"].(schema.Numeral)
	from, is := new(big.Rat).SetString(string(low)) // the file's limits bound its exponents
	to, also := new(big.Rat).SetString(string(high))
	if is && also && from.Cmp(to) > 0 {
		return "min is above max"
	}
	return ""
}

// listedTexts returns the texts that a place may have; it is empty if the place may
// have others.
func listedTexts(p places) (all []string) {
	for _, n := range p.nodes {
		v, _ := n.Value("enum")
		values, _ := v.([]any)
		for _, v := range values {
			if text, is := v.(string); is {
				all = append(all, text)
			}
		}
		if p.any || values == nil {
			return nil
		}
	}
	return slices.SortedFunc(slices.Values(all), cmp.Compare[string])
}
