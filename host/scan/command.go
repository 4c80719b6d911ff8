package scan

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/launch"
)

// Command is a local program. It reads the document on stdin, writes its answer
// to stdout, and exits 0.
type Command []string

// maxTold is how much of a program's last words an error repeats, in bytes.
const maxTold = 500

// Scan starts the program, and ends it with all that it started.
func (c Command) Scan(ctx context.Context, s host.Sample) ([]guard.Finding, error) {
	document, err := ask(s)
	if err != nil {
		return nil, err
	}
	if len(c) == 0 {
		return nil, errors.New("there is no command")
	}
	p, err := launch.Start(ctx, launch.Command{Path: c[0], Args: c[1:]})
	if err != nil {
		return nil, fmt.Errorf("it could not be started: %w", err)
	}
	answer, err := talk(ctx, p, document)
	if err = errors.Join(err, p.Close()); err != nil {
		return nil, fmt.Errorf("%w; it says: %s", err, guard.Line(p.Tail(maxTold), maxTold))
	}
	return read(answer)
}

// talk writes the document and reads the answer to its end. A program that
// answers without reading all of it has answered.
func talk(ctx context.Context, p *launch.Process, document []byte) ([]byte, error) {
	go func() {
		_, _ = p.Stdin.Write(document) // one that does not read is ended with its context
		_ = p.Stdin.Close()
	}()
	answer, err := io.ReadAll(io.LimitReader(p.Stdout, maxReply+1))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, errors.New("its answer could not be read")
	case len(answer) > maxReply:
		return nil, fmt.Errorf("its answer is over %d bytes", maxReply)
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
