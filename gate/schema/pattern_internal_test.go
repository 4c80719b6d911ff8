package schema

import (
	"strings"
	"testing"
)

var patterns = []string{
	``, `a`, `abc`, `^[a-z]{1,1000}$`, `(a?){1000}`, `(a{30}){33}`, `(?:a{0,30}){0,33}`, `a{999}b{2,}c{0,}d{0}`, `(|a)*`, `((a*)*)*`, `(?:){5}`, `(a|aa$00000){0}`,
	`\p{L}\P{L}[^a]`, `a|b|[cd]|ef`, `(a|aa|aaa|b?a)*[ab]{1,30}c?$`, `x*?y+?z??`, `^\d{4}-\d\d$`, `(?P<n>a)(?:b)`, `\bword\B`, `.*.*.*=.*`, strings.Repeat("a|", 300), `[^\x00-\x{10FFFF}]`,
}

// What is told of a pattern without compiling it is never less than what it
// compiles to.
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

// Nor is it so much more that honest patterns would be refused. This is no
// property of every pattern: what the compiler can drop, it drops.
func TestWhatIsToldOfAnHonestPatternIsNear(t *testing.T) {
	for _, p := range patterns {
		ranges := strings.Count(p, `\`) + strings.Count(p, `[`) // each may stand for hundreds
		if told, needs := instructions(p), program(p); ranges == 0 && told > 3*needs+10 {
			t.Errorf("%q: %d instructions, and %d were told", p, needs, told)
		}
	}
}
