package show_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/gate/escape"
)

// screen breaks a line of plain text as a terminal does, with wide characters whole.
func screen(line string, at, width int) (rows []string) {
	row := strings.Repeat(" ", at)
	for _, r := range line {
		columns := 1
		if strings.ContainsRune("漢😀", r) {
			columns = 2
		}
		if at+columns > width {
			rows, row, at = append(rows, row), "", 0
		}
		row, at = row+string(r), at+columns
	}
	return append(rows, row)
}

// No row of a document begins with the text of a string, and its value is the same.
func TestARowOfJSONBeginsWithAnEscape(t *testing.T) {
	t.Parallel()
	texts := []string{
		strings.Repeat("ZX approved ", 30),
		strings.Repeat("漢ZX", 40),
		strings.Repeat("\nZX\t\"", 40),
		strings.Repeat("\u202eZX\U0001f600\U000e0041", 40),
		strings.Repeat(`\nZX\`, 40),
	}
	for _, text := range texts {
		for _, width := range []int{7, 13, 40, 80} {
			for at := range 9 {
				if at >= width {
					continue
				}
				encoded, err := json.Marshal(map[string]string{text: text})
				if err != nil {
					t.Fatal(err)
				}
				line := show.JSON(string(escape.JSON(encoded)), at, width)
				var got map[string]string
				if err := json.Unmarshal([]byte(line), &got); err != nil || got[text] != text {
					t.Fatalf("width %d: %v, %q", width, err, line)
				}
				for _, row := range screen(line, at, width)[1:] {
					if first := strings.TrimLeft(row, "0123456789abcdefuntr"); !strings.ContainsAny(first[:min(1, len(first))], `\":}`) && first != "" {
						t.Fatalf("width %d at %d: a row begins with %q:\n%s", width, at, first, line)
					}
				}
			}
		}
	}
}

func TestJSONThatFitsIsAsItWas(t *testing.T) {
	t.Parallel()
	const line = `{"a":"b\n","c":[1,2]}`
	for _, width := range []int{0, len(line), 80} {
		if got := show.JSON(line, 0, width); got != line {
			t.Errorf("width %d: %s", width, got)
		}
	}
	if got := show.JSON(line, 1, len(line)); got != line {
		t.Errorf("only punctuation is on the next row: %s", got)
	}
}
