package intent

// Token is a word or a literal of a text, from byte Start up to End of the text
// in Unicode's form NFC. Punctuation around it is not part of it.
type Token struct {
	Start, End int
	Literal    bool // it is quoted, or has a digit, an inner mark or an inner capital
	Quoted     bool
}

// Tokens cuts a text as [Compare] does, so that a planner can account for the
// very literals whose absence is marked.
func Tokens(s string) (nfc string, tokens []Token) {
	var t text
	t.cut(s)
	tokens = make([]Token, len(t.tokens))
	for i, k := range t.tokens {
		tokens[i] = Token{int(k.start), int(k.end), k.literal, k.quoted}
	}
	return t.all, tokens
}
