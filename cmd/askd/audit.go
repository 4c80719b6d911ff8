package main

import (
	"context"
	"iter"
	"strconv"
	"time"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	"github.com/onestep-run/onestep/host/org"
)

// filter selects entries of the audit. A member that is left out selects all.
type filter struct {
	Agent  string `json:"agent,omitempty"`
	Member string `json:"member,omitempty"`
	Action string `json:"action,omitempty"`
}

func (f filter) takes(e org.Event) bool {
	is := func(wanted, value string) bool { return wanted == "" || wanted == value }
	return is(f.Agent, e.Agent) && is(f.Member, e.Member) && is(f.Action, e.Action)
}

// health is the state of the service.
type health struct {
	Status  string    `json:"status"`
	Version string    `json:"version"`
	Since   time.Time `json:"since"`
	Waiting int       `json:"waiting" jsonschema:"calls that wait for a person"`
	Wide    []string  `json:"wide_agents" jsonschema:"agents whose mode allows tools that are approved later"`
}

func (s *service) audit() []rest.Operation {
	return []rest.Operation{
		rest.List(reads("GET /api/audit", "listAudit", "List the audit"), "events", s.listAudit),
		rest.Events(reads("GET /api/audit/events", "watchAudit", "Watch the audit"), s.watchAudit),
		rest.Do(reads("GET /api/health", "health", "Get the state of the service"), s.health),
	}
}

// maxScanned bounds the entries that one request reads for a filter.
const maxScanned = 10_000

func (s *service) listAudit(ctx context.Context, r *rest.Request, f filter) (rest.Page[org.Event], error) {
	after, err := sequence(r.After)
	if err != nil {
		return rest.Page[org.Event]{}, err
	}
	var found []org.Event
	for scanned := 0; scanned < maxScanned && len(found) <= r.Limit; {
		some, err := s.org.Events(ctx, after, 1000)
		if err != nil {
			return rest.Page[org.Event]{}, err
		}
		if len(some) == 0 {
			return rest.Cut(found, r.Limit, placeOf), nil
		}
		for _, e := range some {
			if f.takes(e) {
				found = append(found, e)
			}
		}
		scanned, after = scanned+len(some), some[len(some)-1].Seq
	}
	if len(found) > r.Limit {
		return rest.Cut(found, r.Limit, placeOf), nil
	}
	return rest.Page[org.Event]{Rows: found, Next: strconv.FormatInt(after, 10)}, nil
}

func placeOf(e org.Event) string { return strconv.FormatInt(e.Seq, 10) }

// sequence is the number that a list or a stream continues after.
func sequence(after string) (int64, error) {
	if after == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(after, 10, 64)
	if err != nil {
		return 0, rest.BadRequest.New("the place to continue at is not from an answer")
	}
	return n, nil
}

// pollAudit is how often the audit is read for those who watch it.
const pollAudit = 500 * time.Millisecond

// watchAudit sends the entries after a place as they are added, by any process.
func (s *service) watchAudit(ctx context.Context, r *rest.Request, f filter) (iter.Seq2[rest.Event[org.Event], error], error) {
	after, err := sequence(r.After)
	if err != nil {
		return nil, err
	}
	return func(yield func(rest.Event[org.Event], error) bool) {
		tick := time.NewTicker(pollAudit)
		defer tick.Stop()
		for {
			some, err := s.org.Events(ctx, after, 1000)
			if err != nil {
				yield(rest.Event[org.Event]{}, err)
				return
			}
			for _, e := range some {
				after = e.Seq
				if f.takes(e) && !yield(rest.Event[org.Event]{ID: placeOf(e), Data: e}, nil) {
					return
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}, nil
}

func (s *service) health(ctx context.Context, _ *rest.Request, _ none) (health, error) {
	all, err := s.hosts.Waits(ctx)
	if err != nil {
		return health{}, err
	}
	h := health{Status: "ok", Version: s.version, Since: s.began, Waiting: len(all), Wide: []string{}}
	for after := ""; ; {
		list, err := s.org.Agents(ctx, after, 1000)
		if err != nil || len(list) == 0 {
			return h, err
		}
		for _, a := range list {
			if a.Mode == org.All || a.Mode == org.Denylist {
				h.Wide = append(h.Wide, a.Name)
			}
		}
		after = list[len(list)-1].Name
	}
}
