package session_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// packing answers the method with what answer gives, packed, after the head.
func packing(t *testing.T, method, coding, media string, status int, answer func(id string) string) session.Server {
	return newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
		if m.Method != method {
			return false
		}
		if r.Header.Get("Accept-Encoding") != "gzip" {
			t.Errorf("a request takes %q", r.Header.Get("Accept-Encoding"))
		}
		w.Header().Set("Content-Type", media)
		w.Header().Set("Content-Encoding", coding)
		w.WriteHeader(status)
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, answer(string(m.ID)))
		if media != "text/event-stream" {
			_ = z.Close()
			return true
		}
		_ = z.Flush() // the stream goes on
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}).server()
}

func TestAPackedAnswerIsRead(t *testing.T) {
	t.Parallel()
	tools := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"tools":[` + echoTool + `]}}`
	}
	event := func(id string) string { return "event: message\ndata: " + tools(id) + "\n\n" }
	for _, c := range []struct {
		coding, media string
		answer        func(string) string
		code          verdict.Code
	}{
		{"gzip", "application/json", tools, ""},
		{"GZIP", "application/json", tools, ""},
		{"gzip", "text/event-stream", event, ""},
		{"br", "application/json", tools, verdict.ServerProtocol},
		{"gzip, gzip", "application/json", tools, verdict.ServerProtocol},
		{"", "application/json", tools, verdict.ServerProtocol}, // packed, and not said
	} {
		l := discover(t, pool(t, long, packing(t, "tools/list", c.coding, c.media, http.StatusOK, c.answer)))
		if verdict.CodeOf(l.Err) != c.code || (len(l.Tools) == 1) != (c.code == "") {
			t.Errorf("%s, %s: %d tools, %v", c.coding, c.media, len(l.Tools), l.Err)
		}
	}
	f := faultOf(t, packing(t, "tools/call", "gzip", "text/plain", http.StatusForbidden, func(string) string { return "not for you" }))
	if f.Code != verdict.OutputRefused || !strings.Contains(f.Reason, "HTTP 403 Forbidden: not for you") {
		t.Error(f)
	}
}

// Each is some kilobytes on its way, and 64 MiB after it.
func TestAPackedAnswerIsBoundedByWhatItHolds(t *testing.T) {
	t.Parallel()
	limits := long
	limits.MaxMessage = 1 << 20
	huge := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"tools":[],"x":"` + strings.Repeat("x", 64<<20) + `"}}`
	}
	for _, media := range []string{"application/json", "text/event-stream"} {
		answer := huge
		if media == "text/event-stream" {
			answer = func(id string) string { return "data: " + huge(id) + "\n\n" }
		}
		err := discover(t, pool(t, limits, packing(t, "tools/list", "gzip", media, http.StatusOK, answer))).Err
		if verdict.CodeOf(err) != verdict.ServerTooLarge {
			t.Errorf("%s: %v", media, err)
		}
		code, err := ask(t, pool(t, limits, packing(t, "tools/call", "gzip", media, http.StatusOK, answer)))
		if code != string(verdict.CallOutcomeUnknown) || !strings.Contains(err.Error(), "a message of more than 1048576 bytes") {
			t.Errorf("%s: %v", media, err)
		}
	}
	f := faultOf(t, packing(t, "tools/call", "gzip", "text/plain", http.StatusForbidden, func(string) string { return strings.Repeat("no ", 16<<20) }))
	if f.Code != verdict.OutputRefused || len(f.Reason) > 1<<10 {
		t.Errorf("%d bytes: %v", len(f.Reason), f)
	}
}
