package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/secret"
)

// secrets hold what the escapes escape.
var secrets = []string{
	"ghp_0123456789abcdefghij",
	`p"a\s's/w<o>r&d%41+b c=?`,
	"Grüße-aus-東京-😀-ok",
	"tab\tand\u2028and\x7fend",
	"a%2Fb%20c-d\\u0041-e&amp;f",
}

// spellings are how programs write a text into another.
var spellings = map[string]func(string) string{
	"as it is":         func(s string) string { return s },
	"JSON":             func(s string) string { b, _ := json.Marshal(s); return string(b) },
	"JSON in ASCII":    func(s string) string { return escapeASCII(s) },
	"a JSON slash":     func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), "/", `\/`) },
	"a Go string":      strconv.QuoteToASCII,
	"a URL's query":    url.QueryEscape,
	"a URL's path":     url.PathEscape,
	"HTML":             html.EscapeString,
	"base64":           func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 for URLs":  func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"basic credential": func(s string) string { return base64.StdEncoding.EncodeToString([]byte("me:" + s + ":")) },
	"base64 in lines":  func(s string) string { return inLines(base64.StdEncoding.EncodeToString([]byte(s))) },
	"hexadecimal":      func(s string) string { return hex.EncodeToString([]byte(s)) },
}

func escapeASCII(s string) string {
	var out strings.Builder
	for _, r := range s {
		switch {
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04X`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		case r < ' ' || r > '~' || r == '"' || r == '\\':
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

func inLines(s string) string {
	var lines []string
	for ; len(s) > 10; s = s[10:] {
		lines = append(lines, s[:10])
	}
	return strings.Join(append(lines, s), "\r\n")
}

// packed spellings may leave a digit at each end, which holds other bits too.
const around = 16

func TestAValueIsHiddenHoweverItIsSpelled(t *testing.T) {
	t.Parallel()
	for _, value := range secrets {
		s := secret.ValuesOf("another-value", value)
		for inner, first := range spellings {
			for outer, then := range spellings {
				if strings.Contains(outer, "64") || outer == "hexadecimal" || outer == "basic credential" {
					continue // what is packed is not unpacked twice
				}
				befores := []string{"before: "}
				if outer == "as it is" { // digits in front, so that what is packed begins anywhere in a run
					befores = []string{"before: ", "before_", "before: __", "before: ___", "before 0", "before 00"}
				}
				for _, before := range befores {
					got := s.Redact(before + then(first(value)) + " :after")
					if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, " :after") || !strings.Contains(got, "[redacted]") {
						t.Errorf("%q in %s in %s: %q", value, inner, outer, got)
					}
					if left := strings.ReplaceAll(got, "[redacted]", ""); len(left) > len(before+" :after")+around {
						t.Errorf("%q in %s in %s leaves %q", value, inner, outer, left)
					}
				}
			}
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	t.Parallel()
	s := secret.ValuesOf("ghp_0123456789abcdefghij", "true-or-false", "1", "no", "", `C:\new\table`)
	for _, text := range []string{
		"", "1", "no, or able, or new", "the ghp_0123 of another", "ghp_0123456x", "a false-or-true b",
		`{"a":"\u0067hp_","b":[1,2,3]}`, "%67%68%70", "Z2hwXz=x", "6768705fz", "\xff\xfe", "a+b c", "0123456789abcdefghij", "&amp;&lt;",
	} {
		if got := s.Redact(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got := (secret.Values{}).Redact("anything at all"); got != "anything at all" {
		t.Errorf("nothing to hide, and %q", got)
	}
}

func TestEachLineOfAValueIsASecret(t *testing.T) {
	t.Parallel()
	key := "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\r\nAASCBKcwggSjAgEAAoIBAQC7VJTU\n-----END KEY-----\n"
	for name, s := range map[string]secret.Values{
		"its lines":             secret.ValuesOf(key),
		"its lines in one line": secret.ValuesOf(strings.ReplaceAll(strings.ReplaceAll(key, "\r", ""), "\n", `\n`)),
	} {
		for _, text := range []string{
			"found MIIEvQIBADANBgkqhkiG9w0BAQEF in it",
			"found AASCBKcwggSjAgEAAoIBAQC7VJTU in it",
			"found MIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7VJTU in it",
			`found "` + strings.ReplaceAll("MIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7VJTU", "\n", `\r\n`) + `" in it`,
		} {
			if got := s.Redact(text); strings.Contains(got, "MII") || strings.Contains(got, "AAS") || !strings.HasSuffix(got, " in it") {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

func TestTheStartOfAValueIsHidden(t *testing.T) {
	t.Parallel()
	s := secret.ValuesOf("ghp_0123456789abcdefghij")
	for text, want := range map[string]string{
		"half of it, ghp_01234567, is too much": "half of it, [redacted], is too much",
		"it is ghp_":                            "it is [redacted]",
		"it is ghp_0… and so on":                "it is [redacted]… and so on",
		"it is ghp_0... and so on":              "it is [redacted]... and so on",
		"it is %67%68%70%5F0":                   "it is [redacted]",
		"it is Z2hwXzAx":                        "it is [redacted]",
		"it is ghp":                             "it is ghp",
	} {
		if got := s.Redact(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestATextIsRedactedBeforeItIsCut(t *testing.T) {
	t.Parallel()
	const value = "ghp_0123456789abcdefghij"
	s := secret.ValuesOf(value)
	for _, filler := range []string{"a", "é", value, value[:11]} {
		text := strings.Repeat(filler, 20) + value + filler + value
		for max := len(text) % 7; max < len(text); max += 7 { // less than half a value
			got := s.Quote(text, max)
			if len(got) > max || !utf8.ValidString(got) || strings.Contains(got, value[:12]) {
				t.Fatalf("%d bytes of %.40q: %q", max, text, got)
			}
		}
	}
	if got := s.Quote("\xffshort", 100); got != "\uFFFDshort" {
		t.Errorf("a short text is quoted as %q", got)
	}
}

// Not parallel: it counts what is allocated.
func TestAHugeTextIsNotReadToItsEnd(t *testing.T) {
	s := secret.ValuesOf("ghp_0123456789abcdefghij")
	cost := func(text string) float64 { return testing.AllocsPerRun(3, func() { s.Quote(text, 300) }) }
	if small, huge := cost(strings.Repeat("a", 64<<10)), cost(strings.Repeat("a", 16<<20)); huge > small+10 {
		t.Errorf("%v allocations for 16 MiB, %v for 64 KiB", huge, small)
	}
}

func BenchmarkQuote(b *testing.B) {
	s := secret.ValuesOf(secrets...)
	text := strings.Repeat("The retention period is 30 days. ", 2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.Quote(text, 300)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("a text with the value in it: ", "the value", " and more")
	f.Add(`\u00`, "0a\\b%41", `41"`)
	f.Add("Zm", "9vYmFy", "==")
	f.Fuzz(func(t *testing.T, before, value, after string) {
		s := secret.ValuesOf(value)
		if len(value) < 4 || value != strings.TrimSpace(value) {
			return
		}
		if got := s.Redact(before + value + after); strings.Contains(got, value) && !strings.Contains("[redacted]", value) {
			// The mark may complete what is left on either side of it.
			if parts := strings.Split(got, "[redacted]"); strings.Contains(strings.Join(parts, "\x00"), value) {
				t.Errorf("%q is left of %q", got, before+value+after)
			}
		}
		s.Quote(before, len(after))
	})
}
