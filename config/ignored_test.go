package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
)

// What an entry says of how its server is reached, and what onestep does not read, is
// named with what to write instead.
func TestMembersThatMatterAreReadOrNamed(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string][]string{
		`"url":"https://h.example","headersHelper":"/x/h.sh"`: {"headersHelper is not read: it starts a program, and is never carried: write the header that it prints under headers"},
		`"command":"x","envHelper":"/x/h.sh"`:                 {"envHelper is not read: it starts a program"},
		`"command":"x","secretHelper":"/x/h.sh"`:              {"secretHelper is not read: a program that it starts is never started"},
		`"url":"https://h.example","oauth":{"authServerMetadataUrl":"https://h.example/.well-known/oauth-authorization-server"}`: nil, // carried as the issuer
		`"url":"https://h.example","authServerMetadataUrl":"https://h.example/.well"`:                                            {"authServerMetadataUrl is not read"},
		`"url":"https://h.example","authProviderType":"google_credentials"`:                                                      {"authProviderType is not read: ask has no such login"},
		`"url":"https://h.example","authProviderType":"dynamic_discovery"`:                                                       nil,
		`"url":"https://h.example","oauth":{"clientId":"a","scopes":["b"]}`:                                                      nil,
		`"url":"https://h.example","oauth":{"tokenUrl":"https://t.example"}`:                                                     {"oauth.tokenUrl is not read"},
		`"url":"https://h.example","scopes":["a"]`:                                                                               {"scopes is not read: a list is of no sandbox: write what a login asks for under oauth.scopes"},
		`"command":"x","scopes":{"readPaths":["/"]}`:                                                                             nil,
		`"command":"x","startup_timeout_sec":20`:                                                                                 {`startup_timeout_sec is not read: start_timeout = "20s" under [server.a-b] of config.toml sets it`},
		`"command":"x","startup_timeout_ms":1500`:                                                                                {`start_timeout = "1.5s" under`},
		`"command":"x","tool_timeout_sec":120.0`:                                                                                 {`call_timeout = "2m0s" under`},
		`"command":"x","timeout":120000`:                                                                                         {"timeout is not read: call_timeout under [server.a-b]"},
		`"url":"https://h.example","requestOptions":{"headers":{"A":"b"},"timeout":5}`:                                           {"requestOptions.timeout is not read: call_timeout under"},
		`"url":"https://h.example","requestOptions":{"verifySsl":false}`:                                                         {"requestOptions.verifySsl is not read: certificates are always verified"},
		`"url":"https://h.example","requestOptions":{"verifySsl":true}`:                                                          nil,
		`"command":"x","enabled_tools":["a","b"]`:                                                                                {"enabled_tools is not read: approve none of its tools but a, b"},
		`"command":"x","includeTools":[]`:                                                                                        {"includeTools is not read: approve none of its tools but those that it names, which are none"},
		`"command":"x","excludeTools":["b\u001b[2J"]`:                                                                            {"excludeTools is not read: do not approve b\\u{1B}[2J"},
		`"command":"x","disabled_tools":[]`:                                                                                      nil,
		`"command":"x","arg":["a"]`:                                                                                              {"arg is not read; did you mean args?"},
		`"command":"x","enviroment":{"A":"b"}`:                                                                                   {"enviroment is not read; did you mean environment?"}, //nolint:misspell // what is mistyped
		`"url":"https://h.example","header":{"A":"b"}`:                                                                           {"header is not read; did you mean headers?"},
		`"command":"x","workingDirectory":"/x"`:                                                                                  {"workingDirectory is not read: cwd is"},
		`"command":"x","cwd":"/x","env":{"A":"b"},"alwaysAllow":["t"],"description":"d"`:                                         nil,
		`"command":"x","unheard":1`:                                                                                              nil,
		`"command":"x","trust":true,"headersHelper":"","timeout":null,"disabled":false,"dev":{}`:                                 nil,
	} {
		s, err := config.ParseClientFile(home+".cursor/mcp.json", "", []byte(`{"mcpServers":{"a b":{`+entry+`}}}`))
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		for _, n := range s.Servers.Notes() {
			notes = append(notes, n.Text)
		}
		slices.Sort(notes)
		if len(notes) != len(want) {
			t.Errorf("%s: %q", entry, notes)
			continue
		}
		for i := range want {
			if !strings.Contains(notes[i], want[i]) {
				t.Errorf("%s: %q, want %q", entry, notes[i], want[i])
			}
		}
	}
}

// A client has its own unit of time.
func TestATimeLimitHasTheUnitOfItsClient(t *testing.T) {
	t.Parallel()
	for path, row := range map[string][2]string{
		home + ".gemini/settings.json":     {`{"mcpServers":{"a":{"command":"x","timeout":120000}}}`, `call_timeout = "2m0s"`},
		home + ".aws/amazonq/mcp.json":     {`{"mcpServers":{"a":{"command":"x","timeout":120000}}}`, `call_timeout = "2m0s"`},
		home + "opencode.json":             {`{"mcp":{"a":{"type":"local","command":["x"],"timeout":120000}}}`, `call_timeout = "2m0s"`},
		home + "goose/config.yaml":         {"extensions:\n  a:\n    cmd: x\n    type: stdio\n    timeout: 120\n", `call_timeout = "2m0s"`},
		home + ".codex/config.toml":        {"[mcp_servers.a]\ncommand = 'x'\nstartup_timeout_sec = 2.5\n", `start_timeout = "2.5s"`},
		home + ".continue/config.yaml":     {"mcpServers:\n- name: a\n  command: x\n  connectionTimeout: 9000\n", `start_timeout = "9s"`},
		home + ".cursor/mcp.json":          {`{"mcpServers":{"a":{"command":"x","timeout":120}}}`, `call_timeout under`},
		home + "x/amazonq-like/mcp.json":   {`{"mcpServers":{"a":{"command":"x","timeout":-1}}}`, `call_timeout under`},
		home + ".gemini/settings-old.json": {`{"mcpServers":{"a":{"command":"x","timeout":"soon"}}}`, `call_timeout under`},
	} {
		s, err := config.ParseClientFile(path, "", []byte(row[0]))
		if err != nil {
			t.Fatal(err)
		}
		if notes := s.Servers.Notes(); len(notes) != 1 || !strings.Contains(notes[0].Text, row[1]) {
			t.Errorf("%s: %v, want %s", path, notes, row[1])
		}
	}
}
