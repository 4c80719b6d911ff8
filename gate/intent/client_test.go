package intent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestWhatAClientsModelWroteIsNeverTheUsers(t *testing.T) {
	t.Parallel()
	for _, args := range []string{`{}`, `{"id":"INC1"}`, `{"id":"INC1","deep":[{"a":true}]}`} {
		r, err := intent.Compare(intent.Question{Client: true, Changes: true}, nil, jsontext.Value(args))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range r.Leaves {
			if l.Origin != intent.Client {
				t.Errorf("%s: %+v", args, l)
			}
		}
		if r.Marked(true) || r.Marked(false) {
			t.Errorf("%s is marked, where a person is asked anyway", args)
		}
		if r.Certain(true) || r.Certain(false) {
			t.Errorf("%s is certain, where nobody is asked", args)
		}
	}
}

func TestManyValuesOfAClientAreShownByMember(t *testing.T) {
	t.Parallel()
	long := "[0" + strings.Repeat(",0", 5000) + "]"
	args := jsontext.Value(fmt.Sprintf(`{"a/b":%s,"c":"x"}`, long))
	r, err := intent.Compare(intent.Question{Client: true}, nil, args)
	if err != nil || len(r.Leaves) != 2 {
		t.Fatalf("%d leaves, %v", len(r.Leaves), err)
	}
	if l := r.Leaves[0]; l.Pointer != "/a~1b" || l.Value != long || l.Origin != intent.Client {
		t.Errorf("%s holds %d bytes as %s", l.Pointer, len(l.Value), l.Origin)
	}
	if _, err := intent.Compare(intent.Question{}, nil, args); verdict.CodeOf(err) != verdict.PlanSize {
		t.Errorf("without a client: %v", err)
	}
	var members []string
	for i := range 1025 {
		members = append(members, fmt.Sprintf(`"m%d":0`, i))
	}
	if _, err := intent.Compare(intent.Question{Client: true}, nil, jsontext.Value("{"+strings.Join(members, ",")+"}")); verdict.CodeOf(err) != verdict.PlanSize {
		t.Errorf("more members than anybody reads: %v", err)
	}
}
