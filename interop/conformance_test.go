//go:build interop

package interop_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// scenario is one scenario of the suite, at one version of the protocol. It says how
// many of its checks must pass, which must fail, and how the client's question must
// end. Neither more nor less is accepted.
type scenario struct {
	name, version string
	passed        int
	failed        []string
	ends          string // the outcome's code, "" for an answer
}

var scenarios = []scenario{
	{"initialize", "2025-06-18", 1, nil, "catalog.empty"},
	{"initialize", "2025-11-25", 1, nil, "catalog.empty"},
	{"tools_call", "2025-06-18", 2, nil, ""},
	{"tools_call", "2025-11-25", 2, nil, ""},
	{"tools_call", "2026-07-28", 2, nil, ""},
	{"sse-retry", "2025-11-25", 3, nil, ""},
	{"json-schema-ref-no-deref", "2026-07-28", 1, nil, "catalog.empty"},
	{"json-schema-2020-12-preservation", "2025-11-25", 9, nil, ""},
	{"json-schema-2020-12-preservation", "2026-07-28", 9, nil, ""},

	// 2025-11-25 is asked for first, in a request that has no such header.
	{"http-standard-headers", "2026-07-28", 3, []string{"ClientMcpMethodHeader_initialize"}, ""},

	// The same of the metadata of a request.
	{"request-metadata", "2026-07-28", 2, []string{"ClientPopulatesMeta", "ClientSendsClientInfo", "ClientSendsVersionHeader"}, "catalog.empty"},

	{"http-custom-headers", "2026-07-28", 18, nil, ""},
	{"http-invalid-tool-headers", "2026-07-28", 12, nil, ""},

	// Refused on purpose: a server that asks back gets no answer.
	{"sep-2322-client-request-state", "2026-07-28", 0, []string{
		"sep-2322-client-jsonrpc-id-different", "sep-2322-client-no-state-omitted", "sep-2322-client-parallel-isolation",
		"sep-2322-client-request-state-echoed", "sep-2322-default-result-type-complete",
	}, "call.input_required"},
	{"elicitation-sep1034-client-defaults", "2025-11-25", 0, []string{
		"ClientElicitationSEP1034General", "clientelicitationsep1034booleandefault", "clientelicitationsep1034enumdefault",
		"clientelicitationsep1034integerdefault", "clientelicitationsep1034numberdefault", "clientelicitationsep1034stringdefault",
	}, "call.outcome_unknown"},

	// Authorization of 2025-03-26: without a document of the server the operator names the issuer; without any
	// document no address is guessed.
	{"auth/2025-03-26-oauth-metadata-backcompat", "2025-03-26", 14, nil, ""},
	{"auth/2025-03-26-oauth-endpoint-fallback", "2025-03-26", 0, []string{
		"Expected Check Missing: authorization-request", "Expected Check Missing: client-registration", "Expected Check Missing: token-request",
	}, "login.discovery"},

	// Authorization: a login outside the transport, and the question again.
	{"auth/token-endpoint-auth-basic", "2025-06-18", 21, nil, ""},
	{"auth/token-endpoint-auth-post", "2025-06-18", 21, nil, ""},
	{"auth/token-endpoint-auth-none", "2025-06-18", 21, nil, ""},
	{"auth/metadata-default", "2025-11-25", 20, nil, ""},
	{"auth/metadata-var1", "2025-11-25", 20, nil, ""},
	{"auth/metadata-var2", "2025-11-25", 20, nil, ""},
	{"auth/metadata-var3", "2025-11-25", 20, nil, ""},
	{"auth/basic-cimd", "2025-11-25", 15, nil, ""},
	{"auth/scope-from-www-authenticate", "2025-11-25", 16, nil, ""},
	{"auth/scope-from-scopes-supported", "2025-11-25", 16, nil, ""},
	{"auth/scope-omitted-when-undefined", "2025-11-25", 16, nil, ""},
	{"auth/scope-step-up", "2025-11-25", 27, nil, ""},
	{"auth/scope-retry-limit", "2025-11-25", 18, nil, "server.protocol"},
	{"auth/token-endpoint-auth-basic", "2025-11-25", 21, nil, ""},
	{"auth/token-endpoint-auth-post", "2025-11-25", 21, nil, ""},
	{"auth/token-endpoint-auth-none", "2025-11-25", 21, nil, ""},
	{"auth/pre-registration", "2025-11-25", 15, nil, ""},
	{"auth/metadata-default", "2026-07-28", 21, nil, ""},
	{"auth/metadata-var1", "2026-07-28", 21, nil, ""},
	{"auth/metadata-var2", "2026-07-28", 21, nil, ""},
	{"auth/metadata-var3", "2026-07-28", 21, nil, ""},
	{"auth/basic-cimd", "2026-07-28", 15, nil, ""},
	{"auth/scope-from-www-authenticate", "2026-07-28", 17, nil, ""},
	{"auth/scope-from-scopes-supported", "2026-07-28", 17, nil, ""},
	{"auth/scope-omitted-when-undefined", "2026-07-28", 17, nil, ""},
	{"auth/scope-step-up", "2026-07-28", 31, nil, ""},
	{"auth/scope-retry-limit", "2026-07-28", 19, nil, "server.protocol"},
	{"auth/token-endpoint-auth-basic", "2026-07-28", 22, nil, ""},
	{"auth/token-endpoint-auth-post", "2026-07-28", 22, nil, ""},
	{"auth/token-endpoint-auth-none", "2026-07-28", 22, nil, ""},
	{"auth/pre-registration", "2026-07-28", 15, nil, ""},
	{"auth/resource-mismatch", "2026-07-28", 2, nil, "login.discovery"},
	{"auth/offline-access-scope", "2026-07-28", 15, nil, ""},
	{"auth/offline-access-not-supported", "2026-07-28", 17, nil, ""},
	{"auth/authorization-server-migration", "2026-07-28", 33, nil, ""},
	{"auth/iss-supported", "2026-07-28", 17, nil, ""},
	{"auth/iss-not-advertised", "2026-07-28", 17, nil, ""},
	{"auth/iss-supported-missing", "2026-07-28", 8, nil, "login.state"},
	{"auth/iss-wrong-issuer", "2026-07-28", 8, nil, "login.state"},
	{"auth/iss-unexpected", "2026-07-28", 8, nil, "login.state"},
	{"auth/iss-normalized", "2026-07-28", 8, nil, "login.state"},
	{"auth/metadata-issuer-mismatch", "2026-07-28", 3, nil, "login.discovery"},
	{"auth/client-credentials-basic", "", 10, nil, ""}, // an extension, of no version
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios {
		t.Run(s.name+"/"+s.version, func(t *testing.T) {
			t.Parallel()
			s.run(t)
		})
	}
}

func (s scenario) run(t *testing.T) {
	path := toolPath(t)
	results, home := t.TempDir(), t.TempDir()
	args := []string{
		abs(t, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
		"client", "--scenario", s.name, "--command", "conformance-client", "--output-dir", results,
	}
	if s.version != "" {
		args = append(args, "--spec-version", s.version)
	}
	suite := exec.Command(abs(t, "node_modules/.bin/node"), args...)
	suite.Env = []string{"HOME=" + home, "PATH=" + path + ":/usr/bin:/bin", "NODE_OPTIONS=--require " + abs(t, "loopback.cjs")}
	said, err := suite.CombinedOutput()
	if passed := len(s.failed) == 0; passed != (err == nil) {
		t.Errorf("the suite ended with %v", err)
	}
	if left := processes(home); left != "" {
		t.Errorf("left running: %s", left)
	}

	var outcome struct{ Error struct{ Code string } }
	read(t, results, "stdout.txt", &outcome)
	if outcome.Error.Code != s.ends {
		t.Errorf("the question ended with %q, want %q", outcome.Error.Code, s.ends)
	}
	var checks []check
	read(t, results, "checks.json", &checks)
	if got := with(checks, "SUCCESS"); len(got) != s.passed {
		t.Errorf("%d checks passed, want %d: %q", len(got), s.passed, got)
	}
	if diff := cmp.Diff(s.failed, with(checks, "FAILURE", "WARNING")); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	if t.Failed() {
		t.Logf("%s", said)
	}
}

// check is one check of the suite and what came of it.
type check struct{ Name, Status string }

// with are the names of the checks that came to one of these, sorted.
func with(checks []check, statuses ...string) []string {
	var names []string
	for _, c := range checks {
		if slices.Contains(statuses, c.Status) {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return names
}

// read decodes a file that the suite left in the one folder of its results.
func read(t *testing.T, results, name string, into any) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(results, "*", name))
	if len(found) == 0 && err == nil { // a scenario with a slash in its name has a folder in a folder
		found, err = filepath.Glob(filepath.Join(results, "*", "*", name))
	}
	if err != nil || len(found) != 1 {
		t.Fatalf("%d results named %s, %v", len(found), name, err)
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
