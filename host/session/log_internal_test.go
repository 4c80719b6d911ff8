package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func logsAt(t *testing.T) Logs {
	t.Helper()
	return Logs{Dir: filepath.Join(t.TempDir(), "state", "logs"), Now: func() time.Time { return time.Unix(1_800_000_000, 0) }}
}

func textsOf(t *testing.T, l Logs, server string) (texts []string) {
	t.Helper()
	lines, err := l.Read(server)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range lines {
		if one.Started {
			one.Text = "started"
		}
		texts = append(texts, one.Text)
	}
	return texts
}

// A log keeps no secret, however the text is cut into writes. Secrets are a configured
// value, the shape of a token, a member of JSON, a key of several lines.
func TestALogKeepsNoSecret(t *testing.T) {
	t.Parallel()
	const text = "hello\ntoken ghp_abcdefghijklmnopqrstuvwxyz0123456789 was read\nmine-7171 is\n{\"password\":\"hunter2secret9\",\"a\":1}\r\n" +
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7h3k\nabcdefMIIEowIBAAKC\n-----END RSA PRIVATE KEY-----\nbehind mine-7171"
	for _, size := range []int{1, 7, 40, len(text)} {
		l := logsAt(t)
		w := l.open("s", []string{"mine-7171"})
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got := textsOf(t, l, "s")
		all := strings.Join(got, "\n")
		for _, secret := range []string{"ghp_abc", "mine-7171", "hunter2", "MIIE", "abcdefM"} {
			if strings.Contains(all, secret) {
				t.Errorf("writes of %d bytes: %s is kept:\n%s", size, secret, all)
			}
		}
		if !strings.HasPrefix(all, "started\nhello\ntoken [redacted") || !strings.HasSuffix(all, "\nbehind [redacted]") {
			t.Errorf("writes of %d bytes:\n%s", size, all)
		}
	}
}

// The oldest lines go first, each line is bounded, and only the user reads them.
func TestALogIsBounded(t *testing.T) {
	t.Parallel()
	l := logsAt(t)
	if _, err := l.Read("s"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before the first start: %v", err)
	}
	w := l.open("s", nil)
	long := strings.Repeat("x", 100<<10)
	for range 30 {
		_, _ = w.Write([]byte(long + "\n" + strings.Repeat("short\n", 5000)))
	}
	_, _ = w.Write([]byte("the last\n"))
	var size int64
	for _, name := range []string{"s.log", "s.log.1"} {
		info, err := os.Stat(filepath.Join(l.Dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("%s: %v, %v", name, info, err)
		}
		size += info.Size()
	}
	got := textsOf(t, l, "s")
	if size > 2*maxLog || got[len(got)-1] != "the last" || len(got) < 1000 {
		t.Errorf("%d bytes, %d lines, the last is %.20q", size, len(got), got[len(got)-1])
	}
	for _, one := range got {
		if len(one) > maxLine {
			t.Fatalf("a line of %d bytes", len(one))
		}
	}
}

// Several processes write one log, and whole lines.
func TestALogOfSeveralStartsIsWhole(t *testing.T) {
	t.Parallel()
	l := logsAt(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			w := l.open("s", nil)
			for range 50 {
				_, _ = w.Write([]byte("a line\n"))
			}
		})
	}
	all.Wait()
	counts := map[string]int{}
	for _, one := range textsOf(t, l, "s") {
		counts[one]++
	}
	if diff := cmp.Diff(map[string]int{"started": 4, "a line": 200}, counts); diff != "" {
		t.Error(diff)
	}
}

// Only a server's name is part of a path, and a missing folder keeps no log.
func TestALogIsOfAServersNameAlone(t *testing.T) {
	t.Parallel()
	l := logsAt(t)
	for _, name := range []string{"", "../s", "a/b", "a\x00b"} {
		if w := l.open(name, nil); w != nil {
			t.Errorf("%q has a log", name)
		}
	}
	if (Logs{}).open("s", nil) != nil {
		t.Error("a log without a folder")
	}
	l.Dir = filepath.Join(os.DevNull, "logs")
	w := l.open("s", nil)
	if _, err := w.Write([]byte("lost\n")); err != nil {
		t.Error(err)
	}
}
