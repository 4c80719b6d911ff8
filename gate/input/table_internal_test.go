package input

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

var update = flag.Bool("update", false, "write the tables of builtin.json")

const tables = "builtin_tables.go"

// fileOfBuiltIn is builtin.json, and its rules as a file of an operator would be read.
func fileOfBuiltIn(tb testing.TB) (text []byte, f file, l *layer) {
	tb.Helper()
	text, err := os.ReadFile("builtin.json")
	if err != nil {
		tb.Fatal(err)
	}
	if err := schema.Decode(text, &f, fileLimits); err != nil {
		tb.Fatal(err)
	}
	if l, err = f.layer(newLexicon(f.Words)); err != nil {
		tb.Fatal(err)
	}
	return text, f, l
}

func TestTheTablesAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	text, _, l := fileOfBuiltIn(t)
	want, err := format.Source(source(text, l))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(tables, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(tables); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not made of builtin.json: go generate ./gate/input (%v)", tables, err)
	}
}

// A rule of the tables reads the words that the same rule of the file reads.
func TestTheTablesHoldEveryWord(t *testing.T) {
	t.Parallel()
	_, _, l := fileOfBuiltIn(t)
	made := &builtInLayer
	if made.words.size() != l.words.size() || made.words.run() != l.words.run() {
		t.Errorf("there are not %d lists, or the longest run is not %d", l.words.size(), l.words.run())
	}
	for word, lists := range l.words.holders {
		if got, _ := made.words.held(word); !slices.Equal(got, lists) {
			t.Errorf("%q is in the lists %v, not %v", word, got, lists)
		}
	}
	for word := range l.words.holders {
		for i := range word {
			if _, more := made.words.held(word[:i]); word[i] == ' ' && !more {
				t.Errorf("after %q no run continues, but %q does", word[:i], word)
			}
		}
	}
	if n := len(made.words.table.begins) - 1; n != len(l.words.holders) {
		t.Errorf("%d words, not %d", n, len(l.words.holders))
	}
	for i, r := range l.rules {
		m := made.rules[i]
		if m.ID != r.ID || m.Category != r.Category || m.Reason != r.Reason {
			t.Errorf("rule %d is %s, not %s", i, m.ID, r.ID)
		}
		if !reflect.DeepEqual([]test{m.said, m.excused}, []test{r.said, r.excused}) {
			t.Errorf("rule %s finds %v, except %v", m.ID, m.said, m.excused)
		}
	}
	for _, word := range []string{"", "zzz", "a b c d e f g h", "kill\n"} {
		if got, _ := made.words.held(word); got != nil {
			t.Errorf("%q is in the lists %v", word, got)
		}
	}
}

// source writes the tables. The rules are as they were read, without their texts.
func source(text []byte, l *layer) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated from builtin.json by go generate. DO NOT EDIT.\n\npackage input\n\n")
	fmt.Fprintf(&b, "const builtInDigest = \"sha256:%x\"\n\nvar builtInRules = []rule{\n", sha256.Sum256(text))
	phrases := map[string]int{}
	for _, r := range l.rules {
		fmt.Fprintf(&b, "{ID: %q, Category: %q, Reason: %q,\nsaid: %s, excused: %s},\n",
			r.ID, r.Category, r.Reason, written(r.said, phrases), written(r.excused, phrases))
	}
	b.WriteString("}\n\nvar (\n")
	for _, p := range slices.SortedFunc(maps.Keys(phrases), func(p, q string) int { return phrases[p] - phrases[q] }) {
		fmt.Fprintf(&b, "phrase%d = phrase{%s}\n", phrases[p], p)
	}
	words := slices.Sorted(maps.Keys(l.words.holders))
	var begins, from, lists []uint32
	at := uint32(0)
	for _, word := range words {
		begins, from = append(begins, at), append(from, uint32(len(lists)))
		at += uint32(len(word)) + 1
		lists = append(lists, l.words.holders[word]...)
	}
	fmt.Fprintf(&b, ")\n\nvar builtInWords = table{\nlongest: %d,\nsize: %d,\nwords: %q,\n", l.words.longest, l.words.size(), strings.Join(words, "\n")+"\n")
	numbers(&b, "begins", append(begins, at))
	numbers(&b, "from", append(from, uint32(len(lists))))
	numbers(&b, "lists", lists)
	b.WriteString("}\n")
	return b.Bytes()
}

// written returns the test as Go writes it, with the names of its phrases.
func written(t test, phrases map[string]int) string {
	if t == nil {
		return "nil"
	}
	var b strings.Builder
	b.WriteString("ideas{")
	for _, either := range t.(ideas) { // builtin.json has no pattern
		b.WriteString("{")
		for _, p := range either {
			var steps strings.Builder
			for _, s := range p {
				fmt.Fprintf(&steps, "{[]uint32{%s}, %d, %t}, ", strings.Trim(strings.ReplaceAll(fmt.Sprint(s.lists), " ", ", "), "[]"), s.gap, s.optional)
			}
			if _, known := phrases[steps.String()]; !known {
				phrases[steps.String()] = len(phrases)
			}
			fmt.Fprintf(&b, "phrase%d, ", phrases[steps.String()])
		}
		b.WriteString("},\n")
	}
	return b.String() + "}"
}

func numbers(b *bytes.Buffer, name string, all []uint32) {
	fmt.Fprintf(b, "%s: []uint32{", name)
	for i, n := range all {
		if i%30 == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "%d, ", n)
	}
	b.WriteString("\n},\n")
}
