package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// call is one call of a tool, and what is known of it.
type call struct {
	question string // "" is a call that was written out
	tool     string // the descriptor's name
	input    string // its input schema; "" is closeInput
	hints    string // its annotations
	entry    string // of the allowlist; "" is a writing tool
	args     string
	facts    rule.Facts
	terminal bool
	strict   bool
	def      verdict.Ruling
}

const closeInput = `{"type":"object","properties":{"ticket_id":{"type":"string"},"queue":{"type":["string","null"]},"amount":{},` +
	`"title":{"type":"string"},"type":{"type":"string"},"format":{"type":"string"},"note":{},"to":{"type":"string"},"list":{"type":"array","items":{"type":"object","properties":{"x":{}}}},` +
	`"at":{"type":"object","properties":{"host":{"type":"string"}}}},"required":["ticket_id"]}`

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func (c call) made(t testing.TB) (catalog.Tool, rule.Question) {
	t.Helper()
	name := or(c.tool, "close_ticket")
	allow, err := catalog.ParseAllowlist([]byte(or(c.entry, fmt.Sprintf(`{"tickets":{"write":[%q]}}`, name))))
	if err != nil {
		t.Fatal(err)
	}
	raw := fmt.Sprintf(`{"name":%q,"inputSchema":%s,"annotations":%s}`, name, or(c.input, closeInput), or(c.hints, "{}"))
	all := catalog.Admit([]catalog.Listing{{Server: "tickets", Tools: []pin.Descriptor{{Server: "tickets", Raw: []byte(raw)}}}}, allow, catalog.Options{
		Identities: map[string]pin.Identity{"tickets": {Kind: "stdio", Address: "npx", Package: "@acme/tickets"}},
	})
	tool, err := all.Tool("tickets", name)
	if err != nil {
		t.Fatal(err)
	}
	args := jsontext.Value(or(c.args, `{"ticket_id":"INC1","queue":"NET"}`))
	said, err := intent.Compare(intent.Question{Text: c.question, Server: "tickets", Tool: name, Changes: !tool.Effect().Reads}, tool.Input().Root(), args)
	if err != nil {
		t.Fatal(err)
	}
	return tool, rule.Question{Record: rule.Of(tool, args, said, c.facts), Input: tool.Input(), Terminal: c.terminal, Strict: c.strict, Otherwise: c.def}
}

func parse(t testing.TB, rules ...string) rule.Policy {
	t.Helper()
	p, err := rule.Parse(rule.File{Name: "policy.json", Text: []byte("{\"rules\": [\n" + strings.Join(rules, ",\n") + "\n]}")})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func decide(t testing.TB, c call, rules ...string) rule.Decision {
	t.Helper()
	_, q := c.made(t)
	return parse(t, rules...).Decide(q)
}

// one is a rule of close_ticket with a condition.
func one(effect, member, condition string) string {
	return fmt.Sprintf(`{"effect":%q,"tools":["tickets/close_ticket"],%q:%s}`, effect, member, condition)
}

const (
	allowAll = `{"effect":"allow","tools":["*/*"]}`
	askAll   = `{"effect":"ask","tools":["tickets/*"]}`
	denyAll  = `{"effect":"deny","tools":["*/close_*"]}`
	// broken cannot be checked: the tool has no such argument.
	broken = `{"effect":"allow","tools":["*/*"],"where":{"tiket_id":"INC1"}}`
)

func TestDenyBeatsFloorsBeatAskBeatsAllowBeatsTheDefault(t *testing.T) {
	t.Parallel()
	destroys := `{"destructiveHint":true}`
	for name, c := range map[string]struct {
		call  call
		rules []string
		want  verdict.Ruling
		code  verdict.Code
		by    string
	}{
		"nothing speaks":                     {call{def: verdict.Allow}, []string{`{"effect":"deny","tools":["other/*"]}`}, verdict.Allow, "", "default"},
		"the zero default refuses":           {call{}, nil, verdict.Refuse, "", "default"},
		"allow beats the default":            {call{def: verdict.Ask}, []string{allowAll}, verdict.Allow, "", "policy.json:2"},
		"ask beats allow":                    {call{def: verdict.Allow}, []string{allowAll, askAll}, verdict.Ask, verdict.RuleAsks, "policy.json:3"},
		"a floor beats allow":                {call{hints: destroys}, []string{allowAll}, verdict.Ask, verdict.RuleFloor, "floor"},
		"a floor beats the default":          {call{hints: destroys, def: verdict.Allow}, nil, verdict.Ask, verdict.RuleFloor, "floor"},
		"a floor beats ask":                  {call{hints: destroys}, []string{askAll}, verdict.Ask, verdict.RuleFloor, "floor"},
		"deny beats a floor":                 {call{hints: destroys}, []string{denyAll}, verdict.Refuse, verdict.RuleDenied, "policy.json:2"},
		"deny beats all":                     {call{def: verdict.Allow}, []string{allowAll, askAll, denyAll}, verdict.Refuse, verdict.RuleDenied, "policy.json:4"},
		"deny beats all, whatever the order": {call{def: verdict.Allow}, []string{denyAll, askAll, allowAll}, verdict.Refuse, verdict.RuleDenied, "policy.json:2"},
		"an error denies":                    {call{def: verdict.Allow}, []string{broken}, verdict.Refuse, verdict.RuleError, "policy.json:2"},
		"an error denies what is allowed":    {call{def: verdict.Allow}, []string{allowAll, broken}, verdict.Refuse, verdict.RuleError, "policy.json:3"},
		"an error denies what is asked":      {call{hints: destroys}, []string{broken, askAll}, verdict.Refuse, verdict.RuleError, "policy.json:2"},
		"terminal asks":                      {call{terminal: true}, []string{allowAll}, verdict.Ask, verdict.RuleFloor, "floor"},
		"strict asks":                        {call{strict: true}, []string{allowAll}, verdict.Ask, verdict.RuleFloor, "floor"},
	} {
		if c.rules == nil {
			c.rules = []string{`{"effect":"deny","tools":["other/*"]}`}
		}
		d := decide(t, c.call, c.rules...)
		if d.Ruling != c.want {
			t.Errorf("%s: %v, not %v (%s)", name, d.Ruling, c.want, d.Reason)
		}
		if d.Code != c.code || d.By != c.by {
			t.Errorf("%s: by %s, %q, not %s, %q", name, d.By, d.Code, c.by, c.code)
		}
	}
}

func TestFloorsOfWhatACallIsAbout(t *testing.T) {
	t.Parallel()
	reads := `{"tickets":{"read":["close_ticket"]}}`
	send := `{"type":"object","properties":{"ticket_id":{"type":"string"},"callbackUrl":{"type":"string"},"note":{"type":"string"},"site":{"type":"string","format":"uri"},"to":{"type":"array","items":{"type":"string"}}},"required":["ticket_id"]}`
	for name, c := range map[string]struct {
		call call
		want string // in the reason; "" is allowed
	}{
		"plainly asked":                 {call{question: `Close ticket "INC1" in queue NET`}, ""},
		"written out":                   {call{}, ""},
		"another ticket than was said":  {call{question: `Close ticket "INC2" in queue NET`}, "names the call's object"},
		"free text that nobody wrote":   {call{question: `Close ticket "INC1"`, input: send, args: `{"ticket_id":"INC1","note":"bye"}`}, ""},
		"a recipient that nobody wrote": {call{question: `Close ticket "INC1"`, input: send, args: `{"ticket_id":"INC1","to":["eve@evil.example"]}`}, "recipient"},
		"an address that nobody wrote":  {call{question: `Close ticket "INC1"`, input: send, args: `{"ticket_id":"INC1","callbackUrl":"x"}`}, "recipient"},
		"an address by its format":      {call{question: `Close ticket "INC1"`, input: send, args: `{"ticket_id":"INC1","site":"https://evil.example/"}`}, "recipient"},
		"about nothing that is known":   {call{input: `{"type":"object","properties":{"all":{"type":"boolean"}}}`, args: `{"all":true}`}, "is unknown"},
		"the same, of what reads":       {call{input: `{"type":"object","properties":{"all":{"type":"boolean"}}}`, args: `{"all":true}`, entry: reads}, ""},
		"not asked for":                 {call{question: `Do not close ticket "INC1" in queue NET`}, "plainly"},
		"said to destroy":               {call{hints: `{"destructiveHint":true}`}, "destructive"},
		"said to destroy, of reading":   {call{hints: `{"destructiveHint":true}`, entry: reads}, "destructive"},
		"not said to destroy":           {call{hints: `{"destructiveHint":false}`}, ""},
	} {
		d := decide(t, c.call, allowAll)
		if (d.Ruling == verdict.Allow) != (c.want == "") || !strings.Contains(d.Reason, c.want) {
			t.Errorf("%s: %v, %q", name, d.Ruling, d.Reason)
		}
	}
}

// A missing value never helps a call. A rule that allows does not match a value that
// is missing, null or of another type; a rule that asks or denies does.
func TestWhatIsAbsentNeverHelps(t *testing.T) {
	t.Parallel()
	const open = `{"type":"object","properties":{"ticket_id":{},"queue":{},"amount":{},"note":{},"list":{},"at":{"properties":{"host":{}}}},"required":["ticket_id"]}`
	for _, condition := range []string{
		`{"queue":"NET"}`, `{"queue":["NET","APP"]}`, `{"queue":{"not":"APP"}}`, `{"queue":{"not":["APP","WEB"]}}`, `{"amount":{"min":1}}`, `{"amount":{"max":9}}`,
		`{"amount":{"min":1,"max":9}}`, `{"amount":{"not":{"min":100}}}`, `{"note":{"under":"/srv/data"}}`, `{"note":{"not":{"under":"/etc"}}}`, `{"note":{"under":"https://example.com/a"}}`,
		`{"list":{"has":"a"}}`, `{"/at/host":"a"}`, `{"/at/host":{"not":"b"}}`, `{"list":{"not":{"has":"b"}}}`, `{"amount":{"not":{"not":{"min":1}}}}`,
	} {
		name := strings.Trim(strings.SplitN(condition, ":", 2)[0], `{"/`)
		name = strings.TrimSuffix(name, "/host")
		absent := []string{`{"ticket_id":"INC1"}`, `{"ticket_id":"INC1","` + name + `":null}`}
		if name != "queue" { // an object is plainly another value than a text, and no more
			absent = append(absent, `{"ticket_id":"INC1","`+name+`":{}}`)
		}
		for _, args := range absent {
			for effect, want := range map[string]verdict.Ruling{"allow": verdict.Ask, "deny": verdict.Refuse} {
				d := decide(t, call{args: args, def: verdict.Ask, input: open}, one(effect, "where", condition))
				if d.Ruling != want || d.Code == verdict.RuleError {
					t.Errorf("%s where %s of %s: %v by %s %s", effect, condition, args, d.Ruling, d.By, d.Reason)
				}
			}
		}
	}
}

func TestShortForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		condition, args string
		met             bool
	}{
		{`{"queue":"NET"}`, `"queue":"NET"`, true},
		{`{"queue":"NET"}`, `"queue":"net"`, false},
		{`{"queue":"NET"}`, `"queue":"NETX"`, false},
		{`{"queue":null}`, `"queue":null`, true},
		{`{"queue":["NET","APP"]}`, `"queue":"APP"`, true},
		{`{"queue":["NET","APP"]}`, `"queue":"WEB"`, false},
		{`{"queue":{"not":"NET"}}`, `"queue":"APP"`, true},
		{`{"queue":{"not":"NET"}}`, `"queue":"NET"`, false},
		{`{"amount":9007199254740993}`, `"amount":9007199254740993`, true},
		{`{"amount":9007199254740993}`, `"amount":9007199254740992`, false},
		{`{"amount":{"min":5}}`, `"amount":5`, true},
		{`{"amount":{"min":5}}`, `"amount":4.999`, false},
		{`{"amount":{"max":5}}`, `"amount":5.001`, false},
		{`{"amount":{"min":1,"max":5}}`, `"amount":3`, true},
		{`{"list":{"has":"b"}}`, `"list":["a","b"]`, true},
		{`{"list":{"has":"b"}}`, `"list":["a"]`, false},
		{`{"/at/host":"a"}`, `"at":{"host":"a"}`, true},
		{`{"/at/host":"a"}`, `"at":{"host":"b"}`, false},
		{`{"title":"a","type":"b","format":"c"}`, `"title":"a","type":"b","format":"c"`, true},
		{`{"title":"a","type":"b","format":"c"}`, `"title":"a","type":"b","format":"d"`, false},
		{`{"schema":{"type":"object","required":["queue"],"properties":{"queue":{"type":"string","pattern":"^N"}}}}`, `"queue":"NET"`, true},
		{`{"schema":{"type":"object","required":["queue"],"properties":{"queue":{"type":"string","pattern":"^N"}}}}`, `"queue":"APP"`, false},
		{`{"queue":{"schema":{"type":"string","pattern":"^N"}}}`, `"queue":"NET"`, true},
		{`{"queue":{"schema":{"type":"string","pattern":"^N"}}}`, `"queue":"APP"`, false},
	} {
		input := strings.Replace(closeInput, `"items":{"type":"object","properties":{"x":{}}}`, `"items":{}`, 1)
		args := `{"ticket_id":"INC1",` + c.args + `}`
		for effect, want := range map[string]verdict.Ruling{"allow": verdict.Allow, "deny": verdict.Refuse} {
			if !c.met {
				want = verdict.Ask
			}
			d := decide(t, call{args: args, input: input, def: verdict.Ask}, one(effect, "where", c.condition))
			if d.Ruling != want || d.Code == verdict.RuleError {
				t.Errorf("%s where %s of %s: %v, not %v (%s)", effect, c.condition, args, d.Ruling, want, d.Reason)
			}
		}
	}
}

// A place is under another one only if every program reads it so. A rule that allows
// accepts no doubtful place, and a rule that denies matches all of them.
func TestUnder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		root, value  string
		allow, match bool // by a rule that allows, and by a rule that denies
	}{
		{"/srv/data", "/srv/data", true, true},
		{"/srv/data", "/srv/data/a b.txt", true, true},
		{"/srv/data/", "/srv/data/a", true, true},
		{"/srv/data", "/srv/database", false, false},
		{"/srv/data", "/srv", false, false},
		{"/srv/data", "/srv/data/../../etc/passwd", false, true},
		{"/srv/data", "/srv/data/..", false, true},
		{"/srv/data", "/srv/x/../data/a", false, true},
		{"/srv/data", "/srv//data/a", false, true},
		{"/srv/data", "/srv/./data", false, true},
		{"/srv/data", "/SRV/Data/a", false, true},
		{"/srv/data", `/srv\data`, false, true},
		{"/srv/data", "/srv/%64ata", false, true},
		{"/srv/data", "srv/data", false, true},
		{"/srv/data", "file:///srv/data", false, true},
		{"/srv/data", "/srv/data\n/../../etc", false, true},
		{"/srv/data", "", false, true},
		{"/", "", false, true},
		{"/", "/etc/passwd", true, true},
		{"/srv/data", "/srv/…/x", false, true},
		{"https://example.com/a", "https://example.com/a", true, true},
		{"https://example.com/a", "https://example.com/a/b?c=d%20e", true, true},
		{"https://example.com/a", "https://example.com/ab", false, false},
		{"https://example.com/a", "https://example.com/b", false, false},
		{"https://example.com/a", "https://example.com/b/../a", false, true},
		{"https://example.com/a", "https://example.com/a/../b", false, true},
		{"https://example.com/a", "https://example.com/%61", false, true},
		{"https://example.com", "https://example.com.evil.com/", false, false},
		{"https://example.com", "https://example.com@evil.com/", false, true},
		{"https://example.com", "https://evil.com/?https://example.com", false, false},
		{"https://example.com", "https://EXAMPLE.com/", false, true},
		{"https://example.com", "HTTPS://example.com/", false, true},
		{"https://example.com", "http://example.com/", false, true},
		{"https://example.com", "https://example.com:443/", false, true},
		{"https://example.com", "https://example.com./", false, true},
		{"https://example.com", "//example.com/", false, true},
		{"https://example.com", `https:\\example.com`, false, true},
		{"https://example.com", " https://example.com", false, true},
		{"https://example.com", "https://user@example.com/", false, true},
		{"https://example.com:8443", "https://example.com:8443/a", true, true},
		{"https://example.com:8443", "https://example.com/a", false, true},
		{"https://example.com/a", "https://example.com/../a/b", false, true}, // the first name of a path
		{"https://example.com/a", "https://example.com/./a", false, true},
		{"https://example.com/a", "https://example.com//a", false, true},
		{"https://example.com/a", "https://example.com/b/;/../a", false, true},
		{"https://example.com/a", "https://example.com/a;v=1/b", false, true}, // parameters
		{"https://example.com/a", "https://example.com/A;v=1", false, true},
		{"https://example.com/a", "https://example.com/a/b;v=1", true, true},
		{"https://example.com/a", "https://example.com/b/..;/a", false, true},
		{"https://example.com/a", "https://example.com/a/..;/b", false, true},
		{"https://example.com/a", "https://example.com/b;a", false, false},
		{"https://example.com/a", "https://example.com/a./b", false, true}, // dots at the end of a name
		{"https://example.com/a", "https://example.com/.../a", false, true},
		{"https://example.com/a", "https://other.test/%61/../a", false, false},
		{"http://127.0.0.1", "http://127.0.0.1/x", true, true}, // addresses and their other spellings
		{"http://127.0.0.1", "http://2130706433/", false, true},
		{"http://127.0.0.1", "http://0x7f.1/", false, true},
		{"http://127.0.0.1", "http://0x7F000001", false, true},
		{"http://127.0.0.1", "http://0177.0.0.1/", false, true},
		{"http://127.0.0.1", "http://127.1:80/", false, true},
		{"http://127.0.0.1", "http://127.0.0.01/", false, true},
		{"http://127.0.0.1", "http://127.0.0.1./", false, true},
		{"http://127.0.0.1", "http://[::ffff:127.0.0.1]/", false, true},
		{"http://127.0.0.1", "http://[::ffff:7f00:1]/", false, true},
		{"http://127.0.0.1", "http://0.0.0.0/", false, true},
		{"http://127.0.0.1", "http://127.0.0.2/", false, false},
		{"http://127.0.0.1", "http://127.0.0.1.example.com/", false, false},
		{"http://[::1]:80/a", "http://[::1]:80/a/b", true, true},
		{"http://[::1]:80/a", "http://[0:0:0:0:0:0:0:1]:80/a/b", false, true},
		{"http://[::1]:80/a", "http://[::1]:80/b", false, true},
		{"http://[::1]:80/a", "http://example.com/a", false, false},
		{"https://example.com", "https://other.test?@example.com/", false, true}, // users
		{"https://example.com", "https://other.test#@example.com", false, true},
		{"https://example.com", "https://example.com?@other.test/", false, true},
		{"https://example.com", "https://other.test/?@example.com", false, false},
		{"https://example.com", "https://other.test:73979/", false, true}, // a port above 65535
		{"https://example.com", "https://example.com:/", false, true},
		{"https://example.com", "https://example.com:0443/", false, true},
		{"https://example.com", "https://example..com/", false, true}, // hosts
		{"https://example.com", "https://-example.com/", false, true},
		{"https://example.com", "https://xn--example-.com/", false, true},
		{"https://example.com", "https://ex%61mple.com/", false, true},
		{"https://example.com", "https://exämple.com/", false, true},
		{"https://example.com", "https://example。com/", false, true},
		{"https://xn--bcher-kva.example", "https://xn--bcher-kva.example/a", true, true},
		{"https://xn--bcher-kva.example", "https://bücher.example/a", false, true},
		{"https://example.com", "ht\ntps://other.test/", false, true}, // what is left out
		{"https://example.com", "https://other.test/\ta", false, true},
		{"https://example.com", "https:/example.com/", false, true},
		{"https://example.com", "https:example.com", false, true},
		{"https://example.com", "https:///example.com", false, true},
		{"https://example.com", "/example.com", false, true},
		{"/srv/data", "/../srv/data", false, true},
		{"/srv/data", "/srv/data;v=1/a", false, true},
		{"/srv/data", "/srv/x/..;/data", false, true},
		{"/srv/data", "/srv/data./a", false, true},
		{"/srv/data", "/srv/data /a", false, true},
		{"/srv/data", "/srv/data?x", false, true},
		{"/srv/data", "/srv/data#x", false, true},
		{"/srv/data", "/srv/x?/../data", false, true},
		{"/srv/data", "/srv/data/..;", false, true},
		{"/srv/data", "/srv/data/C# in a week.txt", true, true},
		{"/srv/C#", "/srv/C#/a", true, true},
		{"/srv/C#", "/srv/C/a", false, true},
		{"/srv/data", "~/data", false, true},
		{"/srv/data", "https://example.com/srv/data", false, true},
	} {
		value, err := json.Marshal(c.value)
		if err != nil {
			t.Fatal(err)
		}
		args := fmt.Sprintf(`{"ticket_id":"INC1","note":%s}`, value)
		condition := fmt.Sprintf(`{"note":{"under":%q}}`, c.root)
		if d := decide(t, call{args: args, def: verdict.Ask}, one("allow", "where", condition)); (d.Ruling == verdict.Allow) != c.allow || d.Code == verdict.RuleError {
			t.Errorf("allow under %s: %q: %v, %s", c.root, c.value, d.Ruling, d.Reason)
		}
		if d := decide(t, call{args: args, def: verdict.Ask}, one("deny", "where", condition)); (d.Ruling == verdict.Refuse) != c.match || d.Code == verdict.RuleError {
			t.Errorf("deny under %s: %q: %v, %s", c.root, c.value, d.Ruling, d.Reason)
		}
	}
}

// The record is closed and whole, whatever is known of a call.
func TestEveryRecordFitsItsSchema(t *testing.T) {
	t.Parallel()
	s, err := schema.Admit(rule.RecordSchema(), schema.Options{Role: schema.Output, StrictFormats: true})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]call{
		"little known": {}, "a question": {question: "Close INC1 or INC2"}, "hints": {hints: `{"destructiveHint":true,"openWorldHint":false}`},
		"facts": {facts: rule.Facts{Subject: "INC1", Conversation: "c", Time: "2026-11-24T17:05:00+01:00", Zone: "Europe/Berlin", Labels: []string{"exposed"}, Grants: []string{"g"}}},
	} {
		_, q := c.made(t)
		raw, err := q.Record.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Check(raw); err != nil {
			t.Errorf("%s: %v\n%s", name, err, raw)
		}
	}
	_, q := call{facts: rule.Facts{Subject: "INC1", Time: "2026-11-24T17:05:00+01:00", Zone: "Europe/Berlin"}}.made(t)
	if r := q.Record; *r.Time.Weekday != "Tuesday" || *r.Time.Minute != 17*60+5 || r.EqualSubject[0] != "/ticket_id" || *r.Server.Provider != "@acme/tickets" {
		raw, _ := r.JSON()
		t.Errorf("the record is\n%s", raw)
	}
}
