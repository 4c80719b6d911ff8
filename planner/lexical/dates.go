package lexical

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/olebedev/when/rules"
	"github.com/olebedev/when/rules/en"
)

// date is a date that a text states: all of it, its month, or words that the
// clock gives a meaning.
type date struct {
	year, month, day int  // 0 where not stated
	relative         bool // tomorrow
}

const months = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

// dateForm is a way of writing a date, with the groups of its parts.
type dateForm struct {
	form             func() *regexp.Regexp
	year, month, day int
}

// figures is how many of the forms have no month's name.
const figures = 2

// dateForms are the ways a date is written. Where the order of day and month
// cannot be seen, the month comes first, as in most of English on computers.
var dateForms = []dateForm{
	{pattern(`\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:t[\d:.]+(?:z|[-+]\d\d:?\d\d)?)?\b`), 1, 2, 3},
	{pattern(`\b(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})\b`), 3, 1, 2},
	{pattern(`\b` + months + `\.?[ ]?(\d{1,2})(?:st|nd|rd|th)?(?:,? ?(?:of )?(\d{4}))\b`), 3, 1, 2},
	{pattern(`\b(\d{1,2})(?:st|nd|rd|th)? (?:of )?` + months + `\.?,? ?(\d{4})\b`), 3, 2, 1},
	{pattern(`\b(\d{4}),? ` + months + ` (\d{1,2})(?:st|nd|rd|th)?\b`), 1, 2, 3},
	{pattern(`\b` + months + `,? (\d{4})\b`), 2, 1, 0},
	{pattern(`\b` + months + `\.? (\d{1,2})(?:st|nd|rd|th)?\b`), 0, 1, 2},
	{pattern(`\b(\d{1,2})(?:st|nd|rd|th)? (?:of )?` + months + `\b`), 0, 2, 1},
}

var relativeForm = pattern(`\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last|coming|upcoming) (?:week(?:end)?|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:\d+|two|three|four|five|six|seven) (?:days|weeks|months|years) ago|in (?:\d+|two|three|four|five|six|seven) (?:days|weeks|months)|(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b`)

// dates finds dates and marks their tokens as taken.
func (t text) dates(taken []bool) []value {
	low := strings.ToLower(t.raw)
	if len(low) != len(t.raw) {
		return nil // a letter changed its length: offsets would lie
	}
	var vs []value
	add := func(begin, end int, d date) {
		from, to := t.tokensIn(begin, end)
		if from >= to || slices.Contains(taken[from:to], true) {
			return
		}
		for i := from; i < to; i++ {
			taken[i] = true
		}
		v := value{shape: dated, from: from, to: to, text: t.raw[begin:end], date: d}
		if u, ok := units()[t.toks[to-1].word]; ok && d.relative && to-from == 2 {
			v.num = number{rat: big.NewRat(1, 1), unit: u} // "the next week" is seven days long
		}
		vs = append(vs, v)
	}
	relative := false
	for i, tok := range t.toks {
		relative = relative || relativeWords()[tok.word]
		switch {
		case len(tok.word) >= 3 && monthNames[tok.word[:3]] > 0:
			first, last := t.toks[max(0, i-2)], t.toks[min(i+3, len(t.toks)-1)]
			find(low, first.start, last.end, dateForms[figures:], add)
		case tok.digit && len(tok.word) >= 6 && strings.ContainsAny(tok.word, "-/."):
			find(low, tok.start, tok.end, dateForms[:figures], add)
		}
	}
	if relative {
		for _, m := range relativeForm().FindAllStringIndex(low, 8) {
			add(m[0], m[1], date{relative: true})
		}
	}
	return vs
}

// find tries the forms on low[begin:end].
func find(low string, begin, end int, forms []dateForm, add func(begin, end int, d date)) {
	for _, f := range forms {
		for _, m := range f.form().FindAllStringSubmatchIndex(low[begin:end], 4) {
			if d, ok := dateOf(low[begin:end], m, f.year, f.month, f.day); ok {
				add(begin+m[0], begin+m[1], d)
			}
		}
	}
}

var relativeWords = set("today tonight tomorrow yesterday ago days weeks months week weekend month year monday tuesday wednesday thursday friday saturday sunday")

func dateOf(low string, m []int, year, month, day int) (date, bool) {
	group := func(g int) string {
		if g == 0 || m[2*g] < 0 {
			return ""
		}
		return low[m[2*g]:m[2*g+1]]
	}
	var d date
	d.year, _ = strconv.Atoi(group(year))
	d.day, _ = strconv.Atoi(group(day))
	if d.month = monthNames[group(month)]; d.month == 0 {
		d.month, _ = strconv.Atoi(group(month))
	}
	if d.month > 12 && d.day <= 12 && year == 3 {
		d.month, d.day = d.day, d.month
	}
	if d.month < 1 || d.month > 12 || d.day > 31 || day != 0 && d.day < 1 {
		return date{}, false
	}
	if day != 0 && d.year != 0 && time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC).Day() != d.day {
		return date{}, false // no 31 June
	}
	return d, true
}

// resolve gives a relative date its meaning at the time now.
func (d date) resolve(words string, now time.Time) (date, bool) {
	if !d.relative {
		if d.year == 0 {
			d.year = now.Year()
		}
		return d, true
	}
	t, ok := atClock(words, now)
	return date{year: t.Year(), month: int(t.Month()), day: t.Day()}, ok
}

// atClock applies the English rules of olebedev/when. Its own parser would
// bring the rules of all its languages, made at every start.
func atClock(words string, now time.Time) (time.Time, bool) {
	c, known := &rules.Context{Text: words}, false
	for _, r := range en.All {
		m := r.Find(words)
		if m == nil {
			continue
		}
		ok, err := m.Apply(c, &rules.Options{}, now)
		if err != nil {
			return time.Time{}, false
		}
		known = known || ok
	}
	t, err := c.Time(now)
	return t, known && err == nil
}

var layoutForm = pattern(`\b(y{2,4}|m{2}|d{2})([-/.])(y{2,4}|m{2}|d{2})(?:[-/.](y{2,4}|m{2}|d{2}))?`)

// write gives the date the form that a slot asks for: its format, or a layout
// such as MM-DD-YYYY in its description. Without either the question's own
// words stand.
func (v value) write(s *slot, now time.Time) (string, bool) {
	switch {
	case s.format == "date-time":
		d, ok := v.date.resolve(v.text, now)
		if ok && strings.ContainsAny(v.text, "tT:") && !d.relative && v.text[0] <= '9' {
			return v.text, true
		}
		return fmt.Sprintf("%04d-%02d-%02dT00:00:00Z", d.year, d.month, d.day), ok && d.day > 0
	case s.format == "date" || strings.Contains(s.hint, "iso"):
		d, ok := v.date.resolve(v.text, now)
		return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day), ok && d.day > 0
	}
	layout := layoutForm().FindString(s.hint)
	if layout == "" {
		return v.text, true
	}
	d, ok := v.date.resolve(v.text, now)
	if !ok || strings.Contains(layout, "d") && d.day == 0 {
		return "", false
	}
	return strings.NewReplacer("yyyy", fmt.Sprintf("%04d", d.year), "yyy", fmt.Sprintf("%04d", d.year), "yy", fmt.Sprintf("%02d", d.year%100),
		"mm", fmt.Sprintf("%02d", d.month), "dd", fmt.Sprintf("%02d", d.day)).Replace(layout), true
}
