// Package rule decides by the operator's rules whether a call may leave.
//
// A [Policy] is the rules of all policy files. [Policy.Decide] is a pure function of
// the decision [Record] and the tool's approved schema. Deny beats the floors, the
// floors beat ask, ask beats allow, and the default applies only if no rule does. A
// missing value never helps a call. If two validators do not agree that a rule is met
// or is not met, the call is denied.
//
// It does not vouch that a rule means what its author meant: `ask policy test` and
// `ask policy try` are for that. docs/policy.md has the language.
//
// gate calls it in Approve; config/desk calls it for `ask policy`.
package rule

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// File is one policy file.
type File struct {
	Name    string // in messages
	Text    []byte
	Narrows bool // its rules may only deny and ask
}

// Policy is the rules of all files. Its zero value has no rules, so the defaults
// apply. It is safe for concurrent use.
type Policy struct {
	sourced bool // a file names the sources of arguments
	files   []File
	rules   []*Rule
	zone    string
}

// Effect is what a rule does.
type Effect string

// The effects.
const (
	Deny  Effect = "deny"
	Ask   Effect = "ask"
	Allow Effect = "allow"
)

// Rule is one rule.
type Rule struct {
	File   string
	Line   int
	Effect Effect
	Tools  []string // "server/tool", with * for any part of a name
	Why    string
	Takes  []string   // JSON Pointers: the rule is only for tools that can take all of them
	Rate   grant.Rate // of a [Limit]
	Logs   []string   // of a [Log]: JSON Pointers of arguments

	when, where clause
}

// Name returns the name of a rule: its file and line.
func (r *Rule) Name() string { return fmt.Sprintf("%s:%d", r.File, r.Line) }

// clause is a condition. A clause that the rule does not have is always met.
type clause struct {
	said   jsontext.Value // as written; nil if absent
	at     int            // offset in the file, in bytes
	read   func() error   // makes the fields below
	doc    object         // its JSON Schema
	inside bool           // the schema is for the record's arguments alone
	schema *schema.Schema // the admitted form of doc
	paths  [][]string     // the names in the condition

	once, compiled sync.Once
	validator      schema.Validator
	wrong, err     error
}

// check reads a clause when it is first needed, because a run needs few of a thousand
// rules.
func (c *clause) check() error {
	if c.said == nil {
		return nil
	}
	c.once.Do(func() { c.wrong = c.read() })
	return c.wrong
}

// judge compiles a clause when a call first meets it.
func (c *clause) judge(record schema.Document) (schema.Answer, error) {
	if c.said == nil {
		return schema.Yes, nil
	}
	if err := c.check(); err != nil {
		return schema.Unsure, err
	}
	c.compiled.Do(func() {
		var s schema.Schema
		if s, c.err = c.admit(); c.err == nil {
			c.validator, c.err = s.Compile()
		}
	})
	if c.err != nil {
		return schema.Unsure, c.err
	}
	if c.inside {
		return c.validator.Judge(record.Member(argumentsMember))
	}
	return c.validator.Judge(record)
}

func (c *clause) admit() (schema.Schema, error) {
	if c.schema != nil {
		return *c.schema, nil
	}
	return schema.Admit(schema.Literal(c.doc), schema.Options{Role: schema.Output, StrictFormats: true, Finite: true}) // names are read along every way
}

// Check reads the conditions of the rules for which of is true: at a start, those for
// tools of the allowlist. Its error is an [*Error]. If a call meets a mistake in a
// condition that Check did not read, the call is denied.
func (p Policy) Check(of func(*Rule) bool) error {
	for _, r := range p.rules {
		if of(r) {
			if err := cmp.Or(r.when.check(), r.where.check()); err != nil {
				return err
			}
		}
	}
	return nil
}

// Configured reports whether there are rules files at all. Without one, every decision
// is the default's, and the only floor is the allowlist's.
func (p Policy) Configured() bool { return len(p.files) > 0 }

// Files returns the files of the rules.
func (p Policy) Files() []File { return slices.Clone(p.files) }

// Rules returns all rules, in the order of their files.
func (p Policy) Rules() []*Rule { return slices.Clone(p.rules) }

// Zone returns the IANA name of the time zone for rules, "" for UTC.
func (p Policy) Zone() string { return p.zone }

// Speaks reports whether a rule is for a tool, whatever the call contains.
func (r *Rule) Speaks(server, tool string) bool {
	return slices.ContainsFunc(r.Tools, func(pattern string) bool {
		s, t, _ := strings.Cut(pattern, "/")
		return matches(s, server) && matches(t, tool)
	})
}

// Always reports whether every call of its tools meets a rule.
func (r *Rule) Always() bool { return r.when.said == nil && r.where.said == nil && r.Takes == nil }

// Suits reports whether a tool with this input schema can take all arguments that the
// rule is limited to. The schema is closed, so a call has only the arguments that it
// names.
func (r *Rule) Suits(input schema.Schema) bool {
	return !slices.ContainsFunc(r.Takes, func(at string) bool { return lacks(input, at) })
}

func lacks(input schema.Schema, at string) bool {
	return unknown(input.Root(), [][]string{pathOf(at)}) != ""
}

// Lacks returns the arguments that rules of a tool are limited to but that its input
// cannot take, as JSON Pointers.
func (p Policy) Lacks(server, tool string, input schema.Schema) (all []string) {
	for _, r := range p.rules {
		if !r.Speaks(server, tool) {
			continue
		}
		for _, at := range r.Takes {
			if lacks(input, at) {
				all = append(all, at)
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// limited reports whether, according to a record, the tool lacks an argument that the
// rule is limited to.
func (r *Rule) limited(q Record) bool {
	return slices.ContainsFunc(r.Takes, func(at string) bool { return slices.Contains(q.Lacks, at) })
}

// Of reports whether a rule may be for a tool of the server.
func (r *Rule) Of(server string) bool {
	return slices.ContainsFunc(r.Tools, func(pattern string) bool {
		s, _, _ := strings.Cut(pattern, "/")
		return matches(s, server)
	})
}

// matches compares a name with a pattern; * in the pattern matches any part of the
// name.
func matches(pattern, name string) bool {
	if !strings.Contains(pattern, "*") {
		return pattern == name
	}
	ok, err := path.Match(pattern, name)
	return ok || err != nil
}

// Fits returns why a rule cannot be for a tool with this input schema, or "" if it
// can.
func (r *Rule) Fits(input schema.Schema) string {
	if err := r.where.check(); err != nil {
		return err.Error()
	}
	if no := unknown(input.Root(), r.where.paths); no != "" {
		return "where: " + no
	}
	return ""
}

// meets returns the verdict of two validators on whether a call meets a rule.
func (r *Rule) meets(record schema.Document, input schema.Schema) (schema.Answer, error) {
	if no := r.Fits(input); no != "" {
		return schema.Unsure, errors.New(no)
	}
	when, err := r.when.judge(record)
	if err != nil || when == schema.No {
		return when, err
	}
	where, err := r.where.judge(record)
	return min(when, where), err
}

// Question is the input of a decision. Only its record is about the call.
type Question struct {
	Record Record
	Input  schema.Schema // of the tool's approved descriptor
	// Terminal says that the allowlist requires an approval at a terminal for each
	// call of the tool. Strict says that a call with a mark needs a person. Both
	// override rules that allow.
	Terminal, Strict bool
	// Otherwise is the default, which applies if no rule and no floor does. Its zero
	// value refuses.
	Otherwise verdict.Ruling
}

// Decision is the result of the rules. Its zero value refuses.
type Decision struct {
	Ruling verdict.Ruling
	Code   verdict.Code // why the call is not allowed; "" if it is, or if the default decided
	By     string       // the rule that decided, or "floor", "default", or "record" for an unreadable record
	Reason string
	Spoke  []Spoke // every rule for the tool that is met, or that failed
	Asking string  // digest of the asking rules that are met; "" for none
}

// The deciders that are not a rule.
const (
	byFloor   = "floor"
	byDefault = "default"
	byRecord  = "record"
)

// ByRule reports whether a rule of a file decided.
func (d Decision) ByRule() bool {
	return !slices.Contains([]string{"", byFloor, byDefault, byRecord}, d.By)
}

// Spoke is one rule that took part in a decision.
type Spoke struct {
	Rule   string `json:"rule"`
	Effect Effect `json:"effect"`
	Why    string `json:"why,omitempty"`
	Error  string `json:"error,omitempty"` // why its validators reached no verdict
}

// Decide decides on one record.
func (p Policy) Decide(q Question) Decision {
	d := Decision{}
	base, claimed := q.Record, q.Record.Sources != nil
	base.Sources = nil
	if p.sourced {
		base.Sources = base.unknown()
	}
	doc, err := base.document()
	if err != nil {
		return Decision{Ruling: verdict.Refuse, Code: verdict.RuleError, By: byRecord, Reason: "the decision record cannot be read: " + verdict.Cut(err.Error(), 200)}
	}
	record, first := schema.DocumentOf(doc), map[Effect]Spoke{}
	sourced := record
	if claimed {
		doc, _ = q.Record.document() // it was readable above
		sourced = schema.DocumentOf(doc)
	}
	var failed *Spoke
	var asking []string
	for _, r := range p.rules {
		if !r.Decides() || !r.Speaks(q.Record.Server.Name, q.Record.Tool) || r.limited(q.Record) {
			continue
		}
		met, err := r.meets(record, q.Input)
		unmet, narrows := met == schema.No && err == nil, claimed && r.Effect != Allow
		if unmet && narrows {
			met, err = r.meets(sourced, q.Input) // a hook can be forged: it only adds rules that deny or ask
		}
		if met == schema.No && err == nil {
			continue
		}
		s := Spoke{Rule: r.Name(), Effect: r.Effect, Why: r.Why}
		if met != schema.Yes || err != nil {
			s.Error = cmp.Or(verdict.Cut(fmt.Sprint(err), 300), "neither yes nor no")
			failed = cmp.Or(failed, &s)
		} else if _, before := first[r.Effect]; !before {
			first[r.Effect] = s
		}
		if r.Effect == Ask {
			asking = append(asking, r.digest())
		}
		d.Spoke = append(d.Spoke, s)
	}
	d.Asking = together(asking)
	d.Ruling, d.Code, d.By, d.Reason = settled(q, first, failed)
	return d
}

// settled returns the decision in the order of precedence: deny, error, floors, ask,
// allow, the default.
func settled(q Question, first map[Effect]Spoke, failed *Spoke) (_ verdict.Ruling, code verdict.Code, by, reason string) {
	no, denies := first[Deny]
	ask, asks := first[Ask]
	yes, allows := first[Allow]
	floor := append(q.Floors(), Floor{})[0].Reason
	switch {
	case denies:
		return verdict.Refuse, verdict.RuleDenied, no.Rule, cmp.Or(no.Why, "a rule denies the call")
	case failed != nil:
		return verdict.Refuse, verdict.RuleError, failed.Rule, "a rule could not be checked: " + failed.Error
	case floor != "":
		return verdict.Ask, verdict.RuleFloor, byFloor, floor
	case asks:
		return verdict.Ask, verdict.RuleAsks, ask.Rule, cmp.Or(ask.Why, "a rule asks for a person's approval")
	case allows:
		return verdict.Allow, "", yes.Rule, yes.Why
	}
	return q.Otherwise, "", byDefault, ""
}
