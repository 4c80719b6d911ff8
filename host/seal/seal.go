// Package seal seals secrets in files and rows. A reader without the key learns nothing, and
// can neither change a secret nor put it in the place of another.
//
// It is XChaCha20-Poly1305 with a random nonce. It vouches that a box opens only as that for
// which it was sealed, and only with a key that it was sealed under. An older box of the same
// thing opens, too. host/login and host/store call it.
package seal

import (
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"
)

// Keys seal with the newest of them, and open with each. The zero value has none.
type Keys struct{ all []key }

type key struct {
	id   string
	aead cipher.AEAD
}

// Box is a sealed secret.
type Box struct {
	Key    string `json:"key"` // the id of the key: a digest, which says nothing of the key
	Nonce  []byte `json:"nonce"`
	Sealed []byte `json:"sealed"`
}

// Thing is what a secret belongs to. A box opens for the same thing alone. It does not name
// a key, so that a rotation needs no other change.
type Thing struct {
	Kind, Owner, Name string
	Seen              []byte // what is readable next to the box
}

// The errors of Open.
var (
	ErrKey     = errors.New("the key that it is sealed under is not known")
	ErrChanged = errors.New("it is damaged, or was sealed for another place")
)

// NewKey is a new key as a text.
func NewKey() string {
	b := make([]byte, chacha20poly1305.KeySize)
	_, _ = rand.Read(b) // it never fails
	return base64.RawStdEncoding.EncodeToString(b)
}

// Read reads keys as [NewKey] makes them, with space between them. The first is the newest.
func Read(text string) (Keys, error) {
	var k Keys
	for word := range strings.FieldsSeq(text) {
		b, err := base64.RawStdEncoding.DecodeString(word)
		if err != nil || len(b) != chacha20poly1305.KeySize {
			return Keys{}, fmt.Errorf("key %d is not %d bytes in base64", len(k.all)+1, chacha20poly1305.KeySize)
		}
		aead, err := chacha20poly1305.NewX(b)
		if err != nil {
			return Keys{}, err
		}
		id := sha256.Sum256(append([]byte("onestep key\n"), b...))
		k.all = append(k.all, key{hex.EncodeToString(id[:8]), aead})
	}
	if len(k.all) == 0 {
		return Keys{}, errors.New("there is no key")
	}
	return k, nil
}

// Any reports whether there is a key.
func (k Keys) Any() bool { return len(k.all) > 0 }

// Newest reports whether a box is sealed under the newest key.
func (k Keys) Newest(b Box) bool { return k.Any() && b.Key == k.all[0].id }

// Seal seals a secret under the newest key.
func (k Keys) Seal(of Thing, secret []byte) (Box, error) {
	if !k.Any() {
		return Box{}, ErrKey
	}
	now := k.all[0]
	nonce := make([]byte, now.aead.NonceSize())
	_, _ = rand.Read(nonce) // it never fails
	return Box{Key: now.id, Nonce: nonce, Sealed: now.aead.Seal(nil, nonce, secret, of.bytes())}, nil
}

// Open returns the secret of a box.
func (k Keys) Open(of Thing, b Box) ([]byte, error) {
	for _, one := range k.all {
		if one.id != b.Key {
			continue
		}
		if len(b.Nonce) != one.aead.NonceSize() {
			return nil, ErrChanged
		}
		secret, err := one.aead.Open(nil, b.Nonce, b.Sealed, of.bytes())
		if err != nil {
			return nil, ErrChanged
		}
		return secret, nil
	}
	return nil, ErrKey
}

// bytes are the parts of a thing, each with its length: no two things are the same.
func (t Thing) bytes() []byte {
	var b []byte
	for _, part := range [][]byte{[]byte(t.Kind), []byte(t.Owner), []byte(t.Name), t.Seen} {
		b = append(fmt.Appendf(b, "%d:", len(part)), part...)
	}
	return b
}
