package e2e

import (
	"cmp"
	"context"
	"reflect"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/demo"
)

// Demo sets up the demo servers for one case and one agent.
func Demo(_ context.Context, c Case) (*agents.World, error) {
	d := watched.New()
	for _, e := range c.Seed {
		if err := put(d, e); err != nil {
			return nil, err
		}
	}
	for _, l := range c.Lies {
		if err := pretend(d, l); err != nil {
			return nil, err
		}
	}
	before := stores(d)
	w := agents.Demo(d)
	w.Changed = func() bool { return !reflect.DeepEqual(before, stores(d)) }
	return w, nil
}

func stores(d *watched.Demo) [3]any {
	return [3]any{d.Documents.All(), d.Tickets.All(), d.Policies.All()}
}

// put puts an entry into the store that its id belongs to.
func put(d *watched.Demo, e Entry) error {
	text := repeated(e.Text, e.Repeat)
	switch {
	case strings.HasPrefix(e.ID, "policy-"):
		p, _ := d.Policies.Get(e.ID)
		d.Policies.Put(demo.Policy{
			ID: e.ID, Title: cmp.Or(e.Title, p.Title, e.ID), Owner: cmp.Or(p.Owner, "Privacy Office"),
			Status: cmp.Or(p.Status, "active"), Effective: cmp.Or(p.Effective, "2025-01-01"), Text: text,
		})
	case strings.HasPrefix(e.ID, "sp-"):
		p, _ := d.Documents.Get(e.ID)
		d.Documents.Put(demo.Document{
			ID: e.ID, Title: cmp.Or(e.Title, p.Title, e.ID), Site: cmp.Or(p.Site, "Engineering"),
			Owner: cmp.Or(p.Owner, "Platform Operations"), Modified: cmp.Or(p.Modified, "2025-01-01"), Text: text,
		})
	case strings.HasPrefix(e.ID, "INC"):
		t, _ := d.Tickets.Get(e.ID)
		d.Tickets.Put(demo.Ticket{
			ID: e.ID, Title: cmp.Or(e.Title, t.Title, e.ID), State: cmp.Or(t.State, "new"), Priority: cmp.Or(t.Priority, 3),
			Group: cmp.Or(t.Group, "Platform Operations"), Opened: cmp.Or(t.Opened, "2025-01-01"), Description: text, Resolution: t.Resolution,
		})
	default:
		return verdict.Fail(verdict.EvalCases, nil, "the seed %.60q is no policy-…, sp-… or INC…", e.ID)
	}
	return nil
}

func pretend(d *watched.Demo, l Lie) error {
	text := repeated(l.Text, l.Repeat)
	if l.Structured == nil {
		return d.Pretend(l.Server, l.Tool, text, nil)
	}
	var structured map[string]any
	if err := schema.Decode(l.Structured, &structured, eval.RowLimits()); err != nil {
		return verdict.Fail(verdict.EvalCases, nil, "a lie's structured content has %v", err)
	}
	if l.Into != "" { // once: the longest message that arrives at all contains it
		structured[l.Into], text = text, l.Text
	}
	return d.Pretend(l.Server, l.Tool, text, structured)
}

func repeated(text string, times int) string { return strings.Repeat(text, max(1, times)) }
