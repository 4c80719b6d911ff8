package login

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

type sealed struct {
	Open   jsontext.Value `json:"open"`
	Nonce  string         `json:"nonce"`
	Secret string         `json:"sealed"`
}

// key returns the key of the store, which a process reads once. It makes a key only if
// create is set and no file is sealed yet: a new key would lose the sealed files.
func (s *Store) key(ctx context.Context, create bool) (*[chacha20poly1305.KeySize]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held != nil {
		return s.held, nil
	}
	if s.Dir == "" {
		return nil, unkept(nil, "there is no state directory to keep a login in")
	}
	ctx, cancel := context.WithTimeout(ctx, keyTime)
	defer cancel()
	text, there, err := s.readKey(ctx)
	if err != nil {
		return nil, unkept(err, "the key of the logins cannot be read: %v", err)
	}
	if !there {
		if text, err = s.makeKey(ctx, create); err != nil {
			return nil, err
		}
	}
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(b) != chacha20poly1305.KeySize {
		return nil, unkept(err, "the key of the logins is damaged")
	}
	s.held = (*[chacha20poly1305.KeySize]byte)(b)
	return s.held, nil
}

func (s *Store) readKey(ctx context.Context) (text string, there bool, err error) {
	if s.Ring != nil {
		return s.Ring.Get(ctx)
	}
	b, err := s.readFile(keyFile)
	return string(b), b != nil, err
}

// makeKey makes a key under a lock, so that only one of several processes makes it.
func (s *Store) makeKey(ctx context.Context, create bool) (string, error) {
	if !create {
		return "", unkept(nil, "the key of the logins is gone")
	}
	if err := disk.MakeDir(s.Dir, disk.SyncDir); err != nil {
		return "", unkept(err, "%s cannot be made: %v", s.Dir, err)
	}
	lock, err := disk.Lock(ctx, filepath.Join(s.Dir, keyFile+".lock"), true)
	if err != nil {
		return "", unkept(err, "the key of the logins cannot be made: %v", err)
	}
	defer lock.Close()
	if text, there, err := s.readKey(ctx); err != nil || there {
		return text, err
	}
	for _, kind := range []string{loginFile, clientFile} {
		if kept, err := filepath.Glob(filepath.Join(s.Dir, "*"+kind)); err != nil || len(kept) > 0 {
			f := failing(verdict.LoginStore, err, "bring the key back, or remove "+s.Dir+" and log in again", "the key of the logins is gone, and %d file(s) are sealed under it", len(kept))
			return "", f
		}
	}
	key := new([chacha20poly1305.KeySize]byte)
	_, _ = rand.Read(key[:]) // it never fails
	text := base64.RawStdEncoding.EncodeToString(key[:])
	if s.Ring != nil {
		err = s.Ring.Set(ctx, text)
	} else {
		err = s.writeFile(keyFile, []byte(text))
	}
	if err != nil {
		return "", unkept(err, "the key of the logins cannot be kept: %v", err)
	}
	return text, nil
}

func (s *Store) unseal(ctx context.Context, name string, f *sealed, into any) error {
	key, err := s.key(ctx, false)
	if err != nil {
		return err
	}
	nonce, bad := base64.RawStdEncoding.DecodeString(f.Nonce)
	box, worse := base64.RawStdEncoding.DecodeString(f.Secret)
	aead, err := chacha20poly1305.NewX(key[:])
	if err := errors.Join(err, bad, worse); err != nil || len(nonce) != aead.NonceSize() {
		return damaged(name, err)
	}
	text, err := aead.Open(nil, nonce, box, bound(name, f.Open))
	if err != nil {
		return damaged(name, err)
	}
	return schema.Decode(text, into, documentLimits)
}

// bound is the data that a seal covers besides the secrets. It is the file's name, and
// the part that can be read without the key.
func bound(name string, open jsontext.Value) []byte { return append([]byte(name+"\n"), open...) }

func (s *Store) seal(ctx context.Context, name string, open, secret any) error {
	key, err := s.key(ctx, true)
	if err != nil {
		return err
	}
	aead, err := chacha20poly1305.NewX(key[:])
	if err != nil {
		return err
	}
	seen, err := json.Marshal(open)
	hidden, wrong := json.Marshal(secret)
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce) // it never fails
	box := aead.Seal(nil, nonce, hidden, bound(name, seen))
	file, err := json.Marshal(sealed{seen, base64.RawStdEncoding.EncodeToString(nonce), base64.RawStdEncoding.EncodeToString(box)})
	if err == nil {
		err = s.writeFile(name, file)
	}
	if err != nil {
		return unkept(err, "%s cannot be written: %v", filepath.Join(s.Dir, name), err)
	}
	return nil
}
