package login_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

// ring is a keyring that can be locked.
type ring struct {
	text   string
	there  bool
	locked error
	gets   int
}

func (r *ring) Get(context.Context) (string, bool, error) {
	r.gets++
	if r.locked != nil {
		return "", false, r.locked
	}
	return r.text, r.there, nil
}

func (r *ring) Set(_ context.Context, text string) error {
	if r.locked != nil {
		return r.locked
	}
	r.text, r.there = text, true
	return nil
}

// again is the same installation in a new process.
func (i *installed) again() { i.Store = &login.Store{Dir: i.Store.Dir, Ring: i.Store.Ring} }

func (i *installed) file(t *testing.T, kind string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(i.Store.Dir, "*"+kind))
	if err != nil || len(all) != 1 {
		t.Fatalf("%q, %v", all, err)
	}
	return all[0]
}

func TestNoFileHoldsASecretInPlainSight(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{Method: "client_secret_post"}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	all, err := os.ReadDir(i.Store.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		b, err := os.ReadFile(filepath.Join(i.Store.Dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range i.server.Issued() {
			if bytes.Contains(b, []byte(secret)) {
				t.Errorf("%s holds %s", f.Name(), secret)
			}
		}
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f.Name(), info.Mode(), err)
		}
	}
}

func TestAnAlteredOrExchangedFileOpensNothing(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(b []byte, i *installed) []byte{
		"another account": func(b []byte, _ *installed) []byte {
			return bytes.Replace(b, []byte(`"account":"a"`), []byte(`"account":"b"`), 1)
		},
		"another issuer": func(b []byte, i *installed) []byte {
			return bytes.Replace(b, []byte(i.server.Issuer()), []byte("https://issuer.example"), 1)
		},
		"another endpoint": func(b []byte, i *installed) []byte {
			return bytes.Replace(b, []byte(`/token"`), []byte(`/evil_"`), 1)
		},
		"a later end": func(b []byte, _ *installed) []byte {
			return bytes.Replace(b, []byte(`"renews":true`), []byte(`"renews":null`), 1)
		},
		"cut off": func(b []byte, _ *installed) []byte { return b[:len(b)/2] },
		"empty":   func([]byte, *installed) []byte { return nil },
		"another box": func(b []byte, _ *installed) []byte {
			return bytes.Replace(b, []byte(`"sealed":"`), []byte(`"sealed":"AAAA`), 1)
		},
		"a short nonce": func(b []byte, _ *installed) []byte {
			return regexp.MustCompile(`"nonce":"[^"]*"`).ReplaceAll(b, []byte(`"nonce":"AAAA"`))
		},
		"no nonce": func(b []byte, _ *installed) []byte {
			return regexp.MustCompile(`"nonce":"[^"]*"`).ReplaceAll(b, []byte(`"nonce":""`))
		},
		"another version": func(b []byte, _ *installed) []byte {
			return bytes.Replace(b, []byte(`"format":1`), []byte(`"format":2`), 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{}, session.OAuth{})
			i.loggedIn(t, login.Request{Account: "a"})
			path := i.file(t, ".login")
			was, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			is := change(was, i)
			if bytes.Equal(is, was) {
				t.Fatal("nothing was altered")
			}
			if err := os.WriteFile(path, is, 0o600); err != nil {
				t.Fatal(err)
			}
			i.again()
			before := i.server.Requests() + i.server.Count("/token")
			code(t, i.list(t), verdict.LoginStore)
			if n := i.server.Requests() + i.server.Count("/token"); n != before {
				t.Error("a request was made")
			}
			i.loggedIn(t, login.Request{Account: "a"}) // a login mends it
			if err := i.list(t); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAFileOfAnotherServerIsNotTakenForThisOnes(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	b, err := os.ReadFile(i.file(t, ".login"))
	if err != nil {
		t.Fatal(err)
	}
	first := i.file(t, ".login")
	i.target.Server.Name = "other"
	i.loggedIn(t, login.Request{})
	all, err := filepath.Glob(filepath.Join(i.Store.Dir, "other*.login"))
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if err := os.WriteFile(all[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := i.Source(i.target); verdict.CodeOf(err) != verdict.LoginStore {
		t.Errorf("%s in the place of %s: %v", first, all[0], err)
	}
}

func TestAFileThatOthersCanReadIsRefused(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	if err := os.Chmod(i.file(t, ".login"), 0o640); err != nil {
		t.Fatal(err)
	}
	code(t, i.list(t), verdict.LoginStore)
	i.again()
	link := install(t, logintest.Options{}, session.OAuth{})
	link.loggedIn(t, login.Request{})
	path := link.file(t, ".login")
	if err := os.Rename(path, path+".moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path+".moved", path); err != nil {
		t.Fatal(err)
	}
	code(t, link.list(t), verdict.LoginStore)
}

func TestAKeyringIsAskedOnceAndALockedOneIsNoLogin(t *testing.T) {
	t.Parallel()
	i, r := install(t, logintest.Options{}, session.OAuth{}), &ring{}
	i.Store.Ring = r
	i.loggedIn(t, login.Request{})
	i.again()
	r.gets = 0
	for range 3 {
		if err := i.list(t); err != nil {
			t.Fatal(err)
		}
	}
	if r.gets != 1 {
		t.Errorf("the keyring was asked %d times", r.gets)
	}
	was, err := os.ReadFile(i.file(t, ".login"))
	if err != nil {
		t.Fatal(err)
	}
	i.again()
	r.locked = errors.New("it is locked")
	i.server.Expire()
	code(t, i.list(t), verdict.LoginStore)
	if _, err := i.login(t, login.Request{}); verdict.CodeOf(err) != verdict.LoginStore {
		t.Error(err)
	}
	if is, err := os.ReadFile(i.file(t, ".login")); err != nil || !bytes.Equal(is, was) {
		t.Errorf("the file was changed: %v", err)
	}
	if n := i.server.Count("/authorize"); n != 1 {
		t.Errorf("the user was asked %d times, once for nothing", n)
	}
}

func TestNoKeyIsMadeWhileSomethingIsSealedUnderALostOne(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(i *installed, r *ring){
		"gone":    func(_ *installed, r *ring) { r.text, r.there = "", false },
		"damaged": func(_ *installed, r *ring) { r.text = "AAAA" },
		"empty":   func(_ *installed, r *ring) { r.text = "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i, r := install(t, logintest.Options{}, session.OAuth{}), &ring{}
			i.Store.Ring = r
			i.loggedIn(t, login.Request{})
			i.again()
			lose(i, r)
			was := r.text
			code(t, i.list(t), verdict.LoginStore)
			_, err := i.login(t, login.Request{})
			code(t, err, verdict.LoginStore)
			if r.text != was {
				t.Error("a key was made")
			}
		})
	}
	i := install(t, logintest.Options{}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	if err := os.Remove(filepath.Join(i.Store.Dir, "key")); err != nil {
		t.Fatal(err)
	}
	i.again()
	code(t, i.list(t), verdict.LoginStore)
	if _, err := os.Stat(filepath.Join(i.Store.Dir, "key")); err == nil {
		t.Error("a key was made")
	}
}

func TestWithoutAPlaceNothingIsKeptAndNobodyIsAsked(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.Store = &login.Store{}
	_, err := i.login(t, login.Request{})
	code(t, err, verdict.LoginStore)
	if i.server.Requests() != 0 {
		t.Error("a request was made")
	}
	if l, err := i.Store.Look("tickets", "x"); err != nil || l.Place() != "" {
		t.Error(l, err)
	}
}

// TestWhatIsShownOfALoginHoldsNoSecret: documents are made of it.
func TestWhatIsShownOfALoginHoldsNoSecret(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{Method: "client_secret_basic"}, session.OAuth{})
	is := i.loggedIn(t, login.Request{})
	b, err := json.Marshal(is)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b) + is.ID() + is.Place()
	for _, secret := range i.server.Issued() {
		if strings.Contains(text, secret) {
			t.Errorf("shows %s", secret)
		}
	}
}
