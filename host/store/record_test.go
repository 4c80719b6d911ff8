package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/host/store"
)

func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	err := s.Change(t.Context(), func(tx *store.Tx) error {
		for _, name := range []string{"b/2", "a/1", "b/1", "bb/1"} {
			if err := tx.Put("use", name, []byte(name)); err != nil {
				return err
			}
		}
		return errors.Join(tx.Put("agent", "b", []byte("x")), tx.Put("agent", "b", []byte("y")), tx.Remove("use", "a/1"))
	})
	if err != nil {
		t.Fatal(err)
	}
	other := opened(t, path)
	names := func(prefix, after string, limit int) (all []string) {
		rows, err := other.Records(t.Context(), "use", prefix, after, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if r.Name != string(r.Body) {
				t.Errorf("%s has the body %s", r.Name, r.Body)
			}
			all = append(all, r.Name)
		}
		return all
	}
	for _, c := range []struct{ got, want []string }{
		{names("", "", 9), []string{"b/1", "b/2", "bb/1"}},
		{names("b/", "", 9), []string{"b/1", "b/2"}},
		{names("b/", "b/1", 9), []string{"b/2"}},
		{names("", "", 1), []string{"b/1"}},
		{names("c", "", 9), nil},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Error(diff)
		}
	}
	if body, err := other.Record(t.Context(), "agent", "b"); string(body) != "y" || err != nil {
		t.Errorf("%q, %v", body, err)
	}
	if body, err := other.Record(t.Context(), "agent", "c"); body != nil || err != nil {
		t.Errorf("%q, %v", body, err)
	}
}

// A change that fails leaves neither a record nor an event.
func TestAChangeIsWholeOrNothing(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	failed := errors.New("no")
	err := s.Change(t.Context(), func(tx *store.Tx) error {
		return errors.Join(tx.Put("agent", "a", []byte("x")), tx.Add([]byte("one")), failed)
	})
	if !errors.Is(err, failed) {
		t.Error(err)
	}
	body, noRecord := s.Record(t.Context(), "agent", "a")
	events, noEvent := s.Events(t.Context(), 0, 9)
	if body != nil || len(events) > 0 || noRecord != nil || noEvent != nil {
		t.Errorf("%q, %d events, %v, %v", body, len(events), noRecord, noEvent)
	}
}

// A call leaves only if the check of its transaction holds, also a call that spends nothing.
func TestACallIsCheckedInItsTransaction(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	revision := func(of string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			is, err := tx.Record("revision", "a")
			if err == nil && string(is) != of {
				err = fmt.Errorf("it is %q", is)
			}
			return err
		}
	}
	if err := s.RedeemIf(t.Context(), grant.Redemption{}, revision("")); err != nil {
		t.Error(err)
	}
	if err := s.Change(t.Context(), func(tx *store.Tx) error { return tx.Put("revision", "a", []byte("2")) }); err != nil {
		t.Fatal(err)
	}
	if err := s.RedeemIf(t.Context(), grant.Redemption{}, revision("")); err == nil {
		t.Error("the call of an old revision leaves")
	}
}

func TestEventsAreInOrder(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	for i := range 5 {
		if err := s.Change(t.Context(), func(tx *store.Tx) error { return tx.Add(fmt.Append(nil, i+1)) }); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		after int64
		limit int
		want  []int64
	}{{0, 9, []int64{1, 2, 3, 4, 5}}, {2, 2, []int64{3, 4}}, {5, 9, nil}, {9, 9, nil}, {0, 1, []int64{1}}} {
		events, err := opened(t, path).Events(t.Context(), c.after, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, e := range events {
			if fmt.Sprint(e.Seq) != string(e.Body) {
				t.Errorf("event %d is %s", e.Seq, e.Body)
			}
			got = append(got, e.Seq)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAnAlteredRecordIsAnErrorAndNoRow(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, path := fresh(t)
	if err := s.Change(t.Context(), func(tx *store.Tx) error { return tx.Put("agent", "a", []byte("x")) }); err != nil {
		t.Fatal(err)
	}
	raw(t, path, `UPDATE record SET body = x'79'`)
	if body, err := s.Record(t.Context(), "agent", "a"); body != nil && err == nil {
		t.Errorf("%q", body)
	} else if err == nil {
		t.Error("no error")
	}
}

// An event is missing wherever it was, or is another: neither is it read, nor does one follow.
func TestAMissingEventIsAnError(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	for _, c := range []struct {
		statement string
		from      int64 // what is after it is read
		follows   bool  // an event can be added
	}{
		{`DELETE FROM event WHERE seq = 1`, 2, true},
		{`DELETE FROM event WHERE seq = 2`, 3, true},
		{`DELETE FROM event WHERE seq >= 3`, 9, false},
		{`DELETE FROM event`, 9, false},
		{`UPDATE event SET body = 'x' WHERE seq = 3`, 3, true},
		{`UPDATE event SET seq = 9 WHERE seq = 4`, 9, false},
		{`DELETE FROM record`, 0, false},
	} {
		s, path := fresh(t)
		for range 4 {
			if err := s.Change(t.Context(), func(tx *store.Tx) error { return tx.Add([]byte("e")) }); err != nil {
				t.Fatal(err)
			}
		}
		raw(t, path, c.statement)
		for _, limit := range []int{1, 4, 9} {
			for after := range int64(5) {
				got, err := s.Events(t.Context(), after, limit)
				for i, e := range got {
					if e.Seq != after+int64(i)+1 || string(e.Body) != "e" {
						t.Errorf("%s: after %d of %d: event %d is %s", c.statement, after, limit, e.Seq, e.Body)
					}
				}
				if limit == 9 && after < c.from && err == nil {
					t.Errorf("%s: after %d: %d events and no error", c.statement, after, len(got))
				}
			}
		}
		err := s.Change(t.Context(), func(tx *store.Tx) error { return tx.Add([]byte("e")) })
		if (err == nil) != c.follows {
			t.Errorf("%s: an event follows: %v", c.statement, err)
		}
	}
}
