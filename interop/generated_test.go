//go:build interop

package interop_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// generator is a program of interop/generators: a server of one SDK with a tool for
// each construct that its types can express, and a client of the same SDK.
type generator struct {
	title   string
	command []string
	set     []string // of the constructs, after "serve" and "cases"
}

// generators are the SDKs, and listers the clients that list each server through ask.
func generators(t *testing.T) (all []generator, listers []generator) {
	node, program := abs(t, "node_modules/.bin/node"), abs(t, "../bin/interop/generators")
	typescript := func(file string) []string { return []string{node, abs(t, "generators/"+file)} }
	python := func(venv string) []string { return []string{abs(t, venv+"/bin/python"), abs(t, "generators/python.py")} }
	all = []generator{
		{"TypeScript 1.32.2, zod 4.6.7", typescript("typescript1.mjs"), nil},
		{"TypeScript 2.4.0, zod 4.6.7", typescript("typescript2.mjs"), nil},
		{"Python 1.30.0", python("python1/venv"), nil},
		{"Python 2.3.0", python("python/venv"), nil},
		{"Python 2.3.0, a result that is a list", python("python/venv"), []string{"apart"}},
		{"fastmcp 4.2.3", python("wrap/venv"), nil},
		{"go-sdk v1.8.0", []string{program, "go-sdk"}, nil},
		{"mcp-go v1.2.1", []string{program, "mcp-go"}, nil},
	}
	return all, []generator{all[0], all[1], all[3], all[6]}
}

// generated are the constructs of a generator: the calls, and what the SDK leaves out.
type generated struct {
	Cases []struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	}
	Left map[string]string
}

// listing is what a client says: the tools of the list or why there is none, and the
// results of its calls.
type listing struct {
	Tools   []string
	Error   string
	Results map[string]generatedResult
}

type generatedResult struct {
	Error             string
	IsError           bool
	Content           json.RawMessage
	StructuredContent json.RawMessage
}

// fails is why the call has no result, or "".
func (r generatedResult) fails() string {
	var content []struct{ Text string }
	switch {
	case r.Error != "":
		return r.Error
	case !r.IsError && r.Content != nil:
		return ""
	case json.Unmarshal(r.Content, &content) == nil && len(content) > 0:
		return content[0].Text
	}
	return "no result"
}

// TestGeneratedConstructs has the client of each SDK call each construct of a server of
// the same SDK, without ask and through it, and other clients list it through ask.
func TestGeneratedConstructs(t *testing.T) { //nolint:tparallel // the group waits for its rows
	t.Parallel()
	all, listers := generators(t)
	found := make([]meeting, len(all))
	t.Run("each", func(t *testing.T) {
		for i, g := range all {
			t.Run(g.title, func(t *testing.T) {
				t.Parallel()
				found[i] = g.meet(t, listers)
			})
		}
	})
	if slices.ContainsFunc(found, func(m meeting) bool { return m.title == "" }) {
		return // -run chose among them, or one failed
	}
	hold(t, "the constructs", meetingTable(found, listers), "TestGeneratedConstructs")
}

// meet is one row of the table.
func (g generator) meet(t *testing.T, listers []generator) meeting {
	var made generated
	g.run(t, nil, nil, &made, append([]string{"cases"}, g.set...)...)
	serve := slices.Concat(g.command, []string{"serve"}, g.set)
	direct := g.client(t, nil, inJSON(made.Cases), serve...)
	home := g.wrapped(t, made, serve)
	through := g.client(t, home, inJSON(made.Cases), "ask", "wrap", "made")
	m := meeting{title: g.title, made: made, direct: direct, through: through, lists: make([]listing, len(listers))}
	for i, lister := range listers {
		m.lists[i] = lister.client(t, home, "[]", "ask", "wrap", "made")
	}
	return m
}

// client runs the client of the SDK against a server, with calls to make.
func (g generator) client(t *testing.T, env []string, calls string, server ...string) (said listing) {
	t.Helper()
	g.run(t, env, []byte(calls), &said, append([]string{"client"}, server...)...)
	return said
}

func (g generator) run(t *testing.T, env []string, stdin []byte, into any, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), g.command[0], append(g.command[1:len(g.command):len(g.command)], args...)...)
	cmd.Env = slices.Concat([]string{"HOME=" + t.TempDir(), "PATH=" + toolPath(t) + ":/usr/bin:/bin"}, env)
	cmd.Stdin = bytes.NewReader(stdin)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v: %s", cmd.Args, err, &said)
	}
	decode(t, out, into)
}

// wrapped makes a home in which the server is approved, with every tool as reading.
func (g generator) wrapped(t *testing.T, made generated, serve []string) []string {
	t.Helper()
	home := t.TempDir()
	if err := os.MkdirAll(home+"/ask", 0o700); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range made.Cases {
		names = append(names, c.Tool)
	}
	write(t, home+"/ask/mcp.json", object{"mcpServers": object{"made": object{"command": serve[0], "args": serve[1:]}}})
	write(t, home+"/ask/allowlist.json", object{"made": object{"read": names}})
	p := place{path: toolPath(t) + ":/usr/bin:/bin"}
	digest, exit := p.run(t, home, "ask", "servers", "review", "made", "--all-tools", "-q", "--jq", ".reviews[0].digest")
	if exit == 4 {
		p.must(t, home, "ask", "servers", "approve", "made", "--digest", strings.TrimSpace(string(digest)), "-q")
	}
	return []string{"HOME=" + home, "ASK_HOME=" + home + "/ask"}
}

// meeting is what came of the constructs of one generator.
type meeting struct {
	title           string
	made            generated
	direct, through listing
	lists           []listing // one for each lister
}

// figures are how many constructs of those that the SDK's own client calls do well.
type figures struct{ callable, admitted, called, typed, typable int }

func (m meeting) figures(others func(tool, what, reason string)) (f figures) {
	for _, c := range m.made.Cases {
		direct, through := m.direct.Results[c.Tool], m.through.Results[c.Tool]
		if direct.fails() != "" || !slices.Contains(m.direct.Tools, c.Tool) {
			continue
		}
		f.callable++
		if slices.Contains(m.through.Tools, c.Tool) {
			f.admitted++
		}
		if direct.StructuredContent != nil {
			f.typable++
		}
		switch reason := through.fails(); {
		case !slices.Contains(m.through.Tools, c.Tool):
			others(c.Tool, "not admitted", reason)
		case reason != "":
			others(c.Tool, "admitted, not called", reason)
		case !same(direct.Content, through.Content):
			others(c.Tool, "called", "other content: "+string(through.Content))
		case !same(direct.StructuredContent, through.StructuredContent):
			f.called++
			others(c.Tool, "called, not typed", "structured content: "+string(through.StructuredContent))
		default:
			f.called++
			if direct.StructuredContent != nil {
				f.typed++
			}
		}
	}
	return f
}

func same(a, b json.RawMessage) bool {
	return reflect.DeepEqual(exactly(a), exactly(b))
}

// exactly decodes with numbers as they are written.
func exactly(raw json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// meetingTable is the table of the documentation: a row for each SDK, and then one for
// each construct that is not as it is without ask.
func meetingTable(found []meeting, listers []generator) string {
	var table, others strings.Builder
	table.WriteString("| server | constructs | own client calls | admitted | called | typed |")
	for _, l := range listers {
		fmt.Fprintf(&table, " listed by %s |", strings.TrimSuffix(l.title, ", zod 4.6.7"))
	}
	table.WriteString("\n|---|---|---|---|---|---|" + strings.Repeat("---|", len(listers)) + "\n")
	var total figures
	for _, m := range found {
		f := m.figures(func(tool, what, reason string) {
			fmt.Fprintf(&others, "| %s | `%s` | %s | %s |\n", m.title, tool, what, inCell(reason))
		})
		total.callable, total.called = total.callable+f.callable, total.called+f.called
		fmt.Fprintf(&table, "| %s | %d | %d | %d | %d | %d of %d |", m.title, len(m.made.Cases)+len(m.made.Left), f.callable, f.admitted, f.called, f.typed, f.typable)
		for i, l := range m.lists {
			fmt.Fprintf(&table, " %s |", cmp.Or(inCell(l.Error), fmt.Sprint(m.listed(l))))
			for _, tool := range m.through.Tools {
				if l.Error == "" && !slices.Contains(l.Tools, tool) {
					fmt.Fprintf(&others, "| %s | `%s` | not listed by %s | |\n", m.title, tool, listers[i].title)
				}
			}
		}
		table.WriteString("\n")
	}
	fmt.Fprintf(&table, "\nTogether %d of %d: %.1f %%. The others:\n\n", total.called, total.callable, 100*float64(total.called)/float64(total.callable))
	return table.String() + "| server | construct | | reason |\n|---|---|---|---|\n" + others.String()
}

// listed is how many of the callable constructs a client lists.
func (m meeting) listed(l listing) (n int) {
	for _, tool := range l.Tools {
		if r, made := m.direct.Results[tool]; made && r.fails() == "" {
			n++
		}
	}
	return n
}

// inCell is a reason on one line of a table, without the advice.
func inCell(reason string) string {
	reason, _, _ = strings.Cut(reason, "\nNext: ")
	reason = strings.TrimPrefix(reason, "onestep refused: ")
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(reason)
}
