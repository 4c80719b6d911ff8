//go:build interop

package interop_test

import (
	"os/exec"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

// TestEmojiAreRead compares what zod's pattern of emoji says, as ajv reads it, with
// what its equal says here, of each character that may be part of one.
func TestEmojiAreRead(t *testing.T) {
	t.Parallel()
	node := abs(t, "node_modules/.bin/node")
	published := `const z = require('zod'); process.stdout.write(JSON.stringify(z.toJSONSchema(z.object({ value: z.emoji() }))))`
	text, err := exec.CommandContext(t.Context(), node, "-e", published).Output()
	if err != nil {
		t.Fatal(err)
	}
	j, ok := admitted("zod", string(text), schema.Input)
	if !ok {
		t.Fatalf("not admitted: %s", text)
	}
	j.Values = nil
	add := func(text string) { j.Values = append(j.Values, inJSON(object{"value": text})) }
	for r := rune(0); r < 0x20000; r++ {
		if r < 0xd800 || r > 0xdfff {
			add(string(r))
		}
	}
	for r := rune(0xe0000); r < 0xe0200; r++ {
		add(string(r))
		add(string(r) + "\u20e3")
	}
	ours, err := j.admits.Compile()
	if err != nil {
		t.Fatal(err)
	}
	theirs := reference(t, []string{node, "schemas.mjs"}, []judged{j})[0]
	if theirs.Error != "" {
		t.Fatal(theirs.Error)
	}
	fit := 0
	for i, value := range j.Values {
		fit += one(theirs.Valid[i])
		if got := ours.Check([]byte(value)) == nil; got != theirs.Valid[i] {
			t.Errorf("%s fits: %v, and ajv says %v", value, got, theirs.Valid[i])
		}
	}
	if fit < 1000 {
		t.Errorf("only %d fit", fit)
	}
}
