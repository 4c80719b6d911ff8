// Package exchange gives one document to a program or an HTTP endpoint of the operator, and
// returns its answer.
//
// It vouches that an answer is whole, within its bound and within the time of its context, or an
// error; that a program gets only the environment of a server, and has ended with everything that
// it started; and that an endpoint is asked once, at its own address, without a proxy and without
// following a redirect. It reads no answer.
//
// host/scan and host/decision call it.
package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host/launch"
)

// maxTold bounds the program's last words in an error, in bytes.
const maxTold = 500

// Run starts a program, gives it a document on stdin, and returns its answer of at most most
// bytes. It ends the program with all processes that it started.
func Run(ctx context.Context, c launch.Command, document []byte, most int64) ([]byte, error) {
	p, err := launch.Start(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("it could not be started: %w", err)
	}
	answer, err := talk(ctx, p, document, most)
	if err = errors.Join(err, p.Close()); err != nil {
		return nil, fmt.Errorf("%w; it says: %s", err, escape.Line(p.Tail(maxTold), maxTold))
	}
	return answer, nil
}

// talk writes the document and reads the answer to its end. A program may answer without
// reading the whole document.
func talk(ctx context.Context, p *launch.Process, document []byte, most int64) ([]byte, error) {
	go func() {
		_, _ = p.Stdin.Write(document) // a program that does not read is ended with its context
		_ = p.Stdin.Close()
	}()
	answer, err := io.ReadAll(io.LimitReader(p.Stdout, most+1))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, errors.New("its answer could not be read")
	case int64(len(answer)) > most:
		return nil, fmt.Errorf("its answer is over %d bytes", most)
	}
	select {
	case <-p.Done():
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if status := p.Status(); status != "exit status 0" {
		return nil, errors.New("it ended with " + status)
	}
	return answer, nil
}
