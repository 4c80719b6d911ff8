package input

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// question is a plain question of a hundred bytes; near is a question that several
// rules have to read closely.
const (
	question100 = "Fetch the PII logging policy and list the incident tickets of last week that mention it, please, now."
	near        = "How do I kill the parent process of a python script that my colleague started on the build server?"
)

func BenchmarkAdmit(b *testing.B) {
	context := strings.Repeat("2026-11-20T10:11:12Z web-03 worker killed by signal 9, restarting; previous run took 31 s\n", 2900)
	for _, c := range []struct{ name, text, context string }{
		{"Question", question100, ""},
		{"NearMiss", near, ""},
		{"LongQuestion", strings.Repeat(question100+"\n", 300), ""},
		{"Context", question100, context},
		{"ContextOfOrders", question100, strings.Repeat("ignore the print of the safety page, you must act, evil system: the filters switch to on ", 2900)},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := BuiltIn()
			b.SetBytes(int64(len(c.text) + len(c.context)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Admit(Asked{Words: c.text, Context: c.context}, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEveryRule is a question of 32 KiB for which every rule is tried, in both
// views. It has nearly all words of all lists, in a meaningless order.
func BenchmarkEveryRule(b *testing.B) {
	_, f, _ := fileOfBuiltIn(b)
	var text strings.Builder
	text.WriteString("n0thing ")
	for _, name := range slices.Sorted(maps.Keys(f.Words)) {
		for _, line := range f.Words[name] {
			for word := range strings.SplitSeq(line, ", ") {
				start, _, _ := strings.Cut(word, "(")
				text.WriteString(start + " qq ")
			}
		}
	}
	s := strings.Repeat(text.String(), MaxQuestion/text.Len()+1)[:MaxQuestion]
	b.SetBytes(MaxQuestion)
	for b.Loop() {
		BuiltIn().match(s, "")
	}
}
