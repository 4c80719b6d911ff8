package e2e

import (
	"context"
	"errors"
	"math"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/session"
)

// contracts are the tools' input schemas, by "server/tool". They are read from the
// servers once, independently of the measured agents.
type contracts struct {
	open func(context.Context, Case) (*agents.World, error)

	mu sync.Mutex
	of map[string]contract
}

// contract is a tool's input schema, for the judge's own reading and for the gates'
// validators. It includes a tool with a schema that no gate enforces, because an agent
// can still call it.
type contract struct {
	input jsontext.Value
	gates *schema.Validator // nil if the gates do not admit the schema
}

func (c *contracts) get(ctx context.Context) (_ map[string]contract, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of != nil {
		return c.of, nil
	}
	w, err := c.open(ctx, Case{})
	if err != nil {
		return nil, err
	}
	pool := session.New(w.Servers, session.Limits{})
	defer func() { err = errors.Join(err, pool.Close(), w.Close()) }()
	of := map[string]contract{}
	for _, l := range pool.Discover(ctx, "", w.Names()) {
		if l.Err != nil {
			return nil, l.Err
		}
		for _, d := range l.Tools {
			if tool, err := d.Fields(); err == nil {
				of[l.Server+"/"+tool.Name] = contractOf(tool)
			}
		}
	}
	c.of = of
	return of, nil
}

func contractOf(tool pin.Fields) contract {
	c := contract{input: tool.InputSchema}
	s, err := schema.Admit(tool.InputSchema, schema.Options{Role: schema.Input})
	if err != nil {
		return c
	}
	if v, err := s.Compile(); err == nil {
		c.gates = &v
	}
	return c
}

// broken reports whether arguments do not fit the tool. The judge's own reading shares
// nothing with the gates' validators, which know more of a schema; either may refuse.
// If only the validators judged, a measurement with the validators open would find
// nothing wrong.
func (c contract) broken(args jsontext.Value) bool {
	var v any
	if schema.Decode(args, &v, agents.AnswerLimits()) != nil || !holds(c.input, v) {
		return true
	}
	return c.gates != nil && c.gates.Check(args) != nil
}

// says is the part of a schema that the judge reads; other keywords are ignored.
type says struct {
	Type       jsontext.Value            `json:"type"`
	Enum       []any                     `json:"enum"`
	Properties map[string]jsontext.Value `json:"properties"`
	Required   []string                  `json:"required"`
	More       jsontext.Value            `json:"additionalProperties"`
	Items      jsontext.Value            `json:"items"`
	Pattern    string                    `json:"pattern"`
	MinLength  int                       `json:"minLength"`
	MaxLength  *int                      `json:"maxLength"`
	Minimum    *float64                  `json:"minimum"`
	Maximum    *float64                  `json:"maximum"`
}

// holds reports whether a value fits the part of a schema that the judge can read. An
// unreadable schema fits every value.
func holds(input jsontext.Value, v any) bool {
	var s says
	if schema.DecodeOpen(input, &s, agents.AnswerLimits()) != nil {
		return true
	}
	if !s.takes(kinds(v)) || s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return reflect.DeepEqual(e, v) }) {
		return false
	}
	switch v := v.(type) {
	case string:
		n := utf8.RuneCountInString(v)
		if n < s.MinLength || s.MaxLength != nil && n > *s.MaxLength {
			return false
		}
		pattern, err := regexp.Compile(s.Pattern)
		return err != nil || pattern.MatchString(v)
	case float64:
		tooLow := s.Minimum != nil && v < *s.Minimum
		tooHigh := s.Maximum != nil && v > *s.Maximum
		return !tooLow && !tooHigh
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !holds(s.Items, e) })
	case map[string]any:
		return s.object(v)
	}
	return true
}

func (s says) object(v map[string]any) bool {
	for _, name := range s.Required {
		if _, there := v[name]; !there {
			return false
		}
	}
	for name, of := range v {
		fits := s.More.Kind() != 'f'
		if p, named := s.Properties[name]; named {
			fits = holds(p, of)
		}
		if !fits {
			return false
		}
	}
	return true
}

// kinds returns the names that a schema may use for a value's type.
func kinds(v any) []string {
	switch v := v.(type) {
	case nil:
		return []string{"null"}
	case bool:
		return []string{"boolean"}
	case string:
		return []string{"string"}
	case float64:
		if v == math.Trunc(v) {
			return []string{"number", "integer"}
		}
		return []string{"number"}
	case []any:
		return []string{"array"}
	}
	return []string{"object"}
}

// takes reports whether a schema's type, one name or several, is among kinds.
func (s says) takes(kinds []string) bool {
	var one string
	var several []string
	if schema.DecodeOpen(s.Type, &one, agents.AnswerLimits()) == nil {
		several = []string{one}
	} else if schema.DecodeOpen(s.Type, &several, agents.AnswerLimits()) != nil {
		return true
	}
	return slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(several, k) })
}
