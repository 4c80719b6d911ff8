package config_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
)

const theURL = "https://h.example/mcp"

func TestABridgeIsKnownHoweverItIsStarted(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{ // the name, whether it rounds, and the command that adds the server itself
		"npx mcp-remote " + theURL:                                       "mcp-remote true --url '" + theURL + "'",
		"npx -y mcp-remote@latest " + theURL:                             "mcp-remote true --url '" + theURL + "'",
		"npx -y mcp-remote@0.15.1 " + theURL + " 3334":                   "mcp-remote true --url '" + theURL + "'",
		"npx -y mcp-remote " + theURL + " --transport sse-only":          "mcp-remote true --url '" + theURL + "' --type sse",
		"npx -y --package mcp-remote mcp-remote " + theURL:               "mcp-remote true --url '" + theURL + "'",
		"npx -y --package=mcp-remote@0.15.1 mcp-remote " + theURL:        "mcp-remote true --url '" + theURL + "'",
		"npx --registry https://r.example mcp-remote " + theURL:          "mcp-remote true --url '" + theURL + "'",
		"npm exec -y mcp-remote " + theURL:                               "mcp-remote true --url '" + theURL + "'",
		"pnpm dlx mcp-remote " + theURL:                                  "mcp-remote true --url '" + theURL + "'",
		"bunx mcp-remote " + theURL:                                      "mcp-remote true --url '" + theURL + "'",
		"deno run -A npm:mcp-remote " + theURL:                           "mcp-remote true --url '" + theURL + "'",
		"mcp-remote " + theURL:                                           "mcp-remote true --url '" + theURL + "'",
		"/opt/n/bin/mcp-remote " + theURL:                                "mcp-remote true --url '" + theURL + "'",
		"node /opt/n/node_modules/mcp-remote/dist/proxy.js " + theURL:    "mcp-remote true --url '" + theURL + "'",
		`cmd /c npx mcp-remote ` + theURL:                                "mcp-remote true --url '" + theURL + "'",
		`npx.cmd mcp-remote ` + theURL:                                   "mcp-remote true --url '" + theURL + "'",
		"env A=b npx mcp-remote " + theURL:                               "mcp-remote true --url '" + theURL + "'",
		"npx -y supergateway --sse https://h.example/sse":                "supergateway true --url 'https://h.example/sse' --type sse",
		"npx -y supergateway@4.0.0 --streamableHttp " + theURL:           "supergateway true --url '" + theURL + "'",
		"npx -y supergateway --streamableHttp=" + theURL:                 "supergateway true --url '" + theURL + "'",
		"docker run -i --rm supercorp/supergateway --sse https://h.e/s":  "supergateway true --url 'https://h.e/s' --type sse",
		"uvx mcp-proxy https://h.example/sse":                            "mcp-proxy false --url 'https://h.example/sse' --type sse",
		"uvx mcp-proxy --transport streamablehttp " + theURL:             "mcp-proxy false --url '" + theURL + "'",
		"python3 -m mcp_proxy https://h.example/sse":                     "mcp-proxy false --url 'https://h.example/sse' --type sse",
		"mcp-proxy https://h.example/sse":                                "mcp-proxy true --url 'https://h.example/sse' --type sse",
		"npx -y mcp-remote ${URL}":                                       "mcp-remote true ",
		"npx -y mcp-remote":                                              "mcp-remote true ",
		"npx -y @modelcontextprotocol/server-filesystem /src/mcp-remote": "",
		"server --to mcp-remote":                                         "",
		"node /src/mine.js mcp-remote":                                   "",
		"npx -y @scope/mcp-remote " + theURL:                             "",
		"npx -y mcp-remote-server " + theURL:                             "",
		"uvx mcp-server-fetch":                                           "",
	} {
		words := strings.Fields(line)
		b, is := config.Spec{Command: words[0], Args: words[1:]}.Bridge()
		got := ""
		if is {
			got = b.Name + " " + map[bool]string{true: "true", false: "false"}[b.Rounds] + " " + strings.TrimPrefix(b.Command("s"), "ask servers add s ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	b, is := config.Spec{Command: "sh", Args: []string{"-c", "npx -y mcp-remote " + theURL}}.Bridge()
	if !is || b.URL != theURL {
		t.Errorf("in a shell: %+v, %v", b, is)
	}
}

// What may be a secret is in a variable of the command that is offered.
func TestWhatABridgeIsGivenAsASecretIsAVariable(t *testing.T) {
	t.Parallel()
	const token = "tk-5f0c9f7e1d2b4a6c8e0f"
	npx := func(args ...string) config.Spec {
		return config.Spec{Command: "npx", Args: append([]string{"-y"}, args...)}
	}
	with := func(s config.Spec, env map[string]string) config.Spec { s.Env = env; return s }
	for name, row := range map[string]struct {
		spec config.Spec
		want string
	}{
		"a literal":               {npx("mcp-remote", theURL, "--header", "Authorization: Bearer "+token), "Authorization: Bearer ${AUTHORIZATION}"},
		"without a scheme":        {npx("mcp-remote", theURL, "--header", "X-API-Key:"+token), "X-API-Key: ${X_API_KEY}"},
		"joined":                  {npx("mcp-remote", theURL, "--header=X-API-Key: "+token), "X-API-Key: ${X_API_KEY}"},
		"a variable":              {npx("mcp-remote", theURL, "--header", "Authorization: Bearer ${TOKEN}"), "Authorization: Bearer ${TOKEN}"},
		"a variable of the entry": {with(npx("mcp-remote", theURL, "--header", "Authorization:${AUTH}"), map[string]string{"AUTH": "Bearer " + token}), "Authorization: ${AUTH}"},
		"through a variable":      {with(npx("mcp-remote", theURL, "--header", "Authorization:${AUTH}"), map[string]string{"AUTH": "Bearer ${TOKEN}"}), "Authorization: Bearer ${TOKEN}"},
		"in part a variable":      {npx("mcp-remote", theURL, "--header", "Cookie: a=${A}; b="+token), "Cookie: ${COOKIE}"},
		"supergateway's":          {npx("supergateway", "--streamableHttp", theURL, "--oauth2Bearer", token), "Authorization: Bearer ${AUTHORIZATION}"},
		"mcp-proxy's":             {config.Spec{Command: "uvx", Args: []string{"mcp-proxy", "--headers", "X-API-Key", token, theURL}}, "X-API-Key: ${X_API_KEY}"},
		"mcp-proxy's variable":    {config.Spec{Command: "uvx", Args: []string{"mcp-proxy", theURL}, Env: map[string]string{"API_ACCESS_TOKEN": token}}, "Authorization: Bearer ${API_ACCESS_TOKEN}"},
		"in the address":          {npx("mcp-remote", "https://u:"+token+"@h.example/mcp"), "${SERVER_URL}"},
		"in the query":            {npx("mcp-remote", theURL+"?api_key="+token), "${SERVER_URL}"},
	} {
		b, is := row.spec.Bridge()
		if got := b.Command("s"); !is || !strings.Contains(got, "'"+row.want+"'") || strings.Contains(got, token) {
			t.Errorf("%s: %q", name, got)
		}
		if fields := b.Direct().Secrets(); len(fields) > 0 {
			t.Errorf("%s: a secret is in %v", name, fields)
		}
	}
}
