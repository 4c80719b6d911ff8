package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/talk"
)

// maxReport bounds what a hook reads, in bytes.
const maxReport = 4 << 20

// hook keeps the report of a client's hook. It prints nothing, because a client may show that to
// its model, and it never fails, because that could end the client's turn.
func (a *app) hook(ctx context.Context, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second) // for a key that another process makes
	defer cancel()
	b, err := io.ReadAll(io.LimitReader(os.Stdin, maxReport))
	if err == nil && len(args) == 1 {
		err = keepReport(ctx, talksOf(a.Env), args[0], b)
	}
	if err != nil && a.Debug {
		a.Say("the hook kept nothing: %v", err)
	}
	return nil
}

// talksOf is the store of conversations in the state directory.
func talksOf(env config.Environ) talk.Store {
	s := talk.Store{Now: time.Now}
	if paths, err := config.FindPaths(env); err == nil {
		s.Dir = filepath.Join(paths.State, "talks")
	}
	return s
}

// hookReport is what the hooks of the clients have in common. Claude Code, Codex and Gemini CLI have
// session_id; Cursor has conversation_id.
type hookReport struct {
	Session      string         `json:"session_id"`
	Conversation string         `json:"conversation_id"`
	Event        string         `json:"hook_event_name"`
	Prompt       string         `json:"prompt"`
	Tool         string         `json:"tool_name"`
	Arguments    jsontext.Value `json:"tool_input"`
	CallID       string         `json:"tool_use_id"`
	Agent        string         `json:"agent_id"` // of a subagent of Claude Code and Codex
	How          string         `json:"how"`      // the plugin for opencode states it
}

func keepReport(ctx context.Context, s talk.Store, client string, b []byte) error {
	var r hookReport
	limits := schema.Limits{Bytes: maxReport, Depth: 80, Values: 1 << 18, Exponent: 308, Digits: 64}
	if err := schema.DecodeOpen(b, &r, limits); err != nil {
		return err
	}
	session := talk.Session(client, cmp.Or(r.Session, r.Conversation))
	if r.Tool != "" {
		args := []byte(r.Arguments)
		if text := ""; r.Arguments.Kind() == '"' && schema.Decode(args, &text, limits) == nil { // Cursor
			args = []byte(text)
		}
		return s.Called(ctx, session, r.CallID, r.Tool, args)
	}
	if r.Prompt == "" {
		return nil
	}
	_ = s.Expire() // the next message tries again
	message, files, _ := strings.Cut(r.Prompt, geminiFiles)
	err := s.Add(ctx, talk.Row{Session: session, Text: message, How: r.way()})
	if files != "" {
		err = errors.Join(err, s.Add(ctx, talk.Row{Session: session, Text: files, How: "file"}))
	}
	return err
}

// geminiFiles begins the line before the content of the files that a message to Gemini CLI refers
// to. In another client's message the text after it counts as a file's too, which only claims less.
const geminiFiles = "\n--- Content from referenced "

// way is how a message was written, as far as the hook shows it.
func (r hookReport) way() string {
	switch {
	case r.Agent != "":
		return "subagent"
	case slices.Contains([]string{"file", "command", "subagent"}, r.How):
		return r.How
	case strings.HasPrefix(r.Prompt, "/"):
		return "command"
	}
	return "typed"
}
