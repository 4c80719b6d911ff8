package setup_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// service answers questions, and has the calls that wait for a person approved
// by another request.
type service struct {
	http.ServeMux
	host    *setup.Ready
	notify  func(host.Request) // says that a call waits: by mail, in a chat
	waiting sync.Map           // of chan string, who approved it; by digest
}

func newService(h *setup.Ready, notify func(host.Request)) *service {
	s := &service{host: h, notify: notify}
	s.HandleFunc("POST /questions", s.ask)
	s.HandleFunc("POST /approvals/{digest}", s.approve)
	return s
}

// user is who the request is from, as your own login knows them.
func user(r *http.Request) string { name, _, _ := r.BasicAuth(); return name }

// ask answers with the outcome. The request waits while a person reads.
func (s *service) ask(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 32<<10))
	if err != nil {
		http.Error(w, "the question is too long", http.StatusRequestEntityTooLarge)
		return
	}
	out := s.host.Ask(r.Context(), host.Question{Text: string(text), Subject: user(r), Approver: s})
	fmt.Fprintln(w, out.Type, out.Call)
}

// Approve waits for the one POST that approves exactly this call.
func (s *service) Approve(ctx context.Context, r host.Request) (gate.Yes, error) {
	expires, err := time.Parse(time.RFC3339, r.Expires)
	if err != nil {
		return gate.Yes{}, err
	}
	ctx, cancel := context.WithDeadline(ctx, expires)
	defer cancel()
	answer := make(chan string, 1)
	s.waiting.Store(r.Digest, answer)
	defer s.waiting.Delete(r.Digest)
	s.notify(r)
	select {
	case by := <-answer:
		return gate.Yes{Approval: r.Digest, By: by, How: gate.ByDigest}, nil
	case <-ctx.Done():
		return gate.Yes{}, verdict.Deny(verdict.ApprovalExpired, "the call was not approved in time")
	}
}

// approve is the callback. The first one takes the call and leaves none for a second.
func (s *service) approve(w http.ResponseWriter, r *http.Request) {
	answer, there := s.waiting.LoadAndDelete(r.PathValue("digest"))
	if !there {
		http.Error(w, "nothing waits under that digest", http.StatusNotFound)
		return
	}
	answer.(chan string) <- user(r)
}

// A service asks for many users. A call that may change something waits until
// another user approves it: with approvers = "other" the gate refuses the asker's
// own approval.
func Example_service() {
	dir, err := os.MkdirTemp("", "traces")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	allow, err := catalog.ParseAllowlist([]byte(`{"mcp-policy-kb": {"read": ["fetch_policy_entry"], "write": ["delete_policy_entry"]}}`))
	if err != nil {
		panic(err)
	}
	var settings config.Settings // a service of your own loads them, and leaves Demo out
	settings.Approvers.V, settings.TraceDir.V = "other", dir
	h, err := setup.Host(settings, setup.Options{Demo: true, Parts: setup.Parts{Allowlist: &allow}})
	if err != nil {
		panic(err)
	}
	defer h.Close()
	shown := make(chan host.Request)
	web := httptest.NewServer(newService(h, func(r host.Request) { shown <- r }))
	defer web.Close()

	for _, approver := range []string{"ada", "grace"} {
		answer := make(chan string)
		go func() { answer <- post("ada", web.URL+"/questions", "Delete policy-002") }()
		waits := <-shown
		fmt.Println(waits.Server, waits.Tool, waits.Args)
		post(approver, web.URL+"/approvals/"+waits.Digest, "")
		fmt.Print(approver, ": ", <-answer)
		fmt.Print("again: ", post(approver, web.URL+"/approvals/"+waits.Digest, ""))
		fmt.Print("then: ", post("ada", web.URL+"/questions", "What does policy-002 say?"))
	}
	// Output:
	// mcp-policy-kb delete_policy_entry {"policy_id":"policy-002"}
	// ada: blocked none
	// again: nothing waits under that digest
	// then: tool_result answered
	// mcp-policy-kb delete_policy_entry {"policy_id":"policy-002"}
	// grace: tool_result answered
	// again: nothing waits under that digest
	// then: blocked answered
}

func post(user, url, body string) string {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.SetBasicAuth(user, "")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		panic(err)
	}
	return string(text)
}
