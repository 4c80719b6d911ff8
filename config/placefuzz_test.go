package config_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
)

// A place does not depend on a secret, whatever that is.
func FuzzPlaceOfASecret(f *testing.F) {
	for _, s := range []string{"hunter2", "a=b", "X-A: b", "https://u:p@h/?a=b", "\u202e", `"`, "$", "[redacted:random]", "Bearer x", " 0", "a\nb"} {
		f.Add(s)
	}
	of := func(t *testing.T, secret string) pin.Place {
		entry, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"srv": map[string]any{
			"command": "c", "args": []string{"--token", secret, "--api-key=" + secret, "--header", "Authorization: " + secret, "-e", "DB_PASSWORD=" + secret}, "env": map[string]string{"GITHUB_TOKEN": secret},
		}}})
		if err != nil {
			t.Skip("no JSON holds it")
		}
		s, err := config.ParseServers("/d/mcp.json", entry)
		if err != nil || len(s.Names()) == 0 {
			t.Skip("no file holds it")
		}
		place, _ := s.Place("srv")
		return place
	}
	f.Fuzz(func(t *testing.T, secret string) {
		if secret == "" || strings.Contains(secret, "${") || strings.HasPrefix(secret, "-") {
			t.Skip("it is no literal, or an option")
		}
		if got := of(t, secret); got != of(t, "x") {
			t.Errorf("%q makes another place", secret)
		}
	})
}
