package clients

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/disk"
)

// HookChange is the change of a client's hooks, as the lines that it adds or removes.
type HookChange struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	Note    string   `json:"note,omitempty"` // what the user has to do in the client

	record hookRecord
}

// HookState is whether a client's hooks start ask: installed, incomplete or missing.
type HookState struct {
	File  string `json:"file"`
	State string `json:"state"`
}

// The states of hooks.
const (
	hooksInstalled  = "installed"
	hooksIncomplete = "incomplete"
	hooksMissing    = "missing"
)

// hookRecord is what was put into a client's file of hooks.
type hookRecord struct {
	SchemaVersion int             `json:"schema_version"`
	Client        string          `json:"client"`
	File          string          `json:"file"`
	Program       string          `json:"program"`
	Put           config.PutHooks `json:"put"`
}

// hookFile is the path of the record of a client's hooks.
func (d Desk) hookFile(client string) string {
	dir, err := d.dir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "hooks", nameOf(client)+".json")
}

// hooksOf is the record of a client's hooks, false without a readable one.
func (d Desk) hooksOf(client string) (r hookRecord, ok bool) {
	b, err := disk.ReadFile(d.hookFile(client), recordLimits.Bytes)
	if err == nil {
		err = schema.Decode(b, &r, recordLimits)
	}
	return r, err == nil && r.Client == client
}

func (d Desk) keepHooks(r hookRecord) error {
	b, err := json.Marshal(r, jsontext.Multiline(true))
	if err == nil {
		err = edit.KeepPrivate(d.hookFile(r.Client), b)
	}
	return err
}

// ours is whether a command of hooks is this program, another build of it, or as the record has it.
func (d Desk) ours(r hookRecord) func(program string) bool {
	return func(program string) bool {
		ours, sibling := servers.At(d.Desk).Starts(config.ProgramIn(program, d.With.Env.Get("PATH")))
		return ours || sibling || program == r.Program
	}
}

// planHooks adds the hooks of the selected clients to the change.
func (d Desk) planHooks(change *Change, p Placed) error {
	for _, client := range d.hooked(p) {
		h, ok := config.HooksOf(client, d.With.Env)
		switch {
		case ok:
			if err := d.installHooks(change, h, p); err != nil {
				return err
			}
		case p.All:
		case change.Empty():
			return verdict.Fail(verdict.UsageArgument, nil, "%s", noHooks(client)).WithHint("leave out --hooks to wrap its servers")
		default:
			change.Clients[0].Left = append(change.Clients[0].Left, LeftEntry{Why: noHooks(client)})
		}
	}
	return nil
}

func noHooks(client string) string {
	if client == "" {
		return "hooks are for all your projects: they are installed by the name of a client, not by a project's file"
	}
	return escape.Line(client, 64) + " has no hooks that ask can install, so its arguments get no source"
}

// hooked are the clients whose hooks are selected. "" is that of a file that is not a user's.
func (d Desk) hooked(p Placed) (names []string) {
	switch _, ok := config.HooksOf(p.From, d.With.Env); {
	case p.All:
		return d.Names()
	case ok:
		return []string{p.From}
	}
	sources, _ := d.chosen(p)
	for _, s := range sources {
		if s.shared {
			s.client = ""
		}
		names = append(names, s.client)
	}
	return slices.Compact(names)
}

// installHooks adds the hooks of one client to the change, unless they are there.
func (d Desk) installHooks(change *Change, h config.Hooks, p Placed) error {
	e, path, text, err := hooksFile(change, h.Client, h.File)
	if err != nil {
		return err
	}
	record, _ := d.hooksOf(h.Client)
	command := config.HookCommand{Program: p.Program, Env: d.homes()}
	after, put := h.Plugin(command), config.PutHooks{Created: text == nil}
	switch missing, unread := h.Missing(text, d.ours(record)); {
	case after != nil && pluginIs(text, after, record):
		return nil
	case after != nil && text != nil:
		e.Left = append(e.Left, LeftEntry{Why: path + " is another file: remove it, and run the command again"})
	case after != nil:
		put.Put = []string{string(after)}
	case unread != nil:
		return verdict.Fail(verdict.ConfigInvalid, unread, "%s has %v", path, unread)
	case len(missing) == 0:
		return nil
	default:
		if after, put, err = h.Install(text, missing, command); err != nil {
			return verdict.Fail(verdict.ConfigInvalid, err, "%s: the hooks cannot be added without changing more", path)
		}
	}
	if len(put.Put) > 0 {
		e.Hooks = &HookChange{Added: hookLines(put.Put), Removed: []string{}, Note: h.Note}
		if record.File == path && text != nil { // earlier, and part of it was removed since
			put.Created = record.Put.Created
			put.Made = slices.Compact(slices.Sorted(slices.Values(append(put.Made, record.Put.Made...))))
			put.Put = append(put.Put, record.Put.Put...)
		}
		e.Hooks.record = hookRecord{SchemaVersion: host.SchemaVersion, Client: h.Client, File: path, Program: p.Program, Put: put}
		e.after = after
	}
	change.with(e)
	return nil
}

// pluginIs reports whether a text is the program of hooks that was, or would be, written.
func pluginIs(text, after []byte, record hookRecord) bool {
	return bytes.Equal(text, after) || text != nil && slices.Contains(record.Put.Put, string(text))
}

// hooksFile is the change of a file of hooks, with its text so far. The file may also have the
// client's servers.
func hooksFile(change *Change, client, file string) (e FileChange, path string, text []byte, err error) {
	path, text, err = edit.Open(file)
	if err != nil {
		return e, path, nil, err
	}
	for _, one := range change.Clients {
		if one.File == path && one.before == nil { // it could not be read for its servers
			one.before, one.after = text, text
		}
		if one.File == path {
			return one, path, one.after, nil
		}
	}
	e = newEdit(source{client, path, false})
	e.before, e.after = text, text
	return e, path, text, nil
}

// with puts the change of one file into the place of its earlier form, or at the end.
func (c *Change) with(e FileChange) {
	i := slices.IndexFunc(c.Clients, func(one FileChange) bool { return one.File == e.File })
	if i < 0 {
		c.Clients = append(c.Clients, e)
		return
	}
	c.Clients[i] = e
}

// hookLines are the lines of texts that were put into a file. They hold no text of the user's.
func hookLines(texts []string) (lines []string) {
	for _, text := range texts {
		text = strings.Trim(strings.ReplaceAll(text, "\r", ""), "\n")
		lines = append(lines, strings.Split(text, "\n")...)
	}
	return lines
}

// planUnhook takes the hooks of the selected clients out. Servers that a person named leave them.
func (d Desk) planUnhook(change *Change, p Placed) error {
	if len(p.Servers) > 0 || p.Environment != "" {
		return nil
	}
	path, err := filepath.Abs(p.From)
	for _, client := range config.HookClients {
		record, ok := d.hooksOf(client)
		named := p.All || p.From == client
		located := err == nil && record.File == path
		if !ok || !named && !located {
			continue
		}
		if err := d.removeHooks(change, record); err != nil {
			return err
		}
	}
	return nil
}

func (d Desk) removeHooks(change *Change, r hookRecord) error {
	h, _ := config.HooksOf(r.Client, d.With.Env)
	e, path, text, err := hooksFile(change, r.Client, r.File)
	if err != nil {
		return err
	}
	e.Hooks = &HookChange{Added: []string{}, Removed: hookLines(r.Put.Put), record: r}
	switch plugin := h.Plugin(config.HookCommand{}); {
	case text == nil:
		e.Hooks.Removed = []string{}
	case path != r.File:
		e.Hooks, e.Left = nil, append(e.Left, LeftEntry{Why: r.File + " is now a link to another file: its hooks stay"})
	case plugin != nil && pluginIs(text, nil, r):
		e.after = nil
	case plugin != nil:
		e.Hooks, e.Left = nil, append(e.Left, LeftEntry{Why: path + " was changed since it was written: remove it yourself"})
	default:
		if e.after, err = h.Remove(text, r.Put, d.ours(r)); err != nil {
			return verdict.Fail(verdict.ConfigInvalid, err, "%s has %v", path, err)
		}
		if bytes.Equal(e.after, text) {
			e.Hooks.Removed = []string{}
		}
	}
	change.with(e)
	return nil
}

// write replaces a file, or removes a file without a text.
func (e FileChange) write() error {
	switch {
	case e.Gone():
		return edit.Remove(e.File, e.before)
	case bytes.Equal(e.before, e.after):
		return nil
	}
	return edit.Replace(e.File, e.before, e.after)
}

// forgetHooks removes the record of hooks that were taken out.
func (d Desk) forgetHooks(e FileChange) error {
	if e.Hooks == nil {
		return nil
	}
	err := os.Remove(d.hookFile(e.Hooks.record.Client))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// hookState is the state of a client's hooks; nil for a client without hooks that ask can install.
func (d Desk) hookState(client string) *HookState {
	h, ok := config.HooksOf(client, d.With.Env)
	if !ok {
		return nil
	}
	s := &HookState{File: h.File, State: hooksMissing}
	_, text, err := edit.Open(h.File)
	if err != nil || text == nil {
		return s
	}
	record, _ := d.hooksOf(client)
	missing, err := h.Missing(text, d.ours(record))
	switch plugin := h.Plugin(config.HookCommand{}); {
	case plugin != nil && pluginIs(text, nil, record):
		s.State = hooksInstalled
	case plugin != nil, err != nil:
	case len(missing) == 0:
		s.State = hooksInstalled
	case len(missing) < h.Events():
		s.State = hooksIncomplete
	}
	return s
}

// withHooks adds the state of hooks to the parts of clients, and clients that have hooks only.
func (d Desk) withHooks(found []Part, p Placed) []Part {
	for _, client := range config.HookClients {
		if p.From != "" && p.From != client && !slices.ContainsFunc(found, func(c Part) bool { return c.Client == client }) {
			continue
		}
		state := d.hookState(client)
		i := slices.IndexFunc(found, func(c Part) bool { return c.Client == client && !c.Shared })
		switch {
		case state == nil:
		case i >= 0:
			found[i].Hooks = state
		case state.State != hooksMissing && !slices.ContainsFunc(found, func(c Part) bool { return c.Client == client }):
			found = append(found, Part{Client: client, File: state.File, Servers: []Server{}, Hooks: state})
		}
	}
	return found
}
