package mutate

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
)

// Catch is a failed test and its first message.
type Catch struct {
	Package string `json:"package"` // from the module's root
	Test    string `json:"test"`    // "" if the package failed outside of a test
	Says    string `json:"says"`
}

// timeLimit bounds the tests of one room. A mutant that takes longer was not caught,
// because a slow machine looks the same.
const timeLimit = 4 * time.Minute

// gotest runs the tests of a room and returns the first failure, or nil. It ends
// there, because parallel tests might wait for something that never comes.
func gotest(interrupted context.Context, root, temp string, args []string, room string) (*Catch, error) {
	ctx, stop := context.WithCancel(interrupted)
	defer stop()
	args = append([]string{"test", "-json", "-vet=off", "-timeout=" + timeLimit.String()}, args...)
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+room)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "TMPDIR="+temp) // a stopped test does not clean up
	endTogether(cmd)
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	caught, broken := read(stdout)
	if caught != nil || broken != nil {
		stop()
	}
	err = cmd.Wait()
	switch {
	case interrupted.Err() != nil:
		return nil, interrupted.Err()
	case broken != nil:
		return nil, broken
	case caught == nil && err != nil:
		return nil, fmt.Errorf("go test: %w: %s", err, escape.Line(stderr.String(), maxSays))
	}
	return caught, nil
}

// event is a line of `go test -json`; see `go doc test2json`.
type event struct {
	Action, Package, Test, Output string
}

var eventLimits = schema.Limits{Bytes: 16 << 20, Depth: 4, Values: 1_000, Exponent: 20, Digits: 40}

// read finds the first failure among the events of go test. A failed build and a test
// that runs out of time are errors.
func read(events io.Reader) (*Catch, error) {
	said := map[string][]string{} // by package and test
	built := ""
	in := bufio.NewReader(events)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 {
			return nil, ignoreEnd(err)
		}
		var e event
		if err := schema.DecodeOpen(line, &e, eventLimits); err != nil {
			return nil, fmt.Errorf("a line of go test has %w", err)
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "output":
			said[key] = append(said[key], e.Output)
		case "build-output":
			if built == "" && !strings.HasPrefix(e.Output, "#") {
				built = strings.TrimSpace(e.Output)
			}
		case "build-fail":
			return nil, fmt.Errorf("it does not compile: %s", escape.Line(built, maxSays))
		case "fail":
			return failure(e, said[key])
		}
	}
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// module is the beginning of package names.
const module = "github.com/onestep-run/onestep"

func failure(e event, output []string) (*Catch, error) {
	text := strings.Join(output, "")
	if strings.Contains(text, "panic: test timed out") {
		return nil, fmt.Errorf("its tests take longer than %s", timeLimit)
	}
	room := strings.TrimPrefix(strings.TrimPrefix(e.Package, module), "/")
	return &Catch{Package: room, Test: e.Test, Says: says(text)}, nil
}

// maxSays bounds the quotation of a test's output, in bytes.
const maxSays = 240

// complaints are the lines in which a test reports a failure. A script reports it in
// the middle of t.Log's output; t.Error, a panic and the runtime have their own forms.
var complaints = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^\s*FAIL: (.+)$`),
	regexp.MustCompile(`(?m)^\s*\w+\.go:\d+: (.+)$`),
	regexp.MustCompile(`(?m)^((?:panic|fatal error): .+)$`),
}

// says returns the first such line.
func says(output string) string {
	for _, c := range complaints {
		if m := c.FindStringSubmatch(output); m != nil {
			return escape.Line(strings.TrimSpace(m[1]), maxSays)
		}
	}
	return ""
}
