package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// helpExamples are the examples of commands without one in their definition, by path. Each
// line runs unchanged, with your own runs, servers and files in place of the named ones.
var helpExamples = []struct{ path, lines string }{
	{"approvals", "  ask approvals list\n  ask approvals --watch"},
	{"approvals deny", "  ask approvals deny RUN_ID"},
	{"approvals list", "  ask approvals list\n  ask approvals list --all"},
	{"approvals show", "  ask approvals show RUN_ID"},

	{"clients", "  ask clients list\n  ask clients wrap claude-code"},
	{"clients list", "  ask clients list\n  ask clients list --json"},
	{"clients show", "  ask clients show cursor\n  ask clients show .mcp.json"},

	{"config", "  ask config show\n  ask config get timeout"},
	{"config show", "  ask config show\n  ask config show --origin"},

	{"conversations", "  ask conversations list"},
	{"conversations list", "  ask conversations list"},

	{"demo", "  ask demo\n  ask --demo \"Summarize policy-002\""},
	{"doctor", "  ask doctor\n  ask doctor --json"},
	{"eval", "  ask eval scan\n  ask eval offline"},
	{"run", "  ask run \"Get ticket INC0010001\"\n  ask run --demo --explain \"Summarize policy-002\""},
	{"version", "  ask version\n  ask version --json"},

	{"grants", "  ask grants list"},
	{"grants explain", "  ask grants explain ID"},
	{"grants list", "  ask grants list\n  ask grants list --all"},
	{"grants revoke", "  ask grants revoke ID"},

	{"guard", "  ask guard list"},
	{"guard explain", "  ask guard explain model-order"},
	{"guard list", "  ask guard list"},
	{"guard test", "  ask guard test page.txt\n  ask guard test page.txt --server web"},

	{"manifest", "  ask manifest propose files\n  ask manifest use files"},

	{"models", "  ask models list\n  ask models use openai/qwen3"},
	{"models key", "  ask models key set openai < key.txt"},
	{"models key remove", "  ask models key remove openai"},
	{"models list", "  ask models list"},
	{"models test", "  ask models test\n  ask models test openai/qwen3"},

	{"policy", "  ask policy show"},
	{"policy schema", "  ask policy schema > policy-input.schema.json"},
	{"policy show", "  ask policy show"},
	{"policy test", "  ask policy test\n  ask policy test --rules new.json"},
	{"policy validate", "  ask policy validate\n  ask policy validate --rules new.json"},

	{"quarantine", "  ask quarantine list"},
	{"quarantine drop", "  ask quarantine drop RUN_ID"},
	{"quarantine keep", "  ask quarantine keep RUN_ID"},
	{"quarantine list", "  ask quarantine list"},
	{"quarantine purge", "  ask quarantine purge --older-than 90d"},
	{"quarantine release", "  ask quarantine release RUN_ID"},
	{"quarantine show", "  ask quarantine show RUN_ID"},

	{"servers", "  ask servers list\n  ask servers import"},
	{"servers fetch", "  ask servers fetch files\n  ask servers fetch --before 2026-06-01"},
	{"servers list", "  ask servers list\n  ask servers list --json"},
	{"servers logout", "  ask servers logout tickets"},
	{"servers refresh", "  ask servers refresh\n  ask servers refresh files"},
	{"servers reject", "  ask servers reject files delete_file move_file"},
	{"servers remove", "  ask servers remove files"},
	{"servers show", "  ask servers show files"},
	{"servers test", "  ask servers test\n  ask servers test files"},

	{"tools", "  ask tools --all\n  ask tools show files/read_file"},
	{"tools list", "  ask tools list\n  ask tools list --all"},
	{"tools show", "  ask tools show files/read_file"},

	{"trace", "  ask trace list\n  ask trace show latest"},
	{"trace export", "  ask trace export latest --out run.jsonl"},
	{"trace prune", "  ask trace prune --older-than 90d --dry-run\n  ask trace prune --older-than 90d"},
	{"trace replay", "  ask trace replay latest"},
	{"trace show", "  ask trace show latest\n  ask trace show latest --html run.html"},
	{"trace verify", "  ask trace verify latest\n  ask trace verify RUN_ID --digest sha256:…"},
}

// exemplify sets the example of each command.
func exemplify(root *cobra.Command) {
	for _, of := range helpExamples {
		if c, _, err := root.Find(strings.Fields(of.path)); err == nil && c.Example == "" {
			c.Example = of.lines // a test finds each
		}
	}
}
