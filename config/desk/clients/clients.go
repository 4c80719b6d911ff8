// Package clients is a person's work on other MCP clients. The person lists their servers,
// copies them, puts `ask wrap` in front of them, and restores the original entries.
//
// It vouches that a file is written only if it is as shown, and that the original entry is on
// disk before the entry changes. It starts and dials nothing.
//
// cmd/ask calls it, and shows and asks around it.
package clients

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Placed selects entries of other clients, and the command that starts ask there.
type Placed struct {
	From        string        // a client, for its user's files, or a file; "" with All
	Servers     []string      // empty means all of them
	All         bool          // every client's entries
	Environment string        // a project, if a file has parts for several; "" means the file, and the project of Dir
	Dir         string        // the working directory
	Program     string        // the command that starts ask: a path, or a name in PATH
	Approve     bool          // make Codex leave the approval to ask
	Hooks       bool          // install the client's hooks too
	Hold        time.Duration // how long a call of a wrapped server waits for an approval; 0 means the setting
	Unwrap      bool          // restore the original entries
}

// Change is an actual or planned change of clients' files.
type Change struct {
	SchemaVersion int          `json:"schema_version"`
	Clients       []FileChange `json:"clients"`
	File          string       `json:"file"`    // the servers file
	Servers       []string     `json:"servers"` // that are added to it
	Changed       bool         `json:"changed"` // false for a dry run, or if nothing differed

	Error *host.Failure `json:"error,omitempty"`

	add map[string]config.Spec
}

// FileChange is the change of one file.
type FileChange struct {
	Client  string       `json:"client,omitempty"`
	File    string       `json:"file"`
	Shared  bool         `json:"shared"` // a project's file, which others have too
	Servers []Moved      `json:"servers"`
	Left    []LeftEntry  `json:"left"`
	Hooks   *HookChange  `json:"hooks,omitempty"`
	Backup  string       `json:"backup,omitempty"`
	before  []byte       // the text of the file
	after   []byte       //
	records []wrapRecord // written first, or removed last
}

// Moved is one server's entry before and after, as lines without secrets.
type Moved struct {
	Name        string   `json:"name"`
	As          string   `json:"as,omitempty"` // in the servers file, if the name differs
	Environment string   `json:"environment,omitempty"`
	Secrets     []string `json:"secrets"` // the fields with a secret
	Removed     []string `json:"removed"`
	Added       []string `json:"added"`
	Notes       []string `json:"notes,omitempty"` // on members that ask does not read
	Started     bool     `json:"-"`               // by a command, not at an address
	Asks        bool     `json:"-"`               // the client asks before calls, and can leave that to ask
}

// LeftEntry is an entry that is not changed.
type LeftEntry struct {
	Name    string `json:"name"`
	Why     string `json:"why"`
	Snippet string `json:"snippet,omitempty"` // the replacement for the user to write, if ask does not edit this form
}

// Asks reports whether a changed client asks before calls, and can leave that to ask.
func (c Change) Asks() bool {
	return slices.ContainsFunc(c.Clients, func(e FileChange) bool {
		return slices.ContainsFunc(e.Servers, func(m Moved) bool { return m.Asks })
	})
}

// Empty reports whether no file would change.
func (c Change) Empty() bool {
	return !slices.ContainsFunc(c.Clients, FileChange.changes)
}

// Gone reports whether the file is removed, because it did not exist before its hooks.
func (e FileChange) Gone() bool { return e.before != nil && e.after == nil }

// Moves reports whether a server's entry changes.
func (c Change) Moves() bool {
	return slices.ContainsFunc(c.Clients, func(e FileChange) bool { return len(e.Servers) > 0 })
}

// changes reports whether a server or the hooks of the file change.
func (e FileChange) changes() bool { return len(e.Servers) > 0 || e.Hooks != nil }

// source is a file of another client.
type source struct {
	client, file string
	shared       bool
}

// sources are the existing files: the user's, and those of the project in the working
// directory.
func (d Desk) sources(dir string) (all []source) {
	here := func(path string) bool { _, err := os.Stat(path); return err == nil }
	for _, c := range config.Clients(d.With.Env, runtime.GOOS) {
		for _, file := range c.Files {
			if here(file) {
				all = append(all, source{c.Name, file, false})
			}
		}
		for _, file := range c.Project {
			if path := filepath.Join(dir, file); here(path) && !slices.ContainsFunc(all, func(s source) bool { return s.file == path }) {
				all = append(all, source{c.Name, path, true})
			}
		}
	}
	return all
}

// chosen are the selected files. Only its path selects a project's file: it is a stranger's
// text, and others have it too.
func (d Desk) chosen(p Placed) ([]source, error) {
	var all []source
	var names []string
	sources := d.sources(p.Dir)
	for _, s := range sources {
		names = append(names, s.client)
		if !s.shared && (p.All || s.client == p.From) {
			all = append(all, s)
		}
	}
	if p.All || len(all) > 0 {
		return all, nil
	}
	if _, ok := config.HooksOf(p.From, d.With.Env); ok && p.Hooks && len(p.Servers) == 0 {
		return nil, nil
	}
	path, err := filepath.Abs(p.From)
	if _, gone := os.Stat(path); err != nil || gone != nil {
		return nil, verdict.Fail(verdict.UsageArgument, nil, "%s is neither a file nor a client with a user file here%s", escape.Line(p.From, 128), verdict.Near(p.From, names))
	}
	for _, s := range sources {
		if s.file == path {
			return []source{s}, nil
		}
	}
	return []source{{"", path, true}}, nil
}

// parts are the selected parts of a file. They are the file itself and its part about the
// project of the working directory, or the named part.
func (p Placed) parts(path string, text []byte) ([]string, error) {
	known := config.ClientProjects(path, text)
	if p.Environment == "" {
		return slices.DeleteFunc([]string{"", p.Dir}, func(name string) bool { return name != "" && !slices.Contains(known, name) }), nil
	}
	if !slices.Contains(known, p.Environment) {
		return nil, verdict.Fail(verdict.UsageArgument, nil, "%s has no environment %s%s", path, escape.Line(p.Environment, 300), verdict.Near(p.Environment, known))
	}
	return []string{p.Environment}, nil
}

// The states of a client's entry, besides unusable and taken.
const (
	isDirect    = "direct"
	isWrapped   = "wrapped"
	isChanged   = "changed"   // since it was wrapped
	isElsewhere = "elsewhere" // another installation wrapped it
)

// Server is one entry of a client's file.
type Server struct {
	Name  string `json:"name"`
	As    string `json:"as,omitempty"` // its name in the servers file, now or later, if it differs
	How   string `json:"how"`
	State string `json:"state"` // direct, wrapped, changed, elsewhere, taken, unusable
	Why   string `json:"why,omitempty"`
	Kept  string `json:"kept,omitempty"` // the file with the original entry
}

// Part are the servers of one file of a client, or of the file's part about a project.
type Part struct {
	Client      string   `json:"client,omitempty"`
	File        string   `json:"file"`
	Environment string   `json:"environment,omitempty"`
	Shared      bool     `json:"shared"`
	Servers     []Server `json:"servers"`

	Hooks *HookState `json:"hooks,omitempty"` // of the user's client
}

// Parts are the existing files of other clients, or the selected ones, with the state of each
// server. A file that cannot be read is reported and left out.
func (d Desk) Parts(p Placed) ([]Part, error) {
	_, ours, err := d.Entries()
	if err != nil {
		return nil, err
	}
	sources := d.sources(p.Dir)
	if p.From != "" {
		sources, err = d.chosen(p)
		if alone := d.withHooks(nil, p); err != nil && len(alone) > 0 {
			return alone, nil
		}
		if err != nil {
			return nil, err
		}
	}
	found := []Part{}
	for _, s := range sources {
		err := d.eachPart(s, p, func(c config.ClientFile) (config.ClientFile, error) {
			part := Part{Client: s.client, File: c.Path, Environment: c.Project, Shared: s.shared, Servers: []Server{}}
			names, err := d.names(c, nil, nil)
			for _, name := range slices.Sorted(maps.Keys(names)) {
				as := names[name]
				row := Server{Name: name, As: called(name, as), How: c.Servers.Describe(name).String()}
				row.State, row.Why = d.entryState(c, name, names, ours)
				if row.State == isWrapped || row.State == isChanged {
					row.How, row.Kept = ours.Describe(as).String(), d.recordFile(wrapRecord{File: c.Path, Environment: c.Project, Name: name})
				}
				part.Servers = append(part.Servers, row)
			}
			for _, n := range c.Servers.Notes() {
				if n.Out {
					part.Servers = append(part.Servers, Server{Name: n.Server, State: unusable, Why: n.Text})
				}
			}
			found = append(found, part)
			return c, err
		})
		if err != nil && p.From != "" {
			return nil, err
		}
		if err != nil {
			d.Report("left out: %s", host.FailureOf(err).Message)
		}
	}
	return d.withHooks(found, p), nil
}

// eachPart calls do for each selected part of a file. Each call gets the file as the call
// before left it.
func (d Desk) eachPart(s source, p Placed, do func(config.ClientFile) (config.ClientFile, error)) error {
	path, text, err := config.OpenClientFile(s.file)
	if err != nil {
		return err
	}
	projects, err := p.parts(path, text)
	if err != nil {
		return err
	}
	for _, project := range projects {
		c, err := config.ParseClientFile(path, project, text)
		if errors.Is(err, config.ErrNoServers) && (s.client != "" || len(projects) > 1) {
			continue
		}
		if !s.shared {
			c.Servers = c.Servers.Own()
		}
		if err == nil {
			c, err = do(c)
		}
		if err != nil {
			return err
		}
		text = c.Text()
	}
	return nil
}

// entryState is the state of an entry, which has or would get one of the names in the servers
// file.
func (d Desk) entryState(c config.ClientFile, name string, names map[string]string, ours config.Servers) (state, why string) {
	as := names[name]
	spec, _ := c.Servers.Copied(name)
	record, kept := d.record(c.Path, c.Project, name)
	wraps, sibling := servers.At(d.Desk).Wraps(c.Servers, name)
	there, _, is := ours.Spec(as)
	differ := there.Differences(spec)
	switch {
	case kept && c.Same(name, []byte(record.Wrapped)) && as != record.as():
		return isChanged, "it is wrapped as " + record.as() + ": unwrap it first"
	case kept && c.Same(name, []byte(record.Wrapped)) && !is:
		return isChanged, "the servers file has no server of that name any more: unwrap it, and wrap it again"
	case kept && c.Same(name, []byte(record.Wrapped)):
		return isWrapped, ""
	case kept && wraps:
		return isChanged, "it was changed since it was wrapped"
	case wraps:
		return isElsewhere, "it starts ask wrap, and its earlier entry is not stored here"
	case sibling:
		return isElsewhere, "it starts ask wrap of another installation, whose servers file has it"
	case is && len(differ) > 0:
		return isTaken, "the servers file has another server of that name: rename one of them, or take that one out with `ask servers remove " + as + "` (" + firstOf(differ) + "); NAME=OTHER gives this one another name"
	}
	if wrong := c.Misread(name); wrong != "" {
		return unusable, wrong
	}
	if other := clashes(names, name); other != "" {
		return isTaken, twoOf(name, other, as)
	}
	return isDirect, ""
}

// Desk manages the files of other clients.
type Desk struct{ desk.Desk }

// At is the desk of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
