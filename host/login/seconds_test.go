package login_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

func TestALoginLastsAsLongAsAnyFormOfItsLifetimeSays(t *testing.T) {
	t.Parallel()
	const year = 365 * 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"3600": time.Hour, `"3600"`: time.Hour, "3600.0": time.Hour, "3.6e3": time.Hour, "3600.7": time.Hour, `"3600.7"`: time.Hour,
		"31536000": year, "31536001": year, "1e12": year, `"999999999999999999"`: year, "99999999999999999999999": year,
		"-1": 0, `"-1"`: 0, `"soon"`: 0, `""`: 0, "null": 0, "true": 0, `" 3600"`: 0, `"1234567890123456789"`: 0,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{Edit: member("token", "expires_in", json.RawMessage(text))}, session.OAuth{})
			now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
			i.Now = func() time.Time { return now }
			is := i.loggedIn(t, login.Request{})
			expires := ""
			if want > 0 {
				expires = now.Add(want).Format(time.RFC3339)
			}
			if is.Expires != expires {
				t.Errorf("expires %q, want %q", is.Expires, expires)
			}
			if err := i.list(t); err != nil {
				t.Error(err)
			}
			if n := i.server.Count("grant refresh_token"); n != 0 {
				t.Errorf("%d refreshes", n)
			}
			i.clean(t)
		})
	}
}

func TestATokenThatIsOverEndsTheLogin(t *testing.T) {
	t.Parallel()
	over := member("token", "expires_in", json.RawMessage(`"0"`))
	i := install(t, logintest.Options{Edit: over}, session.OAuth{})
	for _, way := range []login.Way{login.Browser, login.Device} {
		_, err := i.login(t, login.Request{Way: way})
		code(t, err, verdict.LoginState)
		if !strings.Contains(err.Error(), "the server issued an expired token") {
			t.Error(err)
		}
	}
	before := i.server.Count("/token") + i.server.Count("/authorize")
	code(t, i.list(t), verdict.ServerAuth)
	if n := i.server.Count("/token") + i.server.Count("/authorize"); n != before {
		t.Error("a login began by itself")
	}

	renewed := install(t, logintest.Options{}, session.OAuth{})
	renewed.loggedIn(t, login.Request{})
	renewed.server.Expire()
	renewed.server.Set(func(o *logintest.Options) { o.Edit = over })
	err := renewed.list(t)
	code(t, err, verdict.ServerAuth)
	if !strings.Contains(err.Error(), "the server issued an expired token") {
		t.Error(err)
	}
	if is, err := renewed.Store.Look("tickets", "sha256:entry"); err != nil || is.State != login.NeedsLogin {
		t.Errorf("%+v, %v", is, err)
	}
	grants := renewed.server.Count("/token")
	code(t, renewed.list(t), verdict.ServerAuth)
	if n := renewed.server.Count("/token"); n != grants {
		t.Errorf("%d requests for tokens after the login ended", n-grants)
	}
}

func TestADeviceCodeLastsAsLongAsAnyFormOfItsLifetimeSays(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		lifetime, interval string
		waited             time.Duration // until the code is over
	}{
		"numbers":           {"60", "10", time.Minute},
		"text":              {`"60"`, `"10"`, time.Minute},
		"fractions":         {"60.9", "10.5", time.Minute},
		"exponents":         {"6e1", "1e1", time.Minute},
		"unknown":           {`"soon"`, `"-3"`, 10 * time.Minute},
		"nothing":           {"null", "null", 10 * time.Minute},
		"negative":          {"-60", "10", 10 * time.Minute},
		"too long":          {"1e9", "60", 10 * time.Minute},
		"a pause too long":  {"120", "1e9", 2 * time.Minute},
		"no pause at all":   {"60", "0", time.Minute},
		"the longest texts": {`"999999999999999999"`, `"000000000000000060"`, 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{Pending: 1 << 20}, session.OAuth{})
			i.server.Set(func(o *logintest.Options) {
				o.Edit = func(path string, doc map[string]any) {
					if path == "device" {
						doc["expires_in"], doc["interval"] = json.RawMessage(row.lifetime), json.RawMessage(row.interval)
					}
				}
			})
			begin := time.Now()
			i.Now = func() time.Time { return begin.Add(i.waited) }
			_, err := i.login(t, login.Request{Way: login.Device})
			code(t, err, verdict.LoginTimeout)
			if i.waited < row.waited || i.waited > row.waited+time.Minute {
				t.Errorf("waited for %s, want %s", i.waited, row.waited)
			}
		})
	}
	for _, text := range []string{"0", `"0"`, "0.0", "0.5", `"0.9"`} {
		i := install(t, logintest.Options{Edit: member("device", "expires_in", json.RawMessage(text))}, session.OAuth{})
		_, err := i.login(t, login.Request{Way: login.Device})
		code(t, err, verdict.LoginState)
		if !strings.Contains(err.Error(), "the server issued an expired token") || i.server.Count("/token") != 0 || i.user.code != "" {
			t.Errorf("%s: %d requests for tokens, %v", text, i.server.Count("/token"), err)
		}
	}
}

// The end of a client's secret has the same forms.
func TestARegistrationLastsAsLongAsAnyFormOfItsEndSays(t *testing.T) {
	t.Parallel()
	for text, registrations := range map[string]int{"0": 1, `"0"`: 1, "null": 1, `"never"`: 1, "4e9": 1, `"4000000000"`: 1, "1.5e9": 2, `"1500000000"`: 2} {
		i := install(t, logintest.Options{Method: "client_secret_post", Edit: member("registration", "client_secret_expires_at", json.RawMessage(text))}, session.OAuth{})
		i.loggedIn(t, login.Request{})
		i.loggedIn(t, login.Request{})
		if n := i.server.Count("/register"); n != registrations {
			t.Errorf("%s: %d registrations, want %d", text, n, registrations)
		}
	}
}
