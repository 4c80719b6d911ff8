package speech

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate/lex"
)

// The words of numbers and of the calendar.
var (
	numberWords = sync.OnceValue(func() map[string]int {
		m := map[string]int{"dozen": 12, "hundred": 100, "couple": 2, "pair": 2, "single": 1}
		for i, w := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen") {
			m[w] = i
		}
		for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
			m[w] = 20 + 10*i
		}
		return m
	})
	ordinals = sync.OnceValue(func() map[string]int {
		m := map[string]int{"thirtieth": 30}
		for i, w := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth") {
			m[w] = 1 + i
		}
		return m
	})
	magnitudes = map[string]int{"k": 3, "thousand": 3, "grand": 3, "lakh": 5, "crore": 7, "mn": 6, "mio": 6, "million": 6, "bn": 9, "billion": 9}
	months     = sync.OnceValue(func() map[string]int {
		m := map[string]int{"sept": 9}
		for i := time.January; i <= time.December; i++ {
			m[strings.ToLower(i.String())], m[strings.ToLower(i.String()[:3])] = int(i), int(i)
		}
		return m
	})
	// connects are the words between the two ends of a range.
	connects = lex.Words(`to and until till through - –`)
	// pointing are words that make a following "one" a pronoun: this one, the one.
	pointing = lex.Words(`this that the which other another no new any each every`)
)

// collective are the number words of several things; no hour or minute has them.
var collective = lex.Words("dozen single couple pair")

// digit is an ordinal from first to ninth, or 0.
func digit(word string) int {
	if n := ordinals()[word]; n < 10 {
		return n
	}
	return 0
}

var dayForm = lex.Pattern(`^(\d{1,2})(?:st|nd|rd|th)?$`)

// Day is the number of a day of the month, as digits: 4, 4th, fourth, twenty-first.
func Day(word string) string {
	low := strings.ToLower(word)
	if d := dayForm().FindStringSubmatch(low); d != nil {
		return d[1]
	}
	n := ordinals()[low]
	if tens, one, both := strings.Cut(low, "-"); both && digit(one) > 0 {
		if n = numberWords()[tens]; n != 20 && n != 30 {
			return ""
		}
		n += digit(one)
	}
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
