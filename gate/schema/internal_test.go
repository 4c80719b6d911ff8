package schema

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// Admission refuses such schemas. Were it to miss one, the validators still
// could reach nothing.
func TestNoValidatorReachesNetworkOrFiles(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		fmt.Fprint(w, `{"type":"string"}`)
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "s.json")
	if err := os.WriteFile(file, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{server.URL + "/s.json", server.URL + "/s.json#/a", "file://" + file, "s.json"} {
		for _, s := range []string{
			`{"$ref":%q}`, `{"type":"object","properties":{"a":{"$ref":%q}}}`, `{"allOf":[{"$ref":%q}]}`,
			`{"$schema":%q,"type":"object"}`, `{"$id":%q,"$ref":"other"}`, `{"$defs":{"a":{"$ref":%q}},"$ref":"#/$defs/a"}`, `{"$dynamicRef":%q}`,
		} {
			raw := fmt.Appendf(nil, s, at)
			if _, err := Admit(raw, Options{Role: Output}); err == nil {
				t.Errorf("%s: admitted", raw)
			}
			doc, err := parse(raw, DescriptorLimits)
			if err != nil {
				t.Fatal(err)
			}
			_, first := compileUnguarded(compileFirst, doc)
			_, _ = compileUnguarded(compileSecond, doc) // it may compile, but reaches nothing
			if first == nil {
				t.Errorf("%s: the first validator compiles it", raw)
			}
		}
	}
	if n := requests.Load(); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

func compileUnguarded[T any](compile func(any) (T, error), doc any) (v T, err error) {
	err = guarded(func() error {
		v, err = compile(doc)
		return err
	})
	return v, err
}

func TestAPanicIsARefusal(t *testing.T) {
	t.Parallel()
	if err := guarded(func() error { panic("x") }); err == nil {
		t.Error("a panic passed")
	}
}

// No value is known that only the second validator refuses, because the first decides
// the whole public suite correctly. So each is tried next to a validator that accepts
// everything.
func TestEitherValidatorAloneRefuses(t *testing.T) {
	t.Parallel()
	made := func(raw string) *validator {
		s, err := Admit([]byte(raw), Options{Role: Output})
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Compile()
		if err != nil {
			t.Fatal(err)
		}
		return v.v
	}
	strict, open := made(`{"type":"object","required":["id"]}`), made(`{}`)
	for name, v := range map[string]validator{
		"the first":  {first: strict.first, second: open.second, root: open.root},
		"the second": {first: open.first, second: strict.second, root: open.root},
		"the closed": {first: open.first, second: open.second, closed: strict.first, root: open.root},
	} {
		if err := (Validator{&v}).Check([]byte(`{}`)); err == nil {
			t.Errorf("%s refuses, and the value passes", name)
		}
		if err := (Validator{&v}).Check([]byte(`{"id":1}`)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var patterns = []string{
	``, `a`, `abc`, `^[a-z]{1,1000}$`, `(a?b){500}`, `(a{30}){33}`, `(?:a{0,30}b){0,33}`, `a{999}b{2,}c{0,}d{0}`, `(|a)*`, `((a*b)*c)*`, `(?:){5}`, `(a|aa$00000){0}`,
	`\p{L}\P{L}[^a]`, `a|b|[cd]|ef`, `(ab|ac|b?d)*[ef]{1,30}c?$`, `x*?y+?z??`, `^\d{4}-\d\d$`, `(?P<n>a)(?:b)`, `\bword\B`, `[^=]*=.*`, strings.Repeat("a|", 300), `[^\x00-\x{10FFFF}]`,
}

// The number of instructions computed without compiling is never less than the
// compiled number.
func FuzzInstructions(f *testing.F) {
	for _, p := range patterns {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if _, why := pattern(p); why != "" {
			return
		}
		if told, needs := instructions(p), program(p); told < needs {
			t.Fatalf("%q: %d instructions, and %d were told", p, needs, told)
		}
	})
}

// Nor is it so much more that honest patterns would be refused. This is not a
// property of every pattern: what the compiler can drop, it drops.
func TestWhatIsToldOfAnHonestPatternIsNear(t *testing.T) {
	for _, p := range patterns {
		ranges := strings.Count(p, `\`) + strings.Count(p, `[`) // each may mean hundreds
		if told, needs := instructions(p), program(p); ranges == 0 && told > 3*needs+10 {
			t.Errorf("%q: %d instructions, and %d were told", p, needs, told)
		}
	}
}
