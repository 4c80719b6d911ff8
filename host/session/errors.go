package session

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/launch"
	"github.com/onestep-run/onestep/trace"
)

const (
	maxQuote = 300     // bytes quoted from one message of a server
	maxTail  = 1 << 10 // bytes quoted from its stderr
)

// overtime is the cause of a context that reached one of our own limits.
type overtime struct {
	limit   time.Duration
	setting string // the limit's setting for all servers
	own     string // the limit's setting for one server
}

// The settings of the limits, as the configuration spells them.
const (
	settingStart = "start_timeout"
	settingCall  = "call_timeout"
	settingRun   = "timeout"

	settingMessage = "max_message"
)

func (o overtime) Error() string { return fmt.Sprintf("no answer within %s", o.limit) }

func within(ctx context.Context, o overtime) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, o.limit, o)
}

func (c *conn) patience() overtime { return overtime{c.limits.CallTimeout, settingCall, settingCall} }

func (o overtime) raise(server string) string {
	if o.own == o.setting {
		return fmt.Sprintf("raise %s in config.toml, or for this server alone under [server.%s]", o.setting, server)
	}
	return fmt.Sprintf("raise %s in config.toml, or %s for this server alone under [server.%s]", o.setting, o.own, server)
}

const raiseRun = "raise " + settingRun + " in config.toml, or give --timeout"

// explain gives an error from before any call left its code and its words. The
// connection's own record is better than the SDK's error, and the context better than
// both. ended is the code for a process that ended.
func (c *conn) explain(ctx context.Context, during string, ended verdict.Code, err error) *verdict.Fault {
	var limit overtime
	var r *refusal
	cause, trouble := context.Cause(ctx), c.wire.trouble.Load()
	switch {
	case errors.Is(ctx.Err(), context.Canceled) && !errors.As(cause, &limit) || c.closing.Load():
		return c.fault(verdict.CallInterrupted, cause, "the run was interrupted during %s", during)
	case errors.As(err, &r):
		return c.refused(r, r.code(), during)
	case trouble != nil && errors.As(trouble.Cause, &r):
		return c.refused(r, r.code(), "a request during "+during)
	case trouble != nil:
		f := c.fault(trouble.Code, trouble.Cause, "%s", c.quote(trouble.Reason))
		f.Hint = cmp.Or(trouble.Hint, f.Hint)
		return f
	case errors.As(cause, &limit):
		return c.fault(verdict.ServerTimeout, cause, "%s took longer than %s (%s)", during, limit.limit, limit.setting).WithHint(limit.raise(c.server.Name))
	case ctx.Err() != nil:
		return c.fault(verdict.RunTimeout, cause, "the time for the run (%s) ended during %s", settingRun, during).WithHint(raiseRun)
	case gone(err) && c.processEnded():
		return c.fault(ended, err, "its process ended during %s (%s)", during, c.process.Status())
	case gone(err):
		return c.fault(verdict.ServerClosed, err, "the connection ended before %s was answered", during)
	}
	return c.fault(verdict.ServerProtocol, err, "%s failed: %s", during, c.quote(err.Error()))
}

var errClosed = errors.New("the connection has ended")

// gone reports whether the other end has ended without another error.
func gone(err error) bool {
	ends := []error{
		io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, os.ErrClosed, os.ErrDeadlineExceeded, syscall.EPIPE, mcp.ErrConnectionClosed, errClosed,
	}
	return slices.ContainsFunc(ends, func(end error) bool { return errors.Is(err, end) })
}

// fault names the server. It adds the end of the server's stderr, and the stray lines on
// its stdout. Configured secrets are redacted.
func (c *conn) fault(code verdict.Code, cause error, format string, args ...any) *verdict.Fault {
	reason := c.secrets().Redact(fmt.Sprintf(format, args...))
	if c.process != nil && code != verdict.CallInterrupted {
		if tail := c.process.Tail(maxTail); tail != "" {
			reason += "; its stderr ends: " + tail
		}
		if much, first := c.strays.said(c.secrets()); much != "" {
			reason += "; " + much + ": " + strings.Join(first[:min(len(first), 1)], "")
		}
	}
	return verdict.Fail(code, cause, "server %s: %s", c.server.Name, reason).WithHint(c.advice(code, cause))
}

// launchers says where to get the programs that start most servers.
var launchers = map[string]string{
	"uvx": "uv: https://docs.astral.sh/uv", "uv": "uv: https://docs.astral.sh/uv",
	"npx": "Node.js: https://nodejs.org", "npm": "Node.js: https://nodejs.org", "node": "Node.js: https://nodejs.org",
	"docker": "Docker: https://docs.docker.com/engine/install",
}

func notInstalled(command string) string {
	if from, known := launchers[command]; known {
		return command + " is not on the PATH; it comes with " + from
	}
	return escape.Line(command, 128) + " is not on the PATH: install it, or write its whole path into the servers file"
}

func (c *conn) aboutProxy() string {
	return fmt.Sprintf("check the proxy under [server.%s] in config.toml, and the user and password in its address", c.server.Name)
}

// advice is what the operator can do, if that depends on how the server is reached.
func (c *conn) advice(code verdict.Code, cause error) string {
	switch _, unknown := errors.AsType[x509.UnknownAuthorityError](cause); {
	case unknown:
		return fmt.Sprintf("if its certificate is from your own authority, name the authority's file: ca_file under [server.%s] in config.toml", c.server.Name)
	case errors.Is(cause, errProxy):
		return c.aboutProxy()
	case errors.Is(cause, errTooLarge) && c.limits.MaxMessage >= trace.MaxResult:
		return "ask for less: " + settingMessage + " is at its most"
	case errors.Is(cause, errTooLarge):
		return "ask for less, or raise " + settingMessage + " in config.toml"
	case c.server.Unread != "" && slices.Contains(startCodes, code):
		return c.secrets().Redact(c.server.Unread)
	case errors.Is(cause, exec.ErrNotFound):
		return notInstalled(c.server.Command)
	case slices.Contains(startCodes, code) && c.refusedAttempts() != "":
		return c.refusedAttempts()
	case c.process != nil && slices.Contains(startCodes, code):
		return c.unpassed()
	case code != verdict.ServerProtocol || c.process != nil:
		return ""
	case c.carrier != nil:
		return fmt.Sprintf("check that the url of server %s is that of its MCP endpoint, and the type: http, or sse for an older server", c.server.Name)
	}
	return "check the server's version"
}

// startCodes are the codes of a server that does not start, or ends at once.
var startCodes = []verdict.Code{verdict.ServerStart, verdict.ServerClosed}

// unpassed is advice for a command that works by hand and not here. It names the
// variables that are set and that the server does not get. Variables that the server's
// own stderr names come first, and replace the advice to run the command by hand.
func (c *conn) unpassed() string {
	set := launch.Unpassed(c.server.Env)
	tail := c.process.Tail(maxTail)
	var named, passed, others []string
	for _, name := range set {
		if !mentions(tail, name) {
			others = append(others, name)
			continue
		}
		named, passed = append(named, name), append(passed, strconv.Quote(name)+`: "${`+name+`}"`)
	}
	if len(named) > 0 {
		return `a server sees PATH, HOME, LANG and its env alone, and not ` + launch.Some(append(named, others...)) +
			`, set here: write "env": {` + strings.Join(passed, ", ") + `} in its entry`
	}
	advice := ""
	if c.server.Shown != "" {
		advice = "run its command by hand, as it is started here, and read its output: " + c.bare() + c.secrets().Redact(c.server.Shown)
	}
	if len(set) == 0 {
		return advice
	}
	return advice + "; it sees PATH, HOME, LANG and its env alone, and not " + launch.Some(set) +
		`, set here: "env": {"NAME": "${NAME}"} in its entry passes one on`
}

// bare begins a command line that gives its program the same variables as a server gets.
func (c *conn) bare() string {
	line := "env -i"
	for _, name := range append([]string{"PATH", "HOME", "LANG"}, slices.Sorted(maps.Keys(c.server.Env))...) {
		line += " " + name + `="$` + name + `"`
	}
	return line + " "
}

// mentions reports whether a text has a name as a word.
func mentions(text, name string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !escape.Name(string(r)) || r == '.' || r == '-' })
	return slices.Contains(words, name)
}

// quote shortens a server's words and redacts its secrets.
func (c *conn) quote(s string) string { return c.secrets().Quote(s, maxQuote) }

// exitTime bounds the wait for a process to end, once its stdout has closed.
const exitTime = 3 * time.Second

func (c *conn) processEnded() bool {
	if c.process == nil {
		return false
	}
	t := time.NewTimer(exitTime)
	defer t.Stop()
	select {
	case <-c.process.Done():
	case <-t.C:
		return false
	}
	select {
	case <-c.stdout:
	case <-t.C:
	}
	return true
}

// fail records the connection's first error. Through the SDK it would lose its cause.
func (w *wire) fail(code verdict.Code, cause error, format string, args ...any) *verdict.Fault {
	f := verdict.Fail(code, cause, format, args...)
	w.trouble.CompareAndSwap(nil, f)
	return f
}
