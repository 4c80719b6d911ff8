package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestADecisionPointOfEachFileIsAsked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	system := file(t, t.TempDir(), "config.toml", "decision = { url = \"https://decide.example/v1\" }\n")
	user := file(t, dir, "config.toml", "timeout = \"9s\"\n[decision]\ncommand = \"/bin/decide --now\"\non_error = \"continue\"\ntimeout = \"2s\"\n")
	s, err := config.Load(config.Paths{Config: dir, System: system}, environ(), config.Flags{})
	if err != nil || len(s.Decisions) != 2 {
		t.Fatalf("%+v, %v", s.Decisions, err)
	}
	of, own := s.Decisions[0], s.Decisions[1]
	if of.Of != "system" || of.URL.V != "https://decide.example/v1" || of.OnError.V != "" || of.Origin().Name != system {
		t.Errorf("the system's is %+v", of)
	}
	if own.Of != "user" || own.Command.V != "/bin/decide --now" || own.OnError.V != "continue" || own.Timeout.V != 2*time.Second || own.Origin().Name != user {
		t.Errorf("the user's is %+v", own)
	}
	if text := own.Describe(); !strings.Contains(text, "GOES ON") || strings.Contains(of.Describe(), "GOES ON") {
		t.Error(text)
	}
	shown := map[string]string{}
	for _, one := range s.Show() {
		if strings.HasPrefix(one.Key, "decision.") {
			text, _ := one.Value.(string)
			shown[one.Key] += text + "@" + one.Origin.Name
		}
	}
	if shown["decision.on_error"] != "continue@"+user || shown["decision.url"] != "https://decide.example/v1@"+system || shown["decision.timeout"] != "2s@"+user {
		t.Errorf("shown as %v", shown)
	}
	if err := os.WriteFile(user, []byte("timeout = \"9s\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err := s.Again(); err != nil || len(again.Decisions) != 1 || again.Equal(s) {
		t.Errorf("read again: %+v, %v", again.Decisions, err)
	}
}

func TestADecisionThatIsNotUnderstoodIsAnError(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`decision = "decide"`:                                           "line 2: decision takes a table",
		`decision = {}`:                                                 "line 2: decision takes a table",
		`decision = ["decide"]`:                                         "line 2: decision takes a table",
		`decision = { on_error = "continue" }`:                          "line 2: a decision has exactly one of command and url",
		`decision = { command = "a", url = "https://a.example" }`:       "line 2: a decision has exactly one of command and url",
		"[decision]\nurl = \"https://a.example\"\non_error = \"allow\"": "line 4: on_error takes refuse or continue",
		"[decision]\nurl = \"https://a.example\"\ntimeout = \"0s\"":     "line 4: timeout takes a duration",
		"[decision]\ncommand = \"a\"\nallow = \"b\"":                    "line 4: no such setting of a decision: allow",
		"[decision.a]\ncommand = \"a\"":                                 "no such setting of a decision: a",
		"[decision]\ncommand = [\"a\"]":                                 "line 3: command takes a text",
		"[[decision]]\ncommand = \"a\"":                                 "decision takes a table",
	} {
		path := file(t, t.TempDir(), "config.toml", "\n"+text+"\n")
		_, err := config.Load(config.Paths{System: path}, environ(), config.Flags{})
		if verdict.CodeOf(err) != verdict.ConfigInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A checkout has no say in who decides: a file of the working directory, or of the repository
// around it, may have no decision point.
func TestNoFileOfTheWorkingDirectoryHasADecisionPoint(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp(".", "decision-*") //nolint:usetesting // it has to be below the working directory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	const text = "timeout = \"9s\"\ndecision = { command = \"./decide\" }\n"
	path := file(t, dir, "config.toml", text)
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, named := range []string{path, abs} {
		_, err := config.Load(config.Paths{Config: t.TempDir()}, environ(), config.Flags{Config: named})
		if verdict.CodeOf(err) != verdict.ConfigInvalid || !strings.Contains(err.Error(), "line 2: decision is only read from your own file") {
			t.Errorf("%s: %v", named, err)
		}
	}
	s, err := config.Load(config.Paths{Config: t.TempDir()}, environ("ASK_DECISION", "./decide", "DECISION", "./decide"), config.Flags{Config: file(t, t.TempDir(), "config.toml", text)})
	if err != nil || len(s.Decisions) != 1 || s.Decisions[0].Of != "user" {
		t.Errorf("a user's file elsewhere: %+v, %v", s.Decisions, err)
	}
}
