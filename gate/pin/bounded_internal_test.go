package pin

import (
	"strings"
	"testing"
)

// The search for lists takes time in proportion to the text. It is asked directly, because
// the other readers of a description take ten times as long for such a text.
func TestTheSearchForListsIsBounded(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]string{"colons": ":", "brackets": "[(", "names": "a, ", "bullets": "- a\n", "quotes": "'a', ", "starts": ": a, b of "} {
		text := strings.Repeat(part, 100_000/len(part))
		if inAnyOrder("x"+text, "y"+text) {
			t.Errorf("%s: another letter is another order", name)
		}
	}
}
