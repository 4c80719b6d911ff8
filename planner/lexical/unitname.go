package lexical

import "strings"

// unitName fills a parameter that names a unit: the one the question asks the
// answer in, or the one unit of all its measures. Of two such parameters the
// source takes the measured unit and the target the other.
func (f *filling) unitName(i int, s *slot, m *match) {
	measured, asked, other := -1, -1, -1
	single := true
	for k := range m.t.toks {
		if f.used[k] || !m.t.unitWord(k) {
			continue
		}
		switch {
		case m.t.quantityBefore(k):
			single = single && (measured < 0 || m.t.toks[measured].word == m.t.toks[k].word)
			measured = k
		case k > 0 && (m.t.toks[k-1].word == "in" || m.t.toks[k-1].word == "as"):
			asked = k
		default:
			other = k
		}
	}
	at := -1
	switch {
	case s.wants.source:
		at = measured
	case s.wants.target:
		at = max(asked, other)
	case asked >= 0:
		at = asked
	case measured >= 0 && single && !strings.Contains(s.hint, "system"):
		at = measured
	case s.required:
		at = other
	}
	if at >= 0 {
		f.args[i] = argument{quote(m.t.toks[at].raw), m.t.toks[at].raw, fromQuestion}
		f.used[at] = f.used[at] || s.wants.source || s.wants.target || at == asked
	}
}

func (t text) unitWord(k int) bool {
	word := t.toks[k].word
	_, known := units()[word]
	return len(word) > 1 && word != "in" && (known || word == "units" || perUnit().MatchString(word))
}

// quantityBefore reports whether a number stands right before token k.
func (t text) quantityBefore(k int) bool {
	if k == 0 || !t.joined(k) {
		return false
	}
	_, ok := parseNumber(t.toks[k-1].word)
	_, word := numberWords[t.toks[k-1].word]
	return ok || word
}

// currencies are codes of ISO 4217 and the words that mean them.
var currencies = map[string]string{
	"us dollar": "USD", "american dollar": "USD", "canadian dollar": "CAD", "australian dollar": "AUD", "british pound": "GBP",
	"pound sterling": "GBP", "euro": "EUR", "japanese yen": "JPY", "yen": "JPY", "indian rupee": "INR", "swiss franc": "CHF",
	"chinese yuan": "CNY", "yuan": "CNY", "mexican peso": "MXN", "dollar": "USD", "pound": "GBP",
}

var currencyCodes = set("usd cad aud gbp eur jpy inr chf cny mxn nzd sek nok dkk krw brl zar sgd hkd")

// currency fills a parameter that names a currency. The amount's own currency
// is the source; the other one is the target.
func (f *filling) currency(i int, s *slot, m *match) {
	for k := 0; k < len(m.t.toks); k++ {
		code, used := m.currencyAt(k)
		if code == "" || f.used[k] {
			continue
		}
		amount := m.t.quantityBefore(k)
		prep := m.t.prepBefore(k)
		if s.wants.target && (amount || prep == "from") || s.wants.source && !amount && prep != "from" {
			k += used - 1
			continue
		}
		f.set(i, argument{quote(code), m.t.span(k, k+used), fromQuestion}, k, k+used)
		return
	}
}

func (m *match) currencyAt(k int) (code string, used int) {
	word := m.t.toks[k].word
	if currencyCodes()[word] {
		return strings.ToUpper(word), 1
	}
	if k+1 < len(m.t.toks) {
		two := word + " " + strings.TrimSuffix(m.t.toks[k+1].word, "s")
		if c, ok := currencies[two]; ok {
			return c, 2
		}
	}
	return currencies[strings.TrimSuffix(word, "s")], 1
}
