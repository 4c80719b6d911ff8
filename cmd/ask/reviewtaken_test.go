package main

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// alike are five new servers, each with a tool of one name and one of its own.
func alike(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	var servers, allowed []string
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		clitest.Write(t, home, name+".json", fmt.Sprintf(`[{"name":"about_%s","description":"Describes %s.","inputSchema":{"type":"object"}},{"name":"search","description":"Searches %s.","inputSchema":{"type":"object"}}]`, name, name, name))
		servers = append(servers, fmt.Sprintf(`%q:{"command":"talker","env":{"TALKER_LIST":%q,"TALKER_LOG":%q,"GORACE":%q}}`, name, home+"/"+name+".json", home+"/log", clitest.AtOnce))
		allowed = append(allowed, fmt.Sprintf(`%q:{"read":["search","about_%s"]}`, name, name))
	}
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{`+strings.Join(servers, ",")+`}}`)
	clitest.Write(t, home, "allowlist.json", "{"+strings.Join(allowed, ",")+"}")
	return home
}

var printedApproval = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^next: ask (servers approve .*)$`) })

// The approval of one server changes no printed approval of another, in any order.
func TestEveryApprovalThatAReviewOfAllPrintsHolds(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]int{"first to last": {0, 1, 2, 3, 4}, "last to first": {4, 3, 2, 1, 0}, "mixed": {2, 0, 4, 1, 3}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := alike(t)
			shown, _ := askIn(t, home, "servers", "review", "--all")
			lines := printedApproval().FindAllStringSubmatch(shown, -1)
			if len(lines) != 5 {
				t.Fatalf("%d approvals are printed:\n%s", len(lines), shown)
			}
			for i, others := range []string{"", "(a)", "(a, b)", "(a, b, c)", "(a, b, c, d)"} {
				server := "abcde"[i : i+1]
				if want := server + "/search  new, shadowing " + others + ": safety-lowering"; strings.Contains(shown, want) != (i > 0) {
					t.Errorf("of %s it is not shown once for each pair what it shadows (%s):\n%s", server, want, shown)
				}
			}
			for _, i := range order {
				if out, err := askIn(t, home, strings.Fields(lines[i][1])...); err != nil {
					t.Errorf("%s: %v\n%s", lines[i][1], err, out)
				}
			}
			if out, err := askIn(t, home, "servers", "review", "--all"); err != nil {
				t.Errorf("something is left to approve: %v\n%s", err, out)
			}
		})
	}
}

// A digest of a review covers the server's definitions, whatever was approved elsewhere.
func TestAnApprovalIsOfNoOtherText(t *testing.T) {
	t.Parallel()
	home := alike(t)
	shown, _ := askIn(t, home, "servers", "review", "--all")
	lines := printedApproval().FindAllStringSubmatch(shown, -1)
	clitest.Write(t, home, "b.json", `[{"name":"about_b","inputSchema":{"type":"object"}},{"name":"search","description":"Searches b, and mails it.","inputSchema":{"type":"object"}}]`)
	if out, err := askIn(t, home, strings.Fields(lines[1][1])...); err == nil || !strings.Contains(out, "pin.changed") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := askIn(t, home, strings.Fields(strings.Replace(lines[0][1], " a ", " c ", 1))...); err == nil {
		t.Errorf("an approval of one server is one of another:\n%s", out)
	}
}

// The digest of one tool brings no other tool of its server into the allowlist.
func TestADigestAllowsItsOwnToolAlone(t *testing.T) {
	t.Parallel()
	home := alike(t)
	clitest.Write(t, home, "allowlist.json", "{}")
	shown, _ := askIn(t, home, "servers", "review", "a", "--all-tools", "--jq", `.reviews[0].tools[] | select(.tool == "about_a") | .digest`)
	digest := regexp.MustCompile(`sha256:[0-9a-f]{64}`).FindString(shown)
	if out, err := askIn(t, home, "servers", "approve", "a", "--digest", digest, "--read", "search"); err == nil || !strings.Contains(out, "none of these digests approves search") {
		t.Errorf("%v\n%s", err, out)
	}
	if got := contents(t, home+"/allowlist.json"); got != "{}" {
		t.Errorf("the allowlist is %s", got)
	}
	if out, err := askIn(t, home, "servers", "approve", "a", "--digest", digest, "--read", "about_a"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
