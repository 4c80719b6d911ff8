package host_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/summarize"
)

// cellar is a quarantine in memory.
type cellar struct{ all []host.Withheld }

func (k *cellar) Keep(_ context.Context, w host.Withheld) error {
	k.all = append(k.all, w)
	return nil
}

// hidden is text that is not seen: a hard finding of the built-in rules.
const hidden = "fine \U000E0041\U000E0042 fine"

func TestNothingOfAWithheldResultIsShown(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]string{
		"text":           text("Marzipan is " + hidden),
		"structure":      `{"content":[],"structuredContent":{"Marzipan":"` + hidden + `"}}`,
		"a name":         `{"content":[],"structuredContent":{"Marzipan ` + hidden + `":1}}`,
		"resource":       `{"content":[{"type":"text","text":"Marzipan"},{"type":"resource","resource":{"uri":"a:b","text":"` + hidden + `"}}]}`,
		"an error":       `{"isError":true,"content":[{"type":"text","text":"Marzipan ` + hidden + `"}]}`,
		"a second block": `{"content":[{"type":"text","text":"Marzipan"},{"type":"text","text":"` + hidden + `"}]}`,
		"of no use":      `{"content":[{"type":"text","text":"Marzipan"}],"_meta":{"x":"` + hidden + `"}}`,
	} {
		b, q := answering(t, asText, result), &cellar{}
		b.config.Quarantine, b.config.Writer = q, silentWriter{t}
		out := b.ask(t, "Summarize who I am there")
		if out.Type != host.Blocked || out.Exit() != 5 || out.Error.Code != verdict.OutputQuarantined || out.Guard.Withheld != out.RunID {
			t.Fatalf("%s: %s, exit %d, %+v", name, out.Type, out.Exit(), out.Error)
		}
		if said := documentOf(t, out); strings.Contains(said, "Marzipan") || strings.Contains(said, "\U000E0041") {
			t.Errorf("%s: the outcome is %s", name, said)
		}
		if len(q.all) != 1 || q.all[0].RunID != out.RunID || q.all[0].Trace != out.TraceDigest || !strings.Contains(string(q.all[0].Body), "Marzipan") {
			t.Errorf("%s: kept: %+v", name, q.all)
		}
		replayed(t, b)
	}
}

type silentWriter struct{ t *testing.T }

func (w silentWriter) Write(context.Context, summarize.Source) (summarize.Draft, error) {
	w.t.Error("the writer was asked")
	return summarize.Draft{}, nil
}

func TestWhatCannotBeKeptIsStillWithheld(t *testing.T) {
	t.Parallel()
	b := answering(t, asText, text(hidden))
	b.config.Quarantine = full{}
	out := b.ask(t, "Who am I there?")
	if out.Type != host.Blocked || out.Guard.Withheld != "" || !strings.Contains(out.Error.Hint, "no space") || out.Typed != nil {
		t.Errorf("%s", documentOf(t, out))
	}
}

type full struct{}

func (full) Keep(context.Context, host.Withheld) error { return fmt.Errorf("no space left on device") }
