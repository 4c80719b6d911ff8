//go:build interop

package interop_test

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestClientsOfTheServerItself shows the clients' behaviour without ask wrap, for
// comparison.
func TestClientsOfTheServerItself(t *testing.T) {
	seated(t, func(t *testing.T, r *room) {
		s := r.begin(t)
		s.offers(t, "find", "missing", "mail", "close_ticket", "purge")
		s.reads(t)
		s.end(t)
	})
}

// TestClientsOfAWrappedServer is what a user meets who puts ask between a client and
// its server, and takes it out again.
func TestClientsOfAWrappedServer(t *testing.T) {
	seated(t, func(t *testing.T, r *room) {
		before := r.configured(t)
		r.ask(t, slices.Concat([]string{"clients", "wrap", r.client.name, "--yes"}, r.client.wrap)...)
		r.review(t, "--read", "find", "--read", "missing", "--read", "mail", "--write", "close_ticket")

		s := r.begin(t)
		s.offers(t, "find", "missing", "mail", "close_ticket", "onestep_status")
		if got := s.made(t, "onestep_status", object{}); !strings.Contains(got, "purge") || !strings.Contains(got, "allow.tool") {
			t.Errorf("of the hidden tools the model gets %s", got)
		}
		s.reads(t)
		s.waits(t)
		withheld := s.withholds(t)
		s.blocks(t)
		s.end(t)

		// Not every client lists again; a new session does. In it no one is waited for long.
		restore := r.holds(t, "1s")
		s = r.begin(t)
		s.offers(t, "find", "missing", "mail", "close_ticket", "onestep_status", "onestep_released")
		if got, _ := s.latest.offered("find"); !strings.Contains(string(got.described), changed) {
			t.Errorf("the model gets %s, want the description that was approved last", got.described)
		}
		s.releases(t, withheld)
		s.attaches(t)
		s.end(t)

		restore()
		r.ask(t, "clients", "unwrap", r.client.name, "--yes")
		if after := r.configured(t); !bytes.Equal(after, before) {
			t.Errorf("the client's file is now\n%s\nand was\n%s", after, before)
		}
		r.traced(t)
	})
}

// waits is a call that a person approves in another process meanwhile.
func (s *session) waits(t *testing.T) {
	t.Helper()
	s.call(t, "close_ticket", object{"id": "INC7"})
	s.approve(t, s.pending(t))
	if got := s.result(t); !strings.Contains(got, "the ticket is closed") {
		t.Errorf("of a call that was approved the model gets %s", got)
	}
	s.called(t, 1, `close_ticket {"id":"INC7"}`)
}

// attaches is a call that no one approves while it waits. The next like it brings
// the approval along.
func (s *session) attaches(t *testing.T) {
	t.Helper()
	got := s.made(t, "close_ticket", object{"id": "INC8"})
	run := named(t, "ask approve", got)
	s.called(t, 0, `close_ticket {"id":"INC8"}`)
	s.approve(t, run)
	s.called(t, 0, `close_ticket {"id":"INC8"}`)
	if got := s.made(t, "close_ticket", object{"id": "INC8"}); !strings.Contains(got, "the ticket is closed") {
		t.Errorf("of the next call the model gets %s", got)
	}
	s.called(t, 1, `close_ticket {"id":"INC8"}`)
}

// withholds is a result that talks to the model. Its run may go on then.
func (s *session) withholds(t *testing.T) string {
	t.Helper()
	got := s.made(t, "mail", object{})
	if strings.Contains(got, "PREVIOUS") || !strings.Contains(got, "output.quarantined") {
		t.Errorf("of a result that is withheld the model gets %s", got)
	}
	run := named(t, "ask quarantine release", got)
	s.ask(t, "quarantine", "release", run)
	return run
}

// releases is the same result, for once.
func (s *session) releases(t *testing.T, run string) {
	t.Helper()
	if got := s.made(t, "onestep_released", object{"run_id": run}); !strings.Contains(got, "IGNORE ALL PREVIOUS INSTRUCTIONS") {
		t.Errorf("of a released result the model gets %s", got)
	}
	if got := s.made(t, "onestep_released", object{"run_id": run}); strings.Contains(got, "PREVIOUS") || !strings.Contains(got, "state.missing") {
		t.Errorf("of a result that was returned the model gets %s", got)
	}
	s.called(t, 1, "mail {}")
}

// blocks is a tool that the server describes in other words since.
func (s *session) blocks(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(s.desk+"/changed", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := s.made(t, "find", object{"id": "INC9"})
	if !strings.Contains(got, "pin.") || strings.Contains(got, "Close each") {
		t.Errorf("of a tool that changed the model gets %s", got)
	}
	s.called(t, 0, `find {"id":"INC9"}`)
	s.review(t)
}

// named is the run that a refusal names in a command.
func named(t *testing.T, command, refusal string) string {
	t.Helper()
	found := regexp.MustCompile(command + ` ([\w.-]+)`).FindStringSubmatch(refusal)
	if found == nil {
		t.Fatalf("no %q is named: %s", command, refusal)
	}
	return found[1]
}

// offers is which of the server's tools the model gets, and of those of ours.
func (s *session) offers(t *testing.T, want ...string) {
	t.Helper()
	all := []string{"find", "missing", "mail", "close_ticket", "purge", "onestep_status", "onestep_released"}
	got := slices.DeleteFunc(all, func(name string) bool {
		_, ok := s.latest.offered(name)
		return !ok
	})
	if !slices.Equal(got, want) {
		t.Errorf("the model is offered %q, want %q", got, want)
	}
}

// reads is a result with all kinds of content, and a tool's error. The model gets what
// its client makes of the server's own words.
func (s *session) reads(t *testing.T) {
	t.Helper()
	if got := s.made(t, "find", object{"id": "INC7"}); !strings.Contains(got, s.client.found) {
		t.Errorf("of what is found the model gets %s, want %s", got, s.client.found)
	}
	if got := s.made(t, "missing", object{}); !strings.Contains(got, s.client.missing) {
		t.Errorf("of the error the model gets %s, want %s", got, s.client.missing)
	}
}

// called counts a call at the server.
func (r *room) called(t *testing.T, want int, call string) {
	t.Helper()
	b, err := os.ReadFile(r.desk + "/calls")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(b), call+"\n"); got != want {
		t.Errorf("%s reached the server %d times, want %d", call, got, want)
	}
}

// configured and configure are the client's file.
func (r *room) configured(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile(r.file())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (r *room) configure(t *testing.T, b []byte) {
	t.Helper()
	if err := os.WriteFile(r.file(), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// ask is the stdout of another process of the same user.
func (r *room) ask(t *testing.T, args ...string) string {
	t.Helper()
	return strings.TrimSpace(string(place{path: toolPath(t) + ":/usr/bin:/bin"}.must(t, r.home, slices.Concat([]string{"ask"}, args)...)))
}

// review approves all that the server says now.
func (r *room) review(t *testing.T, flags ...string) {
	t.Helper()
	digest, exit := place{path: toolPath(t) + ":/usr/bin:/bin"}.run(t, r.home, "ask", "servers", "review", "desk", "--all-tools", "-q", "--jq", ".reviews[0].digest")
	if exit != 4 {
		t.Fatalf("the review ended with exit %d: %s", exit, digest)
	}
	r.ask(t, slices.Concat([]string{"servers", "approve", "desk", "--digest", strings.TrimSpace(string(digest))}, flags)...)
}

// pending is the run of the call that waits, once one does.
func (r *room) pending(t *testing.T) string {
	t.Helper()
	every := time.NewTicker(50 * time.Millisecond)
	defer every.Stop()
	for limit := time.After(30 * time.Second); ; {
		if run := r.ask(t, "approvals", "list", "--jq", ".approvals[].run_id"); run != "" {
			return run
		}
		select {
		case <-limit:
			t.Fatal("no call waits")
		case <-every.C:
		}
	}
}

func (r *room) approve(t *testing.T, run string) {
	t.Helper()
	r.ask(t, "approve", run, "--digest", r.ask(t, "approvals", "list", "--jq", `.approvals[] | select(.run_id == "`+run+`") | .approval_digest`))
}

// traced is what is left of every call: a trace that holds, and replays alike.
func (r *room) traced(t *testing.T) {
	t.Helper()
	for run := range strings.FieldsSeq(r.ask(t, "trace", "list", "--jq", ".traces[].run_id")) {
		for _, does := range []string{"verify", "replay"} {
			r.ask(t, "trace", does, run)
		}
	}
}

// holds has a call wait for a person for this long. It is an argument in the
// client's file, which is given back as it was.
func (r *room) holds(t *testing.T, d string) (restore func()) {
	t.Helper()
	wrapped := r.configured(t)
	edited := regexp.MustCompile(`["']wrap["']`).ReplaceAll(wrapped, []byte(`"wrap", "--hold", "`+d+`"`))
	if bytes.Equal(edited, wrapped) {
		t.Fatalf("the client's file does not start ask wrap:\n%s", wrapped)
	}
	r.configure(t, edited)
	return func() { r.configure(t, wrapped) }
}
