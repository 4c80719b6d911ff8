package scan

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/lex"
)

const (
	packedMin  = 24       // characters of the shortest run that is decoded: three words in base64
	packedLine = 60       // characters of a line of base64 that goes on in the next one
	packedMax  = 64 << 10 // bytes of a run that are decoded
	escapesMin = 8        // letters that are spelled as escapes before a text counts as written in them
	levelsMax  = 2        // how often a decoded text is decoded again
)

var (
	packedBytes = lex.ClassOf(lex.WordBytes + "+/-")
	lineEnds    = lex.ClassOf("\r\n")
	escapeBytes = lex.ClassOf("%&\\")
)

// concealed finds stretches that become another text once they are decoded, if that text
// has a finding.
func concealed(p Part, level int, found finding) {
	if level == levelsMax {
		return
	}
	says := func(text string) bool {
		some := false
		p.find(text, level+1, func(string, Tier, hit) { some = true })
		return some
	}
	for i := 0; i < len(p.Text); i++ {
		n := packedBytes.Leading(p.Text[i:])
		if n >= packedMin {
			var run string
			run, n = packedRun(p.Text[i:], n)
			if slices.ContainsFunc(unpacked(run), says) {
				found("concealed-encoding", Hard, hit{i, i + n})
			}
		}
		i += n
	}
	for _, text := range respelled(p.Text) {
		if says(text) {
			found("concealed-encoding", Hard, hit{0, len(p.Text)})
		}
	}
}

// packedRun is the base64 or hexadecimal that begins the text, without line ends, and how
// many bytes of the text it takes. first is the length of its first line.
func packedRun(text string, first int) (run string, n int) {
	n = first
	if n < packedLine {
		return text[:n], n
	}
	var all strings.Builder
	all.WriteString(text[:n])
	for line := n; line >= packedLine && all.Len() < packedMax; n += line {
		n += lineEnds.Leading(text[n:min(len(text), n+2)])
		line = packedBytes.Leading(text[n:min(len(text), n+packedMax)])
		all.WriteString(text[n : n+line])
	}
	return all.String()[:min(all.Len(), packedMax)], n
}

// unpacked are the texts that the run may encode in base64 or hexadecimal.
func unpacked(run string) []string {
	var all []string
	if b, err := hex.DecodeString(run[:len(run)&^1]); err == nil && legible(b) {
		return append(all, string(b))
	}
	run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
	head, err := base64.RawStdEncoding.DecodeString(run[:packedMin])
	if err != nil || !legible(head[:len(head)-2]) {
		return all
	}
	if b, err := base64.RawStdEncoding.DecodeString(run[:len(run)&^3]); err == nil && legible(b) {
		tail, _ := base64.RawStdEncoding.DecodeString(run[len(run)&^3:])
		all = append(all, string(b)+string(tail))
	}
	return all
}

// legible reports whether bytes are a readable text.
func legible(b []byte) bool {
	return utf8.Valid(b) && !bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\n\t\r", r) })
}

// respelled are the decoded forms of the text. It undoes escapes if the text spells letters
// by them, and turns the text by 13 letters if it names that cipher.
func respelled(text string) []string {
	var all []string
	if escapedLetters(text) >= escapesMin {
		all = append(all, string(lex.Unescape([]byte(text))))
	}
	if strings.Contains(text, "13") && turned().MatchString(text) {
		all = append(all, strings.Map(rot13, text))
	}
	return all
}

// escapedLetters counts the escapes of ASCII letters, which need no escape.
func escapedLetters(text string) int {
	count := 0
	for i := 0; i < len(text); i++ {
		if !escapeBytes.Has(text[i]) {
			continue
		}
		if letter, n := lex.Escape([]byte(text[i:min(len(text), i+12)])); n > 0 {
			if len(letter) == 1 && lex.Letter(letter[0]) {
				count++
			}
			i += n - 1
		}
	}
	return count
}

// turned matches the name of the cipher that turns letters by 13.
var turned = lex.Pattern(`(?i)rot[- ]?13`)

func rot13(r rune) rune {
	switch low := r | 0x20; {
	case low >= 'a' && low <= 'm':
		return r + 13
	case low >= 'n' && low <= 'z':
		return r - 13
	}
	return r
}
