package session_test

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// TestAStartIsPermittedEachTimeAndARunningServerIsNotAskedAbout: three questions on one
// connection are one start. A server that is not permitted is not started, and the
// refusal arrives unchanged.
func TestAStartIsPermittedEachTimeAndARunningServerIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	each(t, "", nil, func(t *testing.T, s session.Server, log string) {
		var asked atomic.Int32
		s.Permit = func(context.Context) error { asked.Add(1); return nil }
		p := pool(t, long, s)
		for range 3 {
			if err := discover(t, p).Err; err != nil {
				t.Fatal(err)
			}
		}
		if starts, n := arrived(t, log, "initialize"), int(asked.Load()); n < 1 || n != starts {
			t.Errorf("it was asked %d times, of %d starts", n, starts)
		}
		no, refused := verdict.Deny(verdict.PinChanged, "another program"), logFile(t)
		s.Permit = func(context.Context) error { return no }
		if s.Command != "" {
			s.Env["FAKE_LOG"] = refused
		}
		if err := discover(t, pool(t, long, s)).Err; !errors.Is(err, no) {
			t.Errorf("the refusal arrives as %v", err)
		}
		if _, err := os.Stat(refused); !os.IsNotExist(err) {
			t.Error("the server was started")
		}
		if n := arrived(t, log, "initialize"); n != int(asked.Load()) {
			t.Errorf("the server was dialled: %d", n)
		}
	})
}
