// Package keys finds the API key of a model endpoint: in a variable, in the
// file that a variable names, or in the system's keyring, in this order.
//
// A [Slot] vouches that a key kept for one endpoint is found for that endpoint
// and no other, that no error repeats any of a key's text, and that nothing
// here waits for ever. It does not vouch that the endpoint takes the key, nor
// against other programs of the same user: they can read what this one reads.
//
// config/setup has a model's client call it when the model is first asked. It is
// the only importer of go-keyring.
package keys

import (
	"context"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
)

// Slot is where the key of one endpoint is kept.
type Slot struct {
	Variable string // such as OPENAI_API_KEY; OPENAI_API_KEY_FILE names a file
	Address  string // of an endpoint other than the provider's own; else ""
}

// FileVariable is the variable that names the key's file.
func (s Slot) FileVariable() string { return s.Variable + "_FILE" }

// Account is the slot's name in the keyring. A variable is set beside the
// address that it is for; what a keyring keeps outlives that, so the address
// is part of the name: a changed LLM_BASE_URL is not sent the old one's key.
func (s Slot) Account() string {
	if s.Address == "" {
		return s.Variable
	}
	return s.Variable + " for " + s.Address
}

// How long is waited for a pipe in a file's place, behind which a person may
// be typing, and for a keyring, which is asked whenever nothing else has a key.
const (
	pipePatience    = time.Minute
	keyringPatience = 5 * time.Second
)

// Find looks for the slot's key. That there is none is no error, and neither
// is a keyring that is missing or does not answer: many endpoints need no key.
func (s Slot) Find(ctx context.Context, env func(name string) (string, bool)) (model.Found, error) {
	key, _ := env(s.Variable)
	path, _ := env(s.FileVariable())
	switch {
	case key != "" && path != "":
		return model.Found{}, verdict.Fail(verdict.ConfigInvalid, nil, "%s and %s are both set: one key is wanted, and unset the other", s.Variable, s.FileVariable())
	case key != "":
		return model.Found{Key: model.Key(key), Origin: "variable " + s.Variable}, nil
	case path != "":
		key, err := s.readFile(ctx, path)
		return model.Found{Key: key, Origin: "file " + path + " (" + s.FileVariable() + ")"}, err
	}
	return s.inKeyring(ctx, env), nil
}
