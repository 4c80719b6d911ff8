package rule_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
)

// pageTools are the tools of docs/policy.md: an allowlist, and what servers list.
const pageAllow = `{"tickets":{"read":["get_ticket"],"write":["close_ticket","delete_ticket"]},"files":{"read":["read_file"]},"web":{"read":["fetch"]},` +
	`"mail":{"write":[{"name":"send","resource":"mailbox:own"}]},"bank":{"write":["pay"]}}`

var pageTools = map[string][]string{
	"tickets": {
		`{"name":"get_ticket","inputSchema":{"type":"object","properties":{"ticket_id":{"type":"string"}},"required":["ticket_id"]}}`,
		`{"name":"close_ticket","inputSchema":{"type":"object","properties":{"ticket_id":{"type":"string"},"queue":{"type":"string"}},"required":["ticket_id"]},"annotations":{"destructiveHint":false}}`,
		`{"name":"delete_ticket","inputSchema":{"type":"object","properties":{"ticket_id":{"type":"string"}},"required":["ticket_id"]},"annotations":{"destructiveHint":true}}`,
	},
	"files": {`{"name":"read_file","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}`},
	"web":   {`{"name":"fetch","inputSchema":{"type":"object","properties":{"url":{"type":"string"}},"required":["url"]}}`},
	"mail":  {`{"name":"send","inputSchema":{"type":"object","properties":{"to":{"type":"array","items":{"type":"string"}},"text":{"type":"string"}},"required":["to"]}}`},
	"bank":  {`{"name":"pay","inputSchema":{"type":"object","properties":{"invoice_id":{"type":"string"},"amount":{}},"required":["invoice_id"]}}`},
}

func pageCatalog(t *testing.T) catalog.Catalog {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(pageAllow))
	if err != nil {
		t.Fatal(err)
	}
	var all []catalog.Listing
	for server, tools := range pageTools {
		l := catalog.Listing{Server: server}
		for _, raw := range tools {
			l.Tools = append(l.Tools, pin.Descriptor{Server: server, Raw: []byte(raw)})
		}
		all = append(all, l)
	}
	stdio := pin.Identity{Kind: "stdio", Address: "tickets-server"}
	return catalog.Admit(all, allow, catalog.Options{Identities: map[string]pin.Identity{"tickets": stdio}})
}

func TestTheExamplesOfThePolicyPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	c := pageCatalog(t)
	examples := regexp.MustCompile("(?s)\n(\\d+)\\\\\\. (?:[^\n]+\n)+\n```json\n(.*?)```\n```text\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(examples) != 10 {
		t.Fatalf("the page has %d examples that are understood", len(examples))
	}
	for _, e := range examples {
		p, err := rule.Parse(rule.File{Name: "policy.json", Text: []byte(e[2])})
		if err == nil {
			err = p.Check(func(*rule.Rule) bool { return true })
		}
		if err != nil {
			t.Errorf("example %s: %v", e[1], err)
			continue
		}
		for line := range strings.Lines(e[3]) {
			words := strings.Fields(line)
			if got := decidedOn(t, c, p, words[:len(words)-1]); got != words[len(words)-1] {
				t.Errorf("example %s: %s: %s", e[1], strings.TrimSpace(line), got)
			}
		}
	}
}

// decidedOn decides on SERVER/TOOL ARGS [NAME=VALUE…].
func decidedOn(t *testing.T, c catalog.Catalog, p rule.Policy, words []string) string {
	t.Helper()
	server, name, _ := strings.Cut(words[0], "/")
	tool, err := c.Tool(server, name)
	if err != nil {
		t.Fatal(err)
	}
	question, facts := "", rule.Facts{Zone: p.Zone()}
	for _, w := range words[2:] {
		fact, value, _ := strings.Cut(w, "=")
		switch fact {
		case "question":
			question = strings.ReplaceAll(value, "_", " ")
		case "labels":
			facts.Labels = strings.Split(value, ",")
		case "time":
			facts.Time = value
		case "subject":
			facts.Subject = value
		default:
			t.Fatalf("%s is no fact", fact)
		}
	}
	said, err := intent.Compare(intent.Question{Text: question, Server: server, Tool: name, Changes: !tool.Effect().Reads}, tool.Input().Root(), []byte(words[1]))
	if err != nil {
		t.Fatal(err)
	}
	otherwise := verdict.Allow
	if tool.Effect().Asks() {
		otherwise = verdict.Ask
	}
	d := p.Decide(rule.Question{Record: rule.Of(tool, []byte(words[1]), said, facts), Input: tool.Input(), Otherwise: otherwise})
	if d.Code == verdict.RuleError {
		return fmt.Sprintf("%v (%s)", d.Ruling, d.Reason)
	}
	return d.Ruling.String()
}
