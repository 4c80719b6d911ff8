package trust_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
)

// TestAnotherProgramIsNotAskedByARefresh, and the change is reported. Another version,
// which the operator's file names, is reported and asked.
func TestAnotherProgramIsNotAskedByARefresh(t *testing.T) {
	t.Parallel()
	approved := artifact.Artifact{Kind: "npm", Name: "kb", Version: "1.0.0", Integrity: "sha256:1", Interpreter: "sha256:9"}
	changed := func(change func(*artifact.Artifact)) artifact.Artifact {
		a := approved
		change(&a)
		return a
	}
	for name, row := range map[string]struct {
		runs  artifact.Artifact
		told  string
		lists int
	}{
		"the same":            {approved, "", 1},
		"another interpreter": {changed(func(a *artifact.Artifact) { a.Interpreter = "sha256:8" }), "informational /interpreter ", 1},
		"another version":     {changed(func(a *artifact.Artifact) { a.Version, a.Integrity = "1.0.1", "sha256:2" }), "contract /version contract /integrity ", 1},
		"another tree":        {changed(func(a *artifact.Artifact) { a.Integrity = "sha256:2" }), "contract /integrity ", 0},
		"it floats":           {changed(func(a *artifact.Artifact) { a.Integrity, a.Floating = "", "w" }), "contract /floating ", 0},
	} {
		k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}, runs: approved}
		approve(t, k, kb, "get")
		kb.runs, kb.tools[0] = row.runs, tool("get", "gets more")
		now, err := k.Refresh(t.Context(), kb.subject("get"), pin.Accept{})
		told := ""
		for _, d := range now.Program {
			told += d.Class.String() + " " + d.Path + " "
		}
		if err != nil || told != row.told || kb.lists != row.lists || len(now.Held) != row.lists {
			t.Errorf("%s: it says %q of the program, asked %d times and held %v back, %v", name, told, kb.lists, now.Held, err)
		}
	}
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}, runs: approved}
	if now, err := k.Refresh(t.Context(), kb.subject("get"), pin.Accept{}); err != nil || now.Program != nil || len(now.Held) != 1 {
		t.Errorf("where nothing was approved: %+v, %v", now, err)
	}
}

// TestARefreshKeepsNamesAloneOfToolsThatNobodyApproved: a server may list any number of
// them. Tools in the allowlist are reported.
func TestARefreshKeepsNamesAloneOfToolsThatNobodyApproved(t *testing.T) {
	t.Parallel()
	s := store.At(filepath.Join(t.TempDir(), "state.db"), time.Now)
	t.Cleanup(func() { _ = s.Close() })
	k, kb := trust.NewKeeper(s, time.Now), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	kb.tools = []string{tool("get", "gets more"), tool("put", "puts")}
	for i := range 100 {
		kb.tools = append(kb.tools, tool(fmt.Sprint("other", i), "others"))
	}
	now, err := k.Refresh(t.Context(), kb.subject("get", "put"), pin.Accept{})
	if err != nil || len(now.Held) != 2 || now.Held[0].Tool != "get" || now.Held[1].Tool != "put" {
		t.Errorf("%d tools are told of, %v", len(now.Held), err)
	}
	if kept, err := s.Seen(t.Context(), kb.subject().Place); err != nil || len(kept) != 2 || kept[0].Code != store.Listed || kept[1].Tool != "get" {
		t.Errorf("%d tools are kept, %v", len(kept), err)
	}
}
