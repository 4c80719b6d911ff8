package disk_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/onestep-run/onestep/host/disk"
)

const limit = 1 << 10

func written(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func done(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Each change of a path shows at the next look, also where text, size and time are as
// they were.
func TestEveryChangeShows(t *testing.T) {
	t.Parallel()
	type place struct{ file, link, absent, other string }
	for name, c := range map[string]struct {
		of     func(place) string
		change func(t *testing.T, p place)
	}{
		"another text": {func(p place) string { return p.file }, func(t *testing.T, p place) { written(t, p.file, "other") }},
		"the same text in another file": {func(p place) string { return p.file }, func(t *testing.T, p place) {
			written(t, p.other, "first")
			done(t, os.Rename(p.other, p.file))
		}},
		"another text with the old time": {func(p place) string { return p.file }, func(t *testing.T, p place) {
			is, err := os.Stat(p.file)
			done(t, err)
			written(t, p.file, "other")
			done(t, os.Chtimes(p.file, is.ModTime(), is.ModTime()))
		}},
		"no file":       {func(p place) string { return p.file }, func(t *testing.T, p place) { done(t, os.Remove(p.file)) }},
		"a directory":   {func(p place) string { return p.file }, func(t *testing.T, p place) { done(t, os.Remove(p.file)); done(t, os.Mkdir(p.file, 0o700)) }},
		"a mode":        {func(p place) string { return p.file }, func(t *testing.T, p place) { done(t, os.Chmod(p.file, 0o644)) }},
		"a second name": {func(p place) string { return p.file }, func(t *testing.T, p place) { done(t, os.Link(p.file, p.other)) }},
		"a file":        {func(p place) string { return p.absent }, func(t *testing.T, p place) { written(t, p.absent, "") }},
		"a broken link": {func(p place) string { return p.absent }, func(t *testing.T, p place) { done(t, os.Symlink("nowhere", p.absent)) }},
		"a file that is a link now": {func(p place) string { return p.file }, func(t *testing.T, p place) {
			done(t, os.Rename(p.file, p.other))
			done(t, os.Symlink(p.other, p.file))
		}},
		"a link that leads elsewhere": {func(p place) string { return p.link }, func(t *testing.T, p place) {
			written(t, p.other, "first")
			done(t, os.Remove(p.link))
			done(t, os.Symlink(p.other, p.link))
		}},
		"what a link leads to":        {func(p place) string { return p.link }, func(t *testing.T, p place) { written(t, p.file, "other") }},
		"what a link led to is gone":  {func(p place) string { return p.link }, func(t *testing.T, p place) { done(t, os.Remove(p.file)) }},
		"the mode of a link's target": {func(p place) string { return p.link }, func(t *testing.T, p place) { done(t, os.Chmod(p.file, 0o666)) }},
		"an owner": {func(p place) string { return p.file }, func(t *testing.T, p place) {
			if os.Getuid() != 0 { // only root gives files away: another user's file takes its place
				t.Skip("this user cannot give a file away")
			}
			done(t, os.Chown(p.file, 12345, -1))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := place{dir + "/file", dir + "/link", dir + "/absent", dir + "/other"}
			written(t, p.file, "first")
			done(t, os.Symlink(p.file, p.link))
			s := disk.NewStamp(c.of(p), limit)
			for range 2 {
				if !s.Same(limit) {
					t.Fatal("nothing has changed")
				}
			}
			c.change(t, p)
			if s.Same(limit) {
				t.Error("it does not show")
			}
		})
	}
}

// A second change within the resolution of a file system's clock has the same facts, so
// the text is compared.
func TestASecondChangeWithinOneTimeShows(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	written(t, path, "first")
	s := disk.NewStamp(path, limit)
	for range 200 {
		written(t, path, "other")
		if s.Same(limit) {
			t.Fatal("it does not show")
		}
		written(t, path, "first")
		s = disk.NewStamp(path, limit)
	}
	// With the facts of the change, and another text.
	other := disk.NewStamp(path, limit)
	written(t, path, "other")
	if now := disk.NewStamp(path, limit); now.Digest == other.Digest {
		t.Error("two texts have one digest")
	} else if disk.Restamped(other, now); other.Same(limit) {
		t.Error("only the facts are compared")
	}
}

// Only the kind of anything but a regular file counts: reading it would take what is in it.
func TestWhatIsNoFileIsNotRead(t *testing.T) {
	t.Parallel()
	s := disk.NewStamp("/dev/null", limit)
	if s.Digest != "" || !s.Same(limit) {
		t.Error("a device has a text")
	}
}

// BenchmarkSame is the cost of a look at a file that was settled when it was read.
func BenchmarkSame(b *testing.B) {
	path := filepath.Join(b.TempDir(), "file")
	written(b, path, "text")
	s := disk.NewStamp(path, limit)
	time.Sleep(2100 * time.Millisecond) // else each look reads the text
	for b.Loop() {
		if !s.Same(limit) {
			b.Fatal("nothing has changed")
		}
	}
}
