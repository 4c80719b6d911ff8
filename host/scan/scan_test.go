package scan_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	gatescan "github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/scan"
	"github.com/onestep-run/onestep/planner"
)

const (
	clean = `{"findings":[]}`
	found = `{"findings":[{"rule":"r","tier":"soft","where":"/content/0/text","start":0,"end":4,"why":"so"},{"rule":"s","tier":"hard","where":"/content/0/text"}]}`
	huge  = 200 << 20
)

// TestMain makes the test binary a scanner that behaves as its argument says.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "scan" {
		os.Exit(behave(os.Args[2]))
	}
	goleak.VerifyTestMain(m)
}

func behave(how string) int {
	switch how {
	case "deaf":
	case "hang":
		time.Sleep(time.Hour)
	default:
		in, _ := io.ReadAll(os.Stdin)
		if how == "echo" && strings.Contains(string(in), "marzipan") {
			fmt.Print(found)
			return 0
		}
	}
	switch how {
	case "huge":
		_, _ = io.Copy(os.Stdout, io.LimitReader(spaces{}, huge))
	case "fails":
		fmt.Print(clean)
		fmt.Fprint(os.Stderr, "no model")
		return 3
	case "environment":
		if os.Getenv("ONESTEP_SCAN_SECRET") != "" {
			fmt.Print(found)
			return 0
		}
		fmt.Print(clean)
	case "clean", "deaf", "echo":
		fmt.Print(clean)
	default:
		fmt.Print(how)
	}
	return 0
}

type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

func sample(text string) host.Sample {
	return host.Sample{Server: "srv", Tool: "get", Parts: []gatescan.Part{
		{Where: "/content/0/text", Kind: "text", Text: text},
		{Where: "/content/1/data", Kind: "text", Unscanned: "bytes in base64"},
	}}
}

// nonsense is what no scanner may answer.
var nonsense = []string{
	"", "null", "[]", "{}", `"clean"`, `{"findings":null}`, `{"findings":{}}`, clean + clean, clean + " ok", "```json\n" + clean + "\n```",
	`{"findings":[],"findings":[]}`, `{"Findings":[]}`, `{"findings":[],"verdict":"clean"}`, `{"findings":[null]}`, `{"findings":[{}]}`,
	`{"findings":[{"rule":"r","tier":"none","where":""}]}`, `{"findings":[{"rule":"r","tier":"Soft","where":""}]}`,
	`{"findings":[{"rule":"r","where":""}]}`, `{"findings":[{"rule":"r","tier":"soft","where":"","start":1.5}]}`, "\xff",
}

func want(t *testing.T, what string, got []gatescan.Finding, err error) {
	t.Helper()
	if diff := cmp.Diff([]gatescan.Finding{{Rule: "r", Tier: gatescan.Soft, Where: "/content/0/text", End: 4, Why: "so"}, {Rule: "s", Tier: gatescan.Hard, Where: "/content/0/text"}}, got); diff != "" || err != nil {
		t.Errorf("%s: %s %v", what, diff, err)
	}
}

func TestACommandIsAskedOnce(t *testing.T) {
	t.Setenv("ONESTEP_SCAN_SECRET", "1") // not parallel: the program's own environment
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context, how, text string) ([]gatescan.Finding, error) {
		return scan.Command{self, "scan", how}.Scan(ctx, sample(text))
	}
	got, err := ask(t.Context(), "echo", "marzipan")
	want(t, "echo", got, err)
	for _, how := range []string{"clean", "echo", "deaf", "environment"} {
		if got, err := ask(t.Context(), how, strings.Repeat("a", 1<<20)); err != nil || len(got) != 0 {
			t.Errorf("%s: %v, %v", how, got, err)
		}
	}
	for _, how := range append([]string{"fails", "huge"}, nonsense[1:len(nonsense)-1]...) {
		if got, err := ask(t.Context(), how, "a"); err == nil || got != nil {
			t.Errorf("%q: %v, %v", how, got, err)
		}
	}
	if _, err := ask(t.Context(), "fails", "a"); err == nil || !strings.Contains(err.Error(), "exit status 3; it says: no model") {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := ask(ctx, "hang", "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	for _, c := range []scan.Command{nil, {""}, {"/nowhere/scanner"}} {
		if got, err := c.Scan(t.Context(), sample("a")); err == nil || got != nil {
			t.Errorf("%q: %v, %v", c, got, err)
		}
	}
}

// answers is an endpoint, and what it is asked.
func answers(t *testing.T, with http.HandlerFunc) (*scan.Endpoint, *httptest.Server) {
	t.Helper()
	s := httptest.NewServer(with)
	t.Cleanup(s.Close)
	e, err := scan.NewEndpoint(s.URL + "/scan")
	if err != nil {
		t.Fatal(err)
	}
	return e, s
}

func TestAnEndpointIsAskedOnce(t *testing.T) {
	t.Parallel()
	asked := 0
	var got map[string]any
	e, _ := answers(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.Method != http.MethodPost || r.URL.Path != "/scan" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		fmt.Fprint(w, found)
	})
	fs, err := e.Scan(t.Context(), sample("marzipan <|end|>"))
	want(t, "an endpoint", fs, err)
	document := map[string]any{
		"schema_version": 1.0, "server": "srv", "tool": "get",
		"parts": []any{map[string]any{"where": "/content/0/text", "kind": "text", "text": "marzipan <|end|>"}},
	}
	if diff := cmp.Diff(document, got); diff != "" || asked != 1 {
		t.Errorf("asked %d times: %s", asked, diff)
	}
}

func TestAnEndpointThatDoesNotAnswerIsAnError(t *testing.T) {
	t.Parallel()
	elsewhere := 0
	_, other := answers(t, func(w http.ResponseWriter, _ *http.Request) { elsewhere++; fmt.Fprint(w, clean) })
	with := map[string]http.HandlerFunc{
		"204": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500); fmt.Fprint(w, clean) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		},
		"see other": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusSeeOther) },
		"huge":      func(w http.ResponseWriter, _ *http.Request) { _, _ = io.Copy(w, io.LimitReader(spaces{}, huge)) },
		"cut off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99")
			fmt.Fprint(w, clean)
		},
		"a crash": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	for _, said := range nonsense {
		with[said] = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, said) }
	}
	for name, h := range with {
		e, _ := answers(t, h)
		if got, err := e.Scan(t.Context(), sample("a")); err == nil || got != nil {
			t.Errorf("%q: %v, %v", name, got, err)
		}
	}
	if elsewhere != 0 {
		t.Errorf("another endpoint was asked %d times", elsewhere)
	}
	e, _ := answers(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that no client waits
		<-r.Context().Done()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := e.Scan(ctx, sample("a")); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestAnAddressOfAnEndpoint(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "localhost:1", "file:///etc/passwd", "http://", "http://a:b@c/", "ftp://a/", "http://a/#b", "\x00"} {
		if _, err := scan.NewEndpoint(bad); err == nil {
			t.Errorf("%q is an address", bad)
		}
	}
}

// chat is a model.
type chat func(planner.Request) ([]byte, error)

func (c chat) Complete(_ context.Context, r planner.Request) (planner.Reply, error) {
	b, err := c(r)
	return planner.Reply{Text: b}, err
}

func TestAJudgeIsGivenDataAndHeldToItsForm(t *testing.T) {
	t.Parallel()
	j := scan.Judge{Chat: chat(func(r planner.Request) ([]byte, error) {
		if strings.Contains(r.System, "marzipan") || !strings.Contains(r.Data, "marzipan") || strings.Contains(r.Data, "<|end|>") {
			t.Errorf("the model is asked %+v", r)
		}
		return []byte(`{"findings":[{"rule":"concealment","tier":"soft","where":"/content/0/text","why":"so"}]}`), nil
	})}
	got, err := j.Scan(t.Context(), sample("marzipan <|end|>"))
	if diff := cmp.Diff([]gatescan.Finding{{Rule: "concealment", Tier: gatescan.Soft, Where: "/content/0/text", Why: "so"}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, said := range append(slices.Clone(nonsense), found) { // which has a rule of its own
		j.Chat = chat(func(planner.Request) ([]byte, error) { return []byte(said), nil })
		if got, err := j.Scan(t.Context(), sample("a")); err == nil || got != nil {
			t.Errorf("%q: %v, %v", said, got, err)
		}
	}
	j.Chat = chat(func(planner.Request) ([]byte, error) {
		t.Error("it is asked of half a text")
		return []byte(clean), nil
	})
	if _, err := j.Scan(t.Context(), sample(strings.Repeat("a", 256<<10))); err == nil {
		t.Error("a text that is too long is judged")
	}
	j.Chat = chat(func(planner.Request) ([]byte, error) { return []byte(clean), errors.New("no") })
	if got, err := j.Scan(t.Context(), sample("a")); err == nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}
