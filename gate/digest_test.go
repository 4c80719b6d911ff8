package gate_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// part is everything that an approval is of.
type part struct {
	run, subject, expires, words, context string
	server, tool, args, raw, allow        string
	reached                               pin.Identity
}

func (p part) digest(t *testing.T) string {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(`{"` + p.server + `":` + p.allow + `}`))
	if err != nil {
		t.Fatal(err)
	}
	listing := catalog.Listing{Server: p.server, Tools: []pin.Descriptor{{Server: p.server, Raw: jsontext.Value(p.raw)}}}
	c := catalog.Admit([]catalog.Listing{listing}, allow, catalog.Options{Identities: map[string]pin.Identity{p.server: p.reached}})
	said, err := plan.Parse(plan.Call(p.server, p.tool, jsontext.Value(p.args)))
	if err != nil {
		t.Fatal(err)
	}
	by := gate.Asked{Query: query(t, p.words, p.context), RunID: p.run, Subject: p.subject, Expires: p.expires}
	a, err := gate.New(gate.Options{}).Approve(by, c, said)
	if err != nil {
		t.Fatal(err)
	}
	return a.Digest()
}

// An approval is for one call, byte for byte, and for everything around it. If one
// part changes, so does the digest. A part outside the digest could be changed between
// the question and the yes.
func TestEveryPartOfAnApprovalIsInItsDigest(t *testing.T) {
	t.Parallel()
	whole := func() part {
		return part{
			"r1", "ada", "2026-01-02T03:04:05Z", "get 1", "of the list", "kb", "get", `{"id":1}`, descriptor, `{"write":["get"]}`,
			pin.Identity{Kind: "stdio", Address: "kb-server", Entry: "sha256:1", Endpoint: "sha256:2"},
		}
	}
	digests := map[string]string{whole().digest(t): "nothing"}
	if whole().digest(t) == "" || len(digests) != 1 || digests[whole().digest(t)] != "nothing" {
		t.Fatal("the same parts have other digests")
	}
	for name, change := range map[string]func(*part){
		"the run":               func(p *part) { p.run = "r2" },
		"who asks":              func(p *part) { p.subject = "bo" },
		"the expiry":            func(p *part) { p.expires = "2026-01-02T03:04:06Z" },
		"the question":          func(p *part) { p.words = "fetch 1" },
		"what the user said":    func(p *part) { p.words = "get it" },
		"the context":           func(p *part) { p.context = "of another list" },
		"the server":            func(p *part) { p.server = "kb2" },
		"the way it is reached": func(p *part) { p.reached.Endpoint = "sha256:3" },
		"its entry":             func(p *part) { p.reached.Entry = "sha256:3" },
		"the tool": func(p *part) {
			p.tool, p.allow, p.raw = "got", `{"write":["got"]}`, strings.Replace(descriptor, `"get"`, `"got"`, 1)
		},
		"the descriptor":       func(p *part) { p.raw = strings.Replace(descriptor, "Get an entry.", "Wipe an entry.", 1) },
		"the arguments":        func(p *part) { p.args = `{"id":2}` },
		"the effect":           func(p *part) { p.allow = `{"read":["get"]}` },
		"whose word that is":   func(p *part) { p.allow = `["get"]` },
		"no approval needed":   func(p *part) { p.allow = `{"write":[{"name":"get","approval":"none"}]}` },
		"one at a terminal":    func(p *part) { p.allow = `{"write":[{"name":"get","approval":"terminal"}]}` },
		"a terminal, and read": func(p *part) { p.allow = `{"read":[{"name":"get","approval":"terminal"}]}` },
	} {
		p := whole()
		change(&p)
		d := p.digest(t)
		if other, taken := digests[d]; taken {
			t.Errorf("an approval with another part (%s) has the digest of the one with %s", name, other)
		}
		digests[d] = name
	}
}

// Each part of the record is watched by itself: two that always change together
// could hide each other.
func TestTheRecordOfAnApprovalHasEveryPart(t *testing.T) {
	t.Parallel()
	record := string(waiting(t, `"get"`).Record())
	for _, want := range []string{
		`"run_id":"r"`, `"subject":"ada"`, `"server":"kb"`, `"tool":"get"`, `"args":{"id":1}`, `"descriptor":"sha256:`, `"question":"sha256:`, `"context":"sha256:`,
		`"effect":"write"`, `"effect_by":"default"`, `"tool_approval":"needed"`, `"origin":"stated"`, `"expires":""`, `"identity":{`,
	} {
		if !strings.Contains(record, want) {
			t.Errorf("%s is not in %s", want, record)
		}
	}
}

// The trace says who approved, in what way, and which run had the pending approval. A
// yes without a name could come from any user.
func TestTheRecordOfAConsentHasEveryPart(t *testing.T) {
	t.Parallel()
	a := waiting(t, `"get"`)
	record, err := a.ConsentRecord(gate.Yes{Approval: a.Digest(), By: "bo", How: gate.ByDigest, RunID: "r7", Trace: "sha256:9"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"approval":"` + a.Digest() + `","by":"bo","how":"digest","run_id":"r7","trace":"sha256:9"}`
	if string(record) != want {
		t.Errorf("%s, not %s", record, want)
	}
}

// What reads a record back reads all of it.
func TestARecordIsReadBackWhole(t *testing.T) {
	t.Parallel()
	a := waiting(t, `"get"`)
	r, err := gate.ReadRecord(a.Record())
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(r)
	if err == nil {
		raw, err = schema.Canonical(raw)
	}
	if err != nil || string(raw) != string(a.Record()) {
		t.Errorf("%v\n%s\n%s", err, raw, a.Record())
	}
	for _, bad := range []string{"", "null2", `{"intent":{"leaves":[{"origin":"elsewhere"}]}}`, `{"run_id":1}`} {
		if _, err := gate.ReadRecord([]byte(bad)); verdict.CodeOf(err) != verdict.TraceBroken {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
