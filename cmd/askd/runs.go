package main

import (
	"bytes"
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	orgs "github.com/onestep-run/onestep/config/org"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/trace"
)

// asked is a member's question to an agent's servers, or a call that the member writes out.
type asked struct {
	Question  string         `json:"question,omitempty"`
	Server    string         `json:"server,omitempty" jsonschema:"of a call that is written out"`
	Tool      string         `json:"tool,omitempty"`
	Arguments jsontext.Value `json:"arguments,omitempty"`
	DryRun    bool           `json:"dry_run,omitempty" jsonschema:"stop before the call"`
	Hold      int            `json:"hold_seconds,omitempty" jsonschema:"wait so long for an approval"`
}

// run is a run as its trace has it.
type run struct {
	Run      string `json:"run_id"`
	Complete bool   `json:"complete"`
	Lines    []line `json:"lines"`
	Trace    string `json:"trace" jsonschema:"the trace as a file, for ask trace verify"`
	Digest   string `json:"trace_digest"`
	Left     string `json:"outcome,omitempty" jsonschema:"call.outcome_unknown if a call may have left without a result"`
}

type line struct {
	Seq  int            `json:"seq"`
	Time time.Time      `json:"time"`
	Kind string         `json:"kind"`
	Body jsontext.Value `json:"body"`
}

type verified struct {
	Intact bool     `json:"intact" jsonschema:"the chain holds, and has the digest"`
	Digest string   `json:"trace_digest"`
	Error  *problem `json:"error,omitempty"`
}

type replayed struct {
	Complete    bool     `json:"complete"`
	Differences []string `json:"differences" jsonschema:"gates whose verdict is another one now"`
	Outcome     string   `json:"outcome" jsonschema:"the type of the outcome of the replay"`
}

func (s *service) runs() []rest.Operation {
	return []rest.Operation{
		rest.Do(operation("POST /api/agents/{agent}/runs", "ask", "Ask a question of an agent's servers", org.Decides, 0), s.ask),
		rest.Do(reads("GET /api/runs/{run}", "getRun", "Get a run with its trace"), func(ctx context.Context, r *rest.Request, _ none) (run, error) {
			return s.run(ctx, r.PathValue("run"))
		}),
		rest.Do(operation("POST /api/runs/{run}/verify", "verifyRun", "Check the chain of a run's trace", org.Reads, 0), s.verify),
		rest.Do(operation("POST /api/runs/{run}/replay", "replayRun", "Compute the verdicts of a run again", org.Reads, 0), s.replay),
	}
}

// ask answers a member's question. The member does not approve its call.
func (s *service) ask(ctx context.Context, r *rest.Request, in asked) (outcome, error) {
	q := host.Question{Text: in.Question, Subject: orgs.OfMember(r.Caller.Name, r.PathValue("agent")), DryRun: in.DryRun}
	switch written := in.Tool != ""; {
	case written == (in.Question != ""):
		return outcome{}, rest.BadRequest.New("a run has a question, or a server, a tool and arguments")
	case written:
		if in.Arguments == nil {
			in.Arguments = jsontext.Value(`{}`)
		}
		q.Plan = plan.Call(in.Server, in.Tool, in.Arguments)
	}
	if hold := time.Duration(in.Hold) * time.Second; hold > 0 {
		q.Hold = &inbox.Hold{For: min(hold, s.hosts.Hold)}
	}
	out, err := s.hosts.Ask(ctx, r.PathValue("agent"), org.Caller{Token: r.Caller.Token, Scope: org.Decides}, q)
	if err != nil {
		return outcome{}, err
	}
	return outcomeOf(out), nil
}

func (s *service) run(ctx context.Context, id string) (run, error) {
	record, err := runs.Rows{State: s.org.State}.Read(ctx, id)
	if err != nil {
		return run{}, err
	}
	lines, err := s.org.State.Lines(ctx, id)
	if err != nil {
		return run{}, err
	}
	var file bytes.Buffer
	is := run{Run: id, Lines: []line{}, Left: string(record.Left())}
	digest, err := trace.Export(&file, bytes.NewReader(lines), record.Objects)
	is.Complete = err == nil
	is.Digest, is.Trace = digest.Digest(), file.String()
	for _, e := range record.Events {
		is.Lines = append(is.Lines, line{e.Seq, e.Time, string(e.Kind), e.Body})
	}
	return is, nil
}

func (s *service) verify(ctx context.Context, r *rest.Request, in struct {
	Digest string `json:"trace_digest,omitempty" jsonschema:"that the run's answer had"`
},
) (verified, error) {
	is, err := s.run(ctx, r.PathValue("run"))
	if err != nil {
		return verified{Error: problemOf(err)}, nil // it is the result
	}
	return verified{Intact: is.Complete && (in.Digest == "" || in.Digest == is.Digest), Digest: is.Digest}, nil
}

func (s *service) replay(ctx context.Context, r *rest.Request, _ none) (replayed, error) {
	record, err := runs.Rows{State: s.org.State}.Read(ctx, r.PathValue("run"))
	if err != nil {
		return replayed{}, err
	}
	report, err := replay.Run(ctx, record.Events, replay.Options{Version: s.version, Objects: record.Objects})
	if err != nil {
		return replayed{}, err
	}
	is := replayed{Complete: report.Complete, Differences: []string{}, Outcome: report.Outcome.Type.String()}
	for _, d := range report.Differences {
		is.Differences = append(is.Differences, d.Gate)
	}
	return is, nil
}
