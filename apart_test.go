package onestep_test

import "testing"

// Evaluation is not in `ask`: what measures brings an agent without gates.
func TestAskReachesNoEvaluation(t *testing.T) {
	t.Parallel()
	all := sources(t)
	ways := reached(all, "cmd/ask")
	if ways["host/session"] == "" || reached(all, "cmd/ask-eval")["eval/naive"] == "" {
		t.Error("the walk misses what is there")
	}
	for room, way := range ways {
		if covers("eval/...", room) {
			t.Errorf("ask links %s: %s", room, way)
		}
	}
}

func TestTheWalkOverImportsFindsWhatItShould(t *testing.T) {
	t.Parallel()
	imports := func(rooms ...string) string {
		text := ""
		for _, room := range rooms {
			text += "import _ \"" + module + "/" + room + "\"\n"
		}
		return text
	}
	ways := reached([]source{
		parse(t, "cmd/ask/a.go", imports("host")),
		parse(t, "cmd/ask/b_windows.go", imports("config")), // a build constraint hides nothing
		parse(t, "host/a.go", imports("trace", "host")),
		parse(t, "trace/a.go", imports("eval/naive")),
		parse(t, "cmd/other/a.go", imports("eval")),
	}, "cmd/ask")
	if len(ways) != 5 || ways["eval/naive"] != "cmd/ask > host > trace > eval/naive" || ways["config"] == "" {
		t.Errorf("the ways are %v", ways)
	}
}

// reached are the rooms that a program links, each with one way to it.
func reached(all []source, from string) map[string]string {
	imports := map[string][]string{}
	for _, s := range all {
		for _, spec := range s.Imports {
			if room, own := ownRoom(importPath(spec)); own {
				imports[s.room] = append(imports[s.room], room)
			}
		}
	}
	ways := map[string]string{from: from}
	for next := []string{from}; len(next) > 0; next = next[1:] {
		for _, room := range imports[next[0]] {
			if ways[room] == "" {
				ways[room] = ways[next[0]] + " > " + room
				next = append(next, room)
			}
		}
	}
	return ways
}
