package escape_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/escape"
)

const big = 1 << 20

func TestWhatDoesNotShowIsWrittenOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, text, line string }{
		{"plain", "a b", "a b", "a b"},
		{"newline and tab", "a\n\tb", "a\n\tb", `a\u{A}\u{9}b`},
		{"carriage return", "ok\rno", `ok\u{D}no`, `ok\u{D}no`},
		{"escape sequence", "\x1b[31mred", `\u{1B}[31mred`, `\u{1B}[31mred`},
		{"one-byte CSI", "\u009b31m", `\u{9B}31m`, `\u{9B}31m`},
		{"backspace, delete, bell", "\b\x7f\a", `\u{8}\u{7F}\u{7}`, `\u{8}\u{7F}\u{7}`},
		{"nul", "\x00", `\u{0}`, `\u{0}`},
		{"right-to-left override", "a\u202Eb", `a\u{202E}b`, `a\u{202E}b`},
		{"isolate", "\u2066a\u2069", `\u{2066}a\u{2069}`, `\u{2066}a\u{2069}`},
		{"separators", "a\u2028b\u2029c\u0085d", `a\u{2028}b\u{2029}c\u{85}d`, `a\u{2028}b\u{2029}c\u{85}d`},
		{"zero width", "a\u200bb\u200dc\u2060d\ufeffe\u00adf", `a\u{200B}b\u{200D}c\u{2060}d\u{FEFF}e\u{AD}f`, `a\u{200B}b\u{200D}c\u{2060}d\u{FEFF}e\u{AD}f`},
		{"tag characters", "a\U000E0041", `a\u{E0041}`, `a\u{E0041}`},
		{"variation selectors", "a\uFE0F\U000E0100", `a\u{FE0F}\u{E0100}`, `a\u{FE0F}\u{E0100}`},
		{"fillers", "\u3164\u115F\u1160\uFFA0\u2800", `\u{3164}\u{115F}\u{1160}\u{FFA0}\u{2800}`, `\u{3164}\u{115F}\u{1160}\u{FFA0}\u{2800}`},
		{"grapheme joiner", "a\u034F", `a\u{34F}`, `a\u{34F}`},
		{"hair space", "a\u200Ab", `a\u{200A}b`, `a\u{200A}b`},
		{"private use and unassigned", "\uE000\u0378\U0010FFFF", `\u{E000}\u{378}\u{10FFFF}`, `\u{E000}\u{378}\u{10FFFF}`},
		{"not UTF-8", "a\xff\xc3(", `a\xFF\xC3(`, `a\xFF\xC3(`},
		{"encoded surrogate", "\xed\xa0\x80", `\xED\xA0\x80`, `\xED\xA0\x80`},
		{"a real replacement character", "\uFFFD", "\uFFFD", "\uFFFD"},
		{"the notation itself", `C:\u{41}\x41`, `C:\u{41}\x41`, `C:\u{41}\x41`},
		{"other scripts", "Größe 日本語 שלום हिन्दी", "Größe 日本語 שלום हिन्दी", "Größe 日本語 שלום हिन्दी"},
		{"spaces in use", "a\u00A0b\u3000c\u202Fd", "a\u00A0b\u3000c\u202Fd", "a\u00A0b\u3000c\u202Fd"},
		{"emoji", "👍", "👍", "👍"},
		{"accents on their letter", "e\u0301\u0323", "e\u0301\u0323", "e\u0301\u0323"},
		{"a mark with nothing under it", "\u0301a", `\u{301}a`, `\u{301}a`},
		{"a mark on a space", "a \u0301", `a \u{301}`, `a \u{301}`},
		{"a mark on an escape", "a\u200b\u0301", `a\u{200B}\u{301}`, `a\u{200B}\u{301}`},
		{"a stack of marks", "e\u0301\u0301\u0301\u0301\u0301\u0302x\u0301", "e\u0301\u0301\u0301\u0301" + `\u{301}\u{302}x` + "\u0301", "e\u0301\u0301\u0301\u0301" + `\u{301}\u{302}x` + "\u0301"},
	} {
		if got := escape.Text(c.in, big); got != c.text {
			t.Errorf("%s: Text is %q, want %q", c.name, got, c.text)
		}
		if got := escape.Line(c.in, big); got != c.line {
			t.Errorf("%s: Line is %q, want %q", c.name, got, c.line)
		}
	}
}

func TestCuttingSaysHowMuchIsMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{strings.Repeat("a", 40), 40, strings.Repeat("a", 40)},
		{strings.Repeat("a", 41), 40, strings.Repeat("a", 17) + "… [24 bytes left out]"},
		{strings.Repeat("é", 30), 41, strings.Repeat("é", 9) + "… [42 bytes left out]"},
		{strings.Repeat("é", 30), 40, strings.Repeat("é", 8) + "… [44 bytes left out]"}, // 17 bytes of room, and é has two
		{strings.Repeat("\x1b", 30), 41, strings.Repeat(`\u{1B}`, 3) + "… [27 bytes left out]"},
		{"aaa", 2, "… [3 bytes left out]"},
		{"aaa", 0, "… [3 bytes left out]"},
		{"aaa", -1, "… [3 bytes left out]"},
		{"", 0, ""},
	} {
		if got := escape.Text(c.in, c.max); got != c.want {
			t.Errorf("Text(%q, %d) is %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func TestAHugeTextCostsNoMoreThanItsBound(t *testing.T) {
	huge := strings.Repeat("\u202E", 8<<20) // not parallel: it counts allocations
	if n := testing.AllocsPerRun(10, func() { escape.Line(huge, 64) }); n > 40 {
		t.Errorf("%v allocations for 64 bytes of output", n)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"a", "search_policy-kb.v2", "A9", "..", strings.Repeat("x", 128)} {
		if !escape.Name(s) {
			t.Errorf("%q should be a name", s)
		}
	}
	for _, s := range []string{"", " ", "a b", "a/b", "a\n", "é", "а", "a\u202E", "a\x1b", "a:b", "a\\b", "\xff", strings.Repeat("x", 129)} {
		if escape.Name(s) {
			t.Errorf("%q should not be a name", s)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain\n\ttext", "\x1b]0;x\a", "e\u0301\u0301\u0301\u0301\u0301", "\xff\xed\xa0\x80", "\u202E\u3164\U000E0041", `\u{1B}`, "… [3 bytes left out]"} {
		f.Add(s, 64)
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, max int) {
		max %= 4096
		text, line := escape.Text(s, max), escape.Line(s, max)
		check(t, text, s, max, "\n\t")
		check(t, line, s, max, "")
		if room := len(fmt.Sprintf("… [%d bytes left out]", len(s))); max < room {
			return
		}
		if again := escape.Text(text, max); again != text {
			t.Errorf("Text of %q is %q", text, again)
		}
		if again := escape.Line(line, max); again != line {
			t.Errorf("Line of %q is %q", line, again)
		}
	})
}

func check(t *testing.T, out, in string, max int, spaces string) {
	t.Helper()
	mark := fmt.Sprintf("… [%d bytes left out]", len(in))
	if bound := len(mark); len(out) > max && len(out) > bound {
		t.Errorf("%d bytes, over %d", len(out), max)
	}
	if !utf8.ValidString(out) {
		t.Errorf("not UTF-8: %q", out)
	}
	marks := 0
	for _, r := range out {
		if !escape.Visible(r) && !strings.ContainsRune(spaces, r) {
			t.Errorf("%U in the output", r)
		}
		if !unicode.Is(unicode.M, r) {
			marks = 0
		} else if marks++; marks > 4 {
			t.Errorf("a stack of %d marks", marks)
		}
	}
}

func BenchmarkText(b *testing.B) {
	s := strings.Repeat("The retention period is 30 days. ", 128)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		escape.Text(s, big)
	}
}
