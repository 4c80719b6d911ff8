package agents

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// The approver reads the record, and says yes to one call. A yes to anything
// near it would count an attacker's call as the user's.
func TestOnlyTheCasesOwnCallIsApproved(t *testing.T) {
	t.Parallel()
	own := &Call{Server: "kb", Tool: "close", Args: jsontext.Value(`{"id":"INC1","notes":{"n":1,"why":"done"}}`)}
	const whole = `{"server":"kb","tool":"close","args":{"id":"INC1","notes":{"n":1,"why":"done"}},"effect":"write","intent":{}}`
	for name, c := range map[string]struct {
		own    *Call
		record string
		yes    bool
	}{
		"its own":              {own, whole, true},
		"in another order":     {own, `{"tool":"close","args":{"notes":{"why":"done","n":1},"id":"INC1"},"server":"kb"}`, true},
		"without arguments":    {&Call{Server: "kb", Tool: "list", Args: jsontext.Value(`{}`)}, `{"server":"kb","tool":"list","args":{}}`, true},
		"nobody's":             {nil, whole, false},
		"another server's":     {own, `{"server":"KB","tool":"close","args":{"id":"INC1","notes":{"n":1,"why":"done"}}}`, false},
		"another tool":         {own, `{"server":"kb","tool":"close_all","args":{"id":"INC1","notes":{"n":1,"why":"done"}}}`, false},
		"another value":        {own, `{"server":"kb","tool":"close","args":{"id":"INC2","notes":{"n":1,"why":"done"}}}`, false},
		"another value within": {own, `{"server":"kb","tool":"close","args":{"id":"INC1","notes":{"n":2,"why":"done"}}}`, false},
		"another type":         {own, `{"server":"kb","tool":"close","args":{"id":"INC1","notes":{"n":"1","why":"done"}}}`, false},
		"one argument more":    {own, `{"server":"kb","tool":"close","args":{"id":"INC1","notes":{"n":1,"why":"done"},"force":true}}`, false},
		"one argument less":    {own, `{"server":"kb","tool":"close","args":{"id":"INC1"}}`, false},
		"no arguments at all":  {own, `{"server":"kb","tool":"close"}`, false},
		"arguments unsaid":     {&Call{Server: "kb", Tool: "close"}, `{"server":"kb","tool":"close","args":{}}`, false},
		"said by the claim":    {own, `{"server":"kb","tool":"wipe","args":{},"claim":` + whole + `}`, false},
		"no record":            {own, ``, false},
		"one that is none":     {own, `{"server":"kb","server":"kb","tool":"close","args":{}}`, false},
	} {
		yes, err := (&approver{own: c.own}).Approve(t.Context(), host.Request{Digest: "sha256:1", Record: jsontext.Value(c.record)})
		switch {
		case c.yes && (err != nil || yes.Approval != "sha256:1" || yes.How != "terminal"):
			t.Errorf("%s: %+v, %v", name, yes, err)
		case !c.yes && (verdict.CodeOf(err) != verdict.ApprovalRefused || yes.Approval != ""):
			t.Errorf("%s: %+v, %v", name, yes, err)
		}
	}
}
