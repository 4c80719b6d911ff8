// Command service answers questions over HTTP for many users with one host.
// A token identifies the user; the operator's allowlist says what may be called.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

const (
	longest = 32 << 10 // bytes of a question: the input gate takes no more
	atOnce  = 8        // runs
	waiting = 64       // for their turn; more get 503
)

type service struct {
	host   *setup.Ready
	people map[[sha256.Size]byte]string // by the digest of their token
}

// ServeHTTP takes a question as text, and gives the outcome as JSON.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	subject, known := s.people[sha256.Sum256([]byte(token))]
	if !known {
		http.Error(w, "who is asking?", http.StatusUnauthorized)
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longest))
	if err != nil {
		http.Error(w, "the question is too long", http.StatusRequestEntityTooLarge)
		return
	}
	out := s.host.Ask(r.Context(), host.Question{
		Text: string(text), Subject: subject, DryRun: r.URL.Query().Has("dry_run"),
	})
	document, err := json.Marshal(out)
	if err != nil {
		http.Error(w, "the outcome cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status(out))
	_, _ = w.Write(document) // for a closed connection, the trace has the outcome
}

// status is for clients that read nothing else; the document says what happened.
func status(out host.Outcome) int {
	if out.Error != nil && out.Error.Code == verdict.RunBusy {
		return http.StatusServiceUnavailable
	}
	switch out.Type {
	case host.ToolResult, host.ToolResultWithSummary, host.FinalAnswer, host.Planned:
		return http.StatusOK
	case host.ApprovalNeeded:
		return http.StatusAccepted
	case host.Blocked:
		return http.StatusForbidden
	}
	return http.StatusBadGateway
}

// people reads TOKEN=SUBJECT pairs, separated by commas. A token may contain "=",
// and a subject may not.
func people(pairs string) (map[[sha256.Size]byte]string, error) {
	all := map[[sha256.Size]byte]string{}
	for pair := range strings.SplitSeq(pairs, ",") {
		at := strings.LastIndex(pair, "=")
		if at < 16 || at == len(pair)-1 {
			return nil, errors.New("SERVICE_PEOPLE is TOKEN=SUBJECT,…, each token of at least 16 characters")
		}
		all[sha256.Sum256([]byte(pair[:at]))] = pair[at+1:]
	}
	return all, nil
}

func run(ctx context.Context) error {
	paths, err := config.FindPaths(os.LookupEnv)
	if err != nil {
		return err
	}
	settings, err := config.Load(paths, os.LookupEnv, config.Flags{})
	if err != nil {
		return err
	}
	subjects, err := people(os.Getenv("SERVICE_PEOPLE"))
	if err != nil {
		return err
	}
	h, err := setup.Host(settings, setup.Options{
		Env: os.LookupEnv, Version: "service", Bounds: host.Bounds{AtOnce: atOnce, Queue: waiting},
	})
	if err != nil {
		return err
	}
	defer func() { _ = h.Close() }() // after the last answer: it ends the servers
	server := &http.Server{
		Addr: os.Getenv("SERVICE_ADDR"), ReadTimeout: 10 * time.Second,
		Handler: &service{host: h, people: subjects},
	}
	ended := make(chan error, 1)
	go func() { ended <- server.ListenAndServe() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return server.Shutdown(context.WithoutCancel(ctx)) // waits for the answers under way
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
