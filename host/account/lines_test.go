package account_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

// The lines of a trace in the form that may be shown.
func told(events []trace.Event) string {
	var all strings.Builder
	for _, e := range account.Lines(events) {
		all.Write(e.Body)
	}
	return all.String()
}

// without are the events but those.
func without(events []trace.Event, which func(trace.Event) bool) []trace.Event {
	return slices.DeleteFunc(slices.Clone(events), which)
}

func TestLinesHoldNoAnswerThatNoGuardLetPass(t *testing.T) {
	t.Parallel()
	run := fresh(t, "Get ticket INC0010001").Events
	const answer = "VPN disconnects"
	onGuard := func(e trace.Event) bool {
		return e.Kind == trace.Verdict && strings.Contains(string(e.Body), `"gate":"guard"`)
	}
	for name, c := range map[string]struct {
		events []trace.Event
		shown  bool
	}{
		"a whole run":             {run, true},
		"killed before the guard": {without(run, func(e trace.Event) bool { return e.Kind == trace.Guard || onGuard(e) }), false},
		"without its verdict":     {without(run, onGuard), false},
		"of no format":            {without(run, func(e trace.Event) bool { return e.Kind == trace.Begin || onGuard(e) }), false},
		"withheld": {each(run, func(e trace.Event) string {
			if onGuard(e) {
				return strings.Replace(string(e.Body), `"allow"`, `"deny"`, 1)
			}
			return string(e.Body)
		}), false},
	} {
		said := told(c.events)
		if got := strings.Contains(said, answer) || strings.Contains(said, `"raw":{`); got != c.shown || strings.Contains(said, `"withheld"`) == c.shown {
			t.Errorf("%s: %s", name, said)
		}
	}
}

// each are the events with other bodies.
func each(events []trace.Event, body func(trace.Event) string) []trace.Event {
	all := slices.Clone(events)
	for i, e := range all {
		all[i].Body = jsontext.Value(body(e))
	}
	return all
}

// A record keeps what a user or a server wrote, and what people are shown of it
// masks secrets.
func TestAnAccountMasksSecrets(t *testing.T) {
	t.Parallel()
	const key = "ghp_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"
	run := fresh(t, "Get ticket INC0010001")
	run.Events = each(run.Events, func(e trace.Event) string {
		return strings.ReplaceAll(string(e.Body), "Get ticket", "Get "+key+" ticket")
	})
	lines := account.Lines(run.Events)
	if said := told(run.Events); strings.Contains(said, key) || !strings.Contains(said, "[redacted:github-token]") || lines[0].Hash != run.Events[0].Hash {
		t.Errorf("the lines are %s", said)
	}
	sections := account.Of(t.Context(), run, replay.Options{Types: demo.Types()})
	page := account.HTML("a run", []account.Run{{Row: account.RowOf(run.Events), Sections: sections}})
	for what, said := range map[string]string{"text": account.Text(sections, account.MaxText), "page": string(page)} {
		if strings.Contains(said, key[4:]) || !strings.Contains(said, "[redacted:") {
			t.Errorf("the %s: %s", what, said)
		}
	}
}
