//go:build interop

package interop_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// packages are what installs the clients, in package.json of interop/wrap.
var packages = map[string]string{
	"opencode": "opencode-linux-x64", "codex": "@openai/codex", "gemini": "@google/gemini-cli", "continue": "@continuedev/cli",
}

// applications starts each client once, with all servers behind ask. The tools that
// its model is offered are its lists, the last of each meeting. It returns the titles.
// A client that leaves out a tool is started again, with the server itself.
func applications(t *testing.T, found []meeting) (titles []string) {
	t.Helper()
	lists := make([][]listing, len(mcpClients))
	t.Run("applications", func(t *testing.T) {
		for i, c := range mcpClients {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				seats <- struct{}{}
				defer func() { <-seats }()
				lists[i] = newRoom(t, c).lists(t, found, meeting.wrapped)
				for k, m := range found {
					if len(lists[i][k].Tools) < len(m.through.Tools)-1 { // all but onestep_status
						lists[i][k].bare = newRoom(t, c).lists(t, found[k:k+1], meeting.itself)
					}
				}
			})
		}
	})
	for i, c := range mcpClients {
		titles = append(titles, c.name+" "+pinned(t, packages[c.name], "wrap/package.json"))
		for k := range found {
			list := listing{Error: "not run"} // -run chose among them, or it failed
			if lists[i] != nil {
				list = lists[i][k]
			}
			found[k].lists = append(found[k].lists, list)
		}
	}
	return titles
}

// wrapped and itself are commands that start the server, behind ask and without it.
func (m meeting) wrapped() []string {
	return []string{"HOME=" + m.home, "ASK_HOME=" + m.home + "/ask", "ask", "wrap", "made"}
}

func (m meeting) itself() []string { return m.serve }

// entry is the server desk in the configuration of a client.
var entry = regexp.MustCompile(`(?s)"desk": \{[^}]*\}|\[mcp_servers\.desk\].*|  - name: desk.*`)

// lists is what the client offers its model of each server.
func (r *room) lists(t *testing.T, found []meeting, command func(meeting) []string) []listing {
	t.Helper()
	var servers []string
	one := entry.FindString(r.client.content)
	for i, m := range found {
		args := strings.Trim(inJSON(command(m)), "[]")
		fill := strings.NewReplacer("desk", row(i), "$DESK", "/usr/bin/env", `"$FOLDER"`, args)
		servers = append(servers, fill.Replace(one))
	}
	between := ""
	if strings.HasSuffix(one, "}") {
		between = ", "
	}
	content := strings.Replace(r.client.content, one, strings.Join(servers, between), 1)
	r.configure(t, []byte(r.fill.Replace(content)))
	s := r.begin(t)
	lists := make([]listing, len(found))
	for i, m := range found {
		for _, c := range m.made.Cases {
			if s.latest.has(row(i), c.Tool) || r.client.plain && s.latest.hasAll(found, c.Tool) {
				lists[i].Tools = append(lists[i].Tools, listedTool{Name: c.Tool})
			}
		}
	}
	s.end(t)
	return lists
}

// row is the name of the nth server.
func row(n int) string { return "row" + string(rune('a'+n)) }

// has reports whether a tool is offered with its server's name in front.
func (q request) has(server, tool string) bool {
	name := regexp.MustCompile(`(^|_)` + server + `_+` + regexp.QuoteMeta(tool) + `$`)
	return slices.ContainsFunc(q.tools, func(o offer) bool { return name.MatchString(o.space + "_" + o.name) })
}

// hasAll reports whether a tool is offered as often as servers have one of its name.
func (q request) hasAll(found []meeting, tool string) bool {
	servers, offers := 0, 0
	for _, m := range found {
		servers += one(m.through.tool(tool).Name != "")
	}
	for _, o := range q.tools {
		offers += one(o.name == tool)
	}
	return offers > 0 && offers == servers
}
