package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

func environ(pairs ...string) config.Environ {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func file(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheHomeIsFoundOrIsAnError(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env                  []string
		config, state, cache string
	}{
		"HOME":              {[]string{"HOME", "/h"}, "/h/.config/onestep", "/h/.local/state/onestep", "/h/.cache/onestep"},
		"XDG":               {[]string{"HOME", "/h", "XDG_CONFIG_HOME", "/c", "XDG_STATE_HOME", "/s", "XDG_CACHE_HOME", "/k"}, "/c/onestep", "/s/onestep", "/k/onestep"},
		"XDG alone":         {[]string{"XDG_CONFIG_HOME", "/c", "XDG_STATE_HOME", "/s"}, "/c/onestep", "/s/onestep", "/s/onestep/cache"},
		"a relative XDG":    {[]string{"HOME", "/h", "XDG_CONFIG_HOME", "c"}, "/h/.config/onestep", "/h/.local/state/onestep", "/h/.cache/onestep"},
		"ASK_HOME":          {[]string{"HOME", "/h", "ASK_HOME", "/a"}, "/a", "/a", "/a/cache"},
		"nothing":           {nil, "", "", ""},
		"a relative HOME":   {[]string{"HOME", "."}, "", "", ""},
		"no place for them": {[]string{"XDG_CONFIG_HOME", "/c"}, "", "", ""},
		"relative ASK_HOME": {[]string{"HOME", "/h", "ASK_HOME", "a"}, "", "", ""},
	} {
		p, err := config.FindPaths(environ(c.env...))
		if c.config == "" {
			if err == nil {
				t.Errorf("%s: %+v", name, p)
			}
			continue
		}
		if err != nil || p.Config != c.config || p.State != c.state || p.Cache != c.cache {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	p, err := config.FindPaths(environ("ASK_HOME", "/a", "XDG_CONFIG_DIRS", "/e:/f"))
	if err != nil || p.System != "/e/onestep/config.toml" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestStrongerLayersWinAndDenialsAddUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	paths := config.Paths{Config: dir, System: filepath.Join(dir, "system.toml"), State: dir}
	file(t, dir, "system.toml", "timeout = \"1s\"\nsummary_level = \"quoted\"\nmodel = \"ollama/a\"\nrules = \"system.json\"")
	file(t, dir, "config.toml", "timeout = \"2s\"\nmodel = \"ollama/b\"\nrules = \"user.json\"\nallowlist = \"list.json\"")
	s, err := config.Load(paths, environ("ASK_MODEL", "ollama/c", "SAFE_RULES_PATH", "/env.json"), config.Flags{Given: map[string]string{"timeout": "3s"}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Timeout.V != 3*time.Second || s.Model.V != "ollama/c" || s.SummaryLevel.V != "quoted" || s.Allowlist.V != filepath.Join(dir, "list.json") {
		t.Errorf("%+v", s)
	}
	var rules []string
	for _, r := range s.Rules {
		rules = append(rules, filepath.Base(r.V))
	}
	if !slices.Equal(rules, []string{"system.json", "user.json", "env.json"}) {
		t.Errorf("rules of %v", rules)
	}
}

func TestRulesOfEveryFileHold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rule := `{"builtin":false,"rules":[{"id":"%","category":"house","pattern":"%","reason":"house rule"}]}`
	var paths []config.Value[string]
	for _, word := range []string{"alpha", "beta"} {
		paths = append(paths, config.Value[string]{V: file(t, dir, word, strings.ReplaceAll(rule, "%", word))})
	}
	r, err := config.LoadRules(paths)
	if err != nil {
		t.Fatal(err)
	}
	for text, refused := range map[string]bool{"say alpha": true, "say beta": true, "say gamma": false} {
		if _, err := input.Admit(input.Asked{Words: text}, r); (err != nil) != refused {
			t.Errorf("%q: %v", text, err)
		}
	}
	broken := append(paths, config.Value[string]{V: file(t, dir, "broken", "{")})
	for _, bad := range [][]config.Value[string]{broken, {{V: filepath.Join(dir, "none")}}} {
		r, err := config.LoadRules(bad)
		if _, admitted := input.Admit(input.Asked{Words: "say gamma"}, r); err == nil || admitted == nil {
			t.Errorf("rules that cannot be read admit a question: %v", err)
		}
	}
	if r, err = config.LoadRules(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := input.Admit(input.Asked{Words: "How do I build a pipe bomb?"}, r); verdict.CodeOf(err) != verdict.InputRule {
		t.Errorf("without a file the built-in rules do not hold: %v", err)
	}
}

func TestAnAllowlistThatCannotBeReadAllowsNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for path, want := range map[string]verdict.Code{
		filepath.Join(dir, "none"):            verdict.AllowMissing,
		dir:                                   verdict.AllowInvalid,
		file(t, dir, "broken", `{"a":["b"],`): verdict.AllowInvalid,
		file(t, dir, "empty", `{}`):           verdict.AllowEmpty,
		file(t, dir, "good", `{"a":["b"]}`):   "",
	} {
		if got := config.LoadAllowlist(path).Refusal(); verdict.CodeOf(got) != want {
			t.Errorf("%s: %v, want %q", path, got, want)
		}
	}
}

func TestVariablesExpandOrNameTheirField(t *testing.T) {
	t.Parallel()
	env := environ("TOKEN", "t0k3n", "EMPTY", "")
	for text, c := range map[string]struct {
		want string
		code verdict.Code
	}{
		"plain $TOKEN":      {"plain $TOKEN", ""},
		"a ${TOKEN} b":      {"a t0k3n b", ""},
		"${TOKEN}${TOKEN}":  {"t0k3nt0k3n", ""},
		"${EMPTY}":          {"", ""},
		"${EMPTY:-e}":       {"e", ""},
		"${NONE:-d}":        {"d", ""},
		"${NONE:-}":         {"", ""},
		"${NONE}":           {"", verdict.ConfigVariable},
		"${TOKEN} ${NONE}":  {"", verdict.ConfigVariable},
		"${NONE-}":          {"", verdict.ConfigInvalid},
		"${NONE:=d}":        {"", verdict.ConfigInvalid},
		"${a b}":            {"", verdict.ConfigInvalid},
		"${TOKEN":           {"", verdict.ConfigInvalid},
		"${}":               {"", verdict.ConfigInvalid},
		"${NONE:-${TOKEN}}": {"", verdict.ConfigInvalid},
	} {
		s, err := config.ParseServers("/dir/mcp.json", []byte(`{"mcpServers":{"a":{"command":"x","args":["`+text+`"]}}}`))
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Resolve(env, nil, []string{"a"})
		if err == nil {
			err = got[0].Wrong
		}
		if verdict.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %q", text, err, c.code)
			continue
		}
		if err != nil {
			if !strings.Contains(err.Error(), "args[0]") || strings.Contains(err.Error(), "t0k3n") {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if got[0].Args[0] != c.want || strings.Contains(text, "${TOKEN}") && got[0].Secrets["TOKEN"] != "t0k3n" {
			t.Errorf("%s: %q, secrets %q", text, got[0].Args[0], got[0].Secrets)
		}
	}
}

func TestServersAreReadAsOtherClientsWriteThem(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers("/dir/mcp.json", []byte(`{"inputs":[],"mcpServers":{
		"files":{"command":"npx","args":["-y","x"],"alwaysAllow":["a"],"timeout":5},
		"here":{"command":"x","cwd":"sub"},
		"off":{"command":"x","disabled":true},
		"web":{"type":"http","url":"https://example.invalid/secret-path?key=k","headers":{"Authorization":"Bearer x"}},
		"odd":{"url":"${BASE}/mcp"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Names(); !slices.Equal(got, []string{"files", "here", "odd", "web"}) {
		t.Error(got)
	}
	servers, err := s.Resolve(environ(), nil, []string{"files", "here", "web", "nobody", "off"})
	if err != nil || len(servers) != 3 || servers[0].Dir != "/dir" || servers[1].Dir != "/dir/sub" || servers[2].Dir != "" {
		t.Errorf("%+v, %v", servers, err)
	}
	for name, want := range map[string]string{"files": "stdio: npx (x)", "web": "http: https://example.invalid", "odd": "http: at a configured address"} {
		if got := s.Describe(name).String(); got != want {
			t.Errorf("%s is described as %q, want %q", name, got, want)
		}
	}
}

func TestAServersFileThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `{}`, `[]`, `null`, `{"tools":{}}`, `{"mcpServers":null}`, `{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}`, `{"mcpServers":{}} x`,
		`{"mcpServers":{} // }`, strings.Repeat(`{"mcpServers":`, 65), "{\"mcpServers\":{\"a\":\"\xff\"}}",
	} {
		if _, err := config.ParseServers("mcp.json", []byte(text)); verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("%.80s: %v", text, err)
		}
	}
	for _, text := range []string{
		"", "a", "mcpServers: {a: {command: x}, a: {command: y}}", "mcpServers: {a: {<<: {command: x}}}", "mcpServers: {[a]: b}", "\tmcpServers: {}",
	} {
		if _, err := config.ParseServers("config.yaml", []byte(text)); verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("%.80s: %v", text, err)
		}
	}
	for _, text := range []string{
		"", "x", "[mcp_servers.a]\ncommand = 'x'\ncommand = 'y'\n", "[mcp_servers.a]\ncommand = 'x'\n[mcp_servers.a.command]\ny = 1\n",
		"[mcp_servers.a]\ncommand = {a = 1, a = 2}\n", "mcp_servers = 1\n", "[mcp_servers]\na = 'x'\na = 'y'\n", "[mcp_servers.a]\ncommand = 'x'\n[mcp_servers.a]\nurl = 'y'\n",
	} {
		if _, err := config.ParseServers("config.toml", []byte(text)); verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("%.80s: %v", text, err)
		}
	}
}

func TestAnEntrysTypeIsNamed(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers("mcp.json", []byte(`{"mcpServers":{"a":{"type":"websocket","url":"http://127.0.0.1"},"b":{"type":"Streamable-HTTP","url":"http://127.0.0.1"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []config.Note{{Server: "a", Line: 1, Text: "type is none of stdio, http, sse, streamablehttp", Out: true}}
	if diff := cmp.Diff(want, s.Notes()); diff != "" {
		t.Error(diff)
	}
}

// An entry that cannot be meant takes no other with it. What shows only once
// variables are expanded is reported when the server is named.
func TestAnEntryThatCannotBeMeantIsLeftOut(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{
		`{}`, `7`, `null`, `{"command":7}`, `{"args":"x"}`, `{"command":"x","args":[1]}`, `{"command":"x","env":{"A":null}}`, `{"command":"x","env":{"A":["b"]}}`,
		`{"command":"x","url":"http://127.0.0.1"}`, `{"url":"ftp://127.0.0.1"}`, `{"url":"http://u:p@127.0.0.1/"}`, `{"type":"sse","command":"x"}`, `{"type":"websocket","url":"http://127.0.0.1"}`,
		`{"url":"http://127.0.0.1","headers":{"Idempotency-Key":"1"}}`, `{"url":"http://127.0.0.1","headers":{"X-A":"b\nc"}}`, `{"url":"http://127.0.0.1","env":{"A":"b"}}`,
		`{"url":"http://127.0.0.1","serverUrl":"http://127.0.0.1"}`, `{"command":"x","cmd":"x"}`, `{"command":{"path":"x","command":"y"}}`, `{"command":"x","args":["${workspaceFolder}"]}`,
		`{"command":"x","args":["${command:a.b}"]}`, `{"command":"x","args":["${input:nobody}"]}`, `{"command":"x","disabled":"yes"}`,
	} {
		s, err := config.ParseServers("mcp.json", []byte(`{"mcpServers":{"good":{"command":"x"},"a":`+entry+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		servers, err := s.Resolve(environ(), nil, []string{"a", "good"})
		if err != nil || len(servers) != 2 || verdict.CodeOf(servers[0].Validate()) != verdict.ConfigInvalid || servers[1].Validate() != nil {
			t.Errorf("%s: %+v, %v", entry, servers, err)
		}
		if servers[0].Kind() != "" {
			t.Errorf("%s: %+v could be reached", entry, servers[0])
		}
	}
	s, err := config.ParseServers("mcp.json", []byte(`{"mcpServers":[{"name":"a b","command":"x"},{"name":"a-b","command":"y"},{"command":"z"}, 7]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Names(); len(got) != 0 || len(s.Notes()) != 2 {
		t.Errorf("%v, %v", got, s.Notes())
	}
}

// TestAnInputIsAskedForOnce: at a terminal, unless the environment has it.
func TestAnInputIsAskedForOnce(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers("mcp.json", []byte(`{"inputs":[{"id":"key-1","type":"promptString","password":true},{"id":"where","type":"pickString","options":["eu","us"]}],
		"servers":{"a":{"command":"x","args":["${input:where}"],"env":{"K":"${input:key-1}","L":"${input:key-1}"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	asked := []string{}
	answer := func(i config.Input) (string, error) {
		asked = append(asked, i.ID)
		return map[string]string{"key-1": "k", "where": "us"}[i.ID], nil
	}
	servers, err := s.Resolve(environ(), answer, []string{"a"})
	if err != nil || servers[0].Env["K"] != "k" || servers[0].Env["L"] != "k" || servers[0].Args[0] != "us" || !slices.Equal(asked, []string{"where", "key-1"}) {
		t.Errorf("%+v, %v, asked for %q", servers, err, asked)
	}
	if servers[0].Secrets["key-1 password"] != "k" {
		t.Error("what was typed is no secret")
	}
	asked = nil
	servers, err = s.Resolve(environ("ASK_INPUT_key-1", "e", "ASK_INPUT_where", "eu"), answer, []string{"a"})
	if err != nil || servers[0].Env["K"] != "e" || len(asked) != 0 {
		t.Errorf("%+v, %v, asked for %q", servers, err, asked)
	}
	for name, env := range map[string]config.Environ{"ASK_INPUT_where": environ("ASK_INPUT_key_1", "e"), "ASK_INPUT_key_1": environ("ASK_INPUT_where", "eu")} {
		if _, err := s.Resolve(env, nil, []string{"a"}); verdict.CodeOf(err) != verdict.ConfigVariable || !strings.Contains(err.Error(), name) {
			t.Errorf("no user to ask for %s: %v", name, err)
		}
	}
	servers, err = s.Resolve(environ("ASK_INPUT_key-1", "e", "ASK_INPUT_where", "mars"), nil, []string{"a"})
	if err != nil || verdict.CodeOf(servers[0].Wrong) != verdict.ConfigInvalid || strings.Contains(servers[0].Wrong.Error(), "mars") {
		t.Errorf("%+v, %v", servers, err)
	}
}

// FuzzParseServers: what is read can be described and resolved without a
// panic, and no value of a variable is left unexpanded.
func FuzzParseServers(f *testing.F) {
	for _, s := range []string{`{"mcpServers":{"a":{"command":"${A}","args":["${B:-c}"]}}}`, `{"mcpServers":{"a":{"url":"http://127.0.0.1/${A}"}}}`, `{}`, `null`} {
		f.Add("mcp.json", []byte(s))
	}
	f.Add("a.toml", []byte("[mcp_servers.a]\ncommand = 'x'\n"))
	f.Add("a.yaml", []byte("mcpServers:\n- {name: a, command: x}\n"))
	f.Fuzz(func(t *testing.T, path string, b []byte) {
		s, err := config.ParseServers(path, b)
		if err != nil {
			return
		}
		servers, err := s.Resolve(environ("A", "1", "B", "2"), nil, s.Names())
		if err != nil {
			return
		}
		for _, server := range servers {
			if server.Wrong != nil || server.Validate() != nil {
				continue
			}
			i := s.Identity(pin.Key{1}, server)
			if shown := s.Describe(server.Name); !i.Matches(i) || i.Kind != shown.Kind || i.Address != shown.Address {
				t.Fatalf("%+v is identified as %+v", server, i)
			}
			for _, text := range append([]string{server.Command, server.URL}, server.Args...) {
				if strings.Contains(text, "${") {
					t.Fatalf("%q is not expanded", text)
				}
			}
		}
	})
}
