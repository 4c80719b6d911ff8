package speech_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/speech"
)

var update = flag.Bool("update", false, "write what is read into testdata/readings.txt")

const corpus = "testdata/readings.txt"

// Each row of the corpus is a kind of reading, a text, and its readings.
func TestReadings(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(corpus)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		row := strings.SplitN(line, " |", 3)
		if len(row) < 3 {
			out.WriteString(line + "\n")
			continue
		}
		kind, text, want := row[0], strings.TrimSpace(row[1]), strings.TrimSpace(row[2])
		read := readers[kind]
		if read == nil {
			t.Fatalf("%q is not a kind of reading", kind)
		}
		got := read(text)
		if got != want {
			t.Errorf("%s of %q\n got %s\nwant %s", kind, text, got, want)
		}
		out.WriteString(strings.TrimRight(kind+" | "+text+" | "+got, " ") + "\n")
	}
	if *update {
		if err := os.WriteFile(corpus, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// written turns signs that no row may have into what they are written for.
var written = strings.NewReplacer("⏎", "\n", "¦", "|")

// readers write the readings of a text in a line.
var readers = map[string]func(text string) string{
	"tokens": func(text string) string {
		all := speech.Tokens(text)
		return list(all.Tokens, func(k speech.Token) string {
			word := all.NFC[k.Start:k.End]
			switch {
			case k.Quoted:
				return "quoted:" + word
			case k.Literal:
				return "literal:" + word
			}
			return word
		})
	},
	"quantity": func(text string) string {
		all := speech.Tokens(text)
		return list(all.Quantities(), func(q speech.Quantity) string { return span(&all, q.First, q.Last) + " = " + amount(&q) })
	},
	"time": func(text string) string {
		all := speech.Tokens(text)
		return list(all.Moments(), func(m speech.Moment) string {
			layout := time.DateOnly + " 15:04:05Z07:00"
			switch {
			case !m.Clock && !m.Date:
				layout = "--01-02"
			case !m.Clock:
				layout = time.DateOnly
			case !m.Date:
				layout = "15:04:05"
			}
			return span(&all, m.First, m.Last) + " = " + m.At.Format(layout)
		})
	},
	"period": func(text string) string {
		all := speech.Tokens(text)
		return list(all.Periods(), func(p speech.Period) string {
			return strings.TrimSpace(span(&all, p.First, p.Last) + " = " + p.From.Format(time.DateOnly) + " to " + p.To.Format(time.DateOnly) + " " + p.Name)
		})
	},
	"mood": func(text string) string {
		all := speech.Tokens(text)
		var found []string
		for _, s := range all.Sentences(func(int) bool { return false }) {
			for i := s.From; i < s.To; i++ {
				if speech.Changes(s.Low(i)) && !s.Noun(i) {
					mood, _ := s.Mood(i)
					found = append(found, strings.TrimSpace(s.Low(i)+" "+string(mood)))
				}
			}
		}
		return strings.Join(found, ", ")
	},
	"prose": func(text string) string {
		text = written.Replace(text)
		var out strings.Builder
		for w := range speech.Words(text) {
			out.WriteString([]string{" ", ", ", "; ", ". "}[w.Begins] + text[w.Start:w.End])
		}
		return strings.TrimPrefix(out.String(), ". ")
	},
	"sentence": func(text string) string {
		return strings.NewReplacer("|", "¦", "\n", "⏎").Replace(strings.Join(speech.Sentences(written.Replace(text)), " / "))
	},
	"shape": func(text string) string {
		return []string{"", "address", "path", "identifier"}[speech.ShapeOf(text)]
	},
	"quoted": func(text string) string { // which words are quoted together with the next
		var words []speech.Word
		for w := range speech.Words(text) {
			words = append(words, w)
		}
		return list(words[1:], func(w speech.Word) string {
			if i := slices.Index(words, w); speech.Quotes(text, words[i-1].Start, w.Start) {
				return text[words[i-1].Start:words[i-1].End]
			}
			return "-"
		})
	},
	"name":    func(text string) string { return strings.Join(speech.NameParts(text), " ") },
	"verbs":   func(text string) string { return strings.Join(speech.Verbs(speech.NameParts(text)), " ") },
	"done":    speech.Done,
	"day":     speech.Day,
	"zone":    func(text string) string { return strings.Join(speech.Zones(text), ", ") },
	"city":    func(text string) string { return strings.Join(speech.City(text), " ") },
	"country": func(text string) string { return strings.Join(speech.Country(text), " ") },
	"money": func(text string) string {
		before, word, _ := strings.Cut(text, " ")
		return speech.Currency(word, before)
	},
}

func list[T any](all []T, write func(T) string) string {
	var out []string
	for _, one := range all {
		out = append(out, write(one))
	}
	return strings.Join(out, "; ")
}

func span(t *speech.Text, first, last int) string {
	return t.NFC[t.Tokens[first].Start:t.Tokens[last].End]
}

func amount(q *speech.Quantity) string {
	v := q.Value.Rational()
	if v == nil {
		return "a number out of bounds"
	}
	out := v.RatString()
	if q.Percent {
		out += " %"
	}
	for i, u := range q.Units {
		out += []string{" ", " or "}[min(i, 1)] + u.Name
	}
	if q.Added != nil {
		out += " and " + q.Added.RatString() + " of the base"
	}
	if q.How != "" {
		out += fmt.Sprintf(" (%s)", q.How)
	}
	return out
}

// The bounds hold, and places are places of the text, whatever the text is.
func FuzzReadings(f *testing.F) {
	f.Add(`Don't close "a b" «c», 1,000 5% -7 of 2 hours and 30 minutes`)
	f.Add("from 14-18 June 2026, Q3 2026, week 7 of 2027, minus 18 and a half, at half past nine in the evening")
	f.Add("東京の天気 e\u0301\u200b \xff")
	f.Add("4 to 4 to 4 to 4 December to 8 December 2026")
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for w := range speech.Words(s) {
			if w.Start < last || w.End <= w.Start || w.End > len(s) || w.Begins > speech.Stop {
				t.Fatalf("%+v is not behind %d", w, last)
			}
			_, _ = speech.ShapeOf(s[w.Start:w.End]), speech.Quotes(s, w.Start, w.End)
			last = w.End
		}
		for _, one := range speech.Sentences(s) {
			if !strings.Contains(s, one) {
				t.Fatalf("%q is no sentence of %q", one, s)
			}
		}
		all := speech.Tokens(s)
		last = 0
		for _, k := range all.Tokens {
			if k.Outer < last || k.Start < k.Outer || k.End < k.Start || k.OuterEnd < k.End || k.OuterEnd > len(all.NFC) {
				t.Fatalf("%+v is not behind %d", k, last)
			}
			last = k.OuterEnd
		}
		for _, q := range all.Quantities() {
			_ = span(&all, q.First, q.Last)
			_, _ = q.In(speech.Units("min"))
		}
		for _, m := range all.Moments() {
			_ = span(&all, m.First, m.Last)
		}
		for _, p := range all.Periods() {
			if _ = span(&all, p.First, p.Last); p.To.Before(p.From) {
				t.Fatalf("%+v ends before it begins", p)
			}
		}
		for _, one := range all.Sentences(func(i int) bool { return i%7 == 6 }) {
			for i := one.From; i < one.To; i++ {
				_, _ = one.Mood(i)
				for _, r := range one.Excluded(i) {
					if r.From < one.From || r.To > one.To {
						t.Fatalf("%+v is not in %+v", r, one.Range)
					}
				}
			}
		}
	})
}
