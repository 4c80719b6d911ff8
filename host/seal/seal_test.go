package seal_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/onestep-run/onestep/host/seal"
)

func keys(t *testing.T, text string) seal.Keys {
	t.Helper()
	k, err := seal.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

var thing = seal.Thing{Kind: "login", Owner: "agent1", Name: "kb", Seen: []byte("issuer")}

func TestABoxOpensForItsOwnThingAlone(t *testing.T) {
	t.Parallel()
	k := keys(t, seal.NewKey())
	box, err := k.Seal(thing, []byte("the token"))
	if err != nil {
		t.Fatal(err)
	}
	if secret, err := k.Open(thing, box); err != nil || string(secret) != "the token" {
		t.Errorf("%s, %v", secret, err)
	}
	for name, other := range map[string]seal.Thing{
		"kind":           {Kind: "client", Owner: "agent1", Name: "kb", Seen: thing.Seen},
		"owner":          {Kind: "login", Owner: "agent2", Name: "kb", Seen: thing.Seen},
		"name":           {Kind: "login", Owner: "agent1", Name: "kb2", Seen: thing.Seen},
		"what is seen":   {Kind: "login", Owner: "agent1", Name: "kb", Seen: []byte("issuer2")},
		"another border": {Kind: "login", Owner: "agent1k", Name: "b", Seen: thing.Seen},
		"nothing":        {},
	} {
		if secret, err := k.Open(other, box); !errors.Is(err, seal.ErrChanged) || secret != nil {
			t.Errorf("another %s: %s, %v", name, secret, err)
		}
	}
}

func TestAChangedBoxDoesNotOpen(t *testing.T) {
	t.Parallel()
	k := keys(t, seal.NewKey())
	box, err := k.Seal(thing, []byte("the token"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range box.Sealed {
		b := box
		b.Sealed = bytes.Clone(box.Sealed)
		b.Sealed[i] ^= 1
		if _, err := k.Open(thing, b); !errors.Is(err, seal.ErrChanged) {
			t.Errorf("byte %d: %v", i, err)
		}
	}
	for name, change := range map[string]func(*seal.Box){
		"the nonce":   func(b *seal.Box) { b.Nonce = make([]byte, len(b.Nonce)) },
		"a short one": func(b *seal.Box) { b.Nonce = b.Nonce[1:] },
		"none":        func(b *seal.Box) { b.Nonce = nil },
		"no secret":   func(b *seal.Box) { b.Sealed = nil },
	} {
		b := box
		change(&b)
		if _, err := k.Open(thing, b); !errors.Is(err, seal.ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := keys(t, seal.NewKey()).Open(thing, box); !errors.Is(err, seal.ErrKey) {
		t.Errorf("another key: %v", err)
	}
}

// While both keys are there, what either sealed opens; the newest seals. The box does not
// cover which of them is the newest.
func TestAKeyIsRotated(t *testing.T) {
	t.Parallel()
	was, now := seal.NewKey(), seal.NewKey()
	old, both := keys(t, was), keys(t, now+"\n"+was+"\n")
	before, err := old.Seal(thing, []byte("1"))
	if err != nil {
		t.Fatal(err)
	}
	after, err := both.Seal(thing, []byte("1"))
	if err != nil || both.Newest(before) || !both.Newest(after) || bytes.Equal(before.Nonce, after.Nonce) {
		t.Error(err, before, after)
	}
	for _, b := range []seal.Box{before, after} {
		if secret, err := both.Open(thing, b); err != nil || string(secret) != "1" {
			t.Errorf("%s, %v", secret, err)
		}
	}
	if _, err := keys(t, now).Open(thing, before); !errors.Is(err, seal.ErrKey) {
		t.Errorf("the old key is gone: %v", err)
	}
}

func TestNoKeySealsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " \n", "short", seal.NewKey() + " short", seal.NewKey() + "A"} {
		if k, err := seal.Read(text); err == nil || k.Any() {
			t.Errorf("%q are keys", text)
		}
	}
	if _, err := (seal.Keys{}).Seal(thing, nil); !errors.Is(err, seal.ErrKey) {
		t.Error(err)
	}
	if (seal.Keys{}).Newest(seal.Box{}) {
		t.Error("without a key a box is sealed under the newest")
	}
}
