package main

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/learn"
	hostruns "github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/session"
)

// learnFlags select the requests to a server while it is watched.
type learnFlags struct {
	reading, calls, env, effective []string
	typed                          []string
	from                           string
	yes                            bool
}

// effects maps words to permissions for attempts that take effect in the next round. Reading
// files always takes effect.
var effects = map[string]confine.Permission{
	"write": confine.FilesWrite, "delete": confine.FilesDelete, "connect": confine.NetworkClient, "listen": confine.NetworkServer, "start": confine.Exec,
}

func (a *app) learnManifest(cmd *cobra.Command) action {
	var f learnFlags
	s := cmd.Flags()
	s.StringArrayVar(&f.reading, "reading", nil, "a `CALL` that only reads: a tool's name, and its arguments as a JSON object")
	s.StringArrayVar(&f.calls, "call", nil, "a `CALL` that may change something: made once, after your approval")
	s.StringArrayVar(&f.env, "env", nil, "a variable for the server: NAME passes your own on, NAME=`VALUE` sets it")
	s.StringArrayVar(&f.effective, "grant", nil, "also grant attempts of this `KIND` from one round to the next: connect, listen, start, write or delete")
	s.StringArrayVar(&f.typed, "allow", nil, "an attempt at the `PATH` may become a scope although secrets are there, or what runs later")
	s.StringVar(&f.from, "from", "", "begin with the grants of the `MANIFEST`")
	s.BoolVarP(&f.yes, "yes", "y", false, "approve the calls of --call as you wrote them")
	return func(ctx context.Context, args []string) error { return a.learn(ctx, args, s.ArgsLenAtDash() < 0, f) }
}

// learn watches a command, or a server if the only argument is its name.
func (a *app) learn(ctx context.Context, args []string, named bool, f learnFlags) error {
	if len(args) == 0 {
		return cli.Usage(verdict.UsageArgument, "learn takes a SERVER, or -- and the COMMAND of a server")
	}
	o, err := a.learnOptions(ctx, args, f)
	if err == nil && named && len(args) == 1 {
		o, err = a.learnServer(o, args[0])
	}
	if err != nil {
		return err
	}
	r, err := learn.Learn(ctx, o)
	if a.JSON {
		return a.Report(cli.Object{"manifest", r.Manifest, "attempts", r.Attempts, "withheld", r.Withheld, "needless", r.Needless, "answers", r.Answers, "rounds", r.Rounds, "proof", r.Proof}, err, nil)
	}
	for _, one := range r.Attempts {
		a.Say("%s", one)
	}
	for _, one := range r.Withheld {
		a.Say("not in the manifest: %s %s (%s)", one.Action, escape.Line(one.Resource, cli.MaxLine), escape.Line(one.Why, 2*cli.MaxLine))
	}
	for _, one := range r.Needless {
		a.Say("not in the manifest: %s %s (the calls work as well without it)", one.Action, escape.Line(one.Resource, cli.MaxLine))
	}
	for _, one := range r.Answers {
		if one.Code != "" {
			a.Say("call %s: %s", escape.Line(one.Tool, cli.MaxLine), one.Code)
		}
	}
	if err != nil {
		return err
	}
	a.sayProof(r.Proof)
	return a.printManifest(r.Manifest)
}

// sayProof prints what the last run, under the manifest, showed and did not show.
func (a *app) sayProof(p learn.Proof) {
	answered := 0
	for _, one := range p.Answers {
		if one.Code == "" {
			answered++
			continue
		}
		a.Say("under the manifest: %s: %s", escape.Line(one.Tool, cli.MaxLine), one.Code)
	}
	a.Say("under the manifest: the server started, and %d of %d reading calls were answered", answered, len(p.Answers))
	for _, one := range p.Refused {
		a.Say("under the manifest: %s", strings.TrimSpace(one.String()))
	}
	for _, one := range p.Untried {
		a.Say("not tried under the manifest: %s (%s)", escape.Line(one.Name, cli.MaxLine), escape.Line(one.Why, cli.MaxLine))
	}
}

func (a *app) learnOptions(ctx context.Context, args []string, f learnFlags) (o learn.Options, err error) {
	d, err := a.desk()
	if err != nil {
		return o, err
	}
	if o.Policy, err = setup.Policy(d.Settings); err != nil {
		return o, err
	}
	if o.Approver, err = runs.At(d).Approver(f.yes, a.person(nil)); err != nil {
		return o, err
	}
	for i, text := range slices.Concat(f.reading, f.calls) {
		call, err := parseCall(text)
		if err != nil {
			return o, err
		}
		call.Reading = i < len(f.reading)
		o.Calls = append(o.Calls, call)
	}
	o.Effective = []confine.Permission{confine.FilesRead}
	for _, word := range f.effective {
		p, known := effects[word]
		if !known {
			return o, cli.Usage(verdict.UsageFlag, "--grant takes one of %s, not %.80q", strings.Join(slices.Sorted(maps.Keys(effects)), ", "), word)
		}
		o.Effective = append(o.Effective, p)
	}
	if o.Env, err = handedOn(f.env); err != nil {
		return o, err
	}
	if f.from != "" {
		if o.From, err = a.manifest(ctx, f.from); err != nil {
			return o, err
		}
	}
	o.Typed, o.Waits = f.typed, a.Waits
	s := d.Settings
	o.Program = confine.Program{Path: args[0], Args: absolute(args[1:], ""), Own: s.Own(a.Env)}
	o.Limits = session.Limits{StartTimeout: s.StartTimeout.V, ConnectTimeout: s.Connect.V, CallTimeout: s.Call.V, CallLimit: s.CallLimit.V, CloseGrace: s.CloseGrace.V, MaxMessage: s.MaxMessage.V}
	o.Traces = hostruns.Remember(hostruns.Dir(s.TraceDir.V))
	return o, nil
}

// learnServer sets up the learning of a server of the servers file. Without such a server the
// name is a command's.
func (a *app) learnServer(o learn.Options, name string) (learn.Options, error) {
	d, err := a.desk()
	if err != nil {
		return o, err
	}
	server, err := servers.At(d).Resolved(name)
	if code := verdict.CodeOf(err); code == verdict.UsageArgument || code == verdict.ConfigMissing {
		if _, no := exec.LookPath(name); no == nil {
			return o, nil
		}
	}
	if err != nil {
		return o, err
	}
	o.Name, o.Program.Path, o.Program.Args = name, server.Command, absolute(server.Args, server.Dir)
	if server.Tree != "" {
		o.Program.Tree = []string{server.Tree}
	}
	given := o.Env
	o.Env = maps.Clone(server.Env)
	if o.Env == nil {
		o.Env = map[string]string{}
	}
	maps.Copy(o.Env, given)
	if s := server.Sandbox; o.From.Description == "" && s.Confines() {
		o.From = s.Manifest
		o.From.Scopes = &s.Scopes
	}
	return o, nil
}

// parseCall reads a tool's name and the arguments after it.
func parseCall(text string) (learn.Call, error) {
	tool, arguments, _ := strings.Cut(strings.TrimSpace(text), " ")
	c := learn.Call{Tool: tool, Arguments: jsontext.Value(strings.TrimSpace(arguments))}
	if len(c.Arguments) == 0 {
		c.Arguments = jsontext.Value("{}")
	}
	if !escape.Name(tool) || c.Arguments.Kind() != '{' || !c.Arguments.IsValid() {
		return c, cli.Usage(verdict.UsageFlag, "%.80q is not a tool's name with a JSON object after it", text)
	}
	return c, nil
}

// handedOn gives variables the given values, or this program's own.
func handedOn(given []string) (map[string]string, error) {
	env := map[string]string{}
	for _, g := range given {
		name, value, split := strings.Cut(g, "=")
		if !split {
			value, split = os.LookupEnv(name)
		}
		if name == "" || !split {
			return nil, cli.Usage(verdict.UsageFlag, "--env %.80q is not set here, and has no value", name)
		}
		env[name] = value
	}
	return env, nil
}

// absolute makes arguments that name files in a directory, or in the working directory,
// absolute paths.
func absolute(args []string, dir string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "" || strings.HasPrefix(arg, "-") || filepath.IsAbs(arg) {
			continue
		}
		arg = filepath.Join(dir, arg)
		if _, err := os.Stat(arg); err == nil {
			if path, err := filepath.Abs(arg); err == nil {
				args[i] = path
			}
		}
	}
	return args
}
