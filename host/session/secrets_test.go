package session_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
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
		"a part of the path":     {URL: "/" + secret, Secrets: map[string]string{"PART_KEY": secret}},
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

// The same of the body of an HTTP error, at every stage.
func TestTheBodyOfAnHTTPErrorIsNotQuotedWithAKey(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"initialize", "notifications/initialized", "tools/list", "tools/call"} {
		for _, status := range []int{400, 401, 404, 422, 500} {
			for _, body := range []string{`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"not with KEY"}}`, "<p>%s: not with KEY</p>"} {
				s := newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
					if m.Method != method {
						return false
					}
					w.WriteHeader(status)
					_, told, _ := strings.Cut(r.Header.Get("Authorization"), " ")
					_, _ = fmt.Fprintf(w, strings.ReplaceAll(body, "KEY", told), m.ID)
					return true
				})
				err := untilTheEnd(t, t.Context(), pool(t, long, s.server()))
				quotes(t, err)
				if strings.Contains(body, "jsonrpc") && status == 422 && method != "notifications/initialized" && !strings.Contains(err.Error(), "not with [redacted]") {
					t.Errorf("%s, HTTP %d: %v", method, status, err)
				}
			}
		}
	}
}

// tellers are servers that answer a call with this result, SECRET replaced by
// what they were given.
var tellers = map[string]func(t *testing.T, result string) session.Server{
	"its environment": func(t *testing.T, result string) session.Server {
		return tells(t, result)
	},
	"a header": func(t *testing.T, result string) session.Server {
		return newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
			if m.Method != "tools/call" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			_, told, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, strings.ReplaceAll(result, "SECRET", told))
			return true
		}).server()
	},
}

func tells(t *testing.T, result string) session.Server {
	log := logFile(t)
	must(t, os.WriteFile(log+".result", []byte(result), 0o600))
	return stdio(t, "tells", log)
}

func TestAResultCarriesNoKeyThatTheServerWasGiven(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, result, want string
		code               verdict.Code
	}{
		{"a text", `{"content":[{"type":"text","text":"It is SECRET."}]}`, `{"content":[{"type":"text","text":"It is [redacted]."}]}`, ""},
		{
			"JSON in a text", `{"content":[{"type":"text","text":"{\"key\":\"SECRET\"}"}]}`,
			`{"content":[{"type":"text","text":"{\"key\":\"[redacted]\"}"}]}`, "",
		},
		{
			"a structure", `{"content":[{"type":"text","text":"x"}],"structuredContent":{"n":9007199254740993, "k":["SECRET"]}}`,
			`{"content":[{"type":"text","text":"x"}],"structuredContent":{"n":9007199254740993,"k":["[redacted]"]}}`, "",
		},
		{"a name", `{"content":[{"type":"text","text":"x"}],"_meta":{"SECRET":1}}`, "nothing", verdict.OutputInvalid},
		{"a name in an error", `{"content":[{"type":"text","text":"x"}],"_meta":{"SECRET":1},"isError":true}`, `{"content":[{"type":"text","text":"(its message repeats a secret that the server was given, and is not kept)"}],"isError":true}`, verdict.OutputError},
		{"an error", `{"content":[{"type":"text","text":"SECRET is no good"}],"isError":true}`, `{"content":[{"type":"text","text":"[redacted] is no good"}],"isError":true}`, verdict.OutputError},
		{"a result of two readings", `{"content":[],"content":[{"type":"text","text":"SECRET"}]}`, "nothing", verdict.OutputInvalid},
		{"another's key", `{"content":[ {"type":"text","text":"hunter2-hunter3"}]}`, "", ""},
		{"the name of a team", `{"content":[ {"type":"text","text":"blue"}]}`, "", ""},
		{"an error about the team", `{"content":[{"type":"text","text":"blue is no good"}],"isError":true}`, "", verdict.OutputError},
	} {
		for from, teller := range tellers {
			t.Run(c.name+" of "+from, func(t *testing.T) {
				t.Parallel()
				s := teller(t, c.result)
				if s.Env != nil {
					s.Env["TEAM"] = "blue"
				}
				p := pool(t, long, s)
				a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
				raw, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
				if c.want == "nothing" {
					if raw.Body != nil || verdict.CodeOf(err) != c.code || strings.Contains(err.Error(), secret) {
						t.Errorf("the result is %s, and the error %v", raw.Body, err)
					}
					return
				}
				must(t, err)
				want, marked := c.want, true
				if want == "" {
					want, marked = c.result, false
				}
				if string(raw.Body) != want || raw.Redacted != marked {
					t.Errorf("the result is %s, marked: %v", raw.Body, raw.Redacted)
				}
				_, err = a.gate.Accept(a.approved, raw)
				if verdict.CodeOf(err) != c.code || err != nil && strings.Contains(err.Error(), secret) {
					t.Errorf("it comes to %v", err)
				}
			})
		}
	}
}

func TestAKeyInAnArgumentOrAPathIsOne(t *testing.T) {
	t.Parallel()
	const random = "Nk0ZjY3MDkxZTk0NGU1"
	for name, c := range map[string]struct {
		args   []string
		told   string
		hidden bool
	}{
		"an option and its value": {[]string{"--api-key", "correct-horse"}, "correct-horse", true},
		"an option in one word":   {[]string{"serve", "--token=correct-horse"}, "correct-horse", true},
		"what looks like a key":   {[]string{random}, random, true},
		"a folder":                {[]string{"--root", "/srv/files-2026"}, "/srv/files-2026", false},
		"another option's value":  {[]string{"--token", "correct-horse", "--region", "us-east-1"}, "us-east-1", false},
	} {
		s := tells(t, `{"content":[{"type":"text","text":"it is `+c.told+`"}]}`)
		s.Args = c.args
		raw := answerOf(t, s)
		if raw.Redacted != c.hidden || strings.Contains(string(raw.Body), c.told) == c.hidden {
			t.Errorf("%s: %s, marked: %v", name, raw.Body, raw.Redacted)
		}
	}
	s := newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
		if m.Method == "tools/call" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`, m.ID, r.URL.Path)
			return true
		}
		return false
	}).server()
	s.URL = strings.TrimSuffix(s.URL, "/mcp") + "/api/" + random + "/mcp"
	if raw := answerOf(t, s); !raw.Redacted || !strings.Contains(string(raw.Body), `"/api/[redacted]/mcp"`) {
		t.Errorf("a path: %s, marked: %v", raw.Body, raw.Redacted)
	}
}

func answerOf(t *testing.T, s session.Server) gate.RawResult {
	t.Helper()
	p := pool(t, long, s)
	a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
	raw, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
	must(t, err)
	return raw
}

func TestAListingThatTellsAKeyIsRefused(t *testing.T) {
	t.Parallel()
	l := discover(t, pool(t, long, stdio(t, "tells in a list", logFile(t))))
	if verdict.CodeOf(l.Err) != verdict.ServerProtocol || l.Tools != nil || !strings.Contains(l.Err.Error(), "a key that it was given") {
		t.Errorf("%d tools, %v", len(l.Tools), l.Err)
	}
	quotes(t, l.Err)
}

// TestAServerThatRepeatsAKeyInWhatItSaysOfItselfIsRefused: its name, version, title
// and instructions are shown at a review and kept.
func TestAServerThatRepeatsAKeyInWhatItSaysOfItselfIsRefused(t *testing.T) {
	t.Parallel()
	const key = "correct-horse-0123456789"
	for where, said := range map[string]string{
		"name":         `"serverInfo":{"name":"KEY","version":"1"}`,
		"version":      `"serverInfo":{"name":"x","version":"KEY"}`,
		"title":        `"serverInfo":{"name":"x","version":"1","title":"KEY"}`,
		"instructions": `"serverInfo":{"name":"x","version":"1"},"instructions":"KEY"`,
	} {
		s := newSite(t, "", func(w http.ResponseWriter, _ *http.Request, m message) bool {
			if m.Method != "initialize" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},%s}}`, m.ID, strings.ReplaceAll(said, "KEY", key))
			return true
		}).server()
		s.Headers = map[string]string{"X-Key": key}
		err := discover(t, pool(t, long, s)).Err
		if verdict.CodeOf(err) != verdict.ServerProtocol || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", where, err)
		}
	}
}

// A server's words are redacted before they are cut to be quoted: a key across the cut
// leaves no half.
func TestAKeyAcrossACutIsNotQuotedInPart(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("0123456789abcdefABCDEF", 8) // so long that what comes before a cut is less than half
	for where, answer := range map[string]string{
		"an unknown member": `{"jsonrpc":"2.0","id":ID,"result":{},"KEY":1}`,
		"an error":          `{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"KEY"}}`,
		"a version":         `{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"KEY","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`,
		"no message":        `KEY`,
	} {
		for _, before := range []int{0, 10, 20, 40, 180, 240, 280} {
			s := newSite(t, "", func(w http.ResponseWriter, _ *http.Request, m message) bool {
				w.Header().Set("Content-Type", "application/json")
				said := "9" + strings.Repeat("~", before) + key
				_, _ = io.WriteString(w, strings.NewReplacer("ID", string(m.ID), "KEY", said).Replace(answer))
				return true
			}).server()
			s.Headers = map[string]string{"X-Key": key}
			err := discover(t, pool(t, long, s)).Err
			quotes(t, err)
			if strings.Contains(err.Error(), key[:8]) {
				t.Errorf("%s, after %d bytes: %v", where, before, err)
			}
		}
	}
}

// What a key is, and what is not: a result may speak of the latter.
func TestWhatIsAKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value string
		hidden      bool
	}{
		{"API_KEY", "correct-horse", true},
		{"apiKey", "correct-horse", true},
		{"GITHUB_TOKEN", "ghp_16C7e42F292c6912", true},
		{"DB_PASSWORD", "s3cretpass", true},
		{"X-Api-Key", "abc-12345", true},
		{"ANYTHING", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", true},
		{"DATABASE_URL", "postgres://me:p4ssw0rd-x@localhost/db", true},
		{"KEYFILE_TEXT", "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END KEY-----", true},
		{"Authorization", "dXNlcjpwYXNz", true},
		{"DB_PASSWORD", "postgres", false}, // a word
		{"DB_PASSWORD", "Postgres", false},
		{"HANDLER", "getUserInformationFromDatabase", false},
		{"DB_PASSWORD", "12345678", false}, // a number
		{"TOKEN", "abc-123", false},        // too short
		{"AWS_REGION", "us-east-1", false},
		{"LOG_LEVEL", "information", false},
		{"ROOT", "/srv/files/2026-archive", false},
		{"STORE", "/nix/store/0c5x4ab8d7e6f5a4b3c2-x", false},
		{"MODEL", "claude-sonnet-4-5-20250929", false},
		{"TENANT", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", false},
		{"TOKEN_URL", "https://login.example.com/oauth2/token", false},
		{"GIT_AUTHOR", "Ada Lovelace 1815", false},
		{"X-Api-Version", "2026-07-28", false},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			t.Parallel()
			lines := strings.Split(c.value, "\n")
			told := lines[len(lines)/2]
			result := `{"content":[{"type":"text","text":` + quoted("here: "+told) + `}]}`
			s := tells(t, result)
			s.Env[c.name] = c.value
			raw := answerOf(t, s)
			if raw.Redacted != c.hidden || c.hidden == (string(raw.Body) == result) || schema.Check(raw.Body, schema.ResultLimits) != nil {
				t.Errorf("the result is %s, marked: %v", raw.Body, raw.Redacted)
			}
		})
	}
}
