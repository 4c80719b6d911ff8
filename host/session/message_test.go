package session

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/onestep-run/onestep/gate/schema"
)

// The SDK gets only the data that it needs. It copies each message several times, and
// decodes it into values that take far more room.
func TestTheSDKGetsNoMoreThanItNeeds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	for _, c := range []struct{ message, passes, kept string }{
		{`{"jsonrpc":"2.0","id":1,"result":{"tools":["` + long + `"]}}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"content":[]}}`, `{"tools":["` + long + `"]}`},
		{`{"result":{"a":{"b":1e400}},"id":1,"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"content":[]}}`, `{"a":{"b":1e400}}`},
		{`{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"` + long + `"}}`, "", ""}, // the handshake's
		{`{"jsonrpc":"2.0","id":3,"result":{"nobody":"` + long + `"}}`, `{"jsonrpc":"2.0","id":3,"result":{"tools":[],"content":[]}}`, ""},
		{`{"jsonrpc":"2.0","id":"1","result":{"nobody":"asked"}}`, `{"jsonrpc":"2.0","id":"1","result":{"tools":[],"content":[]}}`, ""},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}`, "", ""},
		{`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"` + long + `"}}`, `{"jsonrpc":"2.0","method":"notifications/message"}`, ""},
		{`{"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":1}}`, `{"jsonrpc":"2.0","id":"a","method":"ping"}`, ""},
	} {
		for _, s := range []split{byLine, byEvent, never} {
			w := &wire{life: t.Context(), limits: schema.DescriptorLimits}
			ctx, x := withExchange(t.Context(), methodList)
			w.inner = &line{}
			if err := w.Write(ctx, request(t, 1, methodList)); err != nil {
				t.Fatal(err)
			}
			if err := w.Write(without(ctx), request(t, 2, methodInitialize)); err != nil {
				t.Fatal(err)
			}
			open, end := "", "\n"
			if s == byEvent {
				open, end = "id: 7\nevent: message\nretry: 1\ndata: ", "\n\n"
			}
			got, err := io.ReadAll(newFrames(io.NopCloser(strings.NewReader(open+c.message+end)), w, s))
			if err != nil {
				t.Fatal(err)
			}
			if c.passes == "" {
				c.passes = c.message
			}
			if strings.TrimSpace(string(got)) != strings.TrimSpace(open+c.passes) || s == byEvent && !strings.HasSuffix(string(got), "\n\n") {
				t.Errorf("%.100s passes as %.200q", c.message, got)
			}
			if a, _ := x.answer(); string(a.result) != c.kept {
				t.Errorf("%.100s: %.100q is kept", c.message, a.result)
			}
			x.stop()
		}
	}
}

// A connection outlives its questions: what no request waits for is not kept.
func TestALateAnswerIsNobodys(t *testing.T) {
	t.Parallel()
	w := &wire{life: t.Context(), limits: schema.DescriptorLimits, inner: &line{}}
	ctx, x := withExchange(t.Context(), methodList)
	if err := w.Write(ctx, request(t, 1, methodList)); err != nil {
		t.Fatal(err)
	}
	w.end(x)
	instead, err := w.pass([]byte(`{"jsonrpc":"2.0","id":1,"result":{"late":true}}`), nil)
	if _, kept := x.answer(); kept || err != nil || len(instead) == 0 || len(w.open) != 0 {
		t.Errorf("%d requests are open, the answer is kept: %v, and %q passes, %v", len(w.open), kept, instead, err)
	}
}

func TestAHugeErrorIsRefused(t *testing.T) {
	t.Parallel()
	lim := schema.Limits{Bytes: 16 << 20, Depth: 10, Values: 100, Exponent: 10, Digits: 10}
	for size, ok := range map[int]bool{maxError - 100: true, maxError: false} {
		_, err := check(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"%s"}}`, strings.Repeat("x", size)), lim)
		if ok != (err == nil) {
			t.Errorf("an error of %d bytes: %v", size, err)
		}
	}
}

func TestAnIDMeansTheSameToTheSDK(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`0`, `1`, `999999999999999`, `"a"`, `"1"`, `"\u0061"`, `"` + strings.Repeat("x", maxID-2) + `"`} {
		if !literal([]byte(raw)) {
			continue
		}
		m, err := jsonrpc.DecodeMessage([]byte(`{"jsonrpc":"2.0","id":` + raw + `,"result":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		got, err := idOf([]byte(raw))
		if err != nil || got != m.(*jsonrpc.Response).ID {
			t.Errorf("%s is %v, and %v to the SDK; %v", raw, got, m.(*jsonrpc.Response).ID, err)
		}
	}
}

// An id is sent back with the answer: what it may be is bounded.
func TestAnIDIsShortOrAWholeNumber(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{
		`""`: true, `"` + strings.Repeat("x", maxID-2) + `"`: true, `"` + strings.Repeat("x", maxID-1) + `"`: false, `"` + strings.Repeat("x", 1<<20) + `"`: false,
		`1.0`: false, `-1`: false, `null`: false, `true`: false, `{}`: false,
	} {
		if literal([]byte(raw)) != want {
			t.Errorf("%.40s may be sent back: %v", raw, !want)
		}
	}
}

// FuzzPass checks that what passes means to the SDK what it said, from any sender,
// and that no message ends the program.
func FuzzPass(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`, `{"jsonrpc":"2.0","id":"1","method":"ping","params":{}}`,
		`{"jsonrpc":"2.0","method":"x"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}`, `{"id":1,"result":null,"jsonrpc":"2.0"}`,
		`{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25"}}`, `[]`, `{`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		w := &wire{life: t.Context(), limits: schema.DescriptorLimits, inner: &line{}}
		ctx, x := withExchange(t.Context(), methodList)
		defer x.stop()
		if w.Write(ctx, request(t, 1, methodList)) != nil || w.Write(without(ctx), request(t, 2, methodInitialize)) != nil {
			t.Fatal("nothing was asked")
		}
		instead, err := w.pass(message, nil)
		if err != nil {
			if a, kept := x.answer(); kept {
				t.Fatalf("%q is refused with %v, and %q is kept", message, err, a.result)
			}
			return
		}
		meant, err := jsonrpc.DecodeMessage(message)
		if m, _ := check(message, w.limits); string(m["id"]) == "null" {
			return // an error of which the SDK makes nothing: it ends the connection
		}
		if err != nil {
			t.Fatalf("%q passes, and is to the SDK %v", message, err)
		}
		if instead == nil {
			return
		}
		got, err := jsonrpc.DecodeMessage(instead)
		if err != nil {
			t.Fatalf("%q passes as %q: %v", message, instead, err)
		}
		switch m := meant.(type) {
		case *jsonrpc.Request:
			if g, ok := got.(*jsonrpc.Request); !ok || g.ID != m.ID || g.Method != m.Method {
				t.Fatalf("%q passes as %q", message, instead)
			}
		case *jsonrpc.Response:
			if g, ok := got.(*jsonrpc.Response); !ok || g.ID != m.ID {
				t.Fatalf("%q passes as %q", message, instead)
			}
		}
	})
}
