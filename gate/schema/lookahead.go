package schema

// lookAhead maps patterns that schema generators write, byte for byte, to RE2 patterns
// that together match the same texts. Any other look-ahead is refused.
// TestLookAheadsEqual compares them.
var lookAhead = map[string][]string{
	// zod 4.0 to 4.3: z.email(). The part before the @ neither begins nor ends with a
	// dot, and has no two dots in a row.
	`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`: {
		`^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$`,
	},
	// zod-to-json-schema: the same in another notation.
	`^(?!\.)(?!.*\.\.)([a-zA-Z0-9_'+\-\.]*)[a-zA-Z0-9_+-]@([a-zA-Z0-9][a-zA-Z0-9\-]*\.)+[a-zA-Z]{2,}$`: {
		`^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$`,
	},
	// zod 4: z.iso.duration(). It has at least one part, and at least one after a T.
	`^P(?:(\d+W)|(?!.*W)(?=\d|T\d)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?)$`: {
		`^P(?:\d+W|(?:` + someDate + `)(?:T(?:` + someTime + `))?|T(?:` + someTime + `))$`,
	},
	// zod 4: z.hostname(). It has at most 253 characters, not counting a final dot.
	`^(?=.{1,253}\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\.?$`: {
		`^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\.?$`,
		`^.{1,253}\.?$`,
	},
	// zod 4: z.regexes.domain.
	`^(?=.{1,253}$)([a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$`: {
		`^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$`,
		`^.{1,253}$`,
	},
	// zod 4: z.iban(). The check digits are 02 to 98.
	`^[A-Z]{2}(?!00|01|99)\d{2}[A-Z0-9]{11,30}$`: {
		`^[A-Z]{2}(?:0[2-9]|[1-8]\d|9[0-8])[A-Z0-9]{11,30}$`,
	},
	// pydantic 2.12 and 2.13: Decimal. It has at least one digit.
	`^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$`: {
		`^[+-]?(?:\d+\.?\d*|\.\d+)$`,
	},
	// The same with decimal_places=2.
	`^(?!^[-+.]*$)[+-]?0*\d*\.?\d{0,2}0*$`: {
		`^[+-]?(?:\d+(?:\.\d{0,2}0*)?|\.\d{1,2}0*)$`,
	},
}

// The parts of a duration, at least one.
const (
	someDate = `\d+Y(?:\d+M)?(?:\d+D)?|\d+M(?:\d+D)?|\d+D`
	someTime = `\d+H(?:\d+M)?(?:` + seconds + `)?|\d+M(?:` + seconds + `)?|` + seconds
	seconds  = `\d+(?:[.,]\d+)?S`
)
