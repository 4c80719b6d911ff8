package trust

import (
	"context"
	"strings"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
)

// Look reviews a server for a person who asked for that: it is started, whatever
// it starts by now. What comes of it is kept: how the server fared, and which
// tools are unstable, have two faces, or are as approved again.
func (k *Keeper) Look(ctx context.Context, s Subject) (Review, error) {
	r, err := k.review(ctx, s)
	if kept := k.Fared(ctx, s.Place, err); err == nil {
		err = kept
	}
	if err != nil {
		return Review{}, err
	}
	return r, k.noteFaces(ctx, r)
}

// Glance reviews a server for a question. It starts no other program than was
// approved, and keeps nothing.
func (k *Keeper) Glance(ctx context.Context, s Subject) (Review, error) {
	pins, err := k.approved(ctx, s.Place)
	if err != nil {
		return Review{}, err
	}
	if artifact.Another(pins.Artifact, s.Artifact) {
		no := verdict.Deny(verdict.PinChanged, "it would start another program than was approved, so no question asks it")
		no.Hint = "`ask servers review " + s.Name + "` starts it, and shows what it says"
		return Review{}, no
	}
	return k.review(ctx, s)
}

// Fared keeps how a server fared when it was asked: what came of that, nil where
// it answered. What is wrong with the state is not the server's.
func (k *Keeper) Fared(ctx context.Context, at pin.Place, err error) error {
	code := string(codeOf(err))
	if k == nil || strings.HasPrefix(code, "state.") {
		return nil
	}
	return k.store.NoteHealth(ctx, at, code)
}
