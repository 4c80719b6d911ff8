//go:build interop

package interop_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of docs/internals/interop.md again")

// place is the place of the servers, with the values that both clients get about them.
type place struct {
	path, servers, allowlist string
	fill                     *strings.Replacer
}

// TestPublicServers: both clients make the same request of every server, and
// the table of docs/internals/interop.md says what came of it.
func TestPublicServers(t *testing.T) { //nolint:tparallel // the group waits for its rows
	t.Parallel()
	p := newPlace(t)
	rows := make([]string, len(publics))
	tested := p.test(t)
	t.Run("each", func(t *testing.T) {
		for i, s := range publics {
			t.Run(s.name(), func(t *testing.T) {
				t.Parallel()
				rows[i] = fmt.Sprintf("| `%s` %s | %s | `%s` | %s |\n", s.pack, s.version(t), tested[s.name()], s.tool, s.compare(t, p))
			})
		}
	})
	if !t.Failed() && !slices.Contains(rows, "") { // else -run chose among them
		const head = "| package | MCP | tools | request | `ask call` | the inspector's CLI |\n|---|---|---|---|---|---|\n"
		hold(t, "the servers", head+strings.Join(rows, ""), "TestPublicServers")
	}
}

// TestAnArgumentThatNoSchemaLists: the inspector sends it, and ask does not.
func TestAnArgumentThatNoSchemaLists(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := publics[slices.IndexFunc(publics, func(s public) bool { return s.pack == "mcp-server-time" })]
	s.args = strings.Replace(s.args, "{", `{"dst":true,`, 1)
	if ours := s.ask(t, p); ours.Error.Code != "schema.arguments" || ours.exit != 3 {
		t.Errorf("ask ends with %+v", ours)
	}
	if theirs := s.inspect(t, p); theirs.exit != 0 || !strings.Contains(theirs.text(), s.says) {
		t.Errorf("the inspector ends with exit %d and says\n%s", theirs.exit, theirs.said)
	}
}

// documented is held while a table of the documentation is read and written.
var documented sync.Mutex

// hold compares a table with that of the documentation, between two comments that name
// it. The test writes it again with -update.
func hold(t *testing.T, name, table, test string) {
	t.Helper()
	documented.Lock()
	defer documented.Unlock()
	const doc = "../docs/internals/interop.md"
	b, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	opens, closes := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	begin, rest, ok := strings.Cut(string(b), opens)
	_, end, ends := strings.Cut(rest, closes)
	if !ok || !ends {
		t.Fatalf("%s has no place for the table", doc)
	}
	want := begin + opens + table + closes + end
	if *update {
		err = os.WriteFile(doc, []byte(want), 0o644)
	} else if want != string(b) {
		err = fmt.Errorf("%s is not what was found; write it again with: interop/run.sh -run %s -update\n%s", doc, test, table)
	}
	if err != nil {
		t.Error(err)
	}
}

// newPlace makes a folder to work in, and one servers file and one allowlist
// for both clients.
func newPlace(t *testing.T) place {
	t.Helper()
	home := t.TempDir()
	work, err := os.MkdirTemp("", "servers") //nolint:usetesting // mcp-obsidian takes a path in small letters only
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(work) })
	web := httptest.NewServer(http.HandlerFunc(onePage))
	t.Cleanup(web.Close)
	p := place{
		path:    toolPath(t) + ":" + abs(t, "inspector/node_modules/.bin") + ":/usr/bin:/bin",
		servers: filepath.Join(home, "mcp.json"), allowlist: filepath.Join(home, "allowlist.json"),
		fill: strings.NewReplacer("$WORK", work, "$PAGE", web.URL),
	}
	if err := os.CopyFS(work, os.DirFS("testdata/servers")); err != nil {
		t.Fatal(err)
	}
	p.must(t, home, "git", "init", "-q", work+"/repo")
	p.must(t, home, "git", "-C", work+"/repo", "-c", "user.name=n", "-c", "user.email=n@example.com", "commit", "-q", "--allow-empty", "-m", "first commit")
	servers, allowed := map[string]any{}, map[string]any{}
	for _, s := range publics {
		servers[s.name()] = s.entry(p)
		allowed[s.name()] = map[string]any{"read": []string{s.tool}}
	}
	write(t, p.servers, map[string]any{"mcpServers": servers})
	write(t, p.allowlist, allowed)
	return p
}

func onePage(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/policy" {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte("Audit logs are kept for 400 days."))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = w.Write([]byte(`{"object":"error","status":401,"message":"API token is invalid."}`))
}

// name is the package's, as a server may be called.
func (s public) name() string { return strings.NewReplacer("@", "", "/", "-").Replace(s.pack) }

// entry is the server's in the servers file. It is in no need of variables,
// which the inspector does not expand.
func (s public) entry(p place) map[string]any {
	env := map[string]string{"PATH": p.path}
	for name, value := range s.env {
		env[name] = p.fill.Replace(value)
	}
	command := strings.Fields(p.fill.Replace(s.run))
	return map[string]any{"command": command[0], "args": command[1:], "env": env}
}

// version is what is installed.
func (s public) version(t *testing.T) string {
	t.Helper()
	return pinned(t, s.pack, "package.json", "python/requirements.txt", "python1/requirements.txt")
}

// pinned is the version of a package in the first of the files that has one.
func pinned(t *testing.T, pack string, files ...string) string {
	t.Helper()
	line := regexp.MustCompile(`(?m)^\s*"?` + regexp.QuoteMeta(pack) + `"?(?:==|: "| v| = \{ version = "=|\s*<version>)([\w.]+)`)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if m := line.FindSubmatch(b); m != nil {
			return string(m[1])
		}
	}
	t.Fatalf("none of %q has a version of %s", files, pack)
	return ""
}

// test is `ask servers test` with all of them at once. It returns, by name, the
// version of the protocol and the number of tools.
func (p place) test(t *testing.T) map[string]string {
	t.Helper()
	var tested struct {
		Servers []struct {
			Name, Protocol string
			Listed         int
		}
	}
	out := p.must(t, t.TempDir(), "ask", "servers", "test", "--json", "--servers", p.servers, "--allowlist", p.allowlist)
	if err := json.Unmarshal(out, &tested); err != nil || len(tested.Servers) != len(publics) {
		t.Fatalf("%d servers were tested, want %d: %v", len(tested.Servers), len(publics), err)
	}
	by := map[string]string{}
	for _, s := range tested.Servers {
		by[s.Name] = fmt.Sprintf("%s | %d", s.Protocol, s.Listed)
	}
	return by
}

// compare is what the two clients make of the request, in two cells.
func (s public) compare(t *testing.T, p place) string {
	t.Helper()
	ours, theirs := s.ask(t, p), s.inspect(t, p)
	said := strings.TrimPrefix(ours.Error.Message, "the tool says: ") + ours.Raw + string(ours.Typed)
	if !strings.Contains(said, s.says) || ours.Error.Code != s.code {
		t.Errorf("ask ends with %q and says\n%s", ours.Error.Code, said)
	}
	cell := "answers, untyped | the same text"
	switch {
	case s.code != "":
		cell = fmt.Sprintf("`%s`, exit %d | the same text", s.code, ours.exit)
	case ours.Typed != nil:
		cell = "answers, typed | the same value, and its text"
	}
	same := said == theirs.text()
	if ours.Typed != nil {
		same = reflect.DeepEqual(decoded(t, ours.Typed), decoded(t, theirs.Result.StructuredContent))
	}
	if !same {
		t.Errorf("the inspector says\n%s\nand ask\n%s", theirs.said, said)
	}
	if theirs.exit != 0 {
		cell += fmt.Sprintf(", exit %d", theirs.exit)
	}
	return cell
}
