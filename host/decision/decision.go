// Package decision asks a decision point outside of this program about a call. It is a local
// command or an HTTP endpoint of the operator. docs/policy.md has the contract.
//
// It vouches that a decision point gets one record and gives one bounded answer of the documented
// form within its time, or none; that a command gets only the environment of a server, and has
// ended when the answer is there; and that an endpoint is asked once, at its own address, without
// a proxy and without following a redirect. It does not vouch for the answer. gate.Outside
// refuses by it, and no answer allows anything.
//
// host asks the decision points; config/setup makes them.
package decision

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/exchange"
	"github.com/onestep-run/onestep/host/launch"
	"github.com/onestep-run/onestep/host/reach"
	"github.com/onestep-run/onestep/trace"
)

// limit is how long a decision point may take, unless it has its own limit.
const limit = 5 * time.Second

// Point is a decision point. Its zero value answers nothing.
type Point struct {
	Name    string        // in the trace
	Limit   time.Duration // 0 is 5 s
	OnError string        // gate.OutsideContinue, or anything else to refuse

	exchange func(ctx context.Context, document []byte) ([]byte, error)
}

// Command makes a point of a program, which starts in a directory. A program with a relative path
// is refused: the working directory may be a stranger's.
func (p Point) Command(words []string, dir string) (Point, error) {
	switch {
	case len(words) == 0:
		return Point{}, errors.New("there is no command")
	case filepath.Base(words[0]) != words[0] && !filepath.IsAbs(words[0]):
		return Point{}, errors.New("its program is neither an absolute path nor a name in PATH")
	}
	p.exchange = func(ctx context.Context, document []byte) ([]byte, error) {
		return exchange.Run(ctx, launch.Command{Path: words[0], Args: words[1:], Dir: dir}, document, gate.MaxOutside)
	}
	return p, nil
}

// Endpoint makes a point of an https address, or an http address of this machine.
func (p Point) Endpoint(address string) (Point, error) {
	e, err := exchange.NewEndpoint(address)
	if err != nil {
		return Point{}, err
	}
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && !reach.Local(u.Hostname()) {
		return Point{}, errors.New("it is neither an https:// address nor an http:// address of this machine")
	}
	p.exchange = func(ctx context.Context, document []byte) ([]byte, error) {
		return e.Exchange(ctx, document, gate.MaxOutside)
	}
	return p, nil
}

// Decide implements [host.DecisionPoint]. A late answer does not count.
//
// [host.DecisionPoint]: https://pkg.go.dev/github.com/onestep-run/onestep/host#DecisionPoint
func (p Point) Decide(ctx context.Context, record jsontext.Value) trace.OutsideBody {
	b := trace.OutsideBody{Point: p.Name}
	if p.OnError == gate.OutsideContinue {
		b.OnError = gate.OutsideContinue
	}
	within := cmp.Or(p.Limit, limit)
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	answer, err := p.ask(ctx, record)
	if ctx.Err() != nil {
		err = fmt.Errorf("it did not answer within %s", within)
	}
	if err == nil {
		err = gate.ReadOutside(answer, &b)
	}
	if err != nil { // it may quote the answer
		words, _ := secret.Redact(err.Error())
		b.Error = &trace.Error{Code: verdict.DecisionUnanswered, Reason: escape.Line(words, maxWords)}
	}
	return b
}

// maxWords bounds the recorded words of a failure, in bytes.
const maxWords = 500

func (p Point) ask(ctx context.Context, record jsontext.Value) ([]byte, error) {
	if p.exchange == nil {
		return nil, errors.New("it has no command and no address")
	}
	return p.exchange(ctx, record)
}
