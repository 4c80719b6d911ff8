package report_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

var colour = regexp.MustCompile(`--(\w+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)`)

// TestTextCanBeReadOnItsGround holds the colours to the contrast of WCAG 2.2,
// 1.4.3, by day and by night.
func TestTextCanBeReadOnItsGround(t *testing.T) {
	t.Parallel()
	css, err := os.ReadFile("style.css")
	if err != nil {
		t.Fatal(err)
	}
	for scheme, at := range map[string]int{"light": 2, "dark": 3} {
		of := map[string]string{}
		for _, m := range colour.FindAllStringSubmatch(string(css), -1) {
			of[m[1]] = m[at]
		}
		for _, text := range []string{"ink", "soft", "ink0", "ink1", "ink2", "ink3", "ink4", "ink5"} {
			for _, ground := range []string{"paper", "card"} {
				if c := contrast(t, of[text], of[ground]); c < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", scheme, text, ground, c)
				}
			}
		}
		if c := contrast(t, of["ink"], of["track"]); c < 4.5 {
			t.Errorf("%s: code has a contrast of %.2f", scheme, c)
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

// luminance is relative luminance as WCAG 2.2 defines it.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatalf("no colour: %v", err)
	}
	sum := 0.0
	for i, weight := range []float64{.0722, .7152, .2126} {
		c := float64(n>>(8*i)&0xff) / 255
		if c <= .04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+.055)/1.055, 2.4)
		}
	}
	return sum
}
