package login

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/seal"
)

type sealed struct {
	Open jsontext.Value `json:"open"`
	seal.Box
}

// keys returns the keys of the store. A process reads them once, unless again is set. It makes
// a key only if create is set and no record is sealed yet: a new key would lose the sealed
// records.
func (s *Store) keys(ctx context.Context, create, again bool) (seal.Keys, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held.Any() && !again {
		return s.held, nil
	}
	if s.keepsNothing() {
		return seal.Keys{}, unkept(nil, "there is no state directory to keep a login in")
	}
	ctx, cancel := context.WithTimeout(ctx, keyTime)
	defer cancel()
	text, there, err := s.readKey(ctx)
	if err != nil {
		return seal.Keys{}, unkept(err, "the key of the logins cannot be read: %v", err)
	}
	if !there {
		if text, err = s.makeKey(ctx, create); err != nil {
			return seal.Keys{}, err
		}
	}
	k, err := seal.Read(text)
	if err != nil {
		return seal.Keys{}, unkept(err, "the key of the logins is damaged")
	}
	s.held = k
	return k, nil
}

func (s *Store) readKey(ctx context.Context) (text string, there bool, err error) {
	if s.Ring != nil {
		return s.Ring.Get(ctx)
	}
	if s.Rows != nil {
		return "", false, errors.New("rows are not sealed under a key next to them")
	}
	b, err := s.readFile(keyFile)
	return string(b), b != nil, err
}

func (s *Store) writeKey(ctx context.Context, text string) error {
	if s.Ring != nil {
		return s.Ring.Set(ctx, text)
	}
	return s.writeFile(keyFile, []byte(text))
}

// makeKey makes a key under a lock, so that only one of several processes makes it.
func (s *Store) makeKey(ctx context.Context, create bool) (string, error) {
	if !create || s.Rows != nil {
		return "", unkept(nil, "the key of the logins is gone")
	}
	lock, err := s.lockKey(ctx, true)
	if err != nil {
		return "", err
	}
	defer func() { _ = lock.Close() }() // it ends by itself, too
	if text, there, err := s.readKey(ctx); err != nil || there {
		return text, err
	}
	kept, err := s.sealedNames()
	if err != nil || len(kept) > 0 {
		f := failing(verdict.LoginStore, err, "bring the key back, or remove "+s.Dir+" and log in again", "the key of the logins is gone, and %d file(s) are sealed under it", len(kept))
		return "", f
	}
	text := seal.NewKey()
	if err := s.writeKey(ctx, text); err != nil {
		return "", unkept(err, "the key of the logins cannot be kept: %v", err)
	}
	return text, nil
}

// lockKey takes the lock of the key: alone to change it, and shared to seal under it.
func (s *Store) lockKey(ctx context.Context, alone bool) (io.Closer, error) {
	if s.Rows == nil {
		if err := disk.MakeDir(s.Dir, disk.SyncDir); err != nil {
			return nil, unkept(err, "%s cannot be made: %v", s.Dir, err)
		}
	}
	lock, err := s.records().lock(ctx, keyFile, alone)
	if err != nil {
		return nil, unkept(err, "the key of the logins cannot be locked: %v", err)
	}
	return lock, nil
}

// sealedNames are the names of the sealed records, with those that were kept of logins that
// ended.
func (s *Store) sealedNames() (all []string, err error) {
	names, err := s.records().names()
	for _, name := range names {
		if is := strings.TrimSuffix(name, previous); strings.HasSuffix(is, loginFile) || strings.HasSuffix(is, clientFile) {
			all = append(all, name)
		}
	}
	return all, err
}

// thing is what a seal covers besides the secrets: the record's name, and the part that can
// be read without the key.
func (s *Store) thing(name string, open jsontext.Value) seal.Thing {
	return seal.Thing{Kind: "login", Owner: s.Owner, Name: name, Seen: open}
}

func (s *Store) unseal(ctx context.Context, name string, f *sealed, into any) error {
	text, err := s.opened(ctx, name, f)
	if err != nil {
		return err
	}
	return schema.Decode(text, into, documentLimits)
}

// opened opens a record. Another process may just have sealed it under a new key.
func (s *Store) opened(ctx context.Context, name string, f *sealed) ([]byte, error) {
	var text []byte
	for _, again := range []bool{false, true} {
		keys, err := s.keys(ctx, false, again)
		if err != nil {
			return nil, err
		}
		text, err = keys.Open(s.thing(name, f.Open), f.Box)
		if err == nil {
			return text, nil
		}
		if again || !errors.Is(err, seal.ErrKey) {
			return nil, damaged(name, err)
		}
	}
	return text, nil
}

func (s *Store) seal(ctx context.Context, name string, open, secret any) error {
	seen, err := json.Marshal(open)
	hidden, wrong := json.Marshal(secret)
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	if _, err := s.keys(ctx, true, false); err != nil {
		return err
	}
	lock, err := s.lockKey(ctx, false) // until it is written the key stays
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // it ends by itself, too
	return s.sealText(ctx, name, name, seen, hidden)
}

// sealText seals the record of a name, and writes it under another name where it was moved.
func (s *Store) sealText(ctx context.Context, of, name string, seen jsontext.Value, hidden []byte) error {
	keys, err := s.keys(ctx, false, true)
	if err != nil {
		return err
	}
	box, err := keys.Seal(s.thing(of, seen), hidden)
	if err != nil {
		return err
	}
	b, err := json.Marshal(sealed{seen, box})
	if err == nil {
		err = s.writeFile(name, b)
	}
	if err != nil {
		return unkept(err, "%s cannot be written: %v", name, err)
	}
	return nil
}

// Rotate seals every record under a new key, and forgets the old one. Killed at any step it
// leaves every record readable, and can be called again.
func (s *Store) Rotate(ctx context.Context) error {
	if err := s.changeKey(ctx, func(keys []string) []string { return append([]string{seal.NewKey()}, keys...) }); err != nil {
		return err
	}
	if err := s.Reseal(ctx); err != nil {
		return err
	}
	return s.changeKey(ctx, func(keys []string) []string { return keys[:1] })
}

// changeKey changes the keys, the newest first, while no process seals.
func (s *Store) changeKey(ctx context.Context, to func(keys []string) []string) error {
	lock, err := s.lockKey(ctx, true)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // it ends by itself, too
	text, there, err := s.readKey(ctx)
	if err != nil || !there {
		return unkept(err, "the key of the logins cannot be read")
	}
	return s.writeKey(ctx, strings.Join(to(strings.Fields(text)), "\n"))
}

// Reseal seals every record under the newest key. All processes must have that key: where
// the keys are given, as for rows, each is started with both first.
func (s *Store) Reseal(ctx context.Context) error {
	names, err := s.sealedNames()
	if err != nil {
		return unkept(err, "%v", err)
	}
	if _, err := s.keys(ctx, false, true); err != nil {
		return err
	}
	for _, name := range names {
		if err := s.resealOne(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) resealOne(ctx context.Context, name string) error {
	of := strings.TrimSuffix(name, previous)
	lock, err := s.lockName(ctx, of, of)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // it ends by itself, too
	var open jsontext.Value
	f, err := s.record(name, nil, &open)
	if err != nil || f == nil {
		return err
	}
	keys, err := s.keys(ctx, false, false)
	if err != nil || keys.Newest(f.Box) {
		return err
	}
	text, err := s.opened(ctx, of, f)
	if err != nil {
		return err
	}
	return s.sealText(ctx, of, name, f.Open, text)
}
