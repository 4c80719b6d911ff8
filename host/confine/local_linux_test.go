package confine

import (
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func init() {
	to := func(kind int, do func(fd int, to unix.Sockaddr) error) func([]string) error {
		return func(a []string) error {
			fd, err := unix.Socket(unix.AF_UNIX, kind|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				return err
			}
			defer func() { _ = unix.Close(fd) }()
			return do(fd, &unix.SockaddrUnix{Name: a[0]})
		}
	}
	probes["localconnect"] = to(unix.SOCK_STREAM, unix.Connect)
	probes["localsequence"] = to(unix.SOCK_SEQPACKET, unix.Connect)
	probes["localbind"] = to(unix.SOCK_STREAM, unix.Bind)
	probes["localdatagram"] = to(unix.SOCK_DGRAM, func(fd int, at unix.Sockaddr) error { return unix.Sendto(fd, []byte("x"), 0, at) })
	probes["localmessage"] = to(unix.SOCK_DGRAM, func(fd int, at unix.Sockaddr) error { return unix.Sendmsg(fd, []byte("x"), nil, at, 0) })
	probes["locallisten"] = to(unix.SOCK_STREAM, func(fd int, _ unix.Sockaddr) error { return unix.Listen(fd, 1) })
}

// A local socket leads nowhere, whatever the scopes grant; where it would lead is named
// as other attempts are.
func TestALocalSocketIsRefusedAndNamed(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "db.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			t.Error("a connection was made")
			_ = c.Close()
		}
	}()
	wide := Scopes{ReadPaths: Paths{dir}, WritePaths: Paths{dir}, DeletePaths: Paths{dir}}
	for _, scopes := range []Scopes{{}, wide} {
		for name, want := range map[string]string{
			"localconnect": "blocked: connect " + path, "localsequence": "blocked: connect " + path, "localdatagram": "blocked: connect " + path,
			"localmessage": "blocked: connect " + path, "localbind": "blocked: listen " + path,
		} {
			r := server{scopes: scopes, args: []string{name, path}}.run(t)
			expect(t, name, strings.TrimSpace(r.out), "EACCES")
			if !slices.Contains(r.attempts, want+" (no permission allows it)") {
				t.Errorf("%s: %q", name, r.attempts)
			}
		}
		r := server{scopes: scopes, args: []string{"localconnect", "@abstract"}}.run(t)
		if !slices.Contains(r.attempts, "blocked: connect @abstract (no permission allows it)") || strings.TrimSpace(r.out) != "EACCES" {
			t.Errorf("%s %q", r.out, r.attempts)
		}
		r = server{scopes: scopes, args: []string{"localconnect", path + ".none"}}.run(t)
		if len(r.attempts) > 0 || strings.TrimSpace(r.out) != "ENOENT" {
			t.Errorf("%s %q", r.out, r.attempts)
		}
		if got := try(t, scopes, "locallisten", path); got == "ok" {
			t.Error("it listens")
		}
	}
	if got := unsupervised(t, wide, "localconnect", path); got != "EAFNOSUPPORT" {
		t.Errorf("without a supervisor: %s", got)
	}
}
