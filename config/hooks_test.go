package config_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
)

func hooksOf(t *testing.T, client string) config.Hooks {
	t.Helper()
	h, ok := config.HooksOf(client, func(name string) (string, bool) { return "/home/ada", name == "HOME" })
	if !ok {
		t.Fatalf("%s has no hooks", client)
	}
	return h
}

func isAsk(program string) bool { return program == "ask" }

var askHook = config.HookCommand{Program: "ask", Env: map[string]string{"ASK_HOME": "/home/ada/a b"}}

// hookFiles are files of a client, with the events of the client as A and B.
var hookFiles = []string{
	"",
	" \n",
	"{}",
	"{\n}\n",
	"\ufeff{\r\n\t\"theme\": \"dark\"\r\n}\r\n",
	`{"theme":"dark"}`,
	"{ // mine\n    // about the theme\n    \"theme\": \"dark\", // dark\n}",
	"{ /* a\n b */ \"theme\": \"dark\" }",
	`{"hooks":{}}`,
	"{\n  \"hooks\": { // none\n  }\n}",
	`{"hooks":{"A":[]}}`,
	"{\n  \"hooks\": {\n    \"B\": [\n      {\"command\": \"other hook cursor\", \"hooks\": [{\"type\": \"command\", \"command\": \"other\"}]},\n    ],\n  },\n}\n",
	`{"hooks":{"A":[{"command":"x"}],"B":[ {"command":"y"} ],"Stop":[]}, "x": [1, 2]}`,
}

func eventsIn(t *testing.T, h config.Hooks) (first, second string) {
	t.Helper()
	names, err := h.Missing(nil, isAsk)
	if err != nil || len(names) != 2 {
		t.Fatalf("%v: %v", names, err)
	}
	return names[0], names[1]
}

// TestHooksComeOutByteForByte, of each file of each client, and are put in once.
func TestHooksComeOutByteForByte(t *testing.T) {
	t.Parallel()
	for _, client := range []string{"claude-code", "codex", "cursor", "gemini"} {
		h := hooksOf(t, client)
		first, second := eventsIn(t, h)
		for _, file := range append(hookFiles, "\x00") {
			before := []byte(strings.NewReplacer(`"A"`, `"`+first+`"`, `"B"`, `"`+second+`"`).Replace(file))
			if file == "\x00" { // it does not exist
				before = nil
			}
			missing, err := h.Missing(before, isAsk)
			if err != nil || len(missing) != 2 {
				t.Errorf("%s: of %q %v is missing: %v", client, before, missing, err)
			}
			after, put, err := h.Install(before, missing, askHook)
			if err != nil {
				t.Errorf("%s: %q: %v", client, before, err)
				continue
			}
			if missing, err = h.Missing(after, isAsk); err != nil || len(missing) > 0 {
				t.Errorf("%s: of %s %v is missing: %v", client, after, missing, err)
			}
			if missing, _ = h.Missing(after, func(string) bool { return false }); len(missing) != 2 {
				t.Errorf("%s: another program's hooks count", client)
			}
			back, err := h.Remove(after, put, isAsk)
			if err != nil || !bytes.Equal(back, before) {
				t.Errorf("%s: %q came back as %q: %v", client, before, back, err)
			}
			if (back == nil) != (before == nil) {
				t.Errorf("%s: %q: a file is removed that was there, or stays", client, before)
			}
		}
	}
}

// TestOtherEditsStayWhenHooksComeOut: of a person, and of a client that writes its file again.
func TestOtherEditsStayWhenHooksComeOut(t *testing.T) {
	t.Parallel()
	h := hooksOf(t, "claude-code")
	install := func(before string) (string, config.PutHooks) {
		text := []byte(before)
		if before == "" {
			text = nil
		}
		after, put, err := h.Install(text, []string{"UserPromptSubmit", "PreToolUse"}, askHook)
		if err != nil {
			t.Fatal(err)
		}
		return string(after), put
	}
	for name, one := range map[string]struct {
		before string
		edit   func(string) string
		want   string
	}{
		"a member after the hooks": {
			"{\n  \"a\": 1\n}\n", func(s string) string { return strings.Replace(s, `"a": 1`, `"a": 1, // one`+"\n  \"b\": 2", 1) },
			"{\n  \"a\": 1, // one\n  \"b\": 2\n}\n",
		},
		"an event in the hooks": {
			"{\n  \"a\": 1\n}\n", func(s string) string { return strings.Replace(s, `"hooks": {`, `"hooks": {`+"\n    \"Stop\": [],", 1) },
			"{\n  \"hooks\": {\n    \"Stop\": []\n  },\n  \"a\": 1\n}\n",
		},
		"a hook in the group": {
			"", func(s string) string {
				return strings.Replace(s, "{\n            \"type\"", "{\"type\": \"command\", \"command\": \"mine\"}, {\n            \"type\"", 1)
			},
			"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"mine\"}\n        ]\n      }\n    ]\n  }\n}\n",
		},
		"written on one line": {
			`{"a":1}`, func(s string) string { return s + "\n" }, "{\"a\":1}\n",
		},
		"the file of hooks got a member": {
			"", func(s string) string { return strings.Replace(s, "{\n", "{\n  \"a\": 1,\n", 1) }, "{\n  \"a\": 1\n}\n",
		},
		"the hooks were taken out": {
			`{"a":1}`, func(string) string { return `{"a":2}` }, `{"a":2}`,
		},
	} {
		after, put := install(one.before)
		edited := one.edit(after)
		got, err := h.Remove([]byte(edited), put, isAsk)
		if err != nil || string(got) != one.want {
			t.Errorf("%s: %q became %q, want %q: %v", name, edited, got, one.want, err)
		}
	}
}

// TestAFileOfHooksThatCannotBeEdited is refused, and so is a client without hooks.
func TestAFileOfHooksThatCannotBeEdited(t *testing.T) {
	t.Parallel()
	h := hooksOf(t, "gemini")
	for _, text := range []string{"[]", "{", `{"hooks": 1}`, `{"hooks": []}`, `{"hooks": {}, "hooks": {}}`, `{"hooks": {"BeforeTool": {}}}`, `{"hooks": {"BeforeAgent": null}}`, strings.Repeat("[", 1<<16)} {
		if _, _, err := h.Install([]byte(text), []string{"BeforeAgent", "BeforeTool"}, askHook); err == nil {
			t.Errorf("%.40q is edited", text)
		}
	}
	for _, client := range []string{"", "zed", "claude-desktop", "continue"} {
		if _, ok := config.HooksOf(client, func(string) (string, bool) { return "/home/ada", true }); ok {
			t.Errorf("%s has hooks", client)
		}
	}
	if _, ok := config.HooksOf("codex", func(string) (string, bool) { return "", false }); ok {
		t.Error("without a home")
	}
	if !slices.IsSorted(config.HookClients) {
		t.Error("the clients are not sorted")
	}
}
