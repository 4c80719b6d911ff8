package keys

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/zalando/go-keyring"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
)

// service is the name under which the keyring keeps this program's keys.
const service = "onestep"

// inKeyring asks the keyring. The endpoint decides whether a missing key matters.
func (s Slot) inKeyring(ctx context.Context, env func(string) (string, bool)) model.Found {
	ctx, cancel := context.WithTimeout(ctx, keyringPatience)
	defer cancel()
	text, there, err := Ring{s.Account(), env}.Get(ctx)
	switch {
	case err != nil:
		return model.Found{Note: err.Error()}
	case !there:
		return model.Found{}
	case !model.Key(text).Sendable():
		return model.Found{Note: "the keyring's entry " + s.Account() + " is not a key"}
	}
	return model.Found{Key: model.Key(text), Origin: "keyring (" + service + ", " + s.Account() + ")"}
}

// Keep stores the key in the keyring, in place of an earlier one.
func (s Slot) Keep(ctx context.Context, env func(string) (string, bool), key model.Key) error {
	return s.change(ctx, env, func() error { return keyring.Set(service, s.Account(), string(key)) })
}

// Forget removes the key from the keyring, and reports whether it existed.
func (s Slot) Forget(ctx context.Context, env func(string) (string, bool)) (bool, error) {
	err := s.change(ctx, env, func() error { return keyring.Delete(service, s.Account()) })
	if errors.Is(err, keyring.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// change waits as long as ctx lasts: the keyring may first have to ask its user for a
// password.
func (s Slot) change(ctx context.Context, env func(string) (string, bool), do func() error) error {
	if !reachable(env) {
		return s.noKeyring(nil, "there is no session bus")
	}
	_, err := bounded(ctx, func() (string, error) { return "", do() })
	if err == nil || errors.Is(err, keyring.ErrNotFound) {
		return err
	}
	return s.noKeyring(err, reason(err))
}

func (s Slot) noKeyring(err error, why string) error {
	return verdict.Fail(verdict.ModelUnconfigured, err, "the system's keyring cannot be used: %s", why).WithHint("set " + s.Variable + ", or name a file in " + s.FileVariable())
}

// bounded runs a function that cannot be stopped. If it outlasts ctx, it is left running,
// and ends with the process.
func bounded(ctx context.Context, do func() (string, error)) (string, error) {
	type end struct {
		text string
		err  error
	}
	done := make(chan end, 1)
	go func() {
		var e end
		defer func() {
			if p := recover(); p != nil { // the library makes unchecked type assertions on a service's data
				e = end{err: fmt.Errorf("it panicked: %.200v", p)}
			}
			done <- e
		}()
		e.text, e.err = do()
	}()
	select {
	case e := <-done:
		return e.text, e.err
	case <-ctx.Done():
		return "", errors.New("it did not answer in time")
	}
}

// reachable prevents the library's action without a named bus: it starts dbus-launch,
// which leaves a daemon without a keyring.
func reachable(env func(string) (string, bool)) bool {
	if runtime.GOOS == "darwin" {
		return true
	}
	if bus, _ := env("DBUS_SESSION_BUS_ADDRESS"); bus != "" && bus != "autolaunch:" {
		return true
	}
	dir := "/run/user/" + strconv.Itoa(os.Getuid())
	for _, name := range []string{"bus", "dbus-session"} { // the library's next places
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

func reason(err error) string { return escape.Line(err.Error(), 240) }
