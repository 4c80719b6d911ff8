package session

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A message that may belong to either of two calls goes with neither. It could speak of a
// withheld result. On a call's own stream it belongs to that call.
func TestAMessageOfSeveralCallsGoesWithNone(t *testing.T) {
	t.Parallel()
	c := newConn(Server{Name: "srv", Command: "srv"}, Limits{}.withDefaults(), &strays{})
	defer c.cancel()
	_, one := withExchange(t.Context(), methodCall)
	_, two := withExchange(t.Context(), methodCall)
	_, listing := withExchange(t.Context(), methodList)
	defer one.stop()
	defer two.stop()
	defer listing.stop()
	c.wire.open = map[jsonrpc.ID]pending{}
	for n, x := range []*exchange{one, two, listing} {
		id, _ := jsonrpc.MakeID(float64(n))
		c.wire.open[id] = pending{x.method, x}
	}
	c.note(nil, noteLog, jsontext.Value(`{"level":"info","data":"whose?"}`))
	c.note(two, noteLog, jsontext.Value(`{"level":"info","data":"two's"}`))
	for n, x := range []*exchange{one, two} {
		if kept, more := x.journal.contents(); len(kept) != n || more != 1 {
			t.Errorf("call %d has %v, and %d more", n+1, kept, more)
		}
	}
	for range maxReports + 10 { // a call's messages are counted with its reports
		c.note(one, noteLog, jsontext.Value(`{"level":"info","data":"x"}`))
	}
	if kept, more := one.journal.contents(); len(kept) != maxLogs || more != maxReports+11-maxLogs {
		t.Errorf("%d are kept, and %d left out", len(kept), more)
	}
}
