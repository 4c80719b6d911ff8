package config_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
)

// TestAServerOfAnotherDirectoryIsAnotherPlace: where a server starts decides
// what is run, be it a relative path or what a launcher, a module or a file of
// settings is looked up in. A file of pins is used in many checkouts.
func TestAServerOfAnotherDirectoryIsAnotherPlace(t *testing.T) {
	t.Parallel()
	for entry, another := range map[string]bool{
		`{"command":"./server"}`:                               true,
		`{"command":"bin/server"}`:                             true,
		`{"command":"node","args":["server.js"]}`:              true,
		`{"command":"python","args":["-m","server"]}`:          true,
		`{"command":"npx","args":["-y","pkg@1.0.0"]}`:          true, // .npmrc, node_modules
		`{"command":"/bin/srv"}`:                               true,
		`{"command":"./server","cwd":"sub"}`:                   true,
		`{"command":"./server","cwd":"${SOMEWHERE}"}`:          true, // it may be relative
		`{"command":"${workspaceFolder}/server","cwd":"/srv"}`: true,
		`{"url":"https://h/${env:workspaceFolderBasename}"}`:   true,
		`{"command":"./server","cwd":"/srv"}`:                  false,
		`{"command":"node","args":["server.js"],"cwd":"/srv"}`: false,
		`{"url":"https://h/mcp"}`:                              false,
	} {
		text := `{"mcpServers":{"srv":` + entry + `}}`
		was, _ := placeIn(t, "/d/.ide/mcp.json", text)
		is, shown := placeIn(t, "/e/.ide/mcp.json", text)
		if was.Matches(is) == another {
			t.Errorf("%s: it is another place: %v, which says %s", entry, !another, shown)
		}
		ours, theirs := sharedIn(t, "/d/.ide/mcp.json", text), sharedIn(t, "/e/.ide/mcp.json", text)
		if !ours.Matches(theirs) || ours.Matches(was) == another {
			t.Errorf("%s: what a file of pins knows is %+v and %+v, next to %+v", entry, ours, theirs, was)
		}
	}
}

// sharedIn is the place of the one server as a file of pins knows it.
func sharedIn(t *testing.T, path, text string) pin.Place {
	t.Helper()
	s, err := config.ParseServers(path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	place, shown := s.Shared("srv")
	if place != pin.PlaceOf(shown, place.Credential) || strings.Contains(string(shown), ".ide") {
		t.Errorf("%s is shared as %s", text, shown)
	}
	return place
}
