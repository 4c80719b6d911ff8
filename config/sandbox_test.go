package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// confinedAs resolves an entry with further members, in a directory of its own
// with a manifest in it.
func confinedAs(t *testing.T, members string) (config.Servers, session.Server, error) {
	t.Helper()
	dir := t.TempDir()
	text := `{"description":"reads","permissions":["mcp.ac.filesystem.read"],"scopes":{"readPaths":["/suggested"]}}`
	if err := os.WriteFile(filepath.Join(dir, "m.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := config.ParseServers(filepath.Join(dir, "mcp.json"), []byte(`{"mcpServers":{"s":{"command":"serve"`+members+`}}}`))
	if err != nil {
		t.Fatal(err)
	}
	all, _ := s.Resolve(func(name string) (string, bool) { return "/home/of/user", name == "ROOT" }, nil, []string{"s"})
	return s, all[0], all[0].Wrong
}

func TestAnEntrySaysWhatConfinesItsServer(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		``:                                 ``,
		`,"sandbox":"off"`:                 ``,
		`,"sandbox":"files"`:               `{"files_only":true,"manifest":{"description":"","permissions":[]},"scopes":{}}`,
		`,"scopes":["openid"]`:             ``, // another client's scopes of a login
		`,"scopes":{}`:                     `{"manifest":{"description":"","permissions":[]},"scopes":{}}`,
		`,"manifest":"m.json"`:             `{"manifest":{"description":"reads","permissions":["mcp.ac.filesystem.read"]},"scopes":{"readPaths":["/suggested"]}}`,
		`,"manifest":"m.json","scopes":{}`: `{"manifest":{"description":"reads","permissions":["mcp.ac.filesystem.read"]},"scopes":{}}`,
		`,"manifest":"m.json","scopes":{"readPaths":["${ROOT}/x"]}`: `{"manifest":{"description":"reads","permissions":["mcp.ac.filesystem.read"]},"scopes":{"readPaths":["/home/of/user/x"]}}`,
		`,"manifest":{"description":"d","permissions":[]}`:          `{"manifest":{"description":"d","permissions":[]},"scopes":{}}`,
	} {
		s, server, err := confinedAs(t, members)
		if err != nil {
			t.Errorf("%s: %v", members, err)
			continue
		}
		if got := string(server.Sandbox.Document()); got != want {
			t.Errorf("%s: %s, want %s", members, got, want)
		}
		if got := string(s.CommandOf(server).Sandbox.Document()); got != want {
			t.Errorf("%s: an approval is of %s, want %s", members, got, want)
		}
	}
}

func TestAnEntryThatCannotConfineIsLeftOut(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		`,"sandbox":"on"`:                                          "sandbox",
		`,"sandbox":{"network":false}`:                             "sandbox",
		`,"sandbox":"off","scopes":{}`:                             "remove one of them",
		`,"manifest":7`:                                            "neither an object nor the path",
		`,"manifest":"absent.json"`:                                "absent.json",
		`,"manifest":"${NONE}/m.json"`:                             "NONE",
		`,"manifest":{"description":"d"},"scopes":{"readPath":[]}`: "readPath",
		`,"manifest":{"description":" "}`:                          "/description is empty",
		`,"scopes":{"readPaths":["${NONE}"]}`:                      "NONE",
	} {
		_, _, err := confinedAs(t, members)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", members, err, want)
		}
	}
	s, err := config.ParseServers("/x/mcp.json", []byte(`{"mcpServers":{"r":{"url":"https://x.example/mcp","sandbox":"off"}}}`))
	if err != nil || len(s.Names()) != 0 {
		t.Errorf("a remote server has a sandbox: %v %v", s.Names(), err)
	}
}

// A refusal of a manifest keeps its code: it is not one of the configuration.
func TestAManifestThatCannotBeUsedKeepsItsCode(t *testing.T) {
	t.Parallel()
	_, _, err := confinedAs(t, `,"manifest":{"description":"d","permissions":["mcp.ac.x"]}`)
	if verdict.CodeOf(err) != verdict.ManifestInvalid {
		t.Errorf("%v", err)
	}
}

// What confines a server is part of its endpoint, which an approval of a call is
// bound to, and not of its place, which pins are looked up by.
func TestASandboxIsOfTheEndpointAndNotOfThePlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := pin.Key{1}
	var places []pin.Place
	var ends []string
	for _, members := range []string{``, `,"scopes":{}`, `,"manifest":{"description":"d","permissions":[]}`} {
		s, err := config.ParseServers(filepath.Join(dir, "mcp.json"), []byte(`{"mcpServers":{"s":{"command":"serve"`+members+`}}}`))
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Resolve(func(string) (string, bool) { return "", false }, nil, []string{"s"})
		if err != nil {
			t.Fatal(err)
		}
		at, _ := s.Place("s")
		places, ends = append(places, at), append(ends, s.Identity(key, all[0]).Endpoint)
	}
	if places[0] != places[1] || places[1] != places[2] || places[0] == (pin.Place{}) {
		t.Errorf("the places are %v", places)
	}
	if ends[0] == ends[1] || ends[1] == ends[2] || ends[0] == ends[2] {
		t.Errorf("the endpoints are %v", ends)
	}
}

// A copy into another file finds the same manifest.
func TestACopiedEntryNamesItsManifestInFull(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers("/srv/x/mcp.json", []byte(`{"mcpServers":{"s":{"command":"serve","manifest":"m.json","sandbox":""}}}`))
	if err != nil {
		t.Fatal(err)
	}
	spec, there := s.Copied("s")
	if !there || string(spec.Manifest) != `"/srv/x/m.json"` {
		t.Errorf("%s", spec.Manifest)
	}
}
