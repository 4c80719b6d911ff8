package session_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
)

// protocolWords are the names, types and literals of a result, in every version of
// the protocol.
var protocolWords = strings.Fields(`content structuredContent isError resultType inputRequests requestState _meta
	type text data mimeType uri name title description size icons annotations resource blob src sizes theme
	audience priority lastModified progressToken taskId io.modelcontextprotocol/related-task
	image audio resource_link user assistant complete light dark true false null 0 1 0.5 1024 [ ] { } : ,`)

// everything is a result with all of them.
const everything = `{"_meta":{"progressToken":1,"io.modelcontextprotocol/related-task":{"taskId":"-"}},"isError":FAILED,"resultType":"complete","requestState":"-","content":[` +
	`{"type":"text","text":"SAID","annotations":{"audience":["user","assistant"],"priority":0.5,"lastModified":"-"},"_meta":{}},` +
	`{"type":"image","data":"","mimeType":"-"},{"type":"audio","data":"","mimeType":"-"},` +
	`{"type":"resource","resource":{"uri":"-","mimeType":"-","text":"SAID","annotations":{"priority":1},"_meta":{}}},{"type":"resource","resource":{"uri":"-","blob":""}},` +
	`{"type":"resource_link","uri":"-","name":"-","title":"-","description":"SAID","size":1024,"icons":[{"src":"-","mimeType":"-","sizes":["-"],"theme":"light"},{"src":"-","theme":"dark"}]}` +
	`],"structuredContent":{"a":[true,false,null,0,"SAID"]}}`

// A word of the protocol stays, even if it is a setting or a secret of the server. This
// holds for an error and for a good result. Only the server's own words are hidden.
func TestNoWordOfTheProtocolIsRedacted(t *testing.T) {
	t.Parallel()
	for _, word := range protocolWords {
		for header, secret := range map[string]bool{"X-Log-Level": false, "X-Api-Token": true} {
			for _, failed := range []bool{true, false} {
				t.Run(fmt.Sprint(word, " as ", header, ", failed: ", failed), func(t *testing.T) {
					t.Parallel()
					result := strings.NewReplacer("FAILED", fmt.Sprint(failed), "SAID", "it says "+word+" here").Replace(everything)
					s := tellers["a header"](t, result)
					s.Headers = map[string]string{header: word}
					p := pool(t, long, s)
					a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
					raw, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
					must(t, err)
					if hidden := raw.Redacted; failed && hidden != secret {
						t.Errorf("an error with it is redacted: %v", hidden)
					}
					want := result
					if raw.Redacted {
						want = strings.ReplaceAll(result, "says "+word, "says [redacted]")
					}
					if diff := cmp.Diff(decoded(t, []byte(want)), decoded(t, raw.Body)); diff != "" {
						t.Errorf("(-want +got):\n%s", diff)
					}
					code := verdict.Code("")
					if failed {
						code = verdict.OutputError
					}
					if _, err := a.gate.Accept(a.approved, raw); verdict.CodeOf(err) != code {
						t.Errorf("it comes to %v", err)
					}
				})
			}
		}
	}
}

func decoded(t *testing.T, doc []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Errorf("%s: %v", doc, err)
	}
	return v
}

// What a server names by a secret, or counts with one, is not kept; an error is
// still one.
func TestASecretThatCannotBeReplacedWithholdsTheResult(t *testing.T) {
	t.Parallel()
	for _, own := range []string{
		`"structuredContent":{"correct-horse":1}`, `"structuredContent":{"a":[{"x correct-horse y":{}}]}`, `"_meta":{"correct-horse":1}`, `"correct-horse":1`,
		`"structuredContent":{"correct\u002dhorse":1}`, `"structuredContent":{"correct\\u002dhorse":1}`, `"inputRequests":{"correct-horse":{}}`,
		`"structuredContent":{"a":-1.5e12345678}`, `"_meta":{"io.modelcontextprotocol/related-task":{"correct-horse":1}}`,
		`"content":[{"type":"text","text":"a","correct-horse":1}]`, `"content":[{"type":"resource","resource":{"uri":"a","text":"b","correct-horse":1}}]`,
	} {
		for _, failed := range []bool{true, false} {
			t.Run(fmt.Sprint(own, failed), func(t *testing.T) {
				t.Parallel()
				s := tells(t, fmt.Sprintf(`{"isError":%v,%s}`, failed, own))
				s.Env["API_TOKEN"], s.Env["OTHER_TOKEN"] = "correct-horse", "-1.5e12345678"
				p := pool(t, long, s)
				a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
				raw, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
				if failed && err == nil {
					_, err = a.gate.Accept(a.approved, raw)
				}
				want := verdict.OutputInvalid
				if failed {
					want = verdict.OutputError
				}
				if strings.Contains(own, "e12345678") { // no limit has such a number, and an error with it cannot be read
					want = verdict.OutputInvalid
				}
				if said := fmt.Sprintf("%s %v", raw.Body, err); verdict.CodeOf(err) != want || strings.Contains(said, "horse") || strings.Contains(said, "12345678") {
					t.Errorf("it comes to %s", said)
				}
			})
		}
	}
}

// What an error is shown without: secrets by their role, at any length. A message
// without the host that cannot be reached helps no one.
func TestWhatIsHiddenInAnError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value, said string
		hidden            bool
	}{
		{"API_KEY", "abc", "abc", true},
		{"API_KEY", "1", "1", true},
		{"API_KEY", "abc", `\u0061bc`, true},
		{"API_KEY", "abc", "abcd", false},
		{"DB_PASSWORD", "postgres", "postgres", true},
		{"DB_PASSWORD", "12345678", "12345678", true},
		{"DB_PASSWORD", "p4ss", "p4ss", true},
		{"DATABASE_URL", "postgres://me:pw1x@db.internal/x", "pw1x", true},
		{"DATABASE_URL", "postgres://me:pw1x@db.internal/x", "db.internal", false},
		{"DATABASE_URL", "postgres://me:p%zw1x@db.internal/x", "p%zw1x", true},
		{"DATABASE_URL", "postgres://token7@db.internal/x", "token7", true},
		{"SERVICE_URL", "https://a.internal/x?api_key=k3y9&region=eu-north", "k3y9", true},
		{"SERVICE_URL", "https://a.internal/x?api_key=k3y9&region=eu-north", "eu-north", false},
		{"CONNECTION", "Server=db.internal;User=me;Password=pw1x", "pw1x", true},
		{"CONNECTION", "host=db.internal password=pw1x dbname=y", "pw1x", true},
		{"CONNECTION", "host=db.internal password=pw1x dbname=y", "db.internal", false},
		{"HEADERS", `{"Authorization":"Bearer pw1x","X-Team":"blue"}`, "pw1x", true},
		{"HEADERS", `{"Authorization":"Bearer pw1x","X-Team":"blue"}`, "blue", false},
		{"ANYTHING", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", true},
		{"GRAFANA_URL", "http://grafana.internal:3000", "grafana.internal:3000: connection refused", false},
		{"GRAFANA_URL", "http://grafana.internal:3000", "http://grafana.internal:3000", false},
		{"LOG_LEVEL", "Error", "Error", false},
		{"AWS_REGION", "us-east-1", "us-east-1", false},
		{"API_KEY_FILE", "/run/secrets/key", "/run/secrets/key", false},
		{"ROOT", "/srv/files", "/srv/files", false},
	} {
		t.Run(c.name+"="+c.value+" "+c.said, func(t *testing.T) {
			t.Parallel()
			s := tells(t, `{"content":[{"type":"text","text":`+strings.ReplaceAll(quoted("here: "+c.said), `\\`, `\`)+`}],"isError":true}`)
			s.Env[c.name] = c.value
			raw := answerOf(t, s)
			if strings.Contains(string(raw.Body), "[redacted]") != c.hidden || raw.Redacted != c.hidden {
				t.Errorf("the error is %s, marked: %v", raw.Body, raw.Redacted)
			}
		})
	}
}

func TestWhatIsHiddenOfArgumentsAndHeaders(t *testing.T) {
	t.Parallel()
	for said, c := range map[string]struct {
		args    []string
		headers map[string]string
		hidden  bool
	}{
		"pw1":      {args: []string{"--password", "pw1"}, hidden: true},
		"pw2":      {args: []string{"-e", "PASSWORD=pw2"}, hidden: true},
		"pw3":      {args: []string{"--header", "Authorization: Bearer pw3"}, hidden: true},
		"pw4":      {args: []string{"--dsn", "postgres://me:pw4@db.internal/x"}, hidden: true},
		"a.host":   {args: []string{"--host", "a.host"}},
		"8080":     {args: []string{"--no-auth", "--port", "8080"}},
		"pw5":      {headers: map[string]string{"X-Api-Key": "pw5"}, hidden: true},
		"pw6":      {headers: map[string]string{"Authorization": "Bearer pw6"}, hidden: true},
		"me-and-I": {headers: map[string]string{"Authorization": "Basic bWU6bWUtYW5kLUk="}, hidden: true},
		"crumb":    {headers: map[string]string{"Cookie": "a=b; session=crumb"}, hidden: true},
		"blue":     {headers: map[string]string{"X-Team": "blue"}},
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			result := `{"content":[{"type":"text","text":"here: ` + said + ` :there"}],"isError":true}`
			s := tells(t, result)
			if s.Args = c.args; c.headers != nil {
				s = tellers["a header"](t, result)
				s.Headers = c.headers
			}
			if raw := answerOf(t, s); strings.Contains(string(raw.Body), said) == c.hidden {
				t.Errorf("the error is %s", raw.Body)
			}
		})
	}
}
