package keys

import (
	"context"
	"errors"

	"github.com/zalando/go-keyring"
)

// Ring is one text that this program keeps in the system's keyring: the key of the
// logins. A keyring that cannot be asked is an error, and never the same as a missing
// text.
type Ring struct {
	Account string
	Env     func(name string) (string, bool)
}

// Get returns the text, and whether it exists.
func (r Ring) Get(ctx context.Context) (text string, there bool, err error) {
	text, err = r.ask(ctx, func() (string, error) { return keyring.Get(service, r.Account) })
	if errors.Is(err, keyring.ErrNotFound) {
		return "", false, nil
	}
	return text, err == nil, err
}

// Set stores a text, in place of an earlier one.
func (r Ring) Set(ctx context.Context, text string) error {
	_, err := r.ask(ctx, func() (string, error) { return "", keyring.Set(service, r.Account, text) })
	return err
}

func (r Ring) ask(ctx context.Context, do func() (string, error)) (string, error) {
	if !reachable(r.Env) {
		return "", errors.New("there is no session bus to ask a keyring on")
	}
	text, err := bounded(ctx, do)
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		err = errors.New("the keyring cannot be asked: " + reason(err))
	}
	return text, err
}
