package artifact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
)

func TestWhatIsStartedIsComparedWithWhatWasApproved(t *testing.T) {
	t.Parallel()
	fixed := artifact.Artifact{Kind: "npm", Name: "a", Version: "1.0.0", Integrity: "sha256:1", Program: "/x", Interpreter: "sha256:9"}
	loose := artifact.Artifact{Kind: "npm", Name: "a", Version: "1.0.0", Floating: "it was not fetched"}
	partly := fixed
	partly.Floating = "its variable X is not known to be harmless"
	with := func(a artifact.Artifact, change func(*artifact.Artifact)) artifact.Artifact {
		change(&a)
		return a
	}
	held := with(fixed, func(a *artifact.Artifact) {
		a.Sandbox = `{"manifest":{"description":"d","permissions":[]},"scopes":{}}`
	})
	wider := with(held, func(a *artifact.Artifact) {
		a.Sandbox = `{"manifest":{"description":"d","permissions":["mcp.ac.system.exec"]},"scopes":{"allowedCommands":["sh"]}}`
	})
	for name, row := range map[string]struct {
		was, now artifact.Artifact
		want     string
		refused  string // "", "locked" or "always"
	}{
		"it is confined now":      {fixed, held, "safer /sandbox", ""},
		"it is confined no more":  {held, fixed, "safety-lowering /sandbox", "always"},
		"as it was confined":      {held, held, "", ""},
		"its sandbox is wider":    {held, wider, "safety-lowering /sandbox/manifest/permissions, safety-lowering /sandbox/scopes/allowedCommands", "always"},
		"its sandbox is narrower": {wider, held, "safer /sandbox/manifest/permissions, safer /sandbox/scopes/allowedCommands", ""},
		"a sandbox in other words": {held, with(held, func(a *artifact.Artifact) {
			a.Sandbox = `{"manifest":{"description":"e","permissions":[]},"scopes":{}}`
		}), "informational /sandbox/manifest/description", ""},
		"a wider sandbox and an upgrade": {
			held, with(wider, func(a *artifact.Artifact) { a.Version, a.Integrity = "1.0.1", "sha256:2" }),
			"safety-lowering /sandbox/manifest/permissions, safety-lowering /sandbox/scopes/allowedCommands, contract /version, contract /integrity", "always",
		},
		"nothing":                   {fixed, fixed, "", ""},
		"where it lies":             {fixed, with(fixed, func(a *artifact.Artifact) { a.Program = "/y" }), "", ""},
		"the integrity":             {fixed, with(fixed, func(a *artifact.Artifact) { a.Integrity = "sha256:2" }), "contract /integrity", "always"},
		"the version":               {fixed, with(fixed, func(a *artifact.Artifact) { a.Version, a.Integrity = "1.0.1", "sha256:2" }), "contract /version, contract /integrity", "locked"},
		"the version alone":         {fixed, with(fixed, func(a *artifact.Artifact) { a.Version = "1.0.1" }), "contract /version", "locked"},
		"the name":                  {fixed, with(fixed, func(a *artifact.Artifact) { a.Name = "b" }), "contract /name", "always"},
		"the kind":                  {fixed, with(fixed, func(a *artifact.Artifact) { a.Kind = "file" }), "contract /kind", "always"},
		"the interpreter":           {fixed, with(fixed, func(a *artifact.Artifact) { a.Interpreter = "sha256:8" }), "informational /interpreter", ""},
		"no look at it":             {fixed, with(fixed, func(a *artifact.Artifact) { a.Interpreter = "" }), "", ""},
		"it floats now":             {fixed, loose, "contract /floating", "always"},
		"it floats no more":         {loose, fixed, "safer /floating", ""},
		"it floats no more, again":  {loose, with(fixed, func(a *artifact.Artifact) { a.Version = "2.0.0" }), "contract /version, safer /floating", "locked"},
		"why it floats":             {loose, with(loose, func(a *artifact.Artifact) { a.Floating = "scripts" }), "informational /floating", ""},
		"the version that floats":   {loose, with(loose, func(a *artifact.Artifact) { a.Version = "2.0.0" }), "contract /version", "locked"},
		"what floats and is pinned": {partly, with(partly, func(a *artifact.Artifact) { a.Integrity = "sha256:2" }), "contract /integrity", "always"},
		"it is as it was":           {partly, partly, "", "when locked, for it floats"},
		"no part of it is pinned":   {partly, with(loose, func(a *artifact.Artifact) { a.Floating = partly.Floating }), "contract /integrity", "always"},
		"a part of it is pinned":    {with(loose, func(a *artifact.Artifact) { a.Floating = partly.Floating }), partly, "", "when locked, for it floats"},
		"it floats for a variable":  {fixed, partly, "contract /floating", "always"},
		"nothing is started now":    {fixed, artifact.Artifact{}, "contract /kind, contract /name, contract /version, contract /integrity", "always"},
		// none was approved
		"something is started now":  {artifact.Artifact{}, fixed, "contract /kind, contract /name, contract /version, contract /integrity", "locked"},
		"nothing, and nothing then": {artifact.Artifact{}, artifact.Artifact{}, "", ""},
	} {
		var got []string
		for _, d := range artifact.Compare(row.was.Pinned(), row.now.Pinned()) {
			got = append(got, fmt.Sprint(d.Class, " ", d.Path))
		}
		if strings.Join(got, ", ") != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
		no, locked := artifact.Refuse(row.was.Pinned(), row.now, false), artifact.Refuse(row.was.Pinned(), row.now, true)
		if (no != nil) != (row.refused == "always") || no != nil && no.Code != verdict.PinChanged {
			t.Errorf("%s: %v", name, no)
		}
		if (locked != nil) != (row.refused != "" || row.now.Floating != "") {
			t.Errorf("%s, locked: %v", name, locked)
		}
	}
}

func TestWhatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{`, `null`, `[]`, `{"kind":"npm","new":1}`, `{"KIND":"npm"}`} {
		if all := artifact.Compare([]byte(text), artifact.Artifact{Kind: "npm"}.Pinned()); len(all) != 1 || all[0].Class != pin.Contract {
			t.Errorf("%s: %v", text, all)
		}
		if artifact.Refuse([]byte(text), artifact.Artifact{Kind: "npm"}, false) == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
