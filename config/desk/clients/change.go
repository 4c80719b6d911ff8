package clients

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/disk"
)

// Plan computes the change by which the entries are wrapped or unwrapped. It writes nothing.
func (d Desk) Plan(p Placed) (Change, error) {
	file, ours, err := d.Entries()
	c := Change{SchemaVersion: host.SchemaVersion, File: file, Clients: []FileChange{}, Servers: []string{}, add: map[string]config.Spec{}}
	switch {
	case err != nil:
	case p.Unwrap:
		if err = d.planUnwrap(&c, p); err == nil {
			err = d.planUnhook(&c, p)
		}
	default:
		if err = d.startable(); err == nil {
			err = d.planWrap(&c, ours, p)
		}
		if err == nil && p.Hooks {
			err = d.planHooks(&c, p)
		}
	}
	c.Servers = append(c.Servers, slices.Sorted(maps.Keys(c.add))...)
	return c, err
}

func (d Desk) planWrap(change *Change, ours config.Servers, p Placed) error {
	sources, err := d.chosen(p)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, s := range sources {
		if servers.SameFile(s.file, change.File) {
			return verdict.Fail(verdict.UsageArgument, nil, "%s is the servers file of ask itself: a server would start itself", s.file)
		}
		e := newEdit(s)
		err := d.eachPart(s, p, func(c config.ClientFile) (config.ClientFile, error) {
			e.start(c)
			names, err := d.names(c, p.Servers, seen)
			for _, key := range slices.Sorted(maps.Keys(names)) {
				if err == nil {
					c, err = d.wrapOne(change, &e, c, key, names, ours, p)
				}
			}
			e.after = c.Text()
			return c, cmp.Or(err, e.unusable(c, p.Servers, seen))
		})
		if err != nil && p.All && len(p.Servers) == 0 { // one client's broken file must not keep the others unwrapped
			e = newEdit(s)
			e.Left, err = append(e.Left, LeftEntry{Why: host.FailureOf(err).Message}), nil
		}
		if err != nil {
			return err
		}
		if len(e.Servers)+len(e.Left) > 0 {
			change.Clients = append(change.Clients, e)
		}
	}
	for _, name := range p.Servers {
		if !seen[name] {
			return verdict.Fail(verdict.UsageArgument, nil, "%s has no server %s", escape.Line(p.From, 128), escape.Line(name, 64))
		}
	}
	return nil
}

// startable refuses settings that a client's `ask wrap` would not receive. The client starts
// it without the flags, and with few variables, of this process.
func (d Desk) startable() error {
	for name, from := range map[string]config.Origin{"servers": d.Settings.Servers.Origin, "allowlist": d.Settings.Allowlist.Origin} {
		if from.Kind == config.FromFlag || from.Kind == config.FromVariable {
			return verdict.Fail(verdict.UsageFlag, nil, "the client would start ask without the flag or variable that names the %s", name).
				WithHint("write " + name + " into config.toml")
		}
	}
	return nil
}

func newEdit(s source) FileChange {
	return FileChange{Client: s.client, File: s.file, Shared: s.shared, Servers: []Moved{}, Left: []LeftEntry{}}
}

// start records the text of the file before the first change.
func (e *FileChange) start(c config.ClientFile) {
	if e.before == nil {
		e.File, e.before, e.after = c.Path, c.Text(), c.Text()
	}
}

// unusable records the entries that are not understood.
func (e *FileChange) unusable(c config.ClientFile, named []string, seen map[string]bool) error {
	for _, n := range c.Servers.Notes() {
		if !n.Out {
			continue
		}
		if slices.ContainsFunc(named, func(said string) bool { return said == n.Server || strings.HasPrefix(said, n.Server+"=") }) {
			return verdict.Fail(verdict.UsageArgument, nil, "server %s cannot be wrapped: %s", escape.Line(n.Server, 64), escape.Line(n.Text, 300))
		}
		seen[n.Server] = true
		e.Left = append(e.Left, LeftEntry{Name: n.Server, Why: n.Text})
	}
	return nil
}

// wrapOne adds one entry to the change, unless it is already wrapped.
func (d Desk) wrapOne(change *Change, e *FileChange, c config.ClientFile, name string, names map[string]string, ours config.Servers, p Placed) (config.ClientFile, error) {
	as := names[name]
	state, why := d.entryState(c, name, names, ours)
	spec, _ := c.Servers.Copied(name)
	if other, is := change.add[as]; state == isDirect && is && !reflect.DeepEqual(other, spec) {
		state, why = isTaken, "another client's server has that name, and is wrapped first: rename one of them"
	}
	switch {
	case state == isWrapped && p.Hold > 0 && !slices.Contains(spec.Args, p.Hold.String()):
		e.Left = append(e.Left, LeftEntry{Name: name, Why: "it is already wrapped, with the waiting time in its entry: unwrap it, and wrap it with --hold"})
		return c, nil
	case state == isWrapped:
		return c, nil
	case state != isDirect && len(p.Servers) > 0:
		return c, verdict.Fail(verdict.UsageArgument, nil, "server %s cannot be wrapped: %s", escape.Line(name, 64), why)
	case state != isDirect:
		e.Left = append(e.Left, LeftEntry{Name: name, Why: why})
		return c, nil
	}
	w := config.Wrapper{Name: as, Command: p.Program, Env: d.homes(), Approve: p.Approve, Hold: p.Hold}
	was, entry, after, err := c.Wrap(name, w)
	if errors.Is(err, config.ErrByHand) {
		why = "ask cannot edit an entry in this form: copy it with `ask servers import " + c.Path + " " + config.ShellWord(escape.Line(name, 64)) + "`, and write this in place of all its lines"
		e.Left = append(e.Left, LeftEntry{name, why, c.Snippet(name, w)})
		return c, nil
	}
	if err != nil {
		return c, err
	}
	e.move(name, as, c, after, c)
	moved := &e.Servers[len(e.Servers)-1]
	moved.Started, moved.Asks = spec.Command != "", c.Asks() && !p.Approve
	for _, n := range c.Servers.Notes() {
		if n.Server == name && !n.Out {
			moved.Notes = append(moved.Notes, n.String())
		}
	}
	e.records = append(e.records, wrapRecord{SchemaVersion: host.SchemaVersion, Client: e.Client, File: c.Path, Environment: c.Project, Name: name, Shared: e.Shared, Original: was, Wrapped: entry, As: called(name, as)})
	if _, _, is := ours.Spec(as); !is { // otherwise it is the same
		change.add[as] = spec
		d.sayUnstated(c.Servers, name)
	}
	return after, nil
}

// move records an entry before and after. The file how shows how its server is reached.
func (e *FileChange) move(name, as string, before, after, how config.ClientFile) {
	spec, _, _ := how.Servers.Spec(name)
	e.Servers = append(e.Servers, Moved{
		Name: name, As: called(name, as), Environment: before.Project, Secrets: append([]string{}, spec.Secrets()...), Removed: shownLines(before, name), Added: shownLines(after, name),
	})
}

func shownLines(c config.ClientFile, name string) []string {
	lines, ok := c.Lines(name)
	if !ok {
		return []string{"(not shown: it contains a secret in a spelling that cannot be concealed)"}
	}
	return lines
}

// homes are the variables for the places of ask's files. Clients may pass on few of their own
// variables.
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

// Change makes the change of a plan, file by file, each whole. If a file differs from the
// plan that the person saw, nothing is written. With a nil plan it makes the current change.
func (d Desk) Change(ctx context.Context, p Placed, shown *Change) (Change, error) {
	dir, err := d.dir()
	if err == nil {
		err = disk.MakeDir(dir, disk.SyncDir)
	}
	if err != nil {
		return Change{}, verdict.Fail(verdict.ConfigUnreadable, err, "%s cannot be made: %v", dir, err)
	}
	ctx, cancel := context.WithTimeout(ctx, d.Settings.Timeout.V)
	defer cancel()
	lock, err := disk.Lock(ctx, filepath.Join(dir, "lock"), true)
	if err != nil {
		return Change{}, verdict.Fail(verdict.ConfigUnreadable, err, "another ask is changing clients' files: %v", err)
	}
	defer lock.Close()
	c, err := d.Plan(p)
	if err == nil && shown != nil && !reflect.DeepEqual(c, *shown) {
		err = verdict.Fail(verdict.ConfigUnreadable, nil, "a file was changed after the changes were shown; nothing is written").WithHint("run the command again")
	}
	if err == nil {
		err = d.prepare(&c, p.Unwrap)
	}
	for i := 0; i < len(c.Clients) && err == nil; i++ {
		e := c.Clients[i]
		err = e.write()
		if err == nil && p.Unwrap {
			err = errors.Join(d.forgetRecords(e.records), d.forgetHooks(e))
		}
		c.Changed = c.Changed || err == nil && e.changes()
	}
	return c, err
}

// prepare writes the data to undo the change, and then the servers file: the server of a
// wrapped entry is always there. If the process is killed, each file is as before or as
// after, and no data is lost with the memory.
func (d Desk) prepare(c *Change, unwrap bool) (err error) {
	if len(c.add) > 0 {
		if err := config.AddServers(c.File, c.add, true); err != nil {
			return err
		}
	}
	for i := range c.Clients {
		e := &c.Clients[i]
		if !e.changes() {
			continue
		}
		if e.before != nil {
			e.Backup, err = d.backUp(e.File, e.before)
		}
		if err == nil && e.Hooks != nil && !unwrap {
			err = d.keepHooks(e.Hooks.record)
		}
		for n := 0; n < len(e.records) && err == nil && !unwrap; n++ {
			err = d.keep(e.records[n])
		}
		if err != nil {
			return err
		}
	}
	if len(c.add) == 0 {
		return nil
	}
	err = config.AddServers(c.File, c.add, false)
	if info, no := os.Stat(c.File); no == nil && info.Mode().Perm()&0o077 != 0 {
		d.Report("%s may contain secrets now, and other users can read it: chmod 600 it", c.File)
	}
	return err
}

// planUnwrap restores the entries that were wrapped here. The servers stay in the servers
// file.
func (d Desk) planUnwrap(change *Change, p Placed) error {
	records, err := d.recorded(p)
	for len(records) > 0 && err == nil {
		n := 1
		for n < len(records) && records[n].File == records[0].File {
			n++
		}
		var e FileChange
		e, err = d.unwrapFile(records[:n], len(p.Servers) > 0)
		change.Clients = append(change.Clients, e)
		records = records[n:]
	}
	return err
}

// unwrapFile restores the entries of one file.
func (d Desk) unwrapFile(records []wrapRecord, named bool) (FileChange, error) {
	e := newEdit(source{records[0].Client, records[0].File, records[0].Shared})
	left := func(name, why, advice string) error {
		if named {
			return verdict.Fail(verdict.UsageArgument, nil, "server %s cannot be put back: %s", escape.Line(name, 64), why).WithHint(advice)
		}
		e.Left = append(e.Left, LeftEntry{Name: name, Why: why + "; " + advice})
		return nil
	}
	path, text, err := config.OpenClientFile(e.File)
	if err != nil {
		return e, left(records[0].Name, host.FailureOf(err).Message, host.FailureOf(err).Hint)
	}
	if path != e.File {
		return e, left(records[0].Name, e.File+" is now a link to another file", "restore the file, or write the old entry, which "+d.recordFile(records[0])+" holds")
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
			e.move(r.Name, r.as(), c, after, after)
			e.records = append(e.records, r)
			text = after.Text()
		case gone == nil && string(now) == r.Original: // it was already restored
			e.records = append(e.records, r)
		default:
			why, advice := "it is not in "+path+" any more", "the old entry is in "+d.recordFile(r)
			if gone == nil {
				why, advice = "it was changed since it was wrapped", "change it back to "+strings.Join(strings.Fields(r.Wrapped), " ")+", then unwrap it; "+advice
			}
			if err := left(r.Name, why, advice); err != nil {
				return e, err
			}
		}
	}
	e.after = text
	return e, nil
}

// Unreviewed are the wrapped servers without an approved tool. own are in the user's own
// files, and shared are in files that others share.
func Unreviewed(ctx context.Context, s servers.Servers, c Change) (own, shared []string) {
	for _, e := range c.Clients {
		for _, m := range e.Servers {
			name := cmp.Or(m.As, m.Name)
			t, err := s.Trust(ctx, name)
			switch {
			case err == nil && len(t.Approved) > 0, slices.Contains(own, name), slices.Contains(shared, name):
			case e.Shared:
				shared = append(shared, name)
			default:
				own = append(own, name)
			}
		}
	}
	return own, shared
}
