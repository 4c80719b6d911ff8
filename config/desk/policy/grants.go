package policy

import (
	"cmp"
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// Grant is a grant, and whether it is valid.
type Grant struct {
	store.Granted
	State string `json:"state"` // valid, or why it no longer answers a call
}

// stands is the state of a grant that may answer a call.
const stands = "stands"

// Stands reports whether the grant may answer a call.
func (g Grant) Stands() bool { return g.State == stands }

// Grants lists every grant, the newest first.
func (d Desk) Grants(ctx context.Context) ([]Grant, error) {
	return desk.FromState(d.Desk, func(s *store.Store) ([]Grant, error) {
		rows, err := s.Grants(ctx)
		if err != nil {
			return nil, err
		}
		marks, err := s.Marks(ctx)
		all := make([]Grant, len(rows))
		for i, g := range rows {
			all[i] = Grant{g, d.stateOf(g, marks)}
		}
		return all, err
	})
}

func (d Desk) stateOf(g store.Granted, marks []grant.Mark) string {
	ended := slices.ContainsFunc(marks, func(m grant.Mark) bool { return m.Conversation == g.Conversation && m.Name == grant.Ended })
	switch {
	case !g.Revoked.IsZero():
		return "revoked by " + g.RevokedBy
	case ended:
		return "its conversation has ended"
	case !d.Now().Before(g.Until):
		return "it has expired"
	}
	return stands
}

// GrantOf returns one grant.
func (d Desk) GrantOf(ctx context.Context, id string) (Grant, error) {
	all, err := d.Grants(ctx)
	for _, g := range all {
		if g.ID == id {
			return g, err
		}
	}
	return Grant{}, cmp.Or(err, missing("there is no grant %.80q", "`ask grants list --all` shows all grants", id))
}

func missing(format, hint string, args ...any) error {
	return verdict.Fail(verdict.StateMissing, nil, format, args...).WithHint(hint)
}

// ExplainGrant returns one grant, and compares its tool with the currently approved one. It
// asks no server.
func ExplainGrant(ctx context.Context, s servers.Servers, id string) (Grant, error) {
	g, err := At(s.Desk).GrantOf(ctx, id)
	if err != nil || !g.Stands() {
		return g, err
	}
	err = approved(ctx, s, func(c catalog.Catalog) error {
		if t, none := c.Tool(g.Server, g.Tool); none != nil || t.Digest().String() != g.Pin {
			g.State = "the tool is missing or has changed since the grant was given"
		}
		return nil
	})
	return g, err
}

// Revoke ends a grant for good.
func (d Desk) Revoke(ctx context.Context, id string) (Grant, error) {
	_, err := desk.FromState(d.Desk, func(s *store.Store) (bool, error) { return true, s.Revoke(ctx, id, d.By) })
	if err != nil {
		return Grant{}, err
	}
	return d.GrantOf(ctx, id)
}

// Conversation is the stored data about a conversation: its labels, and its number of valid
// grants.
type Conversation struct {
	ID     string    `json:"id"`
	Labels []string  `json:"labels"`
	Grants int       `json:"grants"` // valid ones
	Ended  bool      `json:"ended"`
	Last   time.Time `json:"last"` // the time of the last grant or label
}

// Conversations lists the conversations with a label or a grant, the newest first.
func (d Desk) Conversations(ctx context.Context) ([]Conversation, error) {
	grants, err := d.Grants(ctx)
	if err != nil {
		return nil, err
	}
	marks, err := desk.FromState(d.Desk, func(s *store.Store) ([]grant.Mark, error) { return s.Marks(ctx) })
	if err != nil {
		return nil, err
	}
	known := map[string]*Conversation{}
	of := func(id string, at time.Time) *Conversation {
		if known[id] == nil {
			known[id] = &Conversation{ID: id, Labels: []string{}}
		}
		if c := known[id]; at.After(c.Last) {
			c.Last = at
		}
		return known[id]
	}
	for _, m := range marks {
		if c := of(m.Conversation, m.At); m.Name == grant.Ended {
			c.Ended = true
		} else {
			c.Labels = append(c.Labels, m.Name)
		}
	}
	for _, g := range grants {
		if c := of(g.Conversation, g.Created); g.Stands() {
			c.Grants++
		}
	}
	all := []Conversation{}
	for _, c := range known {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Conversation) int { return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

// EndConversations ends one conversation by its id. With "" it ends all that had no grant or
// label for an age. It returns their ids.
func (d Desk) EndConversations(ctx context.Context, id string, age time.Duration) ([]string, error) {
	all, err := d.Conversations(ctx)
	if err != nil {
		return nil, err
	}
	ended := []string{}
	for _, c := range all {
		old := !c.Ended && c.Last.Before(d.Now().Add(-age))
		if c.ID == id || id == "" && old {
			ended = append(ended, c.ID)
		}
	}
	if id != "" && len(ended) == 0 {
		return nil, missing("nothing was granted or labelled in a conversation %.80q", "`ask conversations list` shows those that are known", id)
	}
	_, err = desk.FromState(d.Desk, func(s *store.Store) (bool, error) { return true, s.End(ctx, ended) })
	return ended, err
}

// ScanResult is the result of the built-in rules for a text.
type ScanResult struct {
	Redactions []secret.Redaction `json:"redactions"`
	Report     scan.Report        `json:"report"`
}

// Scan redacts and scans the text of a file like a server's answer. With the kind description
// it treats the text like a server's description of itself. A JSON object counts as a whole
// answer of a tool, anything else as the text of one.
func (d Desk) Scan(file, text, server, kind string) (ScanResult, error) {
	policy, err := setup.Policy(d.Settings)
	if err != nil {
		return ScanResult{}, err
	}
	answer, err := answerOf(file, text)
	if err != nil {
		return ScanResult{}, err
	}
	answer, redactions, err := secret.RedactJSON(answer)
	if err != nil {
		return ScanResult{}, err
	}
	parts := gate.New(gate.Options{}).Parts(gate.RawResult{Body: answer})
	if kind != "text" {
		for i := range parts {
			parts[i].Kind = kind
		}
	}
	return ScanResult{append([]secret.Redaction{}, redactions...), policy.Guard.Scan(server, parts)}, nil
}

// answerOf is a server's answer with the text of a file. It is the file itself if that is a
// JSON object, and otherwise an answer with that text.
func answerOf(file, text string) ([]byte, error) {
	if !utf8.ValidString(text) {
		return nil, verdict.Fail(verdict.UsageArgument, nil, "%s is not UTF-8, as an answer has to be", escape.Line(file, 2<<10))
	}
	if jsontext.Value(text).Kind() == '{' && schema.Check([]byte(text), schema.ResultLimits) == nil {
		return []byte(text), nil
	}
	block := map[string]string{"type": "text", "text": text}
	return json.Marshal(map[string]any{"content": []any{block}}, json.Deterministic(true))
}
