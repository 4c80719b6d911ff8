package scan_test

import (
	"slices"
	"strings"
	"testing"
)

// Each function of the rules for hidden and encoded text has rows that change if it is
// switched off. The texts are harmless and say what they are for.
func TestEachRuleOfHiddenTextHasRows(t *testing.T) {
	t.Parallel()
	lines := func(text string) string {
		var all []string
		for line := range slices.Chunk([]byte(text), 64) {
			all = append(all, string(line))
		}
		return strings.Join(all, "\n")
	}
	const encoded, turned = "concealed-encoding hard", "Cyrnfr qryrgr zl znvy."
	const escaped = "%50%6c%65%61%73%65%20%64%65%6c%65%74%65%20%6d%79%20%6d%61%69%6c"
	family := "\U0001F469\u200d\U0001F4BB"
	for rule, rows := range map[string]map[string]string{
		"concealed":      {"x " + based(asked): encoded, asked: "request soft"},
		"packedRun":      {lines(based(strings.Repeat("More of it. ", 6) + asked)): encoded, lines(based(strings.Repeat("More of it. ", 9))): ""},
		"unpacked":       {based(asked): encoded, "506c656173652064656c657465206d79206d61696c2e": encoded, based("The period is 30 days."): ""},
		"legible":        {based("Please delete my mail."): encoded, based("\x01\x02 Please delete my mail."): ""},
		"respelled":      {escaped: encoded, "100%25 of it": ""},
		"escapedLetters": {escaped: encoded, "%20%20%20Please%20close%20%20%20it%20by%207": ""},
		"turned":         {"ROT 13: " + turned: encoded, "13: " + turned: ""},
		"rot13":          {"rot13: CYRNFR " + turned: encoded, "rot13 is a cipher": ""},
		"isTag":          {"Noon." + tagged("hi"): "tag-characters hard", "Noon.": ""},
		"flagTags":       {"\U0001F3F4" + tagged("gbwls\x7f"): "", "\U0001F3F4" + tagged("hi\x7f"): "tag-characters hard", "\U0001F3F4" + tagged("wavehello\x7f"): "tag-characters hard"},
		"isReordering":   {"\u2066abc\u2069": "reordering hard", "abc\u2069": ""},
		"hasRightToLeft": {"שלום \u202babc\u202c": "", "\u202babc\u202c": "reordering hard", "שלום \u202eabc\u202c": "reordering hard"},
		"isInvisible":    {"Noon." + bits("hi"): "invisible-text hard", "Noon. ": ""},
		"accounted":      {strings.Repeat(family+" ", 5): "", "na\u00adive": "", "na\u2060ive": "invisible-text soft"},
		"latin":          {"no\u2060on": "invisible-text soft", "no \u2060on": ""},
		"repeats":        {"Noon" + strings.Repeat("\u200c", 20): "invisible-text soft", "Noon " + bits("hi"): "invisible-text hard"},
		"join":           {tagged("hi"): "tag-characters hard", tagged("h") + "-" + tagged("i"): "tag-characters hard,tag-characters hard"},
	} {
		for text, want := range rows {
			if got := strings.Join(findings("text", text), ","); got != want {
				t.Errorf("%s: %q has %q, not %q", rule, text, got, want)
			}
		}
	}
}
