package session_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// envelopes are answers in which the result is sound and the rest is not.
var envelopes = map[string]string{
	"list: result twice":         `{"jsonrpc":"2.0","id":ID,"result":{"tools":[]},"result":RESULT}`,
	"list: result twice, spelt":  `{"jsonrpc":"2.0","id":ID,"result":{"tools":[]},"\u0072esult":RESULT}`,
	"list: id twice":             `{"jsonrpc":"2.0","id":99,"id":ID,"result":RESULT}`,
	"list: null error":           `{"jsonrpc":"2.0","id":ID,"result":RESULT,"error":null}`,
	"list: result and error":     `{"jsonrpc":"2.0","id":ID,"result":RESULT,"error":{"code":1,"message":"no"}}`,
	"list: error with two codes": `{"jsonrpc":"2.0","id":ID,"error":{"code":1,"code":2,"message":"no"}}`,
	"list: unknown member":       `{"jsonrpc":"2.0","id":ID,"result":RESULT,"extra":1}`,
	"list: upper case":           `{"jsonrpc":"2.0","id":ID,"result":RESULT,"RESULT":1}`,
	"list: broken id":            `{"jsonrpc":"2.0","id":ID.9,"result":RESULT}`,
	"list: id with a zero":       `{"jsonrpc":"2.0","id":ID.0,"result":RESULT}`,
	"list: id with an exponent":  `{"jsonrpc":"2.0","id":IDe0,"result":RESULT}`,
	"list: id in a list":         `{"jsonrpc":"2.0","id":[ID],"result":RESULT}`,
	"list: a batch":              `[{"jsonrpc":"2.0","id":ID,"result":RESULT}]`,
	"list: an empty batch":       `[]`,
	"list: two in one":           `{"jsonrpc":"2.0","id":ID,"result":RESULT}{"a":1}`,
	"list: no version":           `{"id":ID,"result":RESULT}`,
	"call: result twice":         `{"jsonrpc":"2.0","id":ID,"result":{"content":[]},"result":RESULT}`,
	"call: broken id":            `{"jsonrpc":"2.0","id":ID.9,"result":RESULT}`,
	"call: a batch":              `[{"jsonrpc":"2.0","id":ID,"result":RESULT}]`,
	"call: two in one":           `{"jsonrpc":"2.0","id":ID,"result":RESULT}{"a":1}`,
}

func envelopeOf(mode string) string { return "tools/" + mode[:4] }

// The envelope of a result must have one reading, too. Neither the last of two results
// nor an id that is nearly the request's counts.
func TestAnAmbiguousEnvelopeIsRefused(t *testing.T) {
	t.Parallel()
	for mode := range envelopes {
		each(t, mode, strangers, func(t *testing.T, s session.Server, _ string) {
			want := "server.protocol"
			p := pool(t, long, s)
			l := discover(t, p)
			code, err := string(verdict.CodeOf(l.Err)), l.Err
			if strings.HasPrefix(mode, "call") {
				code, err = ask(t, p)
				want = "call.outcome_unknown"
			}
			if code != want {
				t.Errorf("it came to %v, want %s", err, want)
			}
		})
	}
}
