package desk

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/disk"
)

// Placed says which entries of other clients are meant, and what starts ask there.
type Placed struct {
	From        string   // a client, whose user's files are meant, or a file; "" with All
	Servers     []string // none means all of them
	All         bool     // every client's
	Environment string   // a project, where a file has parts about several; "" means the file, and the project of Dir
	Dir         string   // the working directory
	Program     string   // what starts ask: a path, or its name where the PATH has it
	Approve     bool     // have Codex leave the approval to ask
	Unwrap      bool     // put back what was there
}

// ClientChange is what becomes of clients' files, or would.
type ClientChange struct {
	SchemaVersion int          `json:"schema_version"`
	Clients       []ClientEdit `json:"clients"`
	File          string       `json:"file"`    // the servers file
	Servers       []string     `json:"servers"` // that it gets
	Changed       bool         `json:"changed"` // not by a dry run, nor where all was so already

	Error *host.Failure `json:"error,omitempty"`

	add map[string]config.Spec
}

// ClientEdit is what becomes of one file.
type ClientEdit struct {
	Client  string       `json:"client,omitempty"`
	File    string       `json:"file"`
	Shared  bool         `json:"shared"` // it is a project's, and others have it, too
	Servers []Moved      `json:"servers"`
	ByHand  []ByHand     `json:"by_hand"`
	Left    []LeftEntry  `json:"left"`
	Backup  string       `json:"backup,omitempty"`
	before  []byte       // of the file
	after   []byte       //
	records []wrapRecord // that are kept first, or that are gone last
}

// Moved is one server's entry, before and after, as lines without secrets.
type Moved struct {
	Name        string   `json:"name"`
	Environment string   `json:"environment,omitempty"`
	Secrets     []string `json:"secrets"` // the fields that hold one
	Removed     []string `json:"removed"`
	Added       []string `json:"added"`
	Asks        bool     `json:"-"` // the client asks before calls, and can leave that to ask
}

// ByHand is an entry in a form that is not edited, and what to write in its place.
type ByHand struct {
	Name    string `json:"name"`
	Snippet string `json:"snippet"`
}

// LeftEntry is an entry that is left as it is.
type LeftEntry struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// Asks reports whether a client that is to be changed asks before calls, and can
// be made to leave that to ask.
func (c ClientChange) Asks() bool {
	return slices.ContainsFunc(c.Clients, func(e ClientEdit) bool {
		return slices.ContainsFunc(e.Servers, func(m Moved) bool { return m.Asks })
	})
}

// Empty reports whether no file is to be changed.
func (c ClientChange) Empty() bool {
	return !slices.ContainsFunc(c.Clients, func(e ClientEdit) bool { return len(e.Servers) > 0 })
}

// clientSource is a file of another client.
type clientSource struct {
	client, file string
	shared       bool
}

// clientSources are the files that are here: those of the user, and those of the
// project in the working directory.
func (d Desk) clientSources(dir string) (all []clientSource) {
	here := func(path string) bool { _, err := os.Stat(path); return err == nil }
	for _, c := range config.Clients(d.With.Env, runtime.GOOS) {
		for _, file := range c.Files {
			if here(file) {
				all = append(all, clientSource{c.Name, file, false})
			}
		}
		for _, file := range c.Project {
			if path := filepath.Join(dir, file); here(path) && !slices.ContainsFunc(all, func(s clientSource) bool { return s.file == path }) {
				all = append(all, clientSource{c.Name, path, true})
			}
		}
	}
	return all
}

// chosen are the files that are meant. A project's file is meant by its path alone:
// it is a stranger's text, and others have it, too.
func (d Desk) chosen(p Placed) ([]clientSource, error) {
	var all []clientSource
	var names []string
	sources := d.clientSources(p.Dir)
	for _, s := range sources {
		names = append(names, s.client)
		if !s.shared && (p.All || s.client == p.From) {
			all = append(all, s)
		}
	}
	if p.All || len(all) > 0 {
		return all, nil
	}
	path, err := filepath.Abs(p.From)
	if _, gone := os.Stat(path); err != nil || gone != nil {
		return nil, misused(verdict.UsageArgument, "%s is neither a file nor a client that has one of its user here%s", escape.Line(p.From, 128), verdict.Near(p.From, names))
	}
	for _, s := range sources {
		if s.file == path {
			return []clientSource{s}, nil
		}
	}
	return []clientSource{{"", path, true}}, nil
}

// parts are the parts of a file that are meant: itself and what it says of the
// project of the working directory, or the one that is named.
func (p Placed) parts(path string, text []byte) ([]string, error) {
	known := config.ClientProjects(path, text)
	if p.Environment == "" {
		return slices.DeleteFunc([]string{"", p.Dir}, func(name string) bool { return name != "" && !slices.Contains(known, name) }), nil
	}
	if !slices.Contains(known, p.Environment) {
		return nil, misused(verdict.UsageArgument, "%s has no environment %s%s", path, escape.Line(p.Environment, 300), verdict.Near(p.Environment, known))
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

// ClientServer is one entry of a client.
type ClientServer struct {
	Name  string `json:"name"`
	How   string `json:"how"`
	State string `json:"state"` // direct, wrapped, changed, elsewhere, taken, unusable
	Why   string `json:"why,omitempty"`
	Kept  string `json:"kept,omitempty"` // the file with what was there before it was wrapped
}

// ClientPart are the servers of one file of a client, or of its part about a
// project.
type ClientPart struct {
	Client      string         `json:"client,omitempty"`
	File        string         `json:"file"`
	Environment string         `json:"environment,omitempty"`
	Shared      bool           `json:"shared"`
	Servers     []ClientServer `json:"servers"`
}

// ClientParts are the files of other clients that are here, or those that are
// meant, and which of their servers are wrapped. One that cannot be read is
// reported, and left out.
func (d Desk) ClientParts(p Placed) ([]ClientPart, error) {
	_, ours, err := d.ours()
	if err != nil {
		return nil, err
	}
	sources := d.clientSources(p.Dir)
	if p.From != "" {
		if sources, err = d.chosen(p); err != nil {
			return nil, err
		}
	}
	found := []ClientPart{}
	for _, s := range sources {
		err := d.eachPart(s, p, func(c config.ClientFile) (config.ClientFile, error) {
			part := ClientPart{Client: s.client, File: c.Path, Environment: c.Project, Shared: s.shared, Servers: []ClientServer{}}
			for _, name := range c.Servers.Names() {
				row := ClientServer{Name: name, How: c.Servers.Describe(name).String()}
				row.State, row.Why = d.entryState(c, name, ours)
				if row.State == isWrapped || row.State == isChanged {
					row.How, row.Kept = ours.Describe(name).String(), d.recordFile(wrapRecord{File: c.Path, Environment: c.Project, Name: name})
				}
				part.Servers = append(part.Servers, row)
			}
			for _, n := range c.Servers.Notes() {
				if n.Out {
					part.Servers = append(part.Servers, ClientServer{Name: n.Server, State: unusable, Why: n.Text})
				}
			}
			found = append(found, part)
			return c, nil
		})
		if err != nil && p.From != "" {
			return nil, err
		}
		if err != nil {
			d.say("left out: %s", host.FailureOf(err).Message)
		}
	}
	return found, nil
}

// eachPart does something with each part of a file that is meant, one after
// another, each as the one before left the file.
func (d Desk) eachPart(s clientSource, p Placed, do func(config.ClientFile) (config.ClientFile, error)) error {
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

// entryState is what can be done with an entry.
func (d Desk) entryState(c config.ClientFile, name string, ours config.Servers) (state, why string) {
	spec, _ := c.Servers.Copied(name)
	record, kept := d.record(c.Path, c.Project, name)
	switch there, _, is := ours.Spec(name); {
	case kept && c.Same(name, []byte(record.Wrapped)):
		return isWrapped, ""
	case kept && spec.Wraps():
		return isChanged, "it was changed since it was wrapped"
	case spec.Wraps():
		return isElsewhere, "it starts ask wrap, and what was there before is not kept here"
	case is && !reflect.DeepEqual(there, spec):
		return isTaken, "the servers file has another server of that name: rename one of them, or take that one out with `ask servers remove " + name + "`"
	}
	if wrong := c.Misread(name); wrong != "" {
		return unusable, wrong
	}
	return isDirect, ""
}

// PlanClients finds out what wrapping or unwrapping the entries would change. Nothing
// is written.
func (d Desk) PlanClients(p Placed) (ClientChange, error) {
	file, ours, err := d.ours()
	c := ClientChange{SchemaVersion: host.SchemaVersion, File: file, Clients: []ClientEdit{}, Servers: []string{}, add: map[string]config.Spec{}}
	switch {
	case err != nil:
	case p.Unwrap:
		err = d.planUnwrap(&c, p)
	default:
		if err = d.startable(); err == nil {
			err = d.planWrap(&c, ours, p)
		}
	}
	c.Servers = append(c.Servers, slices.Sorted(maps.Keys(c.add))...)
	return c, err
}

func (d Desk) planWrap(change *ClientChange, ours config.Servers, p Placed) error {
	sources, err := d.chosen(p)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, s := range sources {
		if oneFile(s.file, change.File) {
			return misused(verdict.UsageArgument, "%s is the servers file of ask itself: a server would start itself", s.file)
		}
		e := newEdit(s)
		err := d.eachPart(s, p, func(c config.ClientFile) (config.ClientFile, error) {
			e.start(c)
			for _, name := range c.Servers.Names() {
				if len(p.Servers) > 0 && !slices.Contains(p.Servers, name) {
					continue
				}
				seen[name] = true
				if c, err = d.wrapOne(change, &e, c, name, ours, p); err != nil {
					return c, err
				}
			}
			e.after = c.Text()
			return c, e.unusable(c, p.Servers, seen)
		})
		if err != nil && p.All && len(p.Servers) == 0 { // one client's broken file keeps no other from its gates
			e = newEdit(s)
			e.Left, err = append(e.Left, LeftEntry{"", host.FailureOf(err).Message}), nil
		}
		if err != nil {
			return err
		}
		if len(e.Servers)+len(e.ByHand)+len(e.Left) > 0 {
			change.Clients = append(change.Clients, e)
		}
	}
	for _, name := range p.Servers {
		if !seen[name] {
			return misused(verdict.UsageArgument, "%s has no server %s", escape.Line(p.From, 128), escape.Line(name, 64))
		}
	}
	return nil
}

// startable refuses what a client's `ask wrap` would not be given: it is started
// with no flag and few variables of this process.
func (d Desk) startable() error {
	for name, from := range map[string]config.Origin{"servers": d.Settings.Servers.Origin, "allowlist": d.Settings.Allowlist.Origin} {
		if from.Kind == config.FromFlag || from.Kind == config.FromVariable {
			err := verdict.Fail(verdict.UsageFlag, nil, "the client would start ask without the flag or variable that names the %s", name)
			err.Hint = "write " + name + " into config.toml"
			return err
		}
	}
	return nil
}

func newEdit(s clientSource) ClientEdit {
	return ClientEdit{Client: s.client, File: s.file, Shared: s.shared, Servers: []Moved{}, ByHand: []ByHand{}, Left: []LeftEntry{}}
}

// start notes what the file held, before the first change.
func (e *ClientEdit) start(c config.ClientFile) {
	if e.before == nil {
		e.File, e.before, e.after = c.Path, c.Text(), c.Text()
	}
}

// unusable notes the entries that are not understood.
func (e *ClientEdit) unusable(c config.ClientFile, named []string, seen map[string]bool) error {
	for _, n := range c.Servers.Notes() {
		if !n.Out {
			continue
		}
		if slices.Contains(named, n.Server) {
			return misused(verdict.UsageArgument, "server %s cannot be wrapped: %s", escape.Line(n.Server, 64), escape.Line(n.Text, 300))
		}
		seen[n.Server] = true
		e.Left = append(e.Left, LeftEntry{n.Server, n.Text})
	}
	return nil
}

// wrapOne adds one entry to the change. One that is wrapped already is none.
func (d Desk) wrapOne(change *ClientChange, e *ClientEdit, c config.ClientFile, name string, ours config.Servers, p Placed) (config.ClientFile, error) {
	state, why := d.entryState(c, name, ours)
	spec, _ := c.Servers.Copied(name)
	if other, is := change.add[name]; state == isDirect && is && !reflect.DeepEqual(other, spec) {
		state, why = isTaken, "another client's server has that name, and is wrapped first: rename one of them"
	}
	switch {
	case state == isWrapped:
		return c, nil
	case state != isDirect && len(p.Servers) > 0:
		return c, misused(verdict.UsageArgument, "server %s cannot be wrapped: %s", escape.Line(name, 64), why)
	case state != isDirect:
		e.Left = append(e.Left, LeftEntry{name, why})
		return c, nil
	}
	w := config.Wrapper{Command: p.Program, Env: d.homes(), Approve: p.Approve}
	was, entry, after, err := c.Wrap(name, w)
	if errors.Is(err, config.ErrByHand) {
		e.ByHand = append(e.ByHand, ByHand{name, c.Snippet(name, w)})
		return c, nil
	}
	if err != nil {
		return c, err
	}
	raw, _, _ := c.Servers.Spec(name)
	e.Servers = append(e.Servers, Moved{
		Name: name, Environment: c.Project, Secrets: append([]string{}, raw.Secrets()...), Removed: shownLines(c, name), Added: shownLines(after, name), Asks: c.Asks() && !p.Approve,
	})
	e.records = append(e.records, wrapRecord{SchemaVersion: host.SchemaVersion, Client: e.Client, File: c.Path, Environment: c.Project, Name: name, Shared: e.Shared, Original: was, Wrapped: entry})
	if there, _, is := ours.Spec(name); !is || !reflect.DeepEqual(there, spec) {
		change.add[name] = spec
	}
	return after, nil
}

func shownLines(c config.ClientFile, name string) []string {
	lines, ok := c.Lines(name)
	if !ok {
		return []string{"(not shown: it holds a secret in a spelling that cannot be concealed)"}
	}
	return lines
}

// homes are the variables that say where ask keeps its files, for clients that
// hand on few of their own.
func (d Desk) homes() map[string]string {
	env := map[string]string{}
	for _, name := range []string{"ASK_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		if v := d.With.Env.Get(name); filepath.IsAbs(v) {
			env[name] = v
		}
		if env["ASK_HOME"] != "" {
			break
		}
	}
	return env
}

// oneFile reports whether two paths are of one file.
func oneFile(a, b string) bool {
	one, errA := os.Stat(a)
	other, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(one, other)
}

// ChangeClients makes the change that a plan shows, whole file by whole file. Where a
// file differs by then from what was shown to a person, nothing is written. With a
// nil plan it does what is to be done now.
func (d Desk) ChangeClients(ctx context.Context, p Placed, shown *ClientChange) (ClientChange, error) {
	dir, err := d.clientsDir()
	if err == nil {
		err = disk.MakeDir(dir, disk.SyncDir)
	}
	if err != nil {
		return ClientChange{}, verdict.Fail(verdict.ConfigUnreadable, err, "%s cannot be made: %v", dir, err)
	}
	ctx, cancel := context.WithTimeout(ctx, d.Settings.Timeout.V)
	defer cancel()
	lock, err := disk.Lock(ctx, filepath.Join(dir, "lock"), true)
	if err != nil {
		return ClientChange{}, verdict.Fail(verdict.ConfigUnreadable, err, "another ask is changing clients' files: %v", err)
	}
	defer lock.Close()
	c, err := d.PlanClients(p)
	if err == nil && shown != nil && !reflect.DeepEqual(c, *shown) {
		f := verdict.Fail(verdict.ConfigUnreadable, nil, "a file was changed after it was shown what becomes of it; nothing is written")
		f.Hint, err = "run the command again", f
	}
	if err == nil {
		err = d.prepare(&c, p.Unwrap)
	}
	for i := 0; i < len(c.Clients) && err == nil; i++ {
		if err = c.Clients[i].write(); err == nil && p.Unwrap {
			err = d.forgetRecords(c.Clients[i].records)
		}
		c.Changed = c.Changed || err == nil && len(c.Clients[i].Servers) > 0
	}
	return c, err
}

// prepare puts on disk what is needed to undo the change, and then the servers: a
// wrapped entry always has its own. A process that is killed leaves files that are
// as before, or as after, and never what is only in memory.
func (d Desk) prepare(c *ClientChange, unwrap bool) (err error) {
	if err := config.AddServers(c.File, c.add, true); err != nil && len(c.add) > 0 {
		return err
	}
	for i := range c.Clients {
		e := &c.Clients[i]
		if len(e.Servers) == 0 {
			continue
		}
		if e.Backup, err = d.backUp(e.File, e.before); err != nil {
			return err
		}
		for _, r := range e.records {
			if unwrap {
				break
			}
			if err := d.keep(r); err != nil {
				return err
			}
		}
	}
	if len(c.add) == 0 {
		return nil
	}
	err = config.AddServers(c.File, c.add, false)
	if info, no := os.Stat(c.File); no == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		d.say("%s may hold secrets now, and can be read by other users: chmod 600 it", c.File)
	}
	return err
}

func (e *ClientEdit) write() error {
	if bytes.Equal(e.before, e.after) {
		return nil
	}
	return config.ReplaceClientFile(e.File, e.before, e.after)
}

// planUnwrap puts back the entries that were wrapped here. The servers file keeps
// its own.
func (d Desk) planUnwrap(change *ClientChange, p Placed) error {
	records, err := d.recorded(p)
	for len(records) > 0 && err == nil {
		n := 1
		for n < len(records) && records[n].File == records[0].File {
			n++
		}
		var e ClientEdit
		e, err = d.unwrapFile(records[:n], len(p.Servers) > 0)
		change.Clients = append(change.Clients, e)
		records = records[n:]
	}
	return err
}

// unwrapFile puts back the entries of one file.
func (d Desk) unwrapFile(records []wrapRecord, named bool) (ClientEdit, error) {
	e := newEdit(clientSource{records[0].Client, records[0].File, records[0].Shared})
	left := func(name, why, advice string) error {
		if named {
			f := verdict.Fail(verdict.UsageArgument, nil, "server %s cannot be put back: %s", escape.Line(name, 64), why)
			f.Hint = advice
			return f
		}
		e.Left = append(e.Left, LeftEntry{name, why + "; " + advice})
		return nil
	}
	path, text, err := config.OpenClientFile(e.File)
	if err != nil {
		return e, left(records[0].Name, host.FailureOf(err).Message, host.FailureOf(err).Hint)
	}
	if path != e.File {
		return e, left(records[0].Name, e.File+" is a link to another file by now", "put the file back, or write what was there before, which "+d.recordFile(records[0])+" holds")
	}
	for _, r := range records {
		c, err := config.ParseClientFile(path, r.Environment, text)
		if err != nil && !errors.Is(err, config.ErrNoServers) {
			return e, err
		}
		e.start(c)
		now, _, gone := c.Entry(r.Name)
		switch {
		case gone == nil && c.Same(r.Name, []byte(r.Wrapped)):
			after, err := c.With(r.Name, []byte(r.Original))
			if err != nil {
				return e, err
			}
			raw, _, _ := after.Servers.Spec(r.Name)
			e.Servers = append(e.Servers, Moved{Name: r.Name, Environment: r.Environment, Secrets: append([]string{}, raw.Secrets()...), Removed: shownLines(c, r.Name), Added: shownLines(after, r.Name)})
			e.records = append(e.records, r)
			text = after.Text()
		case gone == nil && string(now) == r.Original: // by hand, or by a kill before the record went
			e.records = append(e.records, r)
		default:
			why, advice := "it is not in "+path+" any more", "what was there before is in "+d.recordFile(r)
			if gone == nil {
				why, advice = "it was changed since it was wrapped", "write what it was then, "+strings.Join(strings.Fields(r.Wrapped), " ")+", and unwrap it again; "+advice
			}
			if err := left(r.Name, why, advice); err != nil {
				return e, err
			}
		}
	}
	e.after = text
	return e, nil
}

// Unreviewed are the wrapped servers of which no tool is approved yet: those of the
// user's own files, and those of files that others share.
func (s Servers) Unreviewed(ctx context.Context, c ClientChange) (own, shared []string) {
	for _, e := range c.Clients {
		for _, m := range e.Servers {
			t, err := s.Trust(ctx, m.Name)
			switch {
			case err == nil && len(t.Approved) > 0, slices.Contains(own, m.Name), slices.Contains(shared, m.Name):
			case e.Shared:
				shared = append(shared, m.Name)
			default:
				own = append(own, m.Name)
			}
		}
	}
	return own, shared
}
