// Command bot answers a chat platform's webhook. A call that may change
// something is shown in the chat, and made when another user approves it there.
// The only thing it trusts is the platform's signature, for who sent a message.
package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
)

func run() error {
	paths, err := config.FindPaths(os.LookupEnv)
	if err != nil {
		return err
	}
	settings, err := config.Load(paths, os.LookupEnv, config.Flags{})
	if err != nil {
		return err
	}
	secret := os.Getenv("BOT_SECRET")
	switch {
	case len(secret) < 32:
		return errors.New("BOT_SECRET needs at least 32 characters: anyone who knows it speaks for any user")
	case settings.Approvers.V != "other":
		return errors.New(`config.toml needs approvers = "other": otherwise users could approve their own calls`)
	}
	h, err := setup.Host(settings, setup.Options{Env: os.LookupEnv, Version: "bot"})
	if err != nil {
		return err
	}
	defer func() { _ = h.Close() }()
	server := &http.Server{
		Addr: os.Getenv("BOT_ADDR"), ReadTimeout: 10 * time.Second,
		Handler: &bot{
			host: h, waiting: map[string]pending{},
			signed: &signatures{secret: []byte(secret), seen: map[string]time.Time{}},
		},
	}
	return server.ListenAndServe()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
