package config_test

import (
	"slices"
	"testing"

	"github.com/onestep-run/onestep/config"
)

// The entry of the servers file may add what confines a server and what logs in to
// it. Any other difference makes another server, and is named without its value.
func TestWhatMakesAnotherServerIsNamed(t *testing.T) {
	t.Parallel()
	spec := func(text string) config.Spec {
		s, err := config.ParseServers("/h/mcp.json", []byte(`{"mcpServers":{"a":`+text+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		found, _, is := s.Spec("a")
		if !is {
			t.Fatalf("%s: %v", text, s.Notes())
		}
		return found
	}
	for name, row := range map[string]struct {
		ours, client string
		want         []string
	}{
		"equal":                        {`{"command":"x","args":["1"],"env":{"A":"1"}}`, `{"type":"stdio","command":"x","args":["1"],"env":{"A":1},"timeout":5}`, nil},
		"a manifest is added":          {`{"command":"x","manifest":{"permissions":[]}}`, `{"command":"x"}`, nil},
		"a manifest's file is added":   {`{"command":"x","manifest":"m.json"}`, `{"command":"x"}`, nil},
		"scopes are added":             {`{"command":"x","scopes":{"readPaths":["/"]}}`, `{"command":"x"}`, nil},
		"a sandbox is added":           {`{"command":"x","sandbox":"files"}`, `{"command":"x"}`, nil},
		"all of them":                  {`{"command":"x","env":{"A":"1"},"manifest":{},"scopes":{},"sandbox":"files"}`, `{"command":"x","env":{"A":"1"}}`, nil},
		"the same manifest":            {`{"command":"x","manifest":{"a":1,"b":2}}`, `{"command":"x","manifest":{ "b":2, "a":1 }}`, nil},
		"a login is added":             {`{"url":"https://h/m","oauth":{"issuer":"https://i"}}`, `{"url":"https://h/m","type":"http"}`, nil},
		"another command":              {`{"command":"x"}`, `{"command":"y"}`, []string{"command differs"}},
		"another argument":             {`{"command":"x","args":["a"]}`, `{"command":"x","args":["b"]}`, []string{"args differs"}},
		"one argument more":            {`{"command":"x"}`, `{"command":"x","args":["b"]}`, []string{"args differs"}},
		"an order of arguments":        {`{"command":"x","args":["a","b"]}`, `{"command":"x","args":["b","a"]}`, []string{"args differs"}},
		"another variable":             {`{"command":"x","env":{"A":"1"}}`, `{"command":"x","env":{"A":"2"}}`, []string{"env.A differs"}},
		"a variable of ours":           {`{"command":"x","env":{"A":"1"}}`, `{"command":"x"}`, []string{"env.A is only in the servers file"}},
		"an empty variable of theirs":  {`{"command":"x"}`, `{"command":"x","env":{"A":""}}`, []string{"env.A is only in the client's file"}},
		"a variable and a manifest":    {`{"command":"x","env":{"A":"1"},"manifest":{}}`, `{"command":"x"}`, []string{"env.A is only in the servers file"}},
		"a directory":                  {`{"command":"x","cwd":"/a"}`, `{"command":"x"}`, []string{"cwd differs"}},
		"another address":              {`{"url":"https://h/m"}`, `{"url":"https://h/n"}`, []string{"url differs"}},
		"another transport":            {`{"url":"https://h/m","type":"sse"}`, `{"url":"https://h/m"}`, []string{"type differs"}},
		"a header of ours":             {`{"url":"https://h/m","headers":{"X":"1"}}`, `{"url":"https://h/m"}`, []string{"headers.X is only in the servers file"}},
		"a header of theirs":           {`{"url":"https://h/m"}`, `{"url":"https://h/m","headers":{"X":"1"}}`, []string{"headers.X is only in the client's file"}},
		"another header":               {`{"url":"https://h/m","headers":{"X":"1"}}`, `{"url":"https://h/m","headers":{"X":"2"}}`, []string{"headers.X differs"}},
		"another login":                {`{"url":"https://h/m","oauth":{"clientId":"a"}}`, `{"url":"https://h/m","oauth":{"clientId":"b"}}`, []string{"oauth differs"}},
		"a login of theirs":            {`{"url":"https://h/m"}`, `{"url":"https://h/m","oauth":{"clientId":"b"}}`, []string{"oauth differs"}},
		"a manifest of theirs":         {`{"command":"x"}`, `{"command":"x","manifest":{}}`, []string{"manifest, scopes or sandbox differs"}},
		"another manifest than theirs": {`{"command":"x","manifest":{"a":1}}`, `{"command":"x","manifest":{"a":2}}`, []string{"manifest, scopes or sandbox differs"}},
		"scopes of theirs":             {`{"command":"x","manifest":{}}`, `{"command":"x","scopes":{"readPaths":["/"]}}`, []string{"manifest, scopes or sandbox differs"}},
		"a program and an address":     {`{"command":"x"}`, `{"url":"https://h/m"}`, []string{"type differs", "command differs", "url differs"}},
	} {
		if got := spec(row.ours).Differences(spec(row.client)); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}
