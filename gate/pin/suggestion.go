package pin

import (
	"github.com/onestep-run/onestep/gate/schema"
)

// The members of a tool's _meta in which a server suggests what its operator may
// adopt. They are pinned with the descriptor, shown at a review, and decide nothing.
const (
	MetaResource = "run.onestep/resource" // the resource of a call, as in an allowlist: a text
	MetaRules    = "run.onestep/rules"    // rules of its calls, as in a policy file: a list
)

// Suggestions are a server's suggestions.
type Suggestions struct {
	Resource string
	Rules    []string // as they are written
}

// maxSuggested bounds the rules that are read of one tool.
const maxSuggested = 20

// Suggestions are the suggestions in the descriptor. A suggestion of another form is left
// out.
func (d Descriptor) Suggestions() (s Suggestions) {
	var tool struct {
		Meta map[string]any `json:"_meta"`
	}
	if schema.DecodeOpen(d.Raw, &tool, schema.DescriptorLimits) != nil {
		return s
	}
	s.Resource, _ = tool.Meta[MetaResource].(string)
	rules, _ := tool.Meta[MetaRules].([]any)
	for _, r := range rules[:min(len(rules), maxSuggested)] {
		if rule, is := r.(map[string]any); is {
			s.Rules = append(s.Rules, string(schema.Literal(rule)))
		}
	}
	return s
}
