package summarize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// units cuts a text into what may stand as evidence by itself: sentences, and
// lines that are not sentences but stand alone. It cuts only where it is sure:
// a unit too large costs a quotation, one too small could lose its "never".
func units(s string) []span {
	out := make([]span, 0, 4)
	for b := range blocks(s) {
		out = sentences(out, s, b)
	}
	return rejoined(s, out)
}

// sentences adds one block, cut after each stop that ends a sentence for certain.
func sentences(out []span, s string, b block) []span {
	var q quoting
	from, wordAt := b.from, b.from
	for i := b.from; i < b.to; {
		r, n := utf8.DecodeRuneInString(s[i:b.to])
		if !stop(r) {
			q.see(r, s[:i], s[i+n:b.to])
			if unicode.IsSpace(r) || strings.ContainsRune(openers, r) {
				wordAt = i + n
			}
			i += n
			continue
		}
		end := q.after(s, i, b.to)
		rest := stripped(s[end:b.to])
		if rest == "" || end < b.solid && !q.open() && ends(s[wordAt:i], s[i:end], end+len(rest) < b.to, rest) {
			out = append(out, span{from, end})
			from = b.to - len(rest)
			end = from
		}
		if i = end; rest != s[end:b.to] || end == from {
			wordAt = end
		}
	}
	if from < b.to {
		out = append(out, span{from, b.to})
	}
	return out
}

// stripped drops white space and the stops that stand alone in it, as chat logs
// have them between two lines.
func stripped(s string) string {
	for {
		s = strings.TrimLeft(s, blanks)
		if s != "." && !strings.HasPrefix(s, ". ") {
			return s
		}
		s = s[1:]
	}
}

func stop(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '。', '！', '？', '｡':
		return true
	}
	return false
}

// ends decides whether a sentence ends with the word before a stop; marks are
// the stop and what closes behind it, gap says that white space follows.
func ends(before, marks string, gap bool, rest string) bool {
	if strings.ContainsAny(marks, "。！？｡") {
		return true
	}
	if !gap || strings.Contains(marks, "…") || strings.Contains(marks, "..") || !starts(rest, marks) {
		return false
	}
	before = strings.TrimLeft(before, openers)
	if !strings.Contains(marks, "?") && nameful(before) && !common(firstWord(rest)) {
		return false
	}
	return strings.ContainsAny(marks, "!?") || endsWord(before)
}

// nameful reports whether a word may be a short form before a name, as in
// "Messrs. Smith", "Calif. Civil Code" or "Yahoo! Inc".
func nameful(w string) bool {
	letters := strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
	return letters && utf8.RuneCountInString(w) <= 6 && word{text: w}.capital() && !common(strings.ToLower(w)) && w != strings.ToUpper(w)
}

// starts reports whether a sentence can begin with s.
func starts(s, marks string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, openers))
	if unicode.IsNumber(r) {
		return strings.ContainsAny(marks, "!?")
	}
	return unicode.IsUpper(r) || unicode.IsTitle(r) || unicode.Is(unicode.Lo, r)
}

// endsWord reports whether a full stop after the word ends a sentence, and not
// an abbreviation, an initial or the number of an item.
func endsWord(w string) bool {
	if w == "" {
		return true // the stop stands alone, as chat logs have it
	}
	if w = strings.TrimRight(w, closers); w == "" {
		return true // or behind a bracket
	}
	low := strings.ToLower(w)
	letters := strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
	switch {
	case abbreviations()[low]:
		return false
	case strings.Trim(w, "0123456789") == "":
		return len(w) > 2
	case strings.ContainsRune(w, '.') && !strings.ContainsFunc(w, unicode.IsDigit):
		return len(w)-strings.LastIndexByte(w, '.') > 2 // example.com, and not U.S
	case letters && utf8.RuneCountInString(w) <= 3:
		return utf8.RuneCountInString(w) > 1 && (w == strings.ToUpper(w) || short()[low])
	}
	return true
}

// rejoined puts back together what only makes sense together: a sentence of one
// or two words that negates or limits ("Never.") with both its neighbours, and
// one that begins with an exception with the one before.
func rejoined(s string, cut []span) []span {
	out := cut[:0]
	tight := false // the next one belongs to the last
	for _, u := range cut {
		brief := curt(s[u.from:u.to])
		if len(out) > 0 && (tight || brief || exceptive()[firstWord(s[u.from:u.to])]) {
			out[len(out)-1].to = u.to
		} else {
			out = append(out, u)
		}
		tight = brief
	}
	return out
}

func curt(s string) bool {
	if len(s) > 64 || strings.Count(s, " ") > 4 {
		return false
	}
	ws := words(s)
	if len(ws) > 2 {
		return false
	}
	for _, w := range ws {
		if w.negates() || conditions()[w.key] || timing()[w.key] || quantifiers()[w.key] {
			return true
		}
	}
	return false
}

func firstWord(s string) string {
	s = strings.TrimLeft(s, openers+"-•> ")
	return strings.ToLower(s[:len(s)-len(strings.TrimLeftFunc(s, unicode.IsLetter))])
}

// abbreviations are followed by a full stop that need not end a sentence.
var abbreviations = set(`dr mr mrs ms prof sr jr st no nos nr art arts fig figs sec secs eq eqs vol vols pp vs etc
	e.g i.e eg ie cf al approx inc ltd co corp llc plc gmbh dept est jan feb mar apr jun jul aug sep sept oct nov dec
	mon tue tues wed thu thur thurs fri sat sun a.m p.m am pm ph.d m.d b.a m.a gen col sgt capt lt cmdr maj rep reps sen
	gov pres hon rev ave blvd rd mt ft min max hr hrs ca ed eds resp incl excl viz op tel ext ref refs para paras ch
	chs bros nb ps seq app add adm approx assn assoc bldg cont def dist div encl gov't intl misc mfg mgr natl orig prev
	univ messrs subsec subsecs subch admin tech supp abbr cl cls ver vers bzw ggf evtl usw inkl abs hrsg ges abt lfd str sig sra srta mme mlle av`)

// short are words of two or three letters that do end sentences.
var short = set(`it is so do up us me him her one two six ten use new law day now out off all any yes be on in to of by
	at if an as we he go my or not own too yet way see set run end key log job per for and but the was are has had
	did can may who how why she you our its job bad top low age ago air aid act ask big bit box boy buy car cut die
	due eat far few fit fly fun gap get got guy hit hot ice ill lab lie lot man men met mix net odd oil old pay put raw
	red row sad say sea sex sit six sky tax team tie try war web win won map api era bug fix`)
