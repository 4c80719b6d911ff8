package session

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// TestACallIsPostedOnce stands below the SDK: whoever asks for the same
// exchange again, the second POST does not leave.
func TestACallIsPostedOnce(t *testing.T) {
	t.Parallel()
	var arrived atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := &carrier{wire: &wire{life: t.Context()}, base: direct(), origin: originOf(u)}
	t.Cleanup(c.base.CloseIdleConnections)
	ctx, x := withExchange(t.Context(), methodCall)
	defer x.stop()
	for i := range 3 {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.RoundTrip(req)
		if (err == nil) != (i == 0) {
			t.Errorf("POST %d of one exchange: %v", i+1, err)
		}
		if err == nil {
			if req.GetBody != nil && res.Request.GetBody != nil {
				t.Error("the request that left can be sent again")
			}
			if err := res.Body.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if n := arrived.Load(); n != 1 {
		t.Errorf("%d POSTs arrived", n)
	}
}
