package runs

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/trace"
)

// remembered is a real disk that notes every operation, so that a test can build what a
// machine has after its power was pulled at any of them.
type remembered struct {
	mu    sync.Mutex
	ops   []operation
	marks []mark
}

// operation is a write to a file, or a sync of a file or directory.
type operation struct {
	path  string
	write []byte
	at    int64 // -1 after the end
	sync  bool
}

// mark is a promise that a run was given: all that has happened by then is enough for it.
type mark struct {
	ops    int
	runID  string
	closed bool
}

func (r *remembered) note(o operation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o.write = append([]byte(nil), o.write...)
	r.ops = append(r.ops, o)
}

func (r *remembered) mark(runID string, closed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.marks = append(r.marks, mark{len(r.ops), runID, closed})
}

func (r *remembered) open(path string, flag int, mode fs.FileMode) (file, error) {
	f, err := openFile(path, flag, mode)
	if err == nil && flag&os.O_CREATE != 0 {
		r.note(operation{path: path, at: -1})
	}
	return &rememberedFile{f, r, path}, err
}

type rememberedFile struct {
	file
	r    *remembered
	path string
}

func (f *rememberedFile) Write(b []byte) (int, error) {
	f.r.note(operation{path: f.path, write: b, at: -1})
	return f.file.Write(b)
}

func (f *rememberedFile) WriteAt(b []byte, at int64) (int, error) {
	f.r.note(operation{path: f.path, write: b, at: at})
	return f.file.WriteAt(b, at)
}

func (f *rememberedFile) Sync() error {
	err := f.file.Sync()
	f.r.note(operation{path: f.path, sync: true})
	return err
}

func (f *rememberedFile) SyncData() error { return f.Sync() }

// onDisk is the files of a disk: what programs see, and what a crash leaves at least.
type onDisk struct {
	seen, kept map[string]string
	named      map[string]bool // names that a crash leaves
}

// after replays operations.
func after(ops []operation) onDisk {
	c := onDisk{map[string]string{}, map[string]string{}, map[string]bool{}}
	for _, o := range ops {
		text, isFile := c.seen[o.path]
		switch {
		case o.sync && isFile:
			c.kept[o.path] = text
		case o.sync:
			for path := range c.seen {
				c.named[path] = c.named[path] || filepath.Dir(path) == o.path
			}
		case o.at < 0:
			c.seen[o.path] = text + string(o.write)
		default:
			c.seen[o.path] = overwritten(text, string(o.write), int(o.at))
		}
	}
	return c
}

func overwritten(text, by string, at int) string {
	if len(text) < at {
		text += strings.Repeat("\x00", at-len(text))
	}
	return text[:at] + by + text[min(len(text), at+len(by)):]
}

// crashed are the files after a crash: the disk may have any data that was not synced.
func (c onDisk) crashed(lucky func() bool) map[string]string {
	files := map[string]string{}
	for path, seen := range c.seen {
		if !c.named[path] && !lucky() {
			continue
		}
		files[path] = c.kept[path]
		if lucky() {
			files[path] = seen
		} else if kept := c.kept[path]; len(seen) > len(kept) && lucky() { // its length, and none of its text
			files[path] = kept + strings.Repeat("\x00", len(seen)-len(kept))
		}
	}
	return files
}

// TestPulledPowerTakesNoSyncedLine pulls the power after each operation of the disk, three
// times: the disk has nothing that was not synced, or all of it, or a part. The traces that
// the next process completes have every line that a run was promised.
func TestPulledPowerTakesNoSyncedLine(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	disk := &remembered{}
	r := Remember(Dir(root))
	r.open = disk.open
	for wave := range 3 { // the later ones in a journal that was emptied
		var group sync.WaitGroup
		for n := range 4 {
			group.Go(func() {
				promised(t, r, disk, fmt.Sprintf("run%d%d", wave, n), []int{100, 3000, max(500, maxEntry*(1-wave))}[n%3])
			})
		}
		group.Wait()
		r.retire(r.journal)
		r.journal = nil
	}
	ops, marks := disk.ops, disk.marks
	parts := rand.New(rand.NewPCG(1, 2))
	for k := range len(ops) + 1 {
		for name, lucky := range map[string]func() bool{
			"nothing": func() bool { return false }, "all": func() bool { return true }, "a part": func() bool { return parts.IntN(2) == 0 },
		} {
			recovered := restarted(t, root, after(ops[:k]).crashed(lucky))
			for _, m := range marks {
				if m.ops > k {
					continue
				}
				if why := m.broken(recovered); why != "" {
					t.Fatalf("after operation %d of %d, with %s of what was not synced: %s: %s", k, len(ops), name, m.runID, why)
				}
			}
		}
	}
}

// promised is one run that marks what it was promised.
func promised(t *testing.T, r *Remembering, d *remembered, id string, size int) {
	sink, _, err := r.Create(t.Context(), id)
	if err != nil {
		t.Error(err)
		return
	}
	l := trace.New(sink, time.Now)
	record := jsontext.Value(`{"run":"` + id + `"}`)
	err = l.Append(trace.Begin, trace.BeginBody{Format: trace.Format, RunID: id, Planner: strings.Repeat("x", size)})
	receipt, lost := l.Commit(trace.Approval, record)
	if err = errors.Join(err, lost, receipt.Wait()); err == nil {
		d.mark(id, false)
		err = errors.Join(l.Append(trace.Result, trace.ResultBody{Redeemed: true}), l.Append(trace.Outcome, trace.OutcomeBody{}))
	}
	if err == nil {
		_, err = l.Close()
	}
	if err == nil {
		d.mark(id, true)
	}
	if err = errors.Join(err, sink.Close()); err != nil {
		t.Error(err)
	}
}

// restarted are the traces of a machine that starts with these files, once its first
// process has completed them.
func restarted(t *testing.T, root string, files map[string]string) map[string][]trace.Event {
	t.Helper()
	dir, err := os.MkdirTemp(root, "crash") //nolint:usetesting // thousands of them, each removed below
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "journal"), 0o700)
	}
	for path, text := range files {
		rel, outside := filepath.Rel(root, path)
		err = errors.Join(err, outside, os.WriteFile(filepath.Join(dir, rel), []byte(text), 0o600))
	}
	if err == nil {
		_, err = Dir(dir).journalsOf(openFile, sha256.Sum256([]byte("the next start")), false)
	}
	traces := map[string][]trace.Event{}
	found, unread := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	for _, path := range found {
		f, lost := os.Open(path)
		if lost != nil {
			t.Fatal(lost)
		}
		traces[trace.RunID(filepath.Base(path))], _ = trace.Read(f) // an incomplete one has its intact lines
		err = errors.Join(err, f.Close())
	}
	if err = errors.Join(err, unread, os.RemoveAll(dir)); err != nil {
		t.Fatal(err)
	}
	return traces
}

func (m mark) broken(traces map[string][]trace.Event) string {
	events := traces[m.runID]
	switch {
	case len(events) < 2 || events[1].Kind != trace.Approval:
		return fmt.Sprintf("its approval is lost; %d lines are left", len(events))
	case m.closed && events[len(events)-1].Kind != trace.End:
		return fmt.Sprintf("its end is lost; %d lines are left", len(events))
	}
	return ""
}

// Of runs that wait at the same moment, one syncs for all.
func TestRunsWaitForTheDiskTogether(t *testing.T) {
	t.Parallel()
	const runs = 50
	d := &remembered{}
	slow := make(chan struct{})
	r := Remember(Dir(t.TempDir()))
	r.open = func(path string, flag int, mode fs.FileMode) (file, error) {
		f, err := d.open(path, flag, mode)
		return &slowFile{f, slow}, err
	}
	j, err := r.use()
	if err != nil {
		t.Fatal(err)
	}
	before := len(d.ops)
	var group sync.WaitGroup
	for n := range runs {
		number := j.add(fmt.Sprint(n), 0, []byte("a line\n"))
		group.Go(func() {
			if err := j.wait(number); err != nil {
				t.Error(err)
			}
		})
	}
	close(slow)
	group.Wait()
	syncs := 0
	for _, o := range d.ops[before:] {
		if o.sync {
			syncs++
		}
	}
	if syncs == 0 || syncs > 2 {
		t.Errorf("%d runs synced %d times", runs, syncs)
	}
}

// slowFile syncs data when it may.
type slowFile struct {
	file
	may chan struct{}
}

func (f *slowFile) SyncData() error {
	<-f.may
	return f.file.SyncData()
}

// A process goes on in the journal of a process that ended, and not in that of a living one.
func TestAJournalIsOfOneProcess(t *testing.T) {
	t.Parallel()
	dir := Dir(t.TempDir())
	first, err := dir.take(openFile, boot())
	if err != nil {
		t.Fatal(err)
	}
	if err := first.wait(first.add("one", 0, []byte("1\n"))); err != nil {
		t.Fatal(err)
	}
	second, err := dir.take(openFile, boot())
	if err != nil || len(second.names) > 0 {
		t.Fatalf("beside it: %v, %v", second.names, err)
	}
	if err := first.f.Close(); err != nil {
		t.Fatal(err)
	}
	third, err := dir.take(openFile, boot())
	if err != nil || len(third.names) != 1 || third.end != first.end {
		t.Fatalf("after it: %v, %v", third.names, err)
	}
	if err := third.wait(third.add("two", 0, []byte("2\n"))); err != nil {
		t.Fatal(err)
	}
	paths, err := dir.journalPaths()
	if err != nil || len(paths) != 2 {
		t.Errorf("%q, %v", paths, err)
	}
	if err := errors.Join(third.f.Close(), second.f.Close()); err != nil {
		t.Fatal(err)
	}
	others, err := dir.settleAll()
	if left, _ := filepath.Glob(filepath.Join(string(dir), "*.jsonl")); err != nil || len(others) > 0 || len(left) > 0 {
		t.Errorf("a trace that was removed on this machine is back: %v, %v, %v", left, others, err)
	}
}

// No process takes a journal that another is making: between each two of the maker's
// operations, a process that looks for one makes its own.
func TestAJournalThatIsBeingMadeIsNotTaken(t *testing.T) {
	t.Parallel()
	dir, start := Dir(t.TempDir()), sha256.Sum256([]byte("start"))
	looks := 0
	look := func() {
		looks++
		if j, err := dir.journalsOf(openFile, start, true); j != nil || err != nil {
			t.Errorf("after %d operations it is taken: %v", looks, err)
		}
	}
	j, err := dir.newJournal(func(name string, flag int, mode fs.FileMode) (file, error) {
		f, err := openFile(name, flag, mode)
		look()
		return watchedFile{f, look}, err
	}, start)
	if err != nil {
		t.Fatal(err)
	}
	if looks < 8 {
		t.Errorf("it was looked for %d times", looks)
	}
	if err := j.f.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = dir.journalsOf(openFile, start, true); j == nil || err != nil {
		t.Fatalf("a journal that was left is not taken: %v", err)
	}
	_ = j.f.Close()
}

// watchedFile is a file that says when it was synced, locked or written.
type watchedFile struct {
	file
	done func()
}

func (f watchedFile) Sync() error { defer f.done(); return f.file.Sync() }

func (f watchedFile) Lock() error { f.done(); defer f.done(); return f.file.Lock() }

func (f watchedFile) WriteAt(b []byte, at int64) (int, error) {
	half := len(b) / 2
	if n, err := f.file.WriteAt(b[:half], at); err != nil {
		return n, err
	}
	f.done()
	n, err := f.file.WriteAt(b[half:], at+int64(half))
	f.done()
	return half + n, err
}

// An emptied journal is written from its beginning again. The entries that are left behind
// the new ones are of an earlier epoch, and are not read.
func TestEntriesOfAnEarlierEpochAreNotRead(t *testing.T) {
	t.Parallel()
	dir := Dir(t.TempDir())
	j, err := dir.take(openFile, boot())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"one", "two"} {
		if err := j.wait(j.add(id, 0, []byte("a line\n"))); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(dir.settle(openFile, j), j.f.Close()); err != nil {
		t.Fatal(err)
	}
	if j, err = dir.take(openFile, boot()); err != nil || len(j.names) > 0 {
		t.Fatalf("%v, %v", j.names, err)
	}
	if err := j.wait(j.add("new", 0, []byte("a line\n"))); err != nil {
		t.Fatal(err)
	}
	if all, err := j.read(); err != nil || len(all) != 1 || all[0].runID != "new" {
		t.Errorf("%v, %v", all, err)
	}
}

// A prune leaves a trace that a living process's journal would bring back.
func TestAPruneLeavesWhatAJournalWouldBringBack(t *testing.T) {
	t.Parallel()
	dir := Dir(t.TempDir())
	r := Remember(dir)
	d := &remembered{}
	promised(t, r, d, "recent", 10)
	none := func(string) bool { return false }
	later := time.Now().Add(time.Hour)
	if p, err := dir.Prune(t.Context(), later, none, false); err != nil || len(p.Traces) > 0 {
		t.Errorf("while its journal is used: %v, %v", p.Traces, err)
	}
	r.mu.Lock()
	j := r.journal
	r.journal = nil
	r.mu.Unlock()
	r.retire(j)
	if p, err := dir.Prune(t.Context(), later, none, false); err != nil || len(p.Traces) != 1 {
		t.Errorf("once that is settled: %v, %v", p.Traces, err)
	}
}

// After a failed write no run is promised anything, and the next one has another journal.
func TestAJournalThatFailsIsLeft(t *testing.T) {
	t.Parallel()
	d, fails := &remembered{}, true
	r := Remember(Dir(t.TempDir()))
	r.open = func(path string, flag int, mode fs.FileMode) (file, error) {
		f, err := d.open(path, flag, mode)
		return &failingFile{f, &fails}, err
	}
	sink, _, err := r.Create(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	l := trace.New(sink, time.Now)
	record := jsontext.Value(`{}`)
	receipt, err := l.Commit(trace.Approval, record)
	if err != nil || receipt.Wait() == nil || receipt.Spend(record) {
		t.Errorf("a record that is not on disk counts: %v", err)
	}
	if err := l.Append(trace.Outcome, trace.OutcomeBody{}); err == nil {
		t.Error("the log goes on")
	}
	if err := sink.Close(); err != nil {
		t.Error(err)
	}
	fails = false
	promised(t, r, d, "two", 10)
	if len(d.marks) != 2 {
		t.Errorf("the next run: %v", d.marks)
	}
}

// The bytes of a failed sync may be lost although a later sync of the file succeeds: the
// system may count them as written. The entries of the next process are not lost with them.
func TestAFailedSyncTakesNoLaterEntry(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir, d, fails := Dir(root), &remembered{}, true
	j, err := dir.take(func(path string, flag int, mode fs.FileMode) (file, error) {
		f, err := d.open(path, flag, mode)
		return &failingFile{f, &fails}, err
	}, boot())
	if err != nil {
		t.Fatal(err)
	}
	lost := len(d.ops)
	if err := j.wait(j.add("failed", 0, []byte("a line\n"))); err == nil {
		t.Fatal("its sync failed")
	}
	if err := j.f.Close(); err != nil { // its process ends
		t.Fatal(err)
	}
	next, err := dir.take(d.open, boot())
	if err == nil {
		err = next.wait(next.add("next", 0, []byte("a line\n")))
	}
	if err = errors.Join(err, next.f.Close()); err != nil {
		t.Fatal(err)
	}
	ops := slices.Delete(slices.Clone(d.ops), lost, lost+1)
	dir = Dir(t.TempDir())
	for path, text := range after(ops).crashed(func() bool { return false }) {
		rel, err := filepath.Rel(root, path)
		if err = errors.Join(err, os.MkdirAll(dir.journals(), 0o700), os.WriteFile(filepath.Join(string(dir), rel), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := dir.journalsOf(openFile, sha256.Sum256([]byte("the next start")), false); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(dir.path("next")); err != nil || string(b) != "a line\n" {
		t.Errorf("%q, %v", b, err)
	}
}

type failingFile struct {
	file
	fails *bool
}

func (f *failingFile) SyncData() error {
	if *f.fails {
		return errors.New("the disk is gone")
	}
	return f.file.SyncData()
}

// The lines of a journal that its user did not write, or that name a path, go nowhere.
func TestAForeignJournalIsNotRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		runID string
		mode  fs.FileMode
		left  int
		fails bool
	}{
		"one's own":         {"run", 0o600, 1, false},
		"others can write":  {"run", 0o622, 0, false},
		"a path":            {"../run", 0o600, 0, true},
		"a run id is empty": {"", 0o600, 0, true},
	} {
		root := t.TempDir()
		dir := Dir(filepath.Join(root, "traces"))
		j, err := dir.take(openFile, boot())
		if err != nil {
			t.Fatal(err)
		}
		err = j.wait(j.add(c.runID, 0, []byte("a line\n")))
		paths, lost := dir.journalPaths()
		if err = errors.Join(err, lost, j.f.Close(), os.Chmod(paths[0], c.mode)); err != nil {
			t.Fatal(err)
		}
		_, err = dir.journalsOf(openFile, sha256.Sum256([]byte("later")), false)
		found := map[string]bool{}
		for _, at := range []string{root, string(dir)} {
			all, _ := filepath.Glob(filepath.Join(at, "*.jsonl"))
			maps.Copy(found, setOf(all))
		}
		if len(found) != c.left || (err != nil) != c.fails {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}

// A pipe in the folder of journals is not opened: that would wait for a writer.
func TestAPipeIsNoJournal(t *testing.T) {
	t.Parallel()
	dir := Dir(t.TempDir())
	if err := errors.Join(os.Mkdir(dir.journals(), 0o700), syscall.Mkfifo(filepath.Join(dir.journals(), "pipe"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if others, err := dir.settleAll(); err != nil || len(others) > 0 {
		t.Errorf("%v, %v", others, err)
	}
}

// A trace that has a second name is another file, too. It is not completed.
func TestAFileOfTwoNamesIsNotCompleted(t *testing.T) {
	t.Parallel()
	dir := Dir(t.TempDir())
	j, err := dir.take(openFile, boot())
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other")
	err = errors.Join(j.wait(j.add("run", 0, []byte("a line\n"))), j.f.Close(),
		os.WriteFile(other, []byte("kept"), 0o600), os.Link(other, dir.path("run")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = dir.journalsOf(openFile, sha256.Sum256([]byte("later")), false)
	if b, unread := os.ReadFile(other); err == nil || unread != nil || string(b) != "kept" {
		t.Errorf("%q, %v, %v", b, unread, err)
	}
	if next, err := dir.take(openFile, sha256.Sum256([]byte("later"))); err != nil || len(next.names) > 0 {
		t.Errorf("the next run: %v", err)
	}
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}
