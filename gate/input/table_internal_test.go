package input

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
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
	text, f, l := fileOfBuiltIn(t)
	want, err := format.Source(source(text, f, l))
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
	made := readBuiltIn()
	if !maps.Equal(made.words.numbers, l.words.numbers) || made.words.run() != l.words.run() {
		t.Errorf("the lists have other numbers, or the longest run is not %d", l.words.run())
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
	}
	for _, word := range []string{"", "zzz", "a b c d e f g h", "kill\n"} {
		if got, _ := made.words.held(word); got != nil {
			t.Errorf("%q is in the lists %v", word, got)
		}
	}
}

// source writes the tables. Terms are put into the rules, and reasons given to each.
func source(text []byte, f file, l *layer) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated from builtin.json by go generate. DO NOT EDIT.\n\npackage input\n\n")
	fmt.Fprintf(&b, "const builtInDigest = \"sha256:%x\"\n\nvar builtInRules = []rule{\n", sha256.Sum256(text))
	terms := strings.NewReplacer(f.terms("{", "}", "", "")...)
	for _, r := range l.rules {
		fmt.Fprintf(&b, "{ID: %q, Category: %q, Says: %q, Pattern: %q, Unless: %q, Reason: %q},\n",
			r.ID, r.Category, terms.Replace(r.Says), r.Pattern, terms.Replace(r.Unless), r.Reason)
	}
	words := slices.Sorted(maps.Keys(l.words.holders))
	var begins, from, lists []int
	at := 0
	for _, word := range words {
		begins, from = append(begins, at), append(from, len(lists))
		at += len(word) + 1
		lists = append(lists, l.words.holders[word]...)
	}
	fmt.Fprintf(&b, "}\n\nvar builtInWords = table{\nlongest: %d,\nwords: %q,\n", l.words.longest, strings.Join(words, "\n")+"\n")
	numbers(&b, "begins", "uint32", append(begins, at))
	numbers(&b, "from", "uint32", append(from, len(lists)))
	numbers(&b, "lists", "int", lists)
	b.WriteString("}\n")
	return b.Bytes()
}

func numbers(b *bytes.Buffer, name, kind string, all []int) {
	fmt.Fprintf(b, "%s: []%s{", name, kind)
	for i, n := range all {
		if i%30 == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "%d, ", n)
	}
	b.WriteString("\n},\n")
}
