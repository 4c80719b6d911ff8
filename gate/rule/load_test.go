package rule_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Each error of a file names the file, the line and what to do.
func TestAFileWithOneMistakeIsNoPolicy(t *testing.T) {
	t.Parallel()
	const start = "{\"zone\": \"Europe/Berlin\",\n \"rules\": [\n  {\"effect\": \"deny\", \"tools\": [\"a/b\"]},\n  "
	for name, c := range map[string]struct {
		text string
		line int
		want string
	}{
		"empty":                                 {"", 1, "ends too early"},
		"cut off":                               {start + `{"effect": "deny"`, 4, "ends too early"},
		"two documents":                         {`{"rules": []} {}`, 1, "something after"},
		"a key twice":                           {"{\"rules\": [],\n\"rules\": []}", 2, "same key twice"},
		"a list":                                {`[]`, 1, "no object"},
		"no rules":                              {`{"zone": "UTC"}`, 1, "no rules"},
		"a wrong member":                        {"{\n\"rule\": []}", 2, "did you mean rules"},
		"rules of no list":                      {"{\"rules\":\n {}}", 2, "not a list"},
		"a zone of no name":                     {`{"zone": 1, "rules": []}`, 1, "time zone"},
		"the zone of a machine":                 {`{"zone": "Local", "rules": []}`, 1, "time zone"},
		"no object":                             {start + `"deny"]}`, 4, "a rule is an object"},
		"no effect":                             {start + `{"tools": ["a/b"]}]}`, 4, "no effect"},
		"a wrong effect":                        {start + "{\n\"effect\": \"Allow\", \"tools\": [\"a/b\"]}]}", 5, "not deny"},
		"an effect of null":                     {start + `{"effect": null, "tools": ["a/b"]}]}`, 4, "not deny"},
		"no tools":                              {start + `{"effect": "deny", "tools": []}]}`, 4, "names no tools"},
		"a tool of no server":                   {start + `{"effect": "deny", "tools": ["close"]}]}`, 4, "not the name of a tool"},
		"a pattern of a tool":                   {start + `{"effect": "deny", "tools": ["a/[b]"]}]}`, 4, "not the name of a tool"},
		"a misspelt member":                     {start + `{"effect": "deny", "tools": ["a/b"], "wher": {}}]}`, 4, "did you mean when or where"},
		"a limit without calls":                 {start + `{"limit": {"per": "hour"}, "tools": ["a/b"]}]}`, 4, "number of calls"},
		"a limit of no calls":                   {start + `{"limit": {"calls": 0, "per": "hour"}, "tools": ["a/b"]}]}`, 4, "number of calls"},
		"a limit of too many calls":             {start + `{"limit": {"calls": 1000001, "per": "hour"}, "tools": ["a/b"]}]}`, 4, "number of calls"},
		"a limit of half a call":                {start + `{"limit": {"calls": 0.5, "per": "hour"}, "tools": ["a/b"]}]}`, 4, "number of calls"},
		"a limit per nothing":                   {start + `{"limit": {"calls": 20}, "tools": ["a/b"]}]}`, 4, "number of calls"},
		"a limit per week":                      {start + `{"limit": {"calls": 20, "per": "week"}, "tools": ["a/b"]}]}`, 4, "number of calls"},
		"a limit with more":                     {start + `{"limit": {"calls": 20, "per": "hour", "burst": 1}, "tools": ["a/b"]}]}`, 4, "number of calls"},
		"a limit of no tools":                   {start + `{"limit": {"calls": 20, "per": "hour"}}]}`, 4, "names no tools"},
		"a limit with an effect":                {start + `{"limit": {"calls": 20, "per": "hour"}, "effect": "deny", "tools": ["a/b"]}]}`, 4, "nothing else"},
		"an effect with a limit":                {start + `{"effect": "deny", "limit": {"calls": 20, "per": "hour"}, "tools": ["a/b"]}]}`, 4, "nothing else"},
		"a limit with a condition":              {start + `{"limit": {"calls": 20, "per": "hour"}, "tools": ["a/b"], "when": {"effect": "write"}}]}`, 4, "nothing else"},
		"a limit and an audit":                  {start + `{"limit": {"calls": 20, "per": "hour"}, "audit": ["x"], "tools": ["a/b"], "why": "x"}]}`, 4, "nothing else"},
		"takes in a rule that allows":           {start + `{"effect": "allow", "tools": ["a/b"], "takes": ["x"], "where": {"x": 1}}]}`, 4, "this rule allows"},
		"takes in a limit":                      {start + `{"limit": {"calls": 20, "per": "hour"}, "tools": ["a/b"], "takes": ["x"]}]}`, 4, "nothing else"},
		"takes of nothing":                      {start + `{"effect": "deny", "tools": ["a/b"], "takes": []}]}`, 4, "list of at most"},
		"takes of no list":                      {start + `{"effect": "deny", "tools": ["a/b"], "takes": "x"}]}`, 4, "list of at most"},
		"an audit of nothing":                   {start + `{"audit": [], "tools": ["a/b"]}]}`, 4, "list of at most"},
		"an audit of all":                       {start + `{"audit": true, "tools": ["a/b"]}]}`, 4, "list of at most"},
		"no condition":                          {start + `{"effect": "deny", "tools": ["a/b"], "where": {}}]}`, 4, "not an object with members"},
		"a null condition":                      {start + `{"effect": "deny", "tools": ["a/b"], "where": null}]}`, 4, "not an object with members"},
		"an unknown form":                       {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"undr": "/a"}}}]}`, 4, "did you mean under"},
		"a nested object":                       {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"y": 1}}}]}`, 4, "JSON Pointer"},
		"two operators":                         {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"has": 1, "not": 2}}}]}`, 4, "takes one of"},
		"no operator":                           {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {}}}]}`, 4, "takes one of"},
		"a bound of text":                       {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"min": "1"}}}]}`, 4, "takes a number"},
		"a bound and more":                      {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"min": 1, "not": 2}}}]}`, 4, "take no other members"},
		"an empty list":                         {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": []}}]}`, 4, "at least one"},
		"a list of lists":                       {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": [[1]]}}]}`, 4, "list holds"},
		"has of a list":                         {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"has": [1]}}}]}`, 4, "has"},
		"under of nothing":                      {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"under": ""}}}]}`, 4, "absolute path"},
		"under of dots":                         {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"under": "/a/../b"}}}]}`, 4, "absolute path"},
		"under of a user":                       {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"under": "https://a@b/"}}}]}`, 4, "URL of scheme"},
		"under of a number":                     {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"under": "http://2130706433/"}}}]}`, 4, "usual form"},
		"under of a short address":              {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"under": "http://127.1/"}}}]}`, 4, "usual form"},
		"under of a mapped address":             {start + `{"effect": "allow", "tools": ["a/b"], "where": {"x": {"under": "http://[::ffff:127.0.0.1]/"}}}]}`, 4, "usual form"},
		"under of a query":                      {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"under": "https://a.test/?b"}}}]}`, 4, "URL of scheme"},
		"under of an odd first name":            {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"under": "https://a.test/../b"}}}]}`, 4, "URL of scheme"},
		"under of one value twice":              {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"under": "/a"}, "/x": 1}}]}`, 4, "same value"},
		"one value twice":                       {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": 1, "/x": 2}}]}`, 4, "same value"},
		"schema and more":                       {start + `{"effect": "deny", "tools": ["a/b"], "where": {"schema": {}, "x": 1}}]}`, 4, "next to other members"},
		"an unknown fact":                       {start + "{\"effect\": \"deny\", \"tools\": [\"a/b\"],\n\"when\": {\"efect\": \"write\"}}]}", 5, "did you mean effect"},
		"a nested unknown fact":                 {start + `{"effect": "deny", "tools": ["a/b"], "when": {"/server/nam": "x"}}]}`, 4, "did you mean name"},
		"an argument in when":                   {start + `{"effect": "deny", "tools": ["a/b"], "when": {"/arguments/x": 1}}]}`, 4, "not known"},
		"an unknown keyword":                    {start + `{"effect": "deny", "tools": ["a/b"], "where": {"schema": {"propertis": {}}}}]}`, 4, "propertis"},
		"a repetition beyond 1000":              {start + `{"effect": "deny", "tools": ["a/b"], "where": {"schema": {"properties": {"x": {"pattern": "(a{1,40}b){1,40}"}}}}}]}`, 4, "pattern"},
		"an unknown format":                     {start + `{"effect": "deny", "tools": ["a/b"], "where": {"schema": {"properties": {"x": {"format": "emial"}}}}}]}`, 4, "emial"},
		"a reference":                           {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"schema": {"$ref": "https://example.com/s"}}}}]}`, 4, "$ref"},
		"a schema within itself":                {start + `{"effect": "deny", "tools": ["a/b"], "where": {"x": {"schema": {"properties": {"y": {"$ref": "#"}}}}}}]}`, 4, "leads back to itself"},
		"lists within themselves":               {start + `{"effect": "deny", "tools": ["a/b"], "where": {"schema": {"$defs": {"l": {"items": {"$ref": "#/$defs/l"}}}, "properties": {"x": {"$ref": "#/$defs/l"}}}}}]}`, 4, "leads back to itself"},
		"an unknown fact in a schema":           {start + `{"effect": "deny", "tools": ["a/b"], "when": {"schema": {"required": ["lables"]}}}]}`, 4, "did you mean labels"},
		"an allow that does not require":        {start + `{"effect": "allow", "tools": ["a/b"], "where": {"schema": {"properties": {"x": {"const": 1}}}}}]}`, 4, `not in "required"`},
		"an allow that does not require inside": {start + `{"effect": "allow", "tools": ["a/b"], "where": {"schema": {"properties": {"x": {"type": "object", "properties": {"y": {}}}}, "required": ["x"]}}}]}`, 4, `not in "required"`},
		"an allow that takes no object":         {start + `{"effect": "allow", "tools": ["a/b"], "where": {"schema": {"properties": {"x": {"properties": {"y": {}}, "required": ["y"]}}, "required": ["x"]}}}]}`, 4, `does not say one "type"`},
		"an allow that takes no text":           {start + `{"effect": "allow", "tools": ["a/b"], "where": {"x": {"schema": {"pattern": "^a"}}}}]}`, 4, `does not say one "type"`},
		"an allow of two types":                 {start + `{"effect": "allow", "tools": ["a/b"], "where": {"x": {"schema": {"type": ["string", "number"], "pattern": "^a"}}}}]}`, 4, `does not say one "type"`},
		"an allow by patterns of names":         {start + `{"effect": "allow", "tools": ["a/b"], "where": {"schema": {"patternProperties": {"^x$": {"const": 1}}}}}]}`, 4, "patternProperties"},
		"an allow by all other names":           {start + `{"effect": "allow", "tools": ["a/b"], "where": {"schema": {"additionalProperties": {"const": 1}}}}]}`, 4, "patternProperties"},
		"an allow that requires in a not":       {start + `{"effect": "allow", "tools": ["a/b"], "where": {"schema": {"not": {"properties": {"x": {"const": 1}}, "required": ["x"]}}}}]}`, 4, `below a "not"`},
		"an allow with an if alone":             {start + `{"effect": "allow", "tools": ["a/b"], "where": {"schema": {"if": {"required": ["x"]}, "then": false}}}]}`, 4, "both then and else"},
	} {
		p, err := rule.Parse(rule.File{Name: "policy.json", Text: []byte(c.text)})
		if err == nil {
			err = p.Check(func(*rule.Rule) bool { return true })
		}
		var e *rule.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if e.File != "policy.json" || e.Line != c.line || e.Next == "" {
			t.Errorf("%s: %v, not line %d; next: %q", name, e, c.line, e.Next)
		}
		if !strings.Contains(e.Reason, c.want) {
			t.Errorf("%s: %q does not say %q", name, e.Reason, c.want)
		}
	}
}

func TestRulesOfAllFilesAddUp(t *testing.T) {
	t.Parallel()
	file := func(name, zone string, rules ...string) rule.File {
		return rule.File{Name: name, Text: []byte(fmt.Sprintf(`{"zone":%q,"rules":[%s]}`, zone, strings.Join(rules, ",")))}
	}
	p, err := rule.Parse(file("a.json", "UTC", allowAll), file("b.json", "UTC", denyAll))
	if err != nil {
		t.Fatal(err)
	}
	_, q := call{}.made(t)
	if d := p.Decide(q); d.Ruling != verdict.Refuse || d.By != "b.json:1" || len(d.Spoke) != 2 {
		t.Errorf("%+v", d)
	}
	if _, err := rule.Parse(file("a.json", "UTC"), file("b.json", "Europe/Berlin")); err == nil || !strings.Contains(err.Error(), "zone") {
		t.Errorf("two zones: %v", err)
	}
	narrow := file("c.json", "UTC", askAll)
	if narrow.Narrows = true; !parses(narrow) {
		t.Error("a file that narrows may not ask")
	}
	narrow = file("c.json", "UTC", denyAll, allowAll)
	if narrow.Narrows = true; parses(narrow) {
		t.Error("a file that only narrows allows")
	}
	if (rule.Policy{}).Configured() || !p.Configured() {
		t.Error("a policy without files is configured, or one with files is not")
	}
}

func parses(f rule.File) bool {
	_, err := rule.Parse(f)
	return err == nil
}

// Disagreeing validators, a value that is too costly to check, and a misspelt name
// each deny the call, whatever the rule's effect.
func TestAnErrorDenies(t *testing.T) {
	t.Parallel()
	long := `"` + strings.Repeat("a", 100<<10) + `"`
	dear := `{"list":{"schema":{"items":{"pattern":"^(a|b|c|d|e|f){1,200}z$"}}}}`
	padded := `{"ticket_id":"INC1","list":[` + strings.Repeat(long+",", 20) + `"x"]}`
	input := `{"type":"object","properties":{"ticket_id":{"type":"string"},"note":{},"list":{"type":"array"}},"required":["ticket_id"]}`
	for name, c := range map[string]struct{ where, args string }{
		"validators disagree": {`{"note":{"schema":{"const":{"n":9007199254740993}}}}`, `{"ticket_id":"INC1","note":{"n":9007199254740992}}`},
		"too dear":            {dear, padded},
		"misspelt":            {`{"nota":"x"}`, `{"ticket_id":"INC1","note":"x"}`},
	} {
		for _, effect := range []string{"allow", "ask", "deny"} {
			where := c.where
			d := decide(t, call{args: c.args, input: input, def: verdict.Allow}, allowAll, one(effect, "where", where))
			if d.Ruling != verdict.Refuse || d.Code != verdict.RuleError || d.By != "policy.json:3" {
				t.Errorf("%s, %s: %v by %s: %s", name, effect, d.Ruling, d.By, d.Reason)
			}
		}
	}
	// A rule that is plainly not met needs no argument checked.
	d := decide(t, call{args: padded, input: input, def: verdict.Allow}, allowAll, `{"effect":"deny","tools":["*/*"],"when":{"effect":"read"},"where":`+dear+`}`)
	if d.Ruling != verdict.Allow {
		t.Errorf("a rule of other calls: %v, %s", d.Ruling, d.Reason)
	}
}

// Padding does not walk around a deny.
func TestPaddingIsNoWayAroundADeny(t *testing.T) {
	t.Parallel()
	deny := one("deny", "where", `{"note":{"schema":{"pattern":"(?:secret|[a-z]{1,60}key)"}}}`)
	for _, pad := range []int{0, 1 << 10, 100 << 10, 1 << 20} {
		args := fmt.Sprintf(`{"ticket_id":"INC1","note":"%ssecret"}`, strings.Repeat("x ", pad/2))
		if d := decide(t, call{args: args, def: verdict.Allow}, allowAll, deny); d.Ruling != verdict.Refuse {
			t.Errorf("%d bytes: %v", pad, d.Ruling)
		}
	}
}
