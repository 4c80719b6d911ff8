package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

func TestALimitThatRanOutIsNamed(t *testing.T) {
	t.Parallel()
	const own = " in config.toml, or for this server alone under [server.srv]"
	for _, c := range []struct{ mode, way, setting, hint string }{
		{"silent", "stdio", "start_timeout", "raise start_timeout" + own},
		{"silent", "streamable HTTP", "connect_timeout", "raise connect_timeout in config.toml, or start_timeout for this server alone under [server.srv]"},
		{"silent list", "stdio", "call_timeout", "raise call_timeout" + own},
		{"silent list", "HTTP stream", "call_timeout", "raise call_timeout" + own},
		{"silent call", "stdio", "call_timeout", "to wait longer the next time, raise call_timeout" + own},
	} {
		t.Run(c.mode+" over "+c.way, func(t *testing.T) {
			t.Parallel()
			limits := long
			limits.CallTimeout = lateCall
			if c.mode == "silent" {
				limits = short
			}
			f := faultWithin(t, limits, ways[c.way](t, c.mode, logFile(t)))
			if !strings.Contains(f.Reason, "("+c.setting+")") || !strings.HasSuffix(f.Advice(), c.hint) {
				t.Errorf("%v; next: %s", f, f.Advice())
			}
		})
	}
}

func TestTheLimitOfTheRunIsNamed(t *testing.T) {
	t.Parallel()
	p := pool(t, long, stdio(t, "silent", logFile(t)))
	for _, limit := range []time.Duration{200 * time.Millisecond, -1} {
		ctx, done := context.WithTimeout(t.Context(), limit)
		_, f := verdict.First(p.Discover(ctx, "", []string{"srv"})[0].Err)
		done()
		if f == nil || f.Code != verdict.RunTimeout || !strings.Contains(f.Reason, "(timeout)") || f.Advice() != "raise timeout in config.toml, or give --timeout" {
			t.Errorf("%v; next: %s", f, f.Advice())
		}
	}
}

func TestAServersOwnLimitsCount(t *testing.T) {
	t.Parallel()
	none := session.Limits{StartTimeout: 1, ConnectTimeout: 1, CallTimeout: 1}
	each(t, "", nil, func(t *testing.T, s session.Server, _ string) {
		s.StartTimeout, s.CallTimeout = time.Minute, time.Minute
		if code, err := ask(t, pool(t, none, s)); code != "" {
			t.Error(err)
		}
		s.StartTimeout, s.CallTimeout = 1, 0
		if f := faultWithin(t, long, s); f.Code != verdict.ServerTimeout {
			t.Error(f)
		}
		s.StartTimeout, s.CallTimeout = 0, 1
		if f := faultWithin(t, long, s); f.Code != verdict.ServerTimeout || !strings.Contains(f.Reason, "(call_timeout)") {
			t.Error(f)
		}
	})
}

// TestAnAnswerThatIsTooLargeNamesItsSetting: the tool only reads, so that there is
// no effect to find out.
func TestAnAnswerThatIsTooLargeNamesItsSetting(t *testing.T) {
	t.Parallel()
	for limit, hint := range map[int]string{
		1 << 20: "ask for less, or raise max_message in config.toml",
		0:       "ask for less: max_message is at its most", // the default is the most that a trace takes
	} {
		each(t, "result of 20 MiB", strangers, func(t *testing.T, s session.Server, _ string) {
			limits := long
			limits.MaxMessage = limit
			f := faultWithin(t, limits, s)
			if diff := cmp.Diff(hint, f.Advice()); diff != "" {
				t.Errorf("%v; next (-want +got):\n%s", f, diff)
			}
		})
	}
}
