package trust_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/trust"
)

// TestAnotherProgramIsApprovedByItsOwnDigestOrTheWhole, and by no tool's: not
// even by that of a tool that is gone.
func TestAnotherProgramIsApprovedByItsOwnDigestOrTheWhole(t *testing.T) {
	t.Parallel()
	changed := func() (*trust.Keeper, *server, trust.Review) {
		k, kb := keeper(t), &server{tools: []string{tool("get", "gets"), tool("put", "puts"), tool("del", "deletes")}}
		kb.runs = artifact.Artifact{Kind: "file", Integrity: "sha256:1"}
		approve(t, k, kb, "get", "put", "del")
		kb.runs.Integrity, kb.tools = "sha256:2", []string{tool("get", "gets"), tool("put", "puts more")}
		return k, kb, look(t, k, kb, "get", "put", "del")
	}
	_, _, r := changed()
	if p := r.Parts[0]; p.Tool != "" || p.State != trust.Changed || !p.Open() || len(p.Change.Differences) != 1 || p.Change.Differences[0].Path != "/integrity" {
		t.Fatalf("what is started is no part of its own: %+v", r.Parts)
	}
	digest := map[string]string{"whole": r.Digest}
	for _, p := range r.Parts {
		digest[p.Tool] = p.Digest
	}
	for by, row := range map[string]struct {
		names []string
		kept  string
	}{
		"a tool's":            {[]string{"put"}, ""},
		"that of one gone":    {[]string{"del"}, ""},
		"those of both":       {[]string{"put", "del"}, ""},
		"its own":             {[]string{""}, "approved "},
		"its own and a tools": {[]string{"del", ""}, "approved , removed del"},
		"the whole":           {[]string{"whole"}, "approved ,put, removed del"},
	} {
		k, kb, r := changed()
		var digests []string
		for _, name := range row.names {
			digests = append(digests, digest[name])
		}
		kept, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", Digests: digests})
		if row.kept == "" && (verdict.CodeOf(err) != verdict.PinChanged || !strings.Contains(err.Error(), "started") || kept.Any()) {
			t.Errorf("%s: %+v, %v", by, kept, err)
		}
		if row.kept != "" && (err != nil || said(kept) != row.kept) {
			t.Errorf("%s: %q, %v", by, said(kept), err)
		}
		if open := len(look(t, k, kb, "get").Program) > 0; open != (row.kept == "") {
			t.Errorf("%s: another program is approved: %v", by, !open)
		}
	}
}

func said(d trust.Decided) string {
	var all []string
	for _, list := range []struct {
		what  string
		names []string
	}{{"approved", d.Approved}, {"removed", d.Removed}, {"rejected", d.Rejected}} {
		if len(list.names) > 0 {
			slices.Sort(list.names)
			all = append(all, list.what+" "+strings.Join(list.names, ","))
		}
	}
	return strings.Join(all, ", ")
}
