package talk_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/origin"
	"github.com/onestep-run/onestep/host/talk"
)

func store(t *testing.T) (talk.Store, *time.Time) {
	t.Helper()
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	return talk.Store{Dir: filepath.Join(t.TempDir(), "talks"), Now: func() time.Time { return now }}, &now
}

func call(args string) origin.Call {
	return origin.Call{Server: "tickets", Tool: "close", Args: jsontext.Value(args)}
}

func TestACallHasTheWordsOfItsOwnConversation(t *testing.T) {
	t.Parallel()
	s, _ := store(t)
	one, other := talk.Session("claude-code", "1"), talk.Session("claude-code", "2")
	for session, text := range map[string]string{one: "close INC0010001", other: "close INC0010002"} {
		if err := s.Add(t.Context(), talk.Row{Session: session, Text: text, How: "typed"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Called(t.Context(), one, "toolu_1", "mcp__tickets__close", []byte(`{"id":"INC0010002"}`)); err != nil {
		t.Fatal(err)
	}
	tracer := &talk.Tracer{Store: s}
	session := tracer.Session([]string{"toolu_1"}, call(`{"id":"INC0010002"}`))
	all := tracer.Origins(session, call(`{"id":"INC0010002"}`))
	if session != one || len(all) != 1 || all[0].Origin != origin.None {
		t.Errorf("%q %+v", session, all)
	}
	tracer.Returned(t.Context(), one, origin.Answer{Run: "r1", Server: "tickets", Tool: "find"}, []byte(`{"content":[],"structuredContent":{"id":"INC0010002"}}`))
	all = tracer.Origins(session, call(`{"id":"INC0010002"}`))
	if len(all) != 1 || all[0].Run != "r1" || all[0].At != "/id" {
		t.Errorf("%+v", all)
	}
}

func TestAJoinThatFitsTwoConversationsIsNone(t *testing.T) {
	t.Parallel()
	s, now := store(t)
	args := []byte(`{"id":"INC1"}`)
	for _, id := range []string{"1", "2"} {
		if err := s.Called(t.Context(), talk.Session("gemini", id), "", "mcp_tickets_close", args); err != nil {
			t.Fatal(err)
		}
		if id == "1" && s.Find(nil, "close", args) == "" {
			t.Error("one conversation is not found")
		}
	}
	if got := s.Find(nil, "close", args); got != "" {
		t.Errorf("two conversations are %q", got)
	}
	if got := s.Find(nil, "open", args); got != "" {
		t.Errorf("another tool is of %q", got)
	}
	*now = now.Add(2 * time.Hour)
	if err := s.Called(t.Context(), talk.Session("gemini", "3"), "", "mcp_tickets_close", args); err != nil {
		t.Fatal(err)
	}
	if got := s.Find(nil, "close", args); got != talk.Session("gemini", "3") {
		t.Errorf("after two hours it is %q", got)
	}
}

func TestRowsAreSealedAndEndAfterADay(t *testing.T) {
	t.Parallel()
	s, now := store(t)
	session := talk.Session("codex", "1")
	for range 2 {
		if err := s.Add(t.Context(), talk.Row{Session: session, Text: "my secret words", How: "typed"}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(s.Dir, "*.rows"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil || bytes.Contains(b, []byte("secret")) {
		t.Errorf("the file shows the words, or %v", err)
	}
	b[40] ^= 1
	if err := os.WriteFile(files[0], append(b, "forged\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if rows, err := s.Rows(session); len(rows) != 1 || err != nil {
		t.Errorf("of two rows, one changed: %d, %v", len(rows), err)
	}
	*now = now.Add(25 * time.Hour)
	if rows, _ := s.Rows(session); len(rows) != 0 {
		t.Errorf("%d rows after a day", len(rows))
	}
	if n, err := s.Prune(t.Context(), now.Add(-1000*time.Hour), nil, false); n != 1 || err != nil {
		t.Errorf("%d rows ended, %v", n, err)
	}
	if left, err := filepath.Glob(filepath.Join(s.Dir, "*.rows")); err != nil || len(left) != 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}

func TestWithoutAHookNothingIsKnown(t *testing.T) {
	t.Parallel()
	s, _ := store(t)
	if session := (&talk.Tracer{Store: s}).Session(nil, call(`{"id":"INC1"}`)); session != "" {
		t.Error(session)
	}
	if _, err := os.Stat(s.Dir); err == nil {
		t.Error("reading makes a directory")
	}
}

// While a wrap runs, messages become too old and others come: those that came are read.
func TestAMessageIsReadAfterOthersBecameTooOld(t *testing.T) {
	t.Parallel()
	s, now := store(t)
	session, tracer := talk.Session("claude-code", "1"), &talk.Tracer{Store: s}
	for _, text := range []string{"close INC0010001", "close INC0010002"} {
		if err := s.Add(t.Context(), talk.Row{Session: session, Text: text, How: "typed"}); err != nil {
			t.Fatal(err)
		}
		all := tracer.Origins(session, call(`{"id":"`+text[6:]+`"}`))
		if len(all) != 1 || all[0].Origin != origin.Stated {
			t.Errorf("%s: %+v", text, all)
		}
		*now = now.Add(talk.Lifetime + time.Minute)
	}
}

// A prune ends the rows of its time and of its runs, and no other.
func TestAPruneEndsOldRowsAndThoseOfItsRuns(t *testing.T) {
	t.Parallel()
	s, now := store(t)
	session := talk.Session("codex", "1")
	add := func(r talk.Row) {
		t.Helper()
		r.Session = session
		if err := s.Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	texts := func() (all []string) {
		rows, err := s.Rows(session)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, r := range rows {
			all = append(all, r.Text)
		}
		return all
	}
	prune := func(before time.Duration, dry bool, runs ...string) int {
		t.Helper()
		n, err := s.Prune(t.Context(), now.Add(-before), runs, dry)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := prune(0, false); n != 0 {
		t.Errorf("%d rows before the first", n)
	}
	add(talk.Row{Text: "old", How: "typed"})
	if err := s.Called(t.Context(), session, "call_1", "close", []byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(2 * time.Hour)
	add(talk.Row{Text: "new", How: "typed"})
	add(talk.Row{Text: "one", Run: "r1"})
	add(talk.Row{Text: "two", Run: "r2"})
	all := []string{"old", "new", "one", "two"}
	for _, c := range []struct {
		before time.Duration
		dry    bool
		runs   []string
		ended  int
		left   []string
	}{
		{3 * time.Hour, false, nil, 0, all},
		{time.Hour, true, []string{"r1"}, 4, all}, // the message, both joins of the call, and the result
		{3 * time.Hour, false, []string{"r1", "r9"}, 1, []string{"old", "new", "two"}},
		{time.Hour, false, nil, 3, []string{"new", "two"}},
		{-time.Hour, false, nil, 2, nil},
	} {
		if n := prune(c.before, c.dry, c.runs...); n != c.ended || !slices.Equal(texts(), c.left) {
			t.Errorf("%+v: %d rows ended, left %q", c, n, texts())
		}
	}
	if left, err := filepath.Glob(filepath.Join(s.Dir, "*.rows*")); err != nil || !slices.Equal(left, []string{filepath.Join(s.Dir, "rows.lock")}) && len(left) != 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	add(talk.Row{Text: "again", How: "typed"})
	if got := texts(); !slices.Equal(got, []string{"again"}) {
		t.Errorf("after a prune: %q", got)
	}
}
