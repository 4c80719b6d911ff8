package guard

import "unicode"

// Visible reports whether r shows as itself: a letter, mark, number,
// punctuation, symbol or one of four spaces, of the Unicode version that this
// program was built with, and not one that fonts draw as nothing. It is an
// allow-list: controls, format characters (bidirectional overrides, joiners,
// soft hyphen, tags), line and paragraph separators, surrogates, private use
// and unassigned code points are not on it. Neither are newline and tab: who
// wants them says so.
func Visible(r rune) bool {
	if r < 0x7F {
		return r >= ' '
	}
	if unicode.Is(unicode.Zs, r) {
		// The spaces of French, of typography and of Japanese. The others are
		// hair-thin or stand for nothing that people write.
		return r == '\u00A0' || r == '\u202F' || r == '\u3000'
	}
	return unicode.IsOneOf(shown, r) && !unicode.IsOneOf(hidden, r)
}

var shown = []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S}

var hidden = []*unicode.RangeTable{
	unicode.Variation_Selector,                 // they carry hidden bytes behind any letter
	unicode.Other_Default_Ignorable_Code_Point, // U+3164 and the other Hangul fillers, U+034F, U+17B4
	blank,
}

// blank holds what has a category of the visible and no ink.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // braille pattern blank
		{Lo: 0xFFFC, Hi: 0xFFFC, Stride: 1}, // object replacement character
	},
	R32: []unicode.Range32{
		{Lo: 0x13441, Hi: 0x13442, Stride: 1}, // Egyptian blanks
		{Lo: 0x16FE4, Hi: 0x16FE4, Stride: 1}, // Khitan small script filler
		{Lo: 0x1D159, Hi: 0x1D159, Stride: 1}, // musical null notehead
	},
}
