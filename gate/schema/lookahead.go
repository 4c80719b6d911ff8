package schema

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed lookahead.txt
var lookAheadTable string

// lookAhead are the patterns with look-aheads that schema generators write, each with its
// equivalents for RE2.
var lookAhead = sync.OnceValue(func() map[string][]string {
	equal, classes, of := map[string][]string{}, map[string]string{}, ""
	for line := range strings.Lines(lookAheadTable) {
		mark, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch mark {
		case "!":
			of = text
		case "=":
			equal[of] = append(equal[of], text)
		case ":":
			name, escaped, _ := strings.Cut(text, " ")
			characters, _ := strconv.Unquote(`"` + escaped + `"`)
			classes[name] += characters
		}
	}
	for _, all := range equal {
		for i := range all {
			for name, characters := range classes {
				all[i] = strings.ReplaceAll(all[i], name, characters)
			}
		}
	}
	return equal
})
