// Package pgtest starts PostgreSQL for tests: a cluster of its own, in a new folder, on a
// Unix socket. It registers the driver, too. It needs Debian's package postgresql.
package pgtest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver
)

// Start starts a cluster, which ends with the test, and returns its address. What is
// committed is on disk. Where PostgreSQL is not installed the test is skipped, or fails with
// ASK_POSTGRES_REQUIRED=1.
func Start(tb testing.TB) string {
	tb.Helper()
	bin := installed()
	if bin == "" {
		if os.Getenv("ASK_POSTGRES_REQUIRED") == "1" {
			tb.Fatal("PostgreSQL is not installed: apt-get install postgresql")
		}
		tb.Skip("PostgreSQL is not installed: apt-get install postgresql")
	}
	dir, err := os.MkdirTemp("/tmp", "pg") //nolint:usetesting // a socket's path is short
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	as := other(tb)
	if as != nil {
		if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
			tb.Fatal(err)
		}
	}
	data := filepath.Join(dir, "data")
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(context.WithoutCancel(tb.Context()), filepath.Join(bin, name), args...) // also after the test
		cmd.Dir, cmd.SysProcAttr = dir, &syscall.SysProcAttr{Credential: as}
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TZ=UTC")
		return cmd
	}
	run := func(cmd *exec.Cmd) error {
		var said bytes.Buffer
		cmd.Stderr, cmd.Stdout = &said, nil // the server would keep a pipe open
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%v: %w: %s", cmd.Args, err, said.String())
		}
		return nil
	}
	if err := run(command("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions")); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = run(command("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")) })
	options := fmt.Sprintf("-c listen_addresses='' -c unix_socket_directories='%s' -c max_connections=200", dir)
	if err := run(command("pg_ctl", "-D", data, "-w", "-l", filepath.Join(dir, "log"), "-o", options, "start")); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		tb.Fatalf("%v\n%s", err, log)
	}
	q := url.Values{"host": {dir}, "user": {"postgres"}}
	return (&url.URL{Scheme: "postgres", Path: "/postgres", RawQuery: q.Encode()}).String()
}

// installed is the folder of PostgreSQL's newest programs, or "". Debian's is not in the
// PATH.
func installed() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(slices.Max(found))
}

// other is the user of the server if that is not the test's: root may not run it.
func other(tb testing.TB) *syscall.Credential {
	tb.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	is, err := user.Lookup("postgres") // which the package makes
	if err != nil {
		tb.Fatal(err)
	}
	uid, bad := strconv.ParseUint(is.Uid, 10, 32)
	gid, worse := strconv.ParseUint(is.Gid, 10, 32)
	if err := errors.Join(bad, worse); err != nil {
		tb.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

var schemas atomic.Int64

// Schema makes a new schema in a cluster, and returns its address.
func Schema(tb testing.TB, address string) string {
	tb.Helper()
	name := fmt.Sprintf("s%d_%d", os.Getpid(), schemas.Add(1))
	Exec(tb, address, "CREATE SCHEMA "+name)
	return address + "&search_path=" + name
}

// Exec runs statements at an address.
func Exec(tb testing.TB, address string, statements ...string) {
	tb.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, s := range statements {
		if _, err := db.ExecContext(context.WithoutCancel(tb.Context()), s); err != nil {
			tb.Fatalf("%s: %v", s, err)
		}
	}
}
