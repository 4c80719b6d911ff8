package login_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

// TestAFailedLoginIsRememberedUntilSomethingChanges: what asks for a login names what
// the entry lacks, and not the login that has just failed.
func TestAFailedLoginIsRememberedUntilSomethingChanges(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{At: "nowhere"}, session.OAuth{})
	if got := i.Store.Stuck(i.target); got != "" {
		t.Errorf("before any login: %s", got)
	}
	if _, err := i.login(t, login.Request{}); verdict.CodeOf(err) != verdict.LoginDiscovery {
		t.Fatal(err)
	}
	got := i.Store.Stuck(i.target)
	if !strings.Contains(got, "(login.discovery): ") || !strings.Contains(got, `"oauth": {"issuer": `) || strings.Contains(got, "servers login") {
		t.Errorf("after it: %s", got)
	}
	other := i.target
	other.Entry = "sha256:other"
	if got := i.Store.Stuck(other); got != "" {
		t.Errorf("another entry: %s", got)
	}
	if err := i.Store.Drop("tickets", i.target.Entry); err != nil || i.Store.Stuck(i.target) != "" {
		t.Errorf("a removed entry: %v", err)
	}
	_, _ = i.login(t, login.Request{})
	before := i.target
	i.target.Server.OAuth = session.OAuth{Issuer: i.server.Issuer(), Own: true}
	if got := i.Store.Stuck(i.target); got != "" {
		t.Errorf("with an issuer: %s", got)
	}
	i.loggedIn(t, login.Request{})
	if got := i.Store.Stuck(before); got != "" {
		t.Errorf("after a login: %s", got)
	}
}

// TestOnlyWhatAnotherLoginWouldMeetIsRemembered: the user's own no is not.
func TestOnlyWhatAnotherLoginWouldMeetIsRemembered(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.user.refuse = verdict.Fail(verdict.LoginDenied, nil, "no")
	if _, err := i.login(t, login.Request{}); err == nil || i.Store.Stuck(i.target) != "" {
		t.Errorf("%v: %s", err, i.Store.Stuck(i.target))
	}
}
