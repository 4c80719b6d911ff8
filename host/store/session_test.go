package store_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

func session(id string) store.Session {
	return store.Session{ID: id, Token: "ada's", Conversation: "c" + id, Client: "ed\x00itor\xff", Version: "1", Expires: when.Add(time.Hour)}
}

// A session is read as it began, in another process too, and no other token's.
func TestASessionIsReadAsItBegan(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	if _, found, err := s.FindSession(t.Context(), "1", "ada's", when); found || err != nil {
		t.Errorf("none began: %v, %v", found, err)
	}
	if begun, err := s.BeginSession(t.Context(), session("1")); !begun || err != nil {
		t.Fatal(begun, err)
	}
	other := opened(t, path)
	if is, found, err := other.FindSession(t.Context(), "1", "ada's", when.Add(time.Hour)); !found || is != session("1") || err != nil {
		t.Errorf("%+v, %v, %v", is, found, err)
	}
	if _, found, err := other.FindSession(t.Context(), "1", "eve's", when); found || err != nil {
		t.Errorf("of another token: %v, %v", found, err)
	}
	if err := other.EndSession(t.Context(), "1", "ada's"); err != nil {
		t.Error(err)
	}
	if _, found, err := s.FindSession(t.Context(), "1", "ada's", when); found || err != nil {
		t.Errorf("it ended: %v, %v", found, err)
	}
}

func init() {
	children["begin"] = func(s *store.Store, _ string) error {
		for i := range 30 {
			id := fmt.Sprint(os.Getenv("STORE_NUMBER"), "-", i)
			begun, err := s.BeginSession(bg, session(id))
			for verdict.CodeOf(err) == verdict.StateLocked { // a busy machine: others had their turns
				begun, err = s.BeginSession(bg, session(id))
			}
			if err != nil {
				return err
			}
			if begun {
				fmt.Print("x")
			}
		}
		return nil
	}
}

// Ten processes begin sessions of one token at once, and no more begin than it may have.
func TestProcessesBeginNoMoreSessionsThanATokenMayHave(t *testing.T) {
	t.Parallel()
	_, path := fresh(t)
	begun := make([]int, 10)
	var all sync.WaitGroup
	for i := range begun {
		all.Go(func() {
			out, err := child(t, "begin", path, fmt.Sprint("STORE_NUMBER=", i)).Output()
			if err != nil {
				t.Error(err)
			}
			begun[i] = strings.Count(string(out), "x")
		})
	}
	all.Wait()
	sum := 0
	for _, n := range begun {
		sum += n
	}
	if sum != 100 {
		t.Errorf("%d sessions began", sum)
	}
}
