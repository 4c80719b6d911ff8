package lexical

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// found writes what a text holds of one shape, "|" between.
func found(words string, want shape) string {
	var list []string
	for _, v := range newReading(words).values {
		if v.shape == want {
			list = append(list, v.text)
		}
	}
	return strings.Join(list, "|")
}

func TestValuesAreFoundByTheirForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shape       shape
		words, want string
	}{
		{identifier, "get INC0010003, sp-004 and my_data", "INC0010003|sp-004|my_data"},
		{identifier, "the well-kept two-sample state of the art", ""},
		{identifier, "size 12x18 in 4K", "12x18"},
		{pathname, "read /tmp/x/notes.txt and ./a/b.go.", "/tmp/x/notes.txt|./a/b.go"},
		{pathname, "either and/or, 3/4, km/h", ""},
		{pathname, "open notes.txt, please", "notes.txt"},
		{address, "see https://example.org/a?b=1, or ask example.com.", "https://example.org/a?b=1|example.com"},
		{mailbox, "write to ada@example.org, not to @ada", "ada@example.org"},
		{quoted, `the game 'Ticket to Ride' and "x y"`, "x y|Ticket to Ride"},
		{quoted, "the players' hands and Ada's cards", ""},
		{quoted, "'Get the stock price of Apple.'", ""}, // a question that is quoted as a whole
		{clocked, "at 3pm or 15:30, not 25:00 or 3 men", "3pm|15:30"},
		{formula, "the function 3x^2 + 2x - 1 and 5 - 3", "3x^2 + 2x - 1"},
		{literal, "sort [3, 1, 2] and {'a': 1}", "[3, 1, 2]|{'a': 1}"},
		{literal, "an open [ bracket", ""},
		{proper, "Find the museum of Modern Art in Paris, France", "Modern Art|Paris, France|Paris|France"},
		{proper, "Summarize the policy. Then close it", ""},
		{proper, "from New York to Washington, D.C.", "New York|Washington, D.C.|Washington|D.C."},
		{proper, "Oslo, Bergen and Tromsø", "Bergen|Tromsø"}, // the first word of a sentence may be any
		{dated, "on March 17, 1915 or 2024-02-29 or 3/4/2021", "March 17, 1915|2024-02-29|3/4/2021"},
		{dated, "on 2023-02-31, you may go 5 times, march on", ""},
		{dated, "tomorrow, or next friday", "tomorrow|next friday"},
	} {
		if got := found(c.words, c.shape); got != c.want {
			t.Errorf("%q: %q, want %q", c.words, got, c.want)
		}
	}
}

func TestNumbersAreExact(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"5": "5", "-3": "-3", "$1,000.50": "1000.5", "12,000 miles": "12000", "9007199254740993": "9007199254740993",
		"8.5 million": "8500000", "five": "5", "twenty five": "25", "a million": "1000000", "0.1": "0.1", "70kg": "70",
		"5ft 10in": "35/6", "1e3": "1000", "14th": "14", "100N": "100", "9.8 m/s^2": "9.8", ".5": "0.5",
	} {
		got := ""
		for _, v := range newReading(words).values {
			if v.shape == numeral && got == "" {
				if got = decimal(v.num.rat); got == "" {
					got = v.num.rat.RatString()
				}
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
	for _, words := range []string{"12x18", "3pm", "1.2.3", "INC0010003", "x", "-", "$", "1,2x", "10:30"} {
		for _, v := range newReading(words).values {
			if v.shape == numeral && v.to-v.from == len(newReading(words).toks) && v.text == words {
				t.Errorf("%q is a number: %s", words, v.num.rat)
			}
		}
	}
}

func TestUnitsAreConverted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ words, hint, kind, want string }{
		{"5ft 10in", "height in inches", "integer", "70"},
		{"100µF", "capacitance in farads (F)", "number", "0.0001"},
		{"2 weeks", "duration in days", "integer", "14"},
		{"a decade", "period in years", "integer", "10"},
		{"5 m", "distance in inches", "number", ""}, // no end in decimals
		{"5 m", "distance in kilometers", "integer", ""},
		{"5 kg", "distance in meters", "integer", "5"}, // another dimension: its affinity, not its value, is low
		{"10%", "the rate", "number", "0.1"},
		{"10%", "the rate in percent", "number", "10"},
	} {
		raw := `{"type":"object","properties":{"v":{"type":"` + c.kind + `","description":"` + c.hint + `"}}}`
		s := stemmer{}.slots(jsontext.Value(raw))[0]
		n, _, ok := stemmer{}.read(c.words).numberAt(0)
		if c.words == "a decade" {
			n, _, ok = stemmer{}.read(c.words).numberAt(1)
		}
		got := ""
		if ok {
			got, _ = s.number(n)
		}
		if got != c.want {
			t.Errorf("%q for %q: %q, want %q", c.words, c.hint, got, c.want)
		}
	}
}

func TestDatesTakeTheFormThatTheSlotAsksFor(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) // a Saturday
	for _, c := range []struct{ words, property, want string }{
		{"on March 3rd, 2024", `{"type":"string","format":"date"}`, "2024-03-03"},
		{"on March 3rd, 2024", `{"type":"string","description":"The date, MM-DD-YYYY."}`, "03-03-2024"},
		{"on 5 June", `{"type":"string","format":"date"}`, "2026-06-05"},
		{"tomorrow", `{"type":"string","format":"date"}`, "2026-11-22"},
		{"yesterday", `{"type":"string","format":"date"}`, "2026-11-20"},
		{"next friday", `{"type":"string","format":"date"}`, "2026-11-27"},
		{"last monday", `{"type":"string","format":"date"}`, "2026-11-16"},
		{"3 days ago", `{"type":"string","format":"date"}`, "2026-11-18"},
		{"in two weeks", `{"type":"string","format":"date"}`, "2026-12-05"},
		{"next month", `{"type":"string","format":"date"}`, ""}, // no day
		{"in April 2022", `{"type":"string","description":"The date as mm-yyyy"}`, "04-2022"},
		{"in April 2022", `{"type":"string","format":"date"}`, ""}, // no day
		{"on March 3rd, 2024", `{"type":"string","description":"The date."}`, "March 3rd, 2024"},
	} {
		s := stemmer{}.slots(jsontext.Value(`{"type":"object","properties":{"date":` + c.property + `}}`))[0]
		got := ""
		for _, v := range newReading(c.words).values {
			if v.shape == dated {
				if text, ok := v.write(&s, now); ok {
					got = text
				}
			}
		}
		if got != c.want {
			t.Errorf("%q for %s: %q, want %q", c.words, c.property, got, c.want)
		}
	}
}

// The best sum is not the sum of the bests.
func TestAssignmentIsTheBestAsAWhole(t *testing.T) {
	t.Parallel()
	got := hungarian([][]float64{{5, 4.5}, {4.9, none}}, func(int) float64 { return 4 })
	if len(got) != 2 || got[0] != (pairing{1, 0, 4.9}) || got[1] != (pairing{0, 1, 4.5}) {
		t.Errorf("%+v", got)
	}
	if got := hungarian([][]float64{{none}, {none}}, func(int) float64 { return 0 }); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestDecimalsThatDoNotEndAreNone(t *testing.T) {
	t.Parallel()
	if got := decimal(big.NewRat(1, 3)); got != "" {
		t.Errorf("%q", got)
	}
}

func TestPatternsThatFitWordsTellNothing(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]bool{`^policy-[0-9]{3}$`: true, `^INC[0-9]{7}$`: true, `.*`: false, `^[a-z]+$`: false, `^\w+$`: false, `[0-9]`: false, ``: false} {
		s := stemmer{}.slots(jsontext.Value(`{"type":"object","properties":{"v":{"type":"string","pattern":` + string(quote(pattern)) + `}}}`))[0]
		if got := s.pattern != nil && telling(s.pattern); got != want {
			t.Errorf("%q: %t, want %t", pattern, got, want)
		}
	}
}
