package session_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/host/session"
)

// A server repeats what it was given, as it is configured and otherwise: no
// message quotes it.
func TestWhatAServerWasGivenIsNotQuoted(t *testing.T) {
	t.Parallel()
	for name, given := range map[string]session.Server{
		"a header":               {Headers: map[string]string{"X-Key": secret}},
		"a header with a scheme": {Headers: map[string]string{"Authorization": "Bearer " + secret}},
		"a query":                {URL: "?key=" + secret},
		"a query given twice":    {URL: "?key=another&key=" + secret},
		"a part of the path":     {URL: "/" + secret, Secrets: []string{secret}},
	} {
		for spelled, text := range map[string]string{
			"as it is": secret,
			"escaped":  strings.ReplaceAll(secret, "-", `\u002d`),
			"packed":   base64.StdEncoding.EncodeToString([]byte("me:" + secret)),
			"cut":      strings.Repeat("x", 290) + secret,
		} {
			s := newSite(t, "", func(w http.ResponseWriter, _ *http.Request, m message) bool {
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s}}`, m.ID, strconv.Quote("no entry for "+text))
				return true
			}).server()
			s.URL, s.Headers, s.Secrets = s.URL+given.URL, given.Headers, given.Secrets
			err := discover(t, pool(t, long, s)).Err
			quotes(t, err)
			if !strings.Contains(err.Error(), "no entry for ") {
				t.Fatalf("%s, %s: %v", name, spelled, err)
			}
			for _, part := range []string{secret[:4], `\u002d`, "aHVudGVy"} {
				if _, said, _ := strings.Cut(err.Error(), "no entry for"); strings.Contains(said, part) || strings.Contains(said, text[len(text)-8:]) {
					t.Errorf("%s, %s: %v", name, spelled, err)
				}
			}
		}
	}
}
