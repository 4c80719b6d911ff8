package rule

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Bounds of one policy file.
const (
	maxRules = 2_000
	maxTools = 500
	maxWhy   = 300
)

var fileLimits = schema.Limits{Bytes: 4 << 20, Depth: 48, Values: 200_000, Exponent: 308, Digits: 64}

// Error is a mistake in a policy file. One mistake makes the whole file unusable.
type Error struct {
	File   string
	Line   int
	Reason string
	Next   string // what to do
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }

// Parse reads policy files and adds up their rules. It does not read the conditions:
// [Policy.Check] does, or the first call that meets them. Its error is an [*Error].
func Parse(files ...File) (Policy, error) {
	p := Policy{}
	for _, f := range files {
		f.Text = bytes.Clone(f.Text)
		r := parser{file: f, ends: lineEnds(f.Text)}
		rules, zone, err := r.parse()
		if err != nil {
			return Policy{}, err
		}
		if len(p.files) > 0 && zone != p.zone {
			return Policy{}, r.fail(0, "give every policy file the same zone", "its zone is %.60q, and that of %s is %.60q", zone, p.files[0].Name, p.zone)
		}
		p.sourced = p.sourced || bytes.Contains(f.Text, []byte(sourcesMember))
		p.zone, p.rules, p.files = zone, append(p.rules, rules...), append(p.files, f)
	}
	return p, nil
}

type parser struct {
	file File
	ends []int // of lines
}

func lineEnds(text []byte) (ends []int) {
	for i, b := range text {
		if b == '\n' {
			ends = append(ends, i)
		}
	}
	return ends
}

func (p parser) fail(at int, next, format string, args ...any) error {
	return &Error{p.file.Name, 1 + sort.SearchInts(p.ends, at), fmt.Sprintf(format, args...), next}
}

const shape = `write {"zone": "Europe/Berlin", "rules": [{"effect": "deny", "tools": ["server/tool"]}]}; docs/policy.md has the language`

func (p parser) parse() (rules []*Rule, zone string, err error) {
	if err := schema.Check(p.file.Text, fileLimits); err != nil {
		at := 0
		if e := (*schema.Error)(nil); errors.As(err, &e) {
			at = int(e.Offset)
		}
		return nil, "", p.fail(at, shape, "the file has %v", err)
	}
	members, err := schema.Envelope(p.file.Text, fileLimits)
	if err != nil {
		return nil, "", p.fail(0, shape, "the file has %v", err)
	}
	listed := false
	for _, m := range members {
		switch m.Name {
		case "zone":
			err := schema.Decode(m.Value, &zone, fileLimits)
			named := zone != "" && zone != "Local"
			if err != nil || !named || len(zone) > 60 {
				return nil, "", p.fail(m.At, `write "zone": "Europe/Berlin", or leave it out for UTC`, "zone is not the name of a time zone")
			}
		case "rules":
			listed = true
			if rules, err = p.rules(m); err != nil {
				return nil, "", err
			}
		default:
			return nil, "", p.fail(m.At, shape, "%.60q is neither zone nor rules%s", m.Name, verdict.Near(m.Name, []string{"zone", "rules"}))
		}
	}
	if !listed {
		return nil, "", p.fail(0, shape, "the file has no rules")
	}
	return rules, zone, nil
}

func (p parser) rules(list schema.Member) (rules []*Rule, err error) {
	all, err := schema.Elements(list.Value)
	if err != nil || len(all) > maxRules {
		return nil, p.fail(list.At, shape, "rules is not a list of at most %d rules", maxRules)
	}
	for _, m := range all {
		m.At += list.At
		r, err := p.rule(m)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

var ruleMembers = []string{"audit", "effect", "limit", "takes", "tools", "when", "where", "why"}

func (p parser) rule(m schema.Member) (*Rule, error) {
	members, err := schema.Envelope(m.Value, fileLimits)
	if err != nil {
		return nil, p.fail(m.At, shape, "a rule is an object")
	}
	r := &Rule{File: p.file.Name, Line: 1 + sort.SearchInts(p.ends, m.At)}
	for _, part := range members {
		part.At += m.At
		if err := p.member(r, part); err != nil {
			return nil, err
		}
	}
	switch {
	case r.Effect == "":
		return nil, p.fail(m.At, `add "effect": "deny", "ask" or "allow"`, "the rule has no effect")
	case len(r.Tools) == 0:
		return nil, p.fail(m.At, `add "tools": ["server/tool"]; */* is every tool`, "the rule names no tools")
	case r.aside() && (r.Decides() || !apart(members)):
		return nil, p.fail(m.At, "write it into a separate rule", "a rule with limit or audit has tools and why, and nothing else")
	case r.Effect == Allow && r.Takes != nil:
		return nil, p.fail(m.At, "name the tools that it allows in tools", "takes limits a rule that denies or asks, and this rule allows")
	case r.Effect == Allow && p.file.Narrows:
		return nil, p.fail(m.At, "name the file with policy in your config.toml, or leave the rule out", "a file of the working directory, or of the repository around it, may deny and ask, and this rule allows")
	case r.Effect == Log && p.file.Narrows:
		return nil, p.fail(m.At, "name the file with policy in your config.toml, or leave the rule out", "a file of the working directory, or of the repository around it, has the audit show no values")
	}
	r.when.read = func() error { return p.clause(r, &r.when) }
	r.where.read = func() error { return p.clause(r, &r.where) }
	return r, nil
}

// aside reports whether a rule has a limit or names arguments for the audit, whatever
// else it contains.
func (r *Rule) aside() bool { return r.Rate.Calls > 0 || r.Logs != nil }

// apart reports whether a limit or an audit is alone in its rule, without a decision.
func apart(members []schema.Member) bool {
	says := 0
	for _, m := range members {
		switch m.Name {
		case "limit", "audit":
			says++
		case "effect", "takes", "when", "where":
			return false
		}
	}
	return says == 1
}

func (p parser) member(r *Rule, m schema.Member) (err error) {
	switch m.Name {
	case "effect":
		if r.Effect = Effect(strings.Trim(string(m.Value), `"`)); !slices.Contains([]Effect{Deny, Ask, Allow}, r.Effect) {
			return p.fail(m.At, `write "deny", "ask" or "allow"`, "effect is not deny, ask or allow")
		}
	case "tools":
		if err := schema.Decode(m.Value, &r.Tools, fileLimits); err != nil || len(r.Tools) > maxTools {
			return p.fail(m.At, `write "tools": ["server/tool"]`, "tools is not a list of at most %d names", maxTools)
		}
		for _, pattern := range r.Tools {
			if !isPattern(pattern) {
				return p.fail(m.At, `write "server/tool", with * for any part of either name`, "%.100q is not the name of a tool", pattern)
			}
		}
	case "why":
		if err := schema.Decode(m.Value, &r.Why, fileLimits); err != nil || len(r.Why) > maxWhy {
			return p.fail(m.At, "shorten it", "why is not a text of at most %d bytes", maxWhy)
		}
	case "takes":
		r.Takes, err = p.arguments(m, `write "takes": ["path"]`)
		return err
	case "limit":
		return p.rate(r, m)
	case "audit":
		r.Effect = Log
		r.Logs, err = p.arguments(m, `write "audit": ["ticket_id"]`)
		return err
	case "when":
		r.when.said, r.when.at = m.Value, m.At
	case "where":
		r.where.said, r.where.at = m.Value, m.At
	default:
		return p.fail(m.At, "a rule has effect, tools, takes, where, when and why; or limit or audit, tools and why", "a rule has no member %.60q%s", m.Name, verdict.Near(m.Name, ruleMembers))
	}
	return nil
}

// isPattern reports whether a text is the name of a tool; * may replace any part of
// it.
func isPattern(text string) bool {
	server, tool, _ := strings.Cut(strings.ReplaceAll(text, "*", "x"), "/")
	return escape.Name(server) && escape.Name(tool)
}

// clause reads a condition, in its short form or as {"schema": …}. It cannot find a
// name of an argument that a tool lacks: the tool is known only later.
func (p parser) clause(r *Rule, c *clause) error {
	name := "where"
	if c == &r.when {
		name = "when"
	}
	v, err := schema.Any(c.said)
	members, is := v.(object)
	if err != nil || !is || len(members) == 0 {
		return p.fail(c.at, `write {"name": value}, or leave it out`, "%s is not an object with members", name)
	}
	full, whole := members["schema"].(object)
	if whole && len(members) > 1 {
		return p.fail(c.at, `name a member that is called schema "/schema"`, `%s has "schema" next to other members`, name)
	}
	var base []string
	if name == "where" {
		base = []string{argumentsMember}
	}
	if whole {
		c.doc, c.inside = full, base != nil
	} else if c.doc, c.paths, err = short(members, base, r.Effect == Allow); err != nil {
		return p.fail(c.at, "docs/policy.md has the short forms", "%s: %v", name, err)
	}
	if whole || strings.Contains(string(c.said), `"schema"`) {
		if err := c.full(r.Effect == Allow, whole); err != nil {
			return p.fail(c.at, "docs/schemas.md has the keywords, docs/policy.md what a rule that allows has to say", "%s: %v", name, err)
		}
	}
	if name == "when" {
		if no := unknown(recordRoot(), c.paths); no != "" {
			return p.fail(c.at, "`ask policy schema` prints what a rule can read; arguments are named in where", "when: %s", no)
		}
		sourced := slices.ContainsFunc(c.paths, func(path []string) bool { return path[0] == sourcesMember })
		if sourced && r.Effect == Allow {
			return p.fail(c.at, "deny or ask by sources", "when: a rule that allows reads sources, which any program of the user can forge")
		}
	}
	return nil
}

// full admits a schema that the author of the rule wrote, and reads its names. If the
// schema is the whole condition, full also adds the effect of null.
func (c *clause) full(allows, whole bool) error {
	s, err := c.admit()
	if err != nil {
		no, _ := verdict.First(err)
		return errors.New(no.Reason)
	}
	root := s.Root()
	if arguments := root.Named("properties")[argumentsMember]; !whole && arguments != nil {
		root = arguments
	}
	r := reader{allows: allows, seen: map[visit]bool{}}
	r.read(root, nil, false)
	if r.helps != "" {
		return errors.New(r.helps)
	}
	c.paths = append(c.paths, r.paths...)
	if !whole {
		c.schema = &s
		return nil
	}
	c.doc = withNulls(c.doc, nullOf(allows))
	return nil
}
