package schema

import (
	"strings"
	"testing"
)

// What is told of a pattern without compiling it is not less than what it
// compiles to, nor so much more that honest patterns would be refused.
func FuzzInstructions(f *testing.F) {
	for _, p := range []string{
		``, `a`, `abc`, `^[a-z]{1,1000}$`, `(a?){1000}`, `(a{30}){33}`, `(?:a{0,30}){0,33}`, `a{999}b{2,}c{0,}d{0}`, `(|a)*`, `((a*)*)*`, `(?:){5}`,
		`\p{L}\P{L}[^a]`, `a|b|[cd]|ef`, `(a|aa|aaa|b?a)*[ab]{1,30}c?$`, `x*?y+?z??`, `^\d{4}-\d\d$`, `(?P<n>a)(?:b)`, `\bword\B`, `.*.*.*=.*`, strings.Repeat("a|", 300), `[^\x00-\x{10FFFF}]`,
	} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if _, why := pattern(p); why != "" {
			return
		}
		ranges := strings.Count(p, `\`) + strings.Count(p, `[`) // each may stand for hundreds
		if told, needs := instructions(p), program(p); told < needs || ranges == 0 && told > 3*needs+10 {
			t.Fatalf("%q: %d instructions, and %d were told", p, needs, told)
		}
	})
}
