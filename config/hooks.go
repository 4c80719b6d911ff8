package config

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/schema"
)

// Hooks is where a client reads its user's hooks, and the events at which they start. They start
// `ask hook CLIENT`.
type Hooks struct {
	Client string
	File   string
	Note   string // what the user has to do in the client, "" for nothing

	events []hookEvent // empty for opencode, whose hooks are a program
	flat   bool        // the command of an event is not in a group, and the file has a version
}

// hookEvent is an event of a client. A call's event has a matcher of the tools of MCP servers.
type hookEvent struct{ name, matcher string }

// HookClients are the clients with hooks that ask can install.
var HookClients = []string{"claude-code", "codex", "cursor", "gemini", "opencode"}

// Events is the number of events at which hooks of a file start.
func (h Hooks) Events() int { return len(h.events) }

// HooksOf are the hooks of a client; false for a client without hooks that ask can install.
func HooksOf(client string, env Environ) (h Hooks, ok bool) {
	home := env.Get("HOME")
	if !filepath.IsAbs(home) {
		return h, false
	}
	h.Client = client
	switch client {
	case "claude-code":
		h.File = filepath.Join(home, ".claude", "settings.json")
		h.events = []hookEvent{{"UserPromptSubmit", ""}, {"PreToolUse", "mcp__.*"}}
	case "codex":
		h.File = filepath.Join(home, ".codex", "hooks.json")
		h.events = []hookEvent{{"UserPromptSubmit", ""}, {"PreToolUse", "mcp__.*"}}
		h.Note = "Codex starts a hook only after you trust it: type /hooks in Codex, read both and trust them."
	case "cursor":
		h.File, h.flat = filepath.Join(home, ".cursor", "hooks.json"), true
		h.events = []hookEvent{{"beforeSubmitPrompt", ""}, {"beforeMCPExecution", ""}}
	case "gemini":
		h.File = filepath.Join(home, ".gemini", "settings.json")
		h.events = []hookEvent{{"BeforeAgent", ""}, {"BeforeTool", "mcp_.*"}}
	case "opencode":
		h.File = filepath.Join(openCodeDir(env, home), "plugin", "onestep.js")
	default:
		return h, false
	}
	return h, true
}

// HookCommand starts the hook of a client.
type HookCommand struct {
	Program string            // a path, or the name of a program in PATH
	Env     map[string]string // the variables that it needs to find its files
}

// line is the command for a shell.
func (c HookCommand) line(client string) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		words = append(words, name+"="+ShellWord(c.Env[name]))
	}
	return strings.Join(append(words, ShellWord(c.Program), "hook", client), " ")
}

// plugin is a program for opencode, with places for the command.
//
//go:embed plugin.js
var plugin string

// Plugin is the file of a client whose hooks are a program; nil for any other.
func (h Hooks) Plugin(c HookCommand) []byte {
	if h.events != nil {
		return nil
	}
	env := c.Env
	if env == nil {
		env = map[string]string{}
	}
	places := strings.NewReplacer("$COMMAND", string(edit.Literal(c.Program)), "$ENVIRONMENT", string(edit.Literal(env)))
	return []byte(places.Replace(plugin))
}

// programOf is the program of a command line that starts the hook of the client, "" for any other.
func (h Hooks) programOf(line string) string {
	before, is := strings.CutSuffix(line, " hook "+h.Client)
	if !is {
		return ""
	}
	if quoted, is := strings.CutSuffix(before, "'"); is {
		return quoted[strings.LastIndexByte(quoted, '\'')+1:]
	}
	return before[strings.LastIndexByte(before, ' ')+1:]
}

// PutHooks is what was put into a file of hooks. Without it the file is as before.
type PutHooks struct {
	Created bool     `json:"created"` // the file did not exist
	Made    []string `json:"made"`    // pointers of the lists and objects that did not exist
	Put     []string `json:"put"`     // the texts, in their order
}

// Missing are the events of a file at which no hook starts `ask hook`, by its program.
func (h Hooks) Missing(text []byte, ours func(program string) bool) (names []string, err error) {
	all, err := hooksIn(text)
	for _, e := range h.events {
		groups, _ := all[e.name].([]any)
		if !slices.ContainsFunc(groups, func(g any) bool { return h.starts(g, ours) }) {
			names = append(names, e.name)
		}
	}
	return names, err
}

// starts reports whether a group, or a hook of it, has a command whose program is ours.
func (h Hooks) starts(group any, ours func(program string) bool) bool {
	g, _ := group.(map[string]any)
	if line, is := g["command"].(string); is && h.programOf(line) != "" {
		return ours(h.programOf(line))
	}
	inner, _ := g["hooks"].([]any)
	return slices.ContainsFunc(inner, func(one any) bool { return h.starts(one, ours) })
}

// hooksIn is the member hooks of a file.
func hooksIn(text []byte) (map[string]any, error) {
	all, err := membersOf(text)
	hooks, is := all["hooks"].(map[string]any)
	if all["hooks"] != nil && !is {
		err = errors.New("no object as its member hooks")
	}
	return hooks, err
}

// membersOf are the members of a file of JSON with comments. A blank file has none.
func membersOf(text []byte) (all map[string]any, err error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	b, err := asJSON("", text)
	if err == nil {
		err = schema.Check(b, serversLimits)
	}
	if err != nil {
		return nil, err
	}
	v, err := schema.Any(b)
	all, is := v.(map[string]any)
	if err == nil && !is {
		err = errors.New("no object")
	}
	return all, err
}

// Install puts the hooks of the missing events into a file, each in front of the others. Its error
// is [ErrByHand] if they could not be taken out again byte for byte.
func (h Hooks) Install(text []byte, missing []string, c HookCommand) (after []byte, put PutHooks, err error) {
	put.Created, after = text == nil, text
	blank := len(bytes.TrimSpace(text)) == 0
	if blank {
		after = []byte("{}\n")
	}
	if blank && h.flat {
		put.Made, after = []string{"/version"}, []byte("{\n  \"version\": 1\n}\n")
	}
	all, err := hooksIn(text)
	for _, e := range slices.Backward(h.events) {
		if err != nil || !slices.Contains(missing, e.name) {
			continue
		}
		var one string
		pointer, name, value := "/hooks/"+e.name, "", h.value(e, c)
		if _, is := all[e.name]; !is {
			put.Made = append(put.Made, pointer)
			pointer, name, value = "/hooks", e.name, edit.Literal([]jsontext.Value{value})
		}
		if all == nil { // one member, which the next event comes into
			put.Made = append(put.Made, "/hooks")
			pointer, name, value = "", "hooks", edit.Object{}.And(name, value).JSON()
			all = map[string]any{}
		}
		after, one, err = edit.PutFirst(after, pointer, name, value)
		put.Put = append(put.Put, one)
	}
	slices.Reverse(put.Put) // the last one may be within another
	if blank {
		put.Put = []string{string(after)}
		after = slices.Concat(text, after)
	}
	if err == nil {
		back, lost := h.Remove(after, put, func(program string) bool { return program == c.Program })
		if same := bytes.Equal(back, text); lost != nil || !same {
			err = ErrByHand
		}
	}
	return after, put, err
}

// value is the group of one hook.
func (h Hooks) value(e hookEvent, c HookCommand) jsontext.Value {
	command := edit.Object{}.And("command", c.line(h.Client))
	if h.flat {
		return command.JSON()
	}
	var group edit.Object
	if e.matcher != "" {
		group = group.And("matcher", e.matcher)
	}
	hook := append(edit.Object{}.And("type", "command"), command...)
	return group.And("hooks", []jsontext.Value{hook.JSON()}).JSON()
}

// Remove takes hooks out of a file, those whose command has a program of ours. The file is as
// before them if their text is still there; nil means that it is to be removed.
func (h Hooks) Remove(text []byte, put PutHooks, ours func(program string) bool) (after []byte, err error) {
	all, err := hooksIn(text)
	if err != nil {
		return nil, err
	}
	t, err := edit.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	others := func(v jsontext.Value) bool {
		one, err := schema.Any(v)
		return err != nil || !h.starts(one, ours)
	}
	top, in := t.Object(""), t.Object("/hooks")
	for _, e := range h.events {
		at := "/hooks/" + e.name
		groups, _ := all[e.name].([]any)
		for i, group := range groups { // a hook that somebody added to the group stays
			if h.mixed(group, ours) {
				t.Keep(fmt.Sprintf("%s/%d/hooks", at, i), others)
			}
		}
		if left := t.Keep(at, others); left == 0 && slices.Contains(put.Made, at) && groups != nil {
			t.Remove(in, e.name)
		}
	}
	if slices.Contains(put.Made, "/hooks") && in != nil && len(in.Members) == 0 {
		t.Remove(top, "hooks")
	}
	if slices.Contains(put.Made, "/version") && len(top.Members) == 1 && edit.Index(top, "version") == 0 {
		t.Remove(top, "version")
	}
	if put.Created && len(top.Members) == 0 {
		return nil, nil
	}
	return shortest(text, t.Text(), put.Put)
}

// mixed reports whether a group has a hook of ours and another.
func (h Hooks) mixed(group any, ours func(program string) bool) bool {
	g, _ := group.(map[string]any)
	inner, _ := g["hooks"].([]any)
	mine := func(one any) bool { return h.starts(one, ours) }
	return slices.ContainsFunc(inner, mine) && slices.ContainsFunc(inner, func(one any) bool { return !mine(one) })
}

// shortest is the text without what was put in, if that means the same as the edited text.
func shortest(text, edited []byte, put []string) ([]byte, error) {
	want, err := membersOf(edited)
	short, is := without(text, put)
	if err != nil || !is {
		return edited, err
	}
	if got, err := membersOf(short); err == nil && reflect.DeepEqual(got, want) {
		return short, nil
	}
	return edited, nil
}

// without is a text without others, if it has each.
func without(text []byte, put []string) (after []byte, is bool) {
	after = text
	for _, one := range put {
		i := bytes.Index(after, []byte(one))
		if i < 0 {
			return nil, false
		}
		after = append(append([]byte{}, after[:i]...), after[i+len(one):]...) // not nil
	}
	return after, true
}
