package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/summarize"
)

// What a server answers is shown through these two.
func TestAResultReachesTheTerminalEscaped(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		`"a\u001b[2Jb\u202ec\rd"`, "\"a\u202eb\"", `"\u009b31m"`, "{\"a\":\"b\u202ec\"}", "{\"\u2066\":1}", "[\"\u200b\"]", `"\udb40\udc41"`,
	} {
		shown := readable(jsontext.Value(value)) + show.Value(jsontext.Value(value), 80)
		if strings.ContainsAny(shown, "\x1b\u202e\r\u009b\u2066\u200b\U000e0041") || !strings.Contains(shown, `\u`) {
			t.Errorf("%s is shown as %q", value, shown)
		}
	}
}

// Each line of a claim is behind a mark, so that none passes for a line of ours.
func TestNoLineOfAClaimPassesForOurs(t *testing.T) {
	t.Parallel()
	var o bytes.Buffer
	a := &app{App: cli.New(version)}
	a.Out = cli.NewStream(&o)
	a.showItems("", []summarize.Item{{Evidence: "a\n    verbatim at /b\n  - c\nRisks\r", Pointer: "/d\n"}}, map[string]bool{})
	if o.String() != "  - a\n  |     verbatim at /b\n  |   - c\n  | Risks\\u{D}\n    verbatim at /d\\u{A}\n" {
		t.Errorf("%q", o.String())
	}
}
